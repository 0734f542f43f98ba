/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology.h"

#include <algorithm>

namespace ns3
{

const char*
GetTopologyNodeKindName(TopologyNodeKind kind)
{
    switch (kind)
    {
    case TopologyNodeKind::GPU:
        return "gpu";
    case TopologyNodeKind::NVSWITCH:
        return "nvswitch";
    case TopologyNodeKind::PCIE_SWITCH:
        return "pcie";
    case TopologyNodeKind::SWITCH:
        break;
    }
    return "switch";
}

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

std::vector<uint32_t>
Topology::GetNodesByFileId() const
{
    std::vector<uint32_t> byId;
    for (uint32_t node = 0; node < nodes.size(); node++)
    {
        const uint32_t id = nodes[node].id == TopologyNode::NO_ID ? node : nodes[node].id;
        if (id >= byId.size())
        {
            byId.resize(id + 1, TopologyNode::NO_ID);
        }
        byId[id] = node;
    }
    return byId;
}

std::string
Topology::GetNodeName(uint32_t node) const
{
    const TopologyNode& own = nodes.at(node);
    if (own.id != TopologyNode::NO_ID)
    {
        return "node " + std::to_string(own.id);
    }
    if (own.kind == TopologyNodeKind::GPU)
    {
        return "gpu" + std::to_string(node);
    }
    return GetTopologyNodeKindName(own.kind) + std::to_string(node - GetGpuCount());
}

void
Topology::MergeNics()
{
    for (TopologyNode& node : nodes)
    {
        node.nics = 1;
    }
}

void
Topology::SplitNics()
{
    const auto ports = GetPorts(TopologyLinkKind::ETHERNET);
    for (uint32_t node = 0; node < nodes.size(); node++)
    {
        const bool isGpu = nodes[node].kind == TopologyNodeKind::GPU;
        nodes[node].nics = isGpu ? std::max<uint32_t>(1, ports[node].size()) : 1;
    }
}

void
Topology::SetHostServers()
{
    gpusPerServer = 1;
    const uint32_t gpus = GetGpuCount();
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        nodes[gpu].server = gpu;
    }
}

void
Topology::AssignTiers()
{
    const auto ports = GetPorts(TopologyLinkKind::ETHERNET);
    std::vector<uint32_t> queue;
    for (uint32_t node = 0; node < nodes.size(); node++)
    {
        nodes[node].tier = -1;
        if (nodes[node].kind == TopologyNodeKind::GPU)
        {
            queue.push_back(node);
        }
    }
    for (std::size_t head = 0; head < queue.size(); head++)
    {
        for (const uint32_t link : ports[queue[head]])
        {
            const uint32_t peer = links[link].a ^ links[link].b ^ queue[head];
            if (nodes[peer].kind == TopologyNodeKind::SWITCH && nodes[peer].tier < 0)
            {
                nodes[peer].tier = nodes[queue[head]].tier + 1;
                queue.push_back(peer);
            }
        }
    }
}

} // namespace ns3
