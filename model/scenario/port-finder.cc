/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-finder.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace ns3
{

std::vector<PortName>
PortName::ParseList(const std::string& option, const std::string& text, bool needsPort)
{
    constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max();
    const auto value = [&](std::string_view word) {
        return TextValue("command line", option, word);
    };
    std::vector<PortName> names;
    for (const std::string_view word : SplitList(text))
    {
        const std::size_t colon = word.find(':');
        if (needsPort && colon == std::string_view::npos)
        {
            value(word).Fail("<node>:<port>, several with commas");
        }
        PortName name;
        name.option = option;
        name.node = value(word.substr(0, colon)).GetUint("node", 0, MAX);
        if (colon != std::string_view::npos)
        {
            name.port = value(word.substr(colon + 1)).GetUint("port", 0, MAX);
        }
        if (std::any_of(names.begin(), names.end(), [&](const PortName& other) {
                return other.Overlaps(name);
            }))
        {
            value(word).Fail("each port only once");
        }
        names.push_back(name);
    }
    return names;
}

bool
PortName::Overlaps(const PortName& other) const
{
    return node == other.node && (!port || !other.port || *port == *other.port);
}

PortFinder::PortFinder(Cluster& cluster)
    : m_cluster(cluster),
      m_nodes(cluster.GetTopology().GetNodesByFileId())
{
}

FabricDevice*
PortFinder::GetDevice(uint32_t node) const
{
    const RoceFabric& fabric = m_cluster.GetRoceFabric();
    if (node < fabric.nics.size() && fabric.nics[node])
    {
        return PeekPointer(fabric.nics[node]);
    }
    return node < fabric.switches.size() ? PeekPointer(fabric.switches[node]) : nullptr;
}

std::vector<FabricPort*>
PortFinder::Find(const PortName& name) const
{
    const std::string text =
        std::to_string(name.node) + (name.port ? ":" + std::to_string(*name.port) : "");
    FabricDevice* device = name.node < m_nodes.size() ? GetDevice(m_nodes[name.node]) : nullptr;
    if (!device)
    {
        throw ConfigError("command line",
                          name.option,
                          text,
                          "a node of " + m_cluster.GetTopology().source + " with an Ethernet port");
    }
    std::vector<FabricPort*> ports;
    for (uint32_t i = 0; i < device->GetPortCount(); i++)
    {
        if (i == name.port.value_or(i))
        {
            ports.push_back(&device->GetPort(i));
        }
    }
    if (ports.empty())
    {
        throw ConfigError("command line",
                          name.option,
                          text,
                          "a port below " + std::to_string(device->GetPortCount()));
    }
    return ports;
}

uint32_t
PortFinder::FindNode(const TextValue& value) const
{
    const uint64_t id = value.GetUint("node", 0, std::numeric_limits<uint32_t>::max());
    if (id >= m_nodes.size() || !GetDevice(m_nodes[id]))
    {
        value.Fail("a node of " + m_cluster.GetTopology().source + " with an Ethernet port");
    }
    return m_nodes[id];
}

uint32_t
PortFinder::GetNode(const FabricPort& port) const
{
    return m_cluster.GetTopologyId(port.GetOwner()->GetNode());
}

std::vector<FabricPort*>
PortFinder::GetPorts(bool hosts) const
{
    const Topology& topology = m_cluster.GetTopology();
    std::vector<FabricPort*> ports;
    for (uint32_t node = 0; node < topology.nodes.size(); node++)
    {
        FabricDevice* device = GetDevice(node);
        const bool wanted = hosts || topology.nodes[node].kind != TopologyNodeKind::GPU;
        for (uint32_t i = 0; device && wanted && i < device->GetPortCount(); i++)
        {
            if (GetNode(device->GetPort(i)) == node) // not one that it shares with another node
            {
                ports.push_back(&device->GetPort(i));
            }
        }
    }
    return ports;
}

} // namespace ns3
