/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ALL_TO_ALL_TRAFFIC_PATTERN_H
#define ALL_TO_ALL_TRAFFIC_PATTERN_H

#include "traffic-pattern.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief Every flow is between two different hosts, all pairs equally likely.
 *
 * The load is that of every host's link: on average each sends, and receives, load times the link
 * rate, as in the traffic generators of HPCC and ConWeave.
 */
class AllToAllTrafficPattern : public TrafficPattern
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Check(uint32_t hosts) const override;
    void Draw(uint32_t hosts, std::vector<TrafficPair>& pairs) override;
    uint32_t GetLoadedLinks(uint32_t hosts) const override;
};

} // namespace ns3

#endif /* ALL_TO_ALL_TRAFFIC_PATTERN_H */
