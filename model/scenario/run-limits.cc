/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-limits.h"

#include <algorithm>
#include <limits>

namespace ns3
{

Time
GetLongestRun()
{
    return TimeStep(int64_t(1) << 61);
}

uint64_t
GetSlowestRateBps(const std::vector<TopologyLink>& links)
{
    uint64_t slowest = std::numeric_limits<uint64_t>::max();
    for (const TopologyLink& link : links)
    {
        slowest = std::min(slowest, std::max<uint64_t>(link.rate.GetBitRate(), 1));
    }
    return slowest;
}

} // namespace ns3
