/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fabric-pause-state.h"

#include <algorithm>

namespace ns3
{

uint64_t
FabricPauseState::GetFirstEnd(uint32_t mask) const
{
    uint64_t first = NEVER;
    for (; mask; mask &= mask - 1)
    {
        first = std::min(first, m_until[__builtin_ctz(mask)]);
    }
    return first;
}

void
FabricPauseState::Change(uint32_t before, uint32_t after, uint64_t now)
{
    if (after && !before)
    {
        m_pausedSince = now;
    }
    else if (!after && before)
    {
        m_pausedTicks += now - m_pausedSince;
    }
    for (uint32_t changed = after ^ before; changed; changed &= changed - 1)
    {
        const uint32_t priority = __builtin_ctz(changed);
        if (after >> priority & 1)
        {
            m_since[priority] = now;
            continue;
        }
        const uint64_t held = now - m_since[priority];
        m_ended[priority].ticks += held;
        m_ended[priority].longest = std::max(m_ended[priority].longest, held);
    }
}

void
FabricPauseState::FillCounters(FabricPriorityCounters& counters,
                               uint32_t priority,
                               bool paused,
                               uint64_t now) const
{
    const uint64_t held = paused ? now - m_since[priority] : 0;
    counters.paused = paused;
    counters.pausedSince = paused ? m_since[priority] : 0;
    counters.pausedTicks = m_ended[priority].ticks + held;
    counters.longestPauseTicks = std::max(m_ended[priority].longest, held);
}

} // namespace ns3
