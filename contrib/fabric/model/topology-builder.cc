/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-builder.h"

#include "config-error.h"

#include <numeric>

namespace ns3
{

namespace
{

/** Most links that a template may make: a slip in a parameter shall not eat the memory. */
constexpr uint64_t MAX_LINKS = uint64_t{1} << 24;

} // namespace

TopologyBuilder::TopologyBuilder(const TopologyParameters& parameters)
    : m_parameters(parameters)
{
    m_topology.gpuType = parameters.GetServer().gpuType;
    m_topology.gpusPerServer = parameters.GetUint("gpusPerServer");
}

uint32_t
TopologyBuilder::GetGpusPerServer() const
{
    return m_topology.gpusPerServer;
}

void
TopologyBuilder::AddServers(uint64_t gpus, const std::string& parameter)
{
    const uint32_t gpusPerServer = m_topology.gpusPerServer;
    if (gpus % gpusPerServer != 0)
    {
        m_parameters.Fail(parameter,
                          "full servers: " + std::to_string(gpus) +
                              " GPUs are no multiple of gpusPerServer " +
                              std::to_string(gpusPerServer));
    }
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        TopologyNode node;
        node.server = gpu / gpusPerServer;
        m_topology.nodes.push_back(node);
    }
    const uint64_t planes = m_parameters.GetUint("nvlinkPlanes");
    if (planes == 0)
    {
        return;
    }
    TopologyLink link;
    link.kind = TopologyLinkKind::NVLINK;
    link.delay = m_parameters.GetTime("nvlinkDelay");
    const std::vector<DataRate> rates = GetPlaneRates(planes);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        for (uint32_t plane = 0; plane < planes; plane++)
        {
            link.a = gpu;
            link.b = gpus + gpu / gpusPerServer * planes + plane;
            link.rate = rates[plane];
            m_topology.links.push_back(link);
        }
    }
    for (uint32_t i = 0; i < gpus / gpusPerServer * planes; i++)
    {
        TopologyNode node;
        node.kind = TopologyNodeKind::NVSWITCH;
        node.offload = m_parameters.GetServer().nvls;
        node.server = i / planes;
        m_topology.nodes.push_back(node);
    }
}

std::vector<DataRate>
TopologyBuilder::GetPlaneRates(uint64_t planes) const
{
    std::vector<uint32_t> weights = m_parameters.GetServer().nvswitchLinks;
    if (weights.size() != planes)
    {
        weights.assign(planes, 1);
    }
    // Split at the running sum of weights, so that the planes add up to the rate exactly.
    const long double rate = m_parameters.GetDataRate("nvlinkRate").GetBitRate();
    const uint64_t sum = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    std::vector<DataRate> rates;
    uint64_t weightBefore = 0;
    for (const uint32_t weight : weights)
    {
        const auto begin = static_cast<uint64_t>(rate * weightBefore / sum);
        weightBefore += weight;
        const auto end = static_cast<uint64_t>(rate * weightBefore / sum);
        if (begin == end)
        {
            m_parameters.Fail("nvlinkRate", "at least 1 bps for each of the planes");
        }
        rates.emplace_back(end - begin);
    }
    return rates;
}

uint32_t
TopologyBuilder::AddSwitches(uint64_t count)
{
    const uint32_t first = m_topology.nodes.size();
    TopologyNode node;
    node.kind = TopologyNodeKind::SWITCH;
    m_topology.nodes.insert(m_topology.nodes.end(), count, node);
    return first;
}

uint32_t
TopologyBuilder::UsePortsPerNic()
{
    m_portsPerNic = m_parameters.GetUint("portsPerNic", 1);
    return m_portsPerNic;
}

uint32_t
TopologyBuilder::UseGpusPerNic()
{
    m_gpusPerNic = m_parameters.GetUint("gpusPerNic", 1);
    if (m_topology.gpusPerServer % m_gpusPerNic != 0)
    {
        m_parameters.Fail("gpusPerNic",
                          "a divisor of gpusPerServer " +
                              std::to_string(m_topology.gpusPerServer));
    }
    return m_gpusPerNic;
}

void
TopologyBuilder::ReserveEthernet(uint64_t gpus, uint64_t links)
{
    const uint64_t nicRate = m_parameters.GetDataRate("nicRate").GetBitRate();
    if (nicRate % m_portsPerNic != 0)
    {
        m_parameters.Fail("nicRate",
                          "a rate that splits evenly over the " + std::to_string(m_portsPerNic) +
                              " ports of a NIC");
    }
    m_portRate = DataRate(nicRate / m_portsPerNic);
    m_nicsPerGpu = m_parameters.GetUint("nicsPerGpu");
    m_ethernet.delay = m_parameters.GetTime("delay");
    m_ethernet.lossRate = m_parameters.GetDouble("lossRate");
    m_ethernet.bitErrorRate = m_parameters.GetDouble("bitErrorRate");
    const uint64_t ports = gpus / m_gpusPerNic * m_portsPerNic * m_nicsPerGpu;
    const uint64_t sum = m_topology.links.size() + ports + links;
    if (sum > MAX_LINKS)
    {
        throw ConfigError(m_parameters.GetSource(),
                          "",
                          std::to_string(sum) + " links",
                          "a topology of up to " + std::to_string(MAX_LINKS) + " links");
    }
    m_topology.links.reserve(sum);
}

void
TopologyBuilder::ConnectNics(uint32_t gpu, uint32_t leaf)
{
    const uint32_t owner = gpu - gpu % m_gpusPerNic;
    if (owner != gpu)
    {
        m_topology.nodes[gpu].nicOf = owner;
        return;
    }
    for (uint32_t port = 0; port < m_portsPerNic; port++)
    {
        ConnectSwitches(gpu, leaf + port, m_portRate, m_nicsPerGpu);
    }
}

void
TopologyBuilder::ConnectSwitches(uint32_t a, uint32_t b, DataRate rate, uint64_t count)
{
    m_ethernet.a = a;
    m_ethernet.b = b;
    m_ethernet.rate = rate;
    m_topology.links.insert(m_topology.links.end(), count, m_ethernet);
}

Topology
TopologyBuilder::Finish()
{
    m_topology.AssignTiers();
    return std::move(m_topology);
}

} // namespace ns3
