/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef INCAST_TRAFFIC_PATTERN_H
#define INCAST_TRAFFIC_PATTERN_H

#include "traffic-pattern.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief Every arrival is a burst: FanIn different hosts send a flow each, at the same time, to one
 * more host, all drawn at random.
 *
 * The load is that of every host's link, on average over time.
 */
class IncastTrafficPattern : public TrafficPattern
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    void Check(uint32_t hosts) const override;
    void Draw(uint32_t hosts, std::vector<TrafficPair>& pairs) override;
    double GetFlowsPerArrival(uint32_t hosts) const override;
    uint32_t GetLoadedLinks(uint32_t hosts) const override;

  private:
    uint32_t m_fanIn; //!< senders of a burst

    std::vector<uint32_t> m_order; //!< hosts, the drawn ones first
};

} // namespace ns3

#endif /* INCAST_TRAFFIC_PATTERN_H */
