/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-port.h"

#include "fabric-device.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

FabricPort::FabricPort()
    : m_arrival(this),
      m_refill(this),
      m_departure(this),
      m_pauseEnd(this)
{
}

void
FabricPort::SetOwner(FabricDevice* owner, uint32_t index)
{
    m_owner = owner;
    m_index = index;
    m_context = owner->GetFabric();
    m_nodeId = owner->GetNode() ? owner->GetNode()->GetId() : 0;
    m_notify = owner->WantsDepartures();
    const FabricEngine* engine = &m_context->engine;
    m_refill.Bind(engine, m_nodeId);
    m_departure.Bind(engine, m_nodeId);
    m_pauseEnd.Bind(engine, m_nodeId);
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
        port->m_link = link;
        port->m_delay = link.delay;
        port->m_gapBytes = link.gapBytes;
        port->m_clock = LinkClock(link.rateBps, FabricEngine::GetTicksPerSecond());
        port->m_arrival.Bind(&port->m_context->engine, port->m_peer->m_nodeId);
        if (link.lossRate > 0)
        {
            port->m_loss = CreateObject<UniformRandomVariable>();
        }
    }
}

void
FabricPort::SetLossStream(int64_t stream)
{
    if (m_loss)
    {
        m_loss->SetStream(stream);
    }
}

void
FabricPort::Enqueue(FabricPacket* packet, uint64_t now, uint64_t ready)
{
    const uint32_t priority = packet->priority;
    Advance(now);
    m_totalQueueBytes += packet->frameBytes;
    m_queueBytes[priority] += packet->frameBytes;
    m_counters.maxQueueBytes = std::max(m_counters.maxQueueBytes, m_totalQueueBytes);
    const bool behindHigher = !m_pending || m_tail->priority >= priority;
    if (!m_waitingMask && behindHigher && m_pendingCount < WINDOW && !IsPaused(priority))
    {
        CommitOne(packet, now, ready);
        return;
    }
    if (!behindHigher && !IsPaused(priority))
    {
        Recall();
    }
    m_waiting[priority].PushBack(packet);
    m_waitingMask |= 1U << priority;
    CommitWaiting(now);
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
    packet->due = m_free + m_delay;
    packet->next = nullptr;
    if (m_tail)
    {
        m_tail->next = packet;
    }
    else
    {
        m_head = packet;
        m_arrival.Set(packet->due);
    }
    m_tail = packet;
    m_pendingCount++;
    if (!m_pending)
    {
        m_pending = packet;
        if (m_tracked)
        {
            m_departure.Set(std::max(start, now));
        }
    }
}

