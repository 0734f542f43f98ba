/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-server-builder.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * Adds a link inside a server.
 * \param a node at one end
 * \param b node at the other end
 * \param bps rate per direction, bit/s
 * \param delay one way
 * \param [in,out] topology gets it
 */
void
AddLink(uint32_t a, uint32_t b, uint64_t bps, Time delay, Topology& topology)
{
    TopologyLink link;
    link.a = a;
    link.b = b;
    link.rate = DataRate(bps);
    link.delay = delay;
    link.kind = TopologyLinkKind::NVLINK;
    topology.links.push_back(link);
}

} // namespace

TopologyServerBuilder::TopologyServerBuilder(const TopologyParameters& parameters)
    : m_parameters(parameters),
      m_server(parameters.GetServer()),
      m_gpus(parameters.GetUint("gpusPerServer")),
      m_planes(parameters.GetUint("nvlinkPlanes"))
{
    if (m_server.gpus != 0 && m_server.gpus != m_gpus)
    {
        parameters.Fail("gpusPerServer",
                        std::to_string(m_server.gpus) + ", the GPUs that the wiring of " +
                            m_server.name + " is of");
    }
}

void
TopologyServerBuilder::Build(uint32_t servers, Topology& topology) const
{
    AddNvSwitches(servers, topology);
    AddBridges(servers, topology);
    if (m_planes == 0)
    {
        AddPcie(servers, topology);
    }
}

void
TopologyServerBuilder::AddNvSwitches(uint32_t servers, Topology& topology) const
{
    if (m_planes == 0)
    {
        return;
    }
    const Time delay = m_parameters.GetTime("nvlinkDelay");
    const uint32_t first = topology.nodes.size();
    std::vector<std::vector<uint64_t>> rates; // by GPU of a server
    for (uint32_t gpu = 0; gpu < m_gpus; gpu++)
    {
        rates.push_back(GetPlaneRates(gpu));
    }
    for (uint32_t gpu = 0; gpu < first; gpu++)
    {
        for (uint32_t plane = 0; plane < m_planes; plane++)
        {
            const uint64_t rate = rates[gpu % m_gpus][plane];
            if (rate > 0)
            {
                AddLink(gpu, first + gpu / m_gpus * m_planes + plane, rate, delay, topology);
            }
        }
    }
    TopologyNode node;
    node.kind = TopologyNodeKind::NVSWITCH;
    node.offload = m_server.nvls;
    for (uint32_t i = 0; i < servers * m_planes; i++)
    {
        node.server = i / m_planes;
        topology.nodes.push_back(node);
    }
}

void
TopologyServerBuilder::AddBridges(uint32_t servers, Topology& topology) const
{
    if (m_server.bridges.empty())
    {
        return;
    }
    const Time delay = m_parameters.GetTime("nvlinkDelay");
    const long double rate = GetEffectiveRate("nvlinkRate", "nvlinkEfficiency");
    const uint32_t links = m_server.GetNvlinkCount();
    for (uint32_t server = 0; server < servers; server++)
    {
        for (const TopologyServerBridge& bridge : m_server.bridges)
        {
            const auto bps = static_cast<uint64_t>(rate * bridge.count / links);
            AddLink(server * m_gpus + bridge.a, server * m_gpus + bridge.b, bps, delay, topology);
        }
    }
}

void
TopologyServerBuilder::AddPcie(uint32_t servers, Topology& topology) const
{
    if (m_server.pcieSwitches.empty())
    {
        return;
    }
    const uint32_t first = topology.nodes.size();
    const uint32_t count = m_server.pcieSwitches.size();
    TopologyNode node;
    node.kind = TopologyNodeKind::PCIE_SWITCH;
    for (uint32_t server = 0; server < servers; server++)
    {
        node.server = server;
        topology.nodes.insert(topology.nodes.end(), count, node);
        AddPcieLinks(server * m_gpus, first + server * count, topology);
    }
}

void
TopologyServerBuilder::AddPcieLinks(uint32_t firstGpu,
                                    uint32_t firstSwitch,
                                    Topology& topology) const
{
    const Time delay = m_parameters.GetTime("pcieDelay");
    const double efficiency = m_parameters.GetDouble("pcieEfficiency", 1.0);
    const auto getRate = [&](uint64_t own) {
        return own == 0 ? GetEffectiveRate("pcieRate", "pcieEfficiency")
                        : static_cast<uint64_t>(own * static_cast<long double>(efficiency));
    };
    for (uint32_t gpu = 0; gpu < m_gpus; gpu++)
    {
        const TopologyServerPciePort& port = m_server.pciePorts[gpu];
        AddLink(firstGpu + gpu, firstSwitch + port.above, getRate(port.rateBps), delay, topology);
    }
    std::vector<uint32_t> roots;
    for (uint32_t i = 0; i < m_server.pcieSwitches.size(); i++)
    {
        const TopologyServerPcieSwitch& own = m_server.pcieSwitches[i];
        if (own.parent == TopologyServerPcieSwitch::ROOT)
        {
            roots.push_back(firstSwitch + i);
            continue;
        }
        const uint32_t above = firstSwitch + own.parent;
        AddLink(firstSwitch + i, above, getRate(own.rateBps), delay, topology);
    }
    for (std::size_t a = 0; a < roots.size(); a++)
    {
        for (std::size_t b = a + 1; b < roots.size(); b++)
        {
            const uint64_t bps = m_parameters.GetDataRate("socketRate").GetBitRate();
            AddLink(roots[a], roots[b], bps, delay, topology);
        }
    }
}

std::vector<uint64_t>
TopologyServerBuilder::GetPlaneRates(uint32_t gpu) const
{
    std::vector<uint32_t> weights(m_planes, 1);
    long double rate = GetEffectiveRate("nvlinkRate", "nvlinkEfficiency");
    if (!m_server.nvswitchLinks.empty())
    {
        const auto& rows = m_server.nvswitchLinks;
        const auto& row = rows[rows.size() == 1 ? 0 : gpu];
        rate =
            rate * std::accumulate(row.begin(), row.end(), uint64_t{0}) / m_server.GetNvlinkCount();
        if (row.size() == m_planes)
        {
            weights = row;
        }
    }
    // Split at the running sum of weights, so that the planes add up to the rate exactly.
    const uint64_t sum = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    std::vector<uint64_t> rates;
    uint64_t weightBefore = 0;
    for (const uint32_t weight : weights)
    {
        const uint64_t begin = sum == 0 ? 0 : static_cast<uint64_t>(rate * weightBefore / sum);
        weightBefore += weight;
        const uint64_t end = sum == 0 ? 0 : static_cast<uint64_t>(rate * weightBefore / sum);
        if (begin == end && weight > 0)
        {
            m_parameters.Fail("nvlinkRate", "at least 1 bps for each of the planes");
        }
        rates.push_back(end - begin);
    }
    return rates;
}

uint64_t
TopologyServerBuilder::GetEffectiveRate(const std::string& rate,
                                        const std::string& efficiency) const
{
    const uint64_t bps = m_parameters.GetDataRate(rate).GetBitRate();
    const long double share = m_parameters.GetDouble(efficiency, 1.0);
    return static_cast<uint64_t>(bps * share);
}

} // namespace ns3
