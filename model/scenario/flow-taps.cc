/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-taps.h"

#include "queue-recorder.h"

#include "ns3/config-error.h"
#include "ns3/roce-pcap-writer.h"

#include <memory>

namespace ns3
{

FlowTaps::FlowTaps(Cluster& cluster,
                   const std::vector<uint32_t>& nodes,
                   const std::string& topology)
    : m_cluster(cluster),
      m_nodes(nodes),
      m_topology(topology)
{
}

FabricDevice*
FlowTaps::GetEthernetDevice(uint32_t node)
{
    const RoceFabric& fabric = m_cluster.GetRoceFabric();
    if (node < fabric.nics.size())
    {
        return PeekPointer(fabric.nics[node]);
    }
    return node < fabric.switches.size() ? PeekPointer(fabric.switches[node]) : nullptr;
}

FabricPort&
FlowTaps::FindPort(const FlowRunPort& port)
{
    const std::string text = std::to_string(port.node) + ":" + std::to_string(port.port);
    FabricDevice* device =
        port.node < m_nodes.size() ? GetEthernetDevice(m_nodes[port.node]) : nullptr;
    if (!device)
    {
        throw ConfigError("command line",
                          "--pcap",
                          text,
                          "a node of " + m_topology + " with an Ethernet port");
    }
    if (port.port >= device->GetPortCount())
    {
        throw ConfigError("command line",
                          "--pcap",
                          text,
                          "a port below " + std::to_string(device->GetPortCount()));
    }
    return device->GetPort(port.port);
}

std::string
FlowTaps::AddPcap(const FlowRunPort& port, ResultFolder& results)
{
    const std::string name =
        "node-" + std::to_string(port.node) + "-port-" + std::to_string(port.port) + ".pcap";
    m_taps.Add(FindPort(port), std::make_unique<RocePcapWriter>(results.AddFile(name)));
    return "the frames of port " + std::to_string(port.port) + " of node " +
           std::to_string(port.node) + " are in " + name;
}

void
FlowTaps::AddQueues(Time interval, ResultFolder& results)
{
    const Topology& topology = m_cluster.GetTopology();
    for (uint32_t node = topology.GetGpuCount(); node < topology.nodes.size(); node++)
    {
        FabricDevice* device = GetEthernetDevice(node);
        for (uint32_t i = 0; device && i < device->GetPortCount(); i++)
        {
            FabricPort& port = device->GetPort(i);
            m_taps.Add(port, std::make_unique<QueueRecorder>(results, node, port, interval));
        }
    }
}

void
FlowTaps::Clear()
{
    m_taps.Clear();
}

} // namespace ns3
