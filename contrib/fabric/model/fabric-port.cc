/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-port.h"

#include "fabric-device.h"

#include "ns3/abort.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

static_assert(FabricPort::CLASSES == EgressScheduler::CLASSES, "schedulers know all classes");

FabricPort::Cold::Cold(FabricPort* port)
    : refill(port),
      departure(port),
      pauseEnd(port),
      earlyArrival(port)
{
}

FabricPort::FabricPort()
    : m_cold(std::make_unique<Cold>(this))
{
    handler = &FabricPort::ArrivalEvent;
}

FabricPort::~FabricPort() = default;

void
FabricPort::SetOwner(FabricDevice* owner, uint32_t index)
{
    m_owner = owner;
    m_index = index;
    m_context = owner->GetFabric();
    m_nodeId = owner->GetNode() ? owner->GetNode()->GetId() : 0;
    m_notify = owner->WantsDepartures();
    const FabricEngine* engine = &m_context->engine;
    m_cold->refill.Bind(engine, m_nodeId);
    m_cold->departure.Bind(engine, m_nodeId);
    m_cold->pauseEnd.Bind(engine, m_nodeId);
}

void
FabricPort::SetScheduler(Ptr<EgressScheduler> scheduler)
{
    NS_ABORT_MSG_IF(HasBacklog(), "the scheduler of a port is set before it has frames");
    m_scheduled = scheduler && !scheduler->IsStrictPriority();
    m_cold->scheduler = scheduler;
}

void
FabricPort::Connect(FabricPort& a, FabricPort& b, const FabricLinkParameters& link)
{
    NS_ABORT_MSG_IF(a.m_peer || b.m_peer, "a port is connected twice: add ports to the device");
    NS_ABORT_MSG_IF(link.rateBps == 0, "a link needs a rate above 0");
    a.m_peer = &b;
    b.m_peer = &a;
    for (FabricPort* port : {&a, &b})
    {
        port->m_cold->link.Configure(link);
        port->m_delay = link.delay;
        port->m_gapBytes = link.gapBytes;
        port->m_clock = LinkClock(link.rateBps, FabricEngine::GetTicksPerSecond());
        port->m_peerNode = port->m_peer->m_nodeId;
        port->m_peerIndex = port->m_peer->m_index;
        port->m_peerOwner = port->m_peer->m_owner;
        port->context = port->m_peerNode;
        port->m_cold->earlyArrival.Bind(&port->m_context->engine, port->m_peerNode);
        port->UpdateWatched();
    }
}

void
FabricPort::UpdateWatched()
{
    m_watched = m_cold->link.MayLose() || m_cold->tap || m_peer->m_cold->tap;
}

void
FabricPort::SetUp(bool up, uint64_t now)
{
    NS_ABORT_MSG_IF(!m_peer, "only a connected port has a link that can be cut");
    if (up == IsUp())
    {
        return;
    }
    Advance(now);
    m_cold->link.SetUp(up, now);
    UpdateWatched();
    for (uint32_t priority = 0; priority < PRIORITIES && !up; priority++)
    {
        if (IsPaused(priority))
        {
            Hold(priority, now, now);
        }
    }
}

void
FabricPort::SetRate(uint64_t rateBps, uint64_t now)
{
    NS_ABORT_MSG_IF(rateBps == 0, "a link needs a rate above 0");
    Advance(now);
    Recall();
    m_clock = LinkClock(rateBps, FabricEngine::GetTicksPerSecond());
    m_remainder = 0;
    m_cold->link.SetRateBps(rateBps);
    CommitWaiting(now);
    m_owner->PauseEnded(*this); // may send earlier than it thought
}

void
FabricPort::SetLossRate(double lossRate)
{
    m_cold->link.SetLossRate(lossRate);
    UpdateWatched();
}

void
FabricPort::SetBitErrorRate(double bitErrorRate)
{
    m_cold->link.SetBitErrorRate(bitErrorRate);
    UpdateWatched();
}

void
FabricPort::SetLossStream(int64_t stream)
{
    m_cold->link.SetLossStream(stream);
}

void
FabricPort::SetBitErrorStream(int64_t stream)
{
    m_cold->link.SetBitErrorStream(stream);
}

