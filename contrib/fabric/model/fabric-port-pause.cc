/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-port.h"

#include "fabric-device.h"

#include "ns3/assert.h"

/**
 * \file
 * \ingroup fabric
 * Part of ns3::FabricPort: pauses of traffic classes.
 */

namespace ns3
{

void
FabricPort::Pause(uint32_t priority, uint64_t until, uint64_t now)
{
    NS_ASSERT_MSG(priority < PRIORITIES, "MAC control cannot be paused");
    CountPauseReceived(priority, until > now);
    Hold(priority, until, now);
}

FabricPacketList
FabricPort::TakeHeldFrames(uint32_t priority)
{
    NS_ASSERT_MSG(IsPaused(priority), "some of these frames may be on their way");
    const FabricPacketList frames = m_cold->waiting[priority];
    m_cold->waiting[priority] = FabricPacketList{};
    m_waitingMask &= ~(1U << priority);
    m_totalQueueBytes -= m_queueBytes[priority];
    m_queueBytes[priority] = 0;
    if (m_cold->tap)
    {
        m_cold->tap->QueueChanged(m_context->engine.Now());
    }
    return frames;
}

void
FabricPort::Hold(uint32_t priority, uint64_t until, uint64_t now)
{
    Advance(now);
    if (until > now)
    {
        m_cold->pauses.SetEnd(priority, until);
        m_cold->counters.pauses += !IsPaused(priority);
        SetPausedMask(m_pausedMask | 1U << priority, now);
        Recall();
    }
    else
    {
        SetPausedMask(m_pausedMask & ~(1U << priority), now);
        if (m_waitingMask >> priority & 1)
        {
            RecallBehind(priority);
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
    m_cold->pauses.Change(m_pausedMask, mask, now);
    for (uint32_t changed = m_cold->tap ? mask ^ m_pausedMask : 0; changed; changed &= changed - 1)
    {
        const uint32_t priority = __builtin_ctz(changed);
        m_cold->tap->PauseChanged(priority, mask >> priority & 1, now);
    }
    m_pausedMask = mask;
}

void
FabricPort::ArmPauseTimer()
{
    const uint64_t first = m_cold->pauses.GetFirstEnd(m_pausedMask);
    if (first == FabricPauseState::NEVER)
    {
        m_cold->pauseEnd.Clear();
    }
    else
    {
        m_cold->pauseEnd.Set(first);
    }
}

void
FabricPort::PauseExpired()
{
    const uint64_t now = m_context->engine.Now();
    for (uint32_t priority = 0; priority < PRIORITIES; priority++)
    {
        if (IsPaused(priority) && m_cold->pauses.GetEnd(priority) <= now)
        {
            Hold(priority, now, now);
        }
    }
    ArmPauseTimer();
}

void
FabricPort::CountPauseReceived(uint32_t priority, bool pause)
{
    FabricPriorityCounters& counters = m_cold->priorities[priority];
    (pause ? counters.pausesReceived : counters.resumesReceived)++;
}

void
FabricPort::CountPauseSent(uint32_t priority, bool pause)
{
    FabricPriorityCounters& counters = m_cold->priorities[priority];
    (pause ? counters.pausesSent : counters.resumesSent)++;
}

} // namespace ns3
