/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TRAFFIC_OPTIONS_H
#define TRAFFIC_OPTIONS_H

#include "ns3/command-options.h"
#include "ns3/poisson-traffic.h"
#include "ns3/topology.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief The options of generated traffic: --traffic, --pattern, --load, --duration.
 */
class TrafficOptions
{
  public:
    /** \param options get them */
    static void Add(CommandOptions& options);

    /**
     * \param options parsed, with the attributes of --set in force
     * \return the traffic, or null if there is no --traffic; a ConfigError if an option is wrong
     */
    static Ptr<PoissonTraffic> Make(const CommandOptions& options);

    /**
     * Draws from random streams that nothing else uses.
     * \param traffic what to draw
     * \param hosts node ids of the hosts
     * \param topology the network, whose slowest Ethernet link is a load of 1
     * \return the flows
     */
    static FlowFile Draw(PoissonTraffic& traffic,
                         const std::vector<uint32_t>& hosts,
                         const Topology& topology);
};

} // namespace ns3

#endif /* TRAFFIC_OPTIONS_H */
