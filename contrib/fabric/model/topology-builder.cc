/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-builder.h"

#include "config-error.h"
#include "topology-server-builder.h"

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
    m_topology.notes = parameters.GetServer().notes;
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
    TopologyServerBuilder(m_parameters).Build(gpus / gpusPerServer, m_topology);
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
                          "a divisor of gpusPerServer " + std::to_string(m_topology.gpusPerServer));
    }
    return m_gpusPerNic;
}

void
TopologyBuilder::ReserveEthernet(uint64_t gpus, uint64_t links)
{
    if (m_parameters.GetUint("gpusPerNic", 1) != m_gpusPerNic)
    {
        m_parameters.Fail("gpusPerNic", "1: here every GPU has NICs of its own");
    }
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
    m_topology.nodes[gpu].nics = static_cast<uint32_t>(m_nicsPerGpu);
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
