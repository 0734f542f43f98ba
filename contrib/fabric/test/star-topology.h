/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STAR_TOPOLOGY_H
#define STAR_TOPOLOGY_H

#include "ns3/topology.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup tests
 * \param hosts hosts, numbers 0 to hosts - 1
 * \param rate of every link, such as "100Gbps"
 * \param delay of every link
 * \return hosts on one switch, which is the last node; its port i leads to host i
 */
inline Topology
StarTopology(uint32_t hosts, const std::string& rate, Time delay)
{
    Topology topology;
    topology.nodes.resize(hosts + 1);
    topology.nodes[hosts].kind = TopologyNodeKind::SWITCH;
    topology.links.resize(hosts);
    for (uint32_t i = 0; i < hosts; i++)
    {
        topology.links[i].a = i;
        topology.links[i].b = hosts;
        topology.links[i].rate = DataRate(rate);
        topology.links[i].delay = delay;
    }
    return topology;
}

} // namespace ns3

#endif /* STAR_TOPOLOGY_H */
