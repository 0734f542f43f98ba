/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-port-scheduler.h"

#include "roce-nic-device.h"

#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

RocePortScheduler::RocePortScheduler(RoceNicDevice& nic, FabricPort& port)
    : m_nic(nic),
      m_port(port),
      m_ticksPerSecond(FabricEngine::GetTicksPerSecond()),
      m_order(static_cast<uint64_t>(port.GetIndex()) << 48),
      m_timer(this)
{
    m_timer.Bind(&nic.GetFabric()->engine, nic.GetNode()->GetId());
    if (!port.IsStrictPriority())
    {
        port.SetTracked(true); // the next packet must follow before this one has left
    }
}

void
RocePortScheduler::Wake(RoceQueuePair& qp, uint64_t now)
{
    RocePacing& pacing = qp.pacing;
    Retime(qp, now);
    if (pacing.place == RocePacing::Place::PACED && !qp.HasUnpaced())
    {
        if (pacing.available >= pacing.key)
        {
            return; // looked at again before it may send
        }
        PushPaced(qp, now);
    }
    else if (pacing.place == RocePacing::Place::READY || !qp.CanSend())
    {
        return;
    }
    else
    {
        Place(qp, now, now);
    }
    Resume(now);
}

void
RocePortScheduler::Resume(uint64_t now)
{
    NoteDepartures(now);
    MoveDue(now);
    if (!m_port.IsStrictPriority())
    {
        SendAhead(now);
    }
    else if (GetReadyMask() && m_port.GetFreeTime() <= now)
    {
        SendOne(GetReadyMask(), now, now);
    }
    Arm(now);
}

void
RocePortScheduler::Remove(RoceQueuePair& qp)
{
    if (qp.pacing.place == RocePacing::Place::READY)
    {
        const uint32_t priority = qp.settings.priority;
        ReadyList& list = m_ready[priority];
        RoceQueuePair* before = nullptr;
        for (RoceQueuePair* i = list.head; i != &qp; i = i->nextReady)
        {
            before = i;
        }
        (before ? before->nextReady : list.head) = qp.nextReady;
        if (list.tail == &qp)
        {
            list.tail = before;
        }
        if (!list.head)
        {
            m_readyMask &= ~(1U << priority);
        }
    }
    qp.pacing.place = RocePacing::Place::IDLE; // its entries of the heap do not count any more
}

void
RocePortScheduler::LeavePaused(uint64_t now)
{
    for (uint32_t mask = m_readyMask & m_port.GetPausedMask(); mask; mask &= mask - 1)
    {
        const uint32_t priority = __builtin_ctz(mask);
        RoceQueuePair* qp = m_ready[priority].head;
        m_readyMask &= ~(1U << priority);
        while (qp)
        {
            RoceQueuePair* next = qp->nextReady;
            qp->pacing.place = RocePacing::Place::IDLE;
            Place(*qp, now, now);
            qp = next;
        }
    }
}

void
RocePortScheduler::Run()
{
    const uint64_t now = m_nic.GetFabric()->engine.Now();
    NoteDepartures(now);
    MoveDue(now);
    // The port may have been given an acknowledgement meanwhile: the packet then queues behind it,
    // lest data starve behind a stream of acknowledgements.
    if (!m_port.IsStrictPriority())
    {
        SendAhead(now);
    }
    else if (GetReadyMask() && !GetBusyMask())
    {
        SendOne(GetReadyMask(), GetNextStart(now), now);
    }
    Arm(now);
}

void
RocePortScheduler::MoveDue(uint64_t now)
{
    const uint64_t until = m_port.IsStrictPriority() ? now : GetNextStart(now);
    while (IsDue(until, now))
    {
        RoceQueuePair& qp = *m_paced.front().qp;
        const bool stale = m_paced.front().IsStale();
        PopPaced();
        if (stale)
        {
            continue;
        }
        qp.pacing.place = RocePacing::Place::IDLE;
        if (qp.CanSend())
        {
            Retime(qp, now);
            Place(qp, until, now);
        }
    }
}

