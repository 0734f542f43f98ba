/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LEFT_TO_RIGHT_TRAFFIC_PATTERN_H
#define LEFT_TO_RIGHT_TRAFFIC_PATTERN_H

#include "traffic-pattern.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief Every flow is from a host of the first half to one of the second, all pairs equally
 * likely: across the bottleneck of a dumbbell.
 *
 * The load is that of the one link between the halves.
 */
class LeftToRightTrafficPattern : public TrafficPattern
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Check(uint32_t hosts) const override;
    void Draw(uint32_t hosts, std::vector<TrafficPair>& pairs) override;
    uint32_t GetLoadedLinks(uint32_t hosts) const override;
};

} // namespace ns3

#endif /* LEFT_TO_RIGHT_TRAFFIC_PATTERN_H */