void
FabricPort::CommitWaiting(uint64_t now)
{
    uint32_t ready = m_waitingMask & ~m_pausedMask;
    while (ready && m_pendingCount < WINDOW)
    {
        const uint32_t priority = 31 - __builtin_clz(ready);
        FabricPacketList& list = m_waiting[priority];
        CommitOne(list.PopFront(), now, now);
        if (!list.head)
        {
            m_waitingMask &= ~(1U << priority);
            ready &= ~(1U << priority);
        }
    }
    if (ready)
    {
        m_refill.Set(std::max(now, m_tail->start));
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
FabricPort::Recall()
{
    if (!m_pending)
    {
        return;
    }
    std::array<FabricPacketList, CLASSES> recalled;
    uint64_t bytes = 0;
    m_free = m_pending->start;
    for (FabricPacket* packet = m_pending; packet;)
    {
        FabricPacket* next = packet->next;
        bytes += packet->frameBytes + m_gapBytes;
        recalled[packet->priority].PushBack(packet);
        m_waitingMask |= 1U << packet->priority;
        packet = next;
    }
    m_remainder = m_clock.RemainderBefore(bytes, m_remainder);
    for (uint32_t priority = 0; priority < CLASSES; priority++)
    {
        m_waiting[priority].Prepend(recalled[priority]);
    }
    m_pending = nullptr;
    m_pendingCount = 0;
    m_departure.Clear();
    m_tail = m_lastStarted;
    if (m_tail)
    {
        m_tail->next = nullptr;
    }
    else
    {
        m_head = nullptr;
        m_arrival.Clear();
    }
}

void
FabricPort::Depart()
{
    FabricPacket* packet = m_pending;
    m_pending = packet->next;
    m_lastStarted = packet;
    m_pendingCount--;
    m_totalQueueBytes -= packet->frameBytes;
    m_queueBytes[packet->priority] -= packet->frameBytes;
    if (m_notify)
    {
        m_owner->Departed(*packet, *this);
    }
    if (m_tap)
    {
        m_tap->FrameSent(*packet, packet->start);
    }
}

void
FabricPort::Arrive()
{
    FabricPacket* packet = m_head;
    const uint64_t now = packet->due;
    if (m_pending == packet)
    {
        Advance(now);
    }
    if (m_lastStarted == packet)
    {
        m_lastStarted = nullptr;
    }
    m_head = packet->next;
    if (m_head)
    {
        m_arrival.Set(m_head->due);
    }
    else
    {
        m_tail = nullptr;
    }
    m_counters.packets[packet->frameClass]++;
    m_counters.wireBytes[packet->frameClass] += packet->frameBytes + m_gapBytes;
    m_counters.payloadBytes += packet->frameClass ? 0 : packet->payloadBytes;
    if (m_loss && m_loss->GetValue() < m_link.lossRate)
    {
        m_counters.lost++;
        m_context->counters.linkLosses++;
        m_context->pool.Release(packet);
        return;
    }
    if (m_peer->m_tap)
    {
        m_peer->m_tap->FrameReceived(*packet, now);
    }
    m_context->NoteArrival(now, m_peer->m_nodeId, m_peer->m_index, *packet);
    m_peer->m_owner->Receive(packet, *m_peer);
}

void
FabricPort::SetTap(FabricTap* tap)
{
    m_tap = tap;
    SetTracked(m_trackedByOwner);
}

void
FabricPort::SetTracked(bool on)
{
    m_trackedByOwner = on;
    m_tracked = on || m_tap;
    if (!m_tracked)
    {
        m_departure.Clear();
    }
    else if (m_pending)
    {
        m_departure.Set(std::max(m_context->engine.Now(), m_pending->start));
    }
}

void
FabricPort::TrackedDeparture()
{
    Advance(m_context->engine.Now());
    if (m_pending && m_tracked)
    {
        m_departure.Set(m_pending->start);
    }
}

void
FabricPort::Pause(uint32_t priority, uint64_t until, uint64_t now)
{
    NS_ASSERT_MSG(priority < PRIORITIES, "MAC control cannot be paused");
    Advance(now);
    if (until > now)
    {
        m_pausedUntil[priority] = until;
        m_counters.pauses += !IsPaused(priority);
        SetPausedMask(m_pausedMask | 1U << priority, now);
        Recall();
    }
    else
    {
        SetPausedMask(m_pausedMask & ~(1U << priority), now);
        if (m_pending && m_tail->priority < priority)
        {
            Recall();
        }
    }
    ArmPauseTimer();
    CommitWaiting(now);
    if (until <= now)
    {
        m_owner->PauseEnded(*this);
    }
}

void
FabricPort::SetPausedMask(uint32_t mask, uint64_t now)
{
    if (mask && !m_pausedMask)
    {
        m_pausedSince = now;
    }
    else if (!mask && m_pausedMask)
    {
        m_counters.pausedTicks += now - m_pausedSince;
    }
    m_pausedMask = mask;
}

void
FabricPort::ArmPauseTimer()
{
    uint64_t first = m_pauseEnd.NEVER;
    for (uint32_t priority = 0; priority < PRIORITIES; priority++)
    {
        if (IsPaused(priority))
        {
            first = std::min(first, m_pausedUntil[priority]);
        }
    }
    if (first == m_pauseEnd.NEVER)
    {
        m_pauseEnd.Clear();
    }
    else
    {
        m_pauseEnd.Set(first);
    }
}

void
FabricPort::PauseExpired()
{
    const uint64_t now = m_context->engine.Now();
    for (uint32_t priority = 0; priority < PRIORITIES; priority++)
    {
        if (IsPaused(priority) && m_pausedUntil[priority] <= now)
        {
            Pause(priority, now, now);
        }
    }
    ArmPauseTimer();
}

FabricPortCounters
FabricPort::GetCounters() const
{
    FabricPortCounters counters = m_counters;
    if (m_pausedMask)
    {
        counters.pausedTicks += m_context->engine.Now() - m_pausedSince;
    }
    return counters;
}

} // namespace ns3