uint64_t
RocePortScheduler::GetNextStart(uint64_t now) const
{
    return std::max(now, m_port.IsStrictPriority() ? m_port.GetFreeTime() : m_port.GetSendingEnd());
}

bool
RocePortScheduler::IsDue(uint64_t until, uint64_t now) const
{
    if (m_paced.empty())
    {
        return false;
    }
    const Paced& first = m_paced.front();
    return first.key <= now ||
           (first.key <= until && (first.IsStale() || first.qp->pacing.available <= until));
}

void
RocePortScheduler::Place(RoceQueuePair& qp, uint64_t when, uint64_t now)
{
    if (qp.pacing.available > when && !qp.HasUnpaced())
    {
        qp.pacing.place = RocePacing::Place::PACED;
        PushPaced(qp, now);
        return;
    }
    const uint32_t priority = qp.settings.priority;
    if (qp.pacing.spread && m_port.IsPaused(priority) && m_nic.Spread(qp, now))
    {
        return;
    }
    qp.pacing.place = RocePacing::Place::READY;
    qp.nextReady = nullptr;
    ReadyList& list = m_ready[priority];
    (m_readyMask >> priority & 1 ? list.tail->nextReady : list.head) = &qp;
    list.tail = &qp;
    m_readyMask |= 1U << priority;
}

void
RocePortScheduler::PushPaced(RoceQueuePair& qp, uint64_t now)
{
    RocePacing& pacing = qp.pacing;
    pacing.key = std::min(pacing.available, qp.congestionControl->GetNextChange(now));
    pacing.order = m_order++;
    m_paced.push_back({pacing.key, pacing.order, &qp});
    std::push_heap(m_paced.begin(), m_paced.end());
}

void
RocePortScheduler::PopPaced()
{
    std::pop_heap(m_paced.begin(), m_paced.end());
    m_paced.pop_back();
}

RoceQueuePair*
RocePortScheduler::PopReady(uint32_t priority)
{
    ReadyList& list = m_ready[priority];
    RoceQueuePair* qp = list.head;
    list.head = qp->nextReady;
    if (!list.head)
    {
        m_readyMask &= ~(1U << priority);
    }
    qp->pacing.place = RocePacing::Place::IDLE;
    return qp;
}

void
RocePortScheduler::SendAhead(uint64_t now)
{
    do
    {
        MoveDue(now);
        while (const uint32_t classes = GetReadyMask() & ~m_inPortMask)
        {
            SendOne(classes, GetNextStart(now), now);
        }
    } while (IsDue(GetNextStart(now), now)); // a packet began to leave: more will be in time
}

void
RocePortScheduler::SendOne(uint32_t classes, uint64_t start, uint64_t now)
{
    RoceQueuePair* qp = nullptr;
    while (!qp)
    {
        const uint32_t ready = classes & (m_readyMask | m_frameMask);
        if (!ready)
        {
            return;
        }
        const uint32_t priority = 31 - __builtin_clz(ready);
        if (IsFrameNext(priority))
        {
            SendOneFrame(priority, now);
            return;
        }
        qp = PopReady(priority);
        if (!qp->CanSend())
        {
            qp = nullptr; // its window shut, or it failed, while it waited
        }
        else if (qp->pacing.available > start && !qp->HasUnpaced())
        {
            Place(*qp, start, now); // its rate fell while it waited
            qp = nullptr;
        }
    }
    const uint32_t priority = qp->settings.priority;
    qp->pacing.expectedStart = std::max(start, m_port.GetFreeTime());
    qp->pacing.lastPort = m_port.GetIndex();
    m_frameTurnMask |= 1U << priority;
    CountInPort(priority, true);
    const uint64_t chargedBytes = qp->SendNext(m_port, now);
    if (chargedBytes > 0)
    {
        Pace(*qp, chargedBytes, now);
    }
    if (qp->pacing.spread && m_nic.Spread(*qp, now))
    {
        return;
    }
    if (qp->CanSend())
    {
        Place(*qp, GetNextStart(now), now);
    }
}