void
FabricPort::Enqueue(FabricPacket* packet, uint64_t now, uint64_t ready)
{
    const uint32_t priority = packet->priority;
    Advance(now);
    m_totalQueueBytes += packet->frameBytes;
    const uint64_t queueBytes = m_queueBytes[priority] += packet->frameBytes;
    if (queueBytes > packet->frameBytes)
    {
        m_maxClassBytes[priority] = std::max(m_maxClassBytes[priority], queueBytes);
    }
    m_maxQueueBytes = std::max(m_maxQueueBytes, m_totalQueueBytes);
    const bool behind = m_pending == m_end || Precedes(m_lastPriority, priority);
    if (!m_waitingMask && behind && m_end - m_pending < WINDOW && !IsPaused(priority))
    {
        if (m_scheduled)
        {
            m_cold->waiting[priority].PushBack(packet);
            Choose(1U << priority);
            m_cold->waiting[priority].PopFront();
        }
        CommitOne(packet, now, ready);
        Advance(now); // while the frame is at hand
        if (m_tracked)
        {
            TrackedQueued(now);
        }
        return;
    }
    if (!(m_waitingMask >> priority & 1) && !IsPaused(priority))
    {
        RecallBehind(priority);
    }
    m_cold->waiting[priority].PushBack(packet);
    m_waitingMask |= 1U << priority;
    CommitWaiting(now);
    if (m_tracked)
    {
        TrackedQueued(now);
    }
}

void
FabricPort::CommitOne(FabricPacket* packet, uint64_t now, uint64_t ready)
{
    uint64_t start = m_free;
    if (start < ready)
    {
        start = ready;
        m_remainder = 0;
    }
    m_free = start + m_clock.Serialise(packet->frameBytes + m_gapBytes, m_remainder);
    if (m_free < now)
    {
        m_free = now; // cut-through: the last bit cannot leave before it came
        m_remainder = 0;
    }
    packet->start = start;
    if (m_end - m_head > m_mask || !m_flight)
    {
        Grow();
    }
    At(m_end) = {m_free + m_delay, start, packet};
    m_end++;
    m_lastPriority = packet->priority;
    if (m_end - m_head == 1)
    {
        ScheduleArrival(m_free + m_delay);
    }
}

void
FabricPort::CommitWaiting(uint64_t now)
{
    uint32_t ready = m_waitingMask & ~m_pausedMask;
    while (ready && m_end - m_pending < WINDOW)
    {
        const uint32_t priority = Choose(ready);
        FabricPacketList& list = m_cold->waiting[priority];
        FabricPacket* packet = list.PopFront();
        FetchLines(list.head); // is committed next
        CommitOne(packet, now, now);
        if (!list.head)
        {
            m_waitingMask &= ~(1U << priority);
            ready &= ~(1U << priority);
        }
    }
    if (ready)
    {
        m_cold->refill.Set(std::max(now, At(m_end - 1).start));
    }
    if (m_tracked)
    {
        ArmDeparture(now);
    }
}

void
FabricPort::Refill()
{
    const uint64_t now = m_context->engine.Now();
    Advance(now);
    CommitWaiting(now);
}

void
FabricPort::RecallBehind(uint32_t priority)
{
    uint32_t first = m_end;
    while (first != m_pending && !Precedes(At(first - 1).packet->priority, priority))
    {
        first--;
    }
    RecallFrom(first);
}

void
FabricPort::RecallFrom(uint32_t first)
{
    if (first == m_end)
    {
        return;
    }
    std::array<FabricPacketList, CLASSES> recalled;
    uint64_t bytes = 0;
    m_free = At(first).start;
    for (uint32_t i = first; i != m_end; i++)
    {
        FabricPacket* packet = At(i).packet;
        bytes += packet->frameBytes + m_gapBytes;
        recalled[packet->priority].PushBack(packet);
        m_waitingMask |= 1U << packet->priority;
    }
    m_remainder = m_clock.RemainderBefore(bytes, m_remainder);
    for (uint32_t priority = 0; priority < CLASSES; priority++)
    {
        m_cold->waiting[priority].Prepend(recalled[priority]);
    }
    if (m_scheduled)
    {
        m_cold->scheduler->Undo(m_end - first);
    }
    m_end = first; // a pending arrival event may find nothing to do
    if (first == m_pending)
    {
        m_cold->departure.Clear();
    }
    else
    {
        m_lastPriority = At(first - 1).packet->priority;
    }
}

void
FabricPort::Depart()
{
    FabricPacket* packet = At(m_pending++).packet;
    FetchLines(At(m_pending).packet); // leaves next, if there is one
    m_totalQueueBytes -= packet->frameBytes;
    m_queueBytes[packet->priority] -= packet->frameBytes;
    if (m_notify)
    {
        m_owner->Departed(*packet, *this);
    }
    m_sentBytes += packet->frameBytes + m_gapBytes;
    if (m_watched && m_cold->tap)
    {
        m_cold->tap->FrameSent(*packet, packet->start);
    }
}

void
FabricPort::Grow()
{
    const uint32_t size = m_flight ? 2 * (m_mask + 1) : 4;
    auto larger = std::make_unique<Flight[]>(size);
    for (uint32_t i = m_head; i != m_end; i++)
    {
        larger[i & (size - 1)] = At(i);
    }
    m_flight = std::move(larger);
    m_mask = size - 1;
}

