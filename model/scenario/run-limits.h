/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RUN_LIMITS_H
#define RUN_LIMITS_H

#include "ns3/nstime.h"
#include "ns3/topology.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup railyard \return the longest that a run may last: a quarter of what Time can hold */
Time GetLongestRun();

/** \ingroup railyard \param links some links \return rate of the slowest of them, bit/s, above 0 */
uint64_t GetSlowestRateBps(const std::vector<TopologyLink>& links);

} // namespace ns3

#endif /* RUN_LIMITS_H */
