/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-nic-device.h"

#include "ns3/node.h"

/**
 * \file
 * \ingroup roce
 * RoceQueuePair: how messages, datagrams and receives end.
 */

namespace ns3
{

void
RoceQueuePair::CompleteMessages()
{
    SetActive(m_otherReady || requester.HasUnacknowledged());
    while (const RoceRequester::Entry* entry = requester.PeekCompleted())
    {
        const RoceWorkRequest request = entry->request;
        requester.PopCompleted();
        Complete(request, RoceStatus::SUCCESS);
    }
}

void
RoceQueuePair::CompleteDatagrams()
{
    RoceWorkRequest request;
    RoceAddressHandle to;
    while (m_datagrams->TakeSent(m_nic.GetFabric()->engine.Now(), request, to))
    {
        RoceCompletion completion = MakeCompletion(request, RoceStatus::SUCCESS);
        completion.peerRank = to.rank;
        completion.peerQp = to.qp;
        Tell(completion);
    }
    AwaitDatagram();
}

void
RoceQueuePair::DatagramDeparted()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    m_datagrams->NoteDeparture(m_nic.GetPort(port).GetSendingEnd());
    const uint64_t due = m_datagrams->GetNextDeparture();
    if (due > now && due < ackTimer.GetDue())
    {
        ackTimer.Set(due);
    }
}

void
RoceQueuePair::AwaitDatagram()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    const uint64_t due = m_datagrams->GetNextDeparture();
    // A PAUSE, or a frame of a higher class, keeps it in the port for longer than expected.
    const bool late = due <= now && !m_datagrams->HasDeparted();
    if (late != m_awaitsDeparture)
    {
        m_awaitsDeparture = late;
        m_nic.GetScheduler(port).AwaitDepartures(late);
    }
    if (!late && due != RoceDatagramQueue::NEVER)
    {
        ackTimer.Set(due);
    }
}

void
RoceQueuePair::Complete(const RoceWorkRequest& request, RoceStatus status)
{
    Tell(MakeCompletion(request, status));
}

void
RoceQueuePair::Refuse(const RoceCompletion& completion)
{
    FabricContext& fabric = *m_nic.GetFabric();
    if (!m_refusals)
    {
        m_refusals = std::make_unique<Refusals>(this);
        m_refusals->timer.Bind(&fabric.engine, m_nic.GetNode()->GetId());
    }
    const uint64_t due = fabric.engine.Now() + MicroSeconds(REFUSAL_DELAY_US).GetTimeStep();
    m_refusals->waiting.emplace_back(due, completion);
    if (m_refusals->waiting.size() == 1)
    {
        m_refusals->timer.Set(due);
    }
}

void
RoceQueuePair::TellRefused()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    auto& waiting = m_refusals->waiting;
    for (size_t count = waiting.size(); count > 0 && waiting.front().first <= now; count--)
    {
        const RoceCompletion completion = waiting.front().second;
        waiting.pop_front();
        Tell(completion); // which may post, and be refused, again
    }
    if (!waiting.empty())
    {
        m_refusals->timer.Set(waiting.front().first);
    }
}

void
RoceQueuePair::Tell(const RoceCompletion& completion)
{
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->MessageCompleted(completion);
    }
}

RoceCompletion
RoceQueuePair::MakeCompletion(const RoceWorkRequest& request, RoceStatus status) const
{
    RoceCompletion completion;
    completion.localRank = parameters.localRank;
    completion.peerRank = parameters.peerRank;
    completion.qp = number;
    completion.peerQp = peerNumber;
    completion.channel = parameters.channel;
    completion.bytes = request.bytes;
    completion.cookie = request.cookie;
    completion.status = status;
    completion.verb = request.verb;
    completion.withImmediate = request.withImmediate;
    completion.immediate = request.immediate;
    return completion;
}

void
RoceQueuePair::Fail(RoceStatus status)
{
    static constexpr HandlerTable NONE{};
    failed = true;
    m_handlers = &NONE; // a queue pair in error hears nothing
    m_responses.reset();
    UpdateReady();
    SetActive(false);
    ackTimer.Clear();
    if (m_nic.GetListener())
    {
        m_nic.GetListener()->QueuePairFailed(*this, status);
    }
    for (const RoceWorkRequest& request : requester.Abandon())
    {
        Complete(request, status);
        status = RoceStatus::FLUSHED;
    }
    FlushReceives();
}

void
RoceQueuePair::FlushReceives()
{
    while (m_receives && !m_receives->IsEmpty())
    {
        Tell(MakeFlushedReceive(m_receives->Take()));
    }
}

RoceCompletion
RoceQueuePair::MakeFlushedReceive(uint64_t cookie) const
{
    RoceCompletion completion = MakeCompletion({}, RoceStatus::FLUSHED);
    completion.received = true;
    completion.receiveCookie = cookie;
    return completion;
}

} // namespace ns3