void
FabricPort::ScheduleArrival(uint64_t due)
{
    const Flight& flight = At(m_head);
    hint = flight.packet;
    if (!m_arrivalPending)
    {
        m_arrivalPending = true;
        m_context->engine.ScheduleAt(this, due);
    }
    else if (due < ts)
    {
        m_cold->earlyArrival.Set(due);
    }
}

void
FabricPort::ArrivalEvent(FabricEvent* event)
{
    auto* port = static_cast<FabricPort*>(event);
    port->m_arrivalPending = false;
    port->Arrive(event->ts);
}

void
FabricPort::EarlyArrival()
{
    Arrive(m_context->engine.Now());
}

void
FabricPort::Arrive(uint64_t now)
{
    if (m_head == m_end)
    {
        return;
    }
    const Flight flight = At(m_head);
    if (flight.due > now)
    {
        ScheduleArrival(flight.due);
        return;
    }
    FabricPacket* packet = flight.packet;
    if (m_pending == m_head)
    {
        Advance(now);
    }
    m_head++;
    if (m_head != m_end)
    {
        ScheduleArrival(At(m_head).due);
    }
    packet->inPort = static_cast<uint16_t>(m_peerIndex);
    m_sent.packets[packet->frameClass]++;
    m_sent.wireBytes[packet->frameClass] += packet->frameBytes + m_gapBytes;
    m_sent.payloadBytes += packet->frameClass ? 0 : packet->payloadBytes;
    if (m_watched && IsLost(*packet, now))
    {
        m_cold->counters.lost++;
        m_context->counters.linkLosses++;
        m_context->pool.Release(packet);
        return;
    }
    m_context->NoteArrival(now, m_peerNode, m_peerIndex, *packet);
    m_peerOwner->Receive(packet, *m_peer);
}

bool
FabricPort::IsLost(const FabricPacket& packet, uint64_t now)
{
    const LinkFate fate = m_cold->link.Draw(packet);
    if (fate != LinkFate::ARRIVES)
    {
        m_cold->counters.corrupted += fate == LinkFate::CORRUPTED;
        m_context->counters.linkCorruptions += fate == LinkFate::CORRUPTED;
        return true;
    }
    if (m_peer->m_cold->tap)
    {
        m_peer->m_cold->tap->FrameReceived(packet, now);
    }
    return false;
}

void
FabricPort::SetTap(FabricTap* tap)
{
    m_cold->tap = tap;
    NS_ABORT_MSG_IF(!m_peer, "a tap needs a connected port");
    for (FabricPort* port : {this, m_peer})
    {
        port->UpdateWatched();
    }
    SetTracked(m_cold->trackedByOwner);
}

void
FabricPort::SetTracked(bool on)
{
    m_cold->trackedByOwner = on;
    m_tracked = on || (m_cold->tap && m_cold->tap->WantsEvents());
    if (!m_tracked)
    {
        m_cold->departure.Clear();
    }
    else
    {
        ArmDeparture(m_context->engine.Now());
    }
}

void
FabricPort::ArmDeparture(uint64_t now)
{
    if (m_pending != m_end)
    {
        m_cold->departure.Set(std::max(now, At(m_pending).start));
    }
}

void
FabricPort::TrackedQueued(uint64_t now)
{
    ArmDeparture(now);
    if (m_cold->tap)
    {
        m_cold->tap->QueueChanged(now);
    }
}

void
FabricPort::TrackedDeparture()
{
    const uint64_t now = m_context->engine.Now();
    Advance(now);
    if (m_tracked)
    {
        ArmDeparture(now);
    }
}

FabricPortCounters
FabricPort::GetCounters() const
{
    FabricPortCounters counters = m_cold->counters;
    static_cast<FabricSentCounters&>(counters) = m_sent;
    counters.maxQueueBytes = m_maxQueueBytes;
    const uint64_t now = m_pausedMask ? m_context->engine.Now() : 0;
    counters.pausedTicks = m_cold->pauses.GetPausedTicks(m_pausedMask, now);
    return counters;
}

FabricPriorityCounters
FabricPort::GetPriorityCounters(uint32_t priority) const
{
    FabricPriorityCounters counters = m_cold->priorities.at(priority);
    counters.maxQueueBytes = m_maxClassBytes[priority];
    const bool paused = IsPaused(priority);
    const uint64_t now = paused ? m_context->engine.Now() : 0;
    m_cold->pauses.FillCounters(counters, priority, paused, now);
    return counters;
}

void
FabricPort::CountMark(uint32_t priority)
{
    m_cold->counters.marks++;
    m_cold->priorities[priority].marks++;
}

void
FabricPort::CountDrop(uint32_t priority)
{
    m_cold->counters.drops++;
    m_cold->priorities[priority].drops++;
}

void
FabricPort::CountWatchdogDiscard(uint32_t priority)
{
    m_cold->priorities[priority].watchdogDiscards++;
}

} // namespace ns3
