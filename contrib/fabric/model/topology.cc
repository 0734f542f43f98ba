/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology.h"

#include <algorithm>

namespace ns3
{

uint32_t
Topology::GetGpuCount() const
{
    return std::count_if(nodes.begin(), nodes.end(), [](const TopologyNode& node) {
        return node.kind == TopologyNodeKind::GPU;
    });
}

std::vector<std::vector<uint32_t>>
Topology::GetPorts(TopologyLinkKind kind) const
{
    std::vector<std::vector<uint32_t>> ports(nodes.size());
    for (uint32_t i = 0; i < links.size(); i++)
    {
        if (links[i].kind == kind)
        {
            ports[links[i].a].push_back(i);
            ports[links[i].b].push_back(i);
        }
    }
    return ports;
}

} // namespace ns3
