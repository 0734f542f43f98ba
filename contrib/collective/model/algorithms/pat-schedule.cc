/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pat-schedule.h"

#include "powers-of-two.h"

#include <algorithm>
#include <utility>

namespace ns3
{

PatSchedule::PatSchedule(uint32_t size, uint32_t aggregation)
    : m_size(size)
{
    const uint32_t power = GetPowerOfTwoAbove(size);
    const uint32_t stride = power / std::min(aggregation, power / 2);
    std::vector<uint32_t> own; // by which a rank got the parts that are 0, stride, ... behind
    for (uint32_t distance = power / 2; distance >= stride; distance /= 2)
    {
        const auto number = static_cast<uint32_t>(m_transfers.size());
        m_transfers.push_back(
            {distance, 0, 2 * distance, CountParts(distance, 0, 2 * distance), own});
        own.push_back(number);
    }
    for (uint32_t distance = stride / 2; distance > 0; distance /= 2)
    {
        Descend(distance, 0, stride, own);
    }
}

uint32_t
PatSchedule::CountParts(uint32_t distance, uint32_t behind, uint32_t stride) const
{
    const uint32_t first = distance + behind; // at the receiver
    return first < m_size ? (m_size - 1 - first) / stride + 1 : 0;
}

void
PatSchedule::Descend(uint32_t distance,
                     uint32_t behind,
                     uint32_t stride,
                     std::vector<uint32_t> after)
{
    const uint32_t parts = CountParts(distance, behind, stride);
    if (parts == 0)
    {
        return;
    }
    const auto number = static_cast<uint32_t>(m_transfers.size());
    m_transfers.push_back({distance, behind, stride, parts, std::move(after)});
    for (uint32_t next = distance / 2; next > 0; next /= 2)
    {
        Descend(next, behind + distance, stride, {number});
    }
}

} // namespace ns3
