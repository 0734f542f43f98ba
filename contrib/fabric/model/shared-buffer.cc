/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "shared-buffer.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

uint64_t
SharedBufferParameters::GetFixedBytes(uint32_t ports) const
{
    using Wide = unsigned __int128;
    const Wide headroom = std::accumulate(headroomBytes.begin(), headroomBytes.end(), Wide{0});
    const Wide fixed =
        __builtin_popcount(losslessMask) * (headroom + static_cast<Wide>(ports) * reservedBytes);
    return static_cast<uint64_t>(std::min<Wide>(fixed, UINT64_MAX));
}

void
SharedBuffer::Configure(const SharedBufferParameters& parameters, uint32_t ports)
{
    m_parameters = parameters;
    m_parameters.headroomBytes.resize(ports, 0);
    m_groups.assign(static_cast<size_t>(ports) * CLASSES, Group{});
    m_used = 0;
    m_pausedCount = 0;
    const uint64_t fixed = parameters.GetFixedBytes(ports);
    NS_ABORT_MSG_IF(fixed >= parameters.totalBytes,
                    "a switch of " << parameters.totalBytes << " bytes cannot hold the headroom and"
                                   << " reserve of " << ports << " ports, " << fixed
                                   << " bytes: raise its buffer size");
    m_pool = parameters.totalBytes - fixed;
}

bool
SharedBuffer::AdmitLossless(uint32_t port, uint32_t priority, uint64_t bytes)
{
    Group& group = m_groups[port * CLASSES + priority];
    const uint64_t held = group.occupied - group.headroom;
    const uint64_t share = SharedPart(held + bytes);
    const uint64_t growth = share - SharedPart(held);
    const bool below = !group.paused || static_cast<double>(share) <= GetThreshold();
    if (!group.headroom && below && m_used + growth <= m_pool)
    {
        m_used += growth;
        group.occupied += bytes;
        return true;
    }
    if (growth == 0 && !group.headroom)
    {
        group.occupied += bytes; // the reserve alone holds it
        return true;
    }
    if (group.headroom + bytes > m_parameters.headroomBytes[port])
    {
        return false;
    }
    group.headroom += bytes;
    group.occupied += bytes;
    return true;
}

bool
SharedBuffer::AdmitLossy(uint32_t port, uint32_t priority, uint64_t bytes, uint64_t queueBytes)
{
    const double limit =
        m_parameters.egressAlpha * (static_cast<double>(m_pool) - static_cast<double>(m_used));
    if (m_used + bytes > m_pool || static_cast<double>(queueBytes + bytes) > limit)
    {
        return false;
    }
    m_used += bytes;
    m_groups[port * CLASSES + priority].occupied += bytes;
    return true;
}

void
SharedBuffer::ReleaseParts(Group& group, uint32_t priority, uint64_t bytes)
{
    NS_ASSERT_MSG(group.occupied >= bytes, "a frame leaves twice");
    if (!IsLossless(priority))
    {
        group.occupied -= bytes;
        m_used -= bytes;
        return;
    }
    const uint64_t fromHeadroom = std::min(group.headroom, bytes);
    const uint64_t before = SharedPart(group.occupied - group.headroom);
    group.headroom -= fromHeadroom;
    group.occupied -= bytes;
    m_used -= before - SharedPart(group.occupied - group.headroom);
}

bool
SharedBuffer::ShouldPause(uint32_t port, uint32_t priority) const
{
    const Group& group = m_groups[port * CLASSES + priority];
    return group.headroom > 0 ||
           (group.occupied > m_parameters.reservedBytes &&
            static_cast<double>(SharedPart(group.occupied)) >= GetThreshold());
}

bool
SharedBuffer::ShouldResume(uint32_t port, uint32_t priority) const
{
    const Group& group = m_groups[port * CLASSES + priority];
    const uint64_t share = SharedPart(group.occupied);
    return !group.headroom &&
           (!share || static_cast<double>(share + m_parameters.resumeOffset) <= GetThreshold());
}

void
SharedBuffer::SetPaused(uint32_t port, uint32_t priority, bool paused)
{
    Group& group = m_groups[port * CLASSES + priority];
    NS_ASSERT_MSG(group.paused != paused, "a pause is told twice");
    group.paused = paused;
    m_pausedCount += paused ? 1 : -1;
}

} // namespace ns3