void
RocePortScheduler::SendFrame(FabricPacket* frame, uint64_t now)
{
    const uint32_t priority = frame->priority;
    m_frames[priority].PushBack(frame);
    m_frameMask |= 1U << priority;
    Resume(now);
}

void
RocePortScheduler::SendOneFrame(uint32_t priority, uint64_t now)
{
    FabricPacket* frame = m_frames[priority].PopFront();
    if (!m_frames[priority].head)
    {
        m_frameMask &= ~(1U << priority);
    }
    m_frameTurnMask &= ~(1U << priority);
    CountInPort(priority, true);
    const uint32_t frameBytes = frame->frameBytes;
    const bool isForeign = frame->foreign;
    m_port.Enqueue(frame, now);
    if (isForeign && m_nic.GetFrameListener())
    {
        m_nic.GetFrameListener()->FrameTaken(frameBytes);
    }
}

void
RocePortScheduler::CountDeparture(uint32_t priority)
{
    CountInPort(priority, false);
    if (!m_port.IsStrictPriority())
    {
        m_timer.Set(m_nic.GetFabric()->engine.Now()); // what follows it
    }
}

void
RocePortScheduler::Departed(RoceQueuePair& qp, FabricPacket& packet)
{
    CountDeparture(packet.priority);
    RocePacing& pacing = qp.pacing;
    if (packet.start != pacing.expectedStart && pacing.lastPort == m_port.GetIndex())
    {
        // It was held up by a pause or by frames of a higher class, and the rest of its burst.
        pacing.burstStart += packet.start - pacing.expectedStart;
        pacing.expectedStart = packet.start;
        if (pacing.available)
        {
            pacing.available = EndOfBurst(pacing);
        }
    }
    qp.Departed(packet, m_port.GetGapBytes());
}

void
RocePortScheduler::Pace(RoceQueuePair& qp, uint64_t wireBytes, uint64_t now)
{
    RocePacing& pacing = qp.pacing;
    pacing.rateBps = qp.congestionControl->GetRateBps(now);
    const bool lineRate = pacing.rateBps >= pacing.lineRateBps && !qp.IsAsking();
    if (pacing.burstEnded || lineRate || pacing.burstBytes == 0 ||
        EndOfBurst(pacing) <= pacing.expectedStart)
    {
        pacing.burstStart = pacing.expectedStart;
        pacing.burstBytes = 0; // a part of a burst long ago gives no credit
    }
    pacing.burstBytes += wireBytes;
    pacing.burstEnded = lineRate || pacing.burstBytes >= qp.needs.burstBytes;
    // What is left of a burst follows at line rate.
    pacing.available = pacing.burstEnded && !lineRate ? EndOfBurst(pacing) : 0;
}

void
RocePortScheduler::Retime(RoceQueuePair& qp, uint64_t now)
{
    RocePacing& pacing = qp.pacing;
    if (!pacing.burstEnded)
    {
        return;
    }
    const uint64_t rate = qp.congestionControl->GetRateBps(now);
    if (rate != pacing.rateBps)
    {
        pacing.rateBps = rate;
        const bool paced = rate < pacing.lineRateBps || qp.IsAsking();
        pacing.available = paced ? EndOfBurst(pacing) : 0;
    }
}

uint64_t
RocePortScheduler::EndOfBurst(const RocePacing& pacing) const
{
    const uint64_t rate = pacing.rateBps;
    const auto tickBits =
        static_cast<unsigned __int128>(pacing.burstBytes) * 8 * m_ticksPerSecond;
    return pacing.burstStart + static_cast<uint64_t>((tickBits + rate - 1) / rate);
}

void
RocePortScheduler::Arm(uint64_t now)
{
    if (m_port.IsStrictPriority() && (GetReadyMask() || GetBusyMask()))
    {
        m_timer.Set(std::max(now, m_port.GetFreeTime()));
        return;
    }
    while (!m_paced.empty() && m_paced.front().IsStale())
    {
        PopPaced();
    }
    if (!m_paced.empty())
    {
        const uint64_t least = m_port.IsStrictPriority() ? m_port.GetFreeTime() : now;
        m_timer.Set(std::max(m_paced.front().key, least));
    }
}

} // namespace ns3
