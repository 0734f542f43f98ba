/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-helper.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

CollectiveHelper::CollectiveHelper()
{
    m_factory.SetTypeId(CollectiveEngine::GetTypeId());
}

void
CollectiveHelper::SetEngineAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<CollectiveEngine>
CollectiveHelper::Install(Ptr<MessageTransport> transport) const
{
    const auto engine = m_factory.Create<CollectiveEngine>();
    engine->SetTransport(transport);
    return engine;
}

std::vector<uint32_t>
CollectiveHelper::GetNicNumbers(const Topology& topology)
{
    const uint32_t gpus = topology.GetGpuCount();
    std::vector<uint32_t> seated; // GPUs so far, by server
    std::vector<uint32_t> numbers(gpus, 0);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        if (topology.nodes[gpu].server >= 0)
        {
            const auto server = static_cast<uint32_t>(topology.nodes[gpu].server);
            seated.resize(std::max<std::size_t>(seated.size(), server + 1), 0);
            numbers[gpu] = seated[server]++;
        }
    }
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        const uint32_t owner = topology.nodes[gpu].nicOf; // which has none of its own
        numbers[gpu] = owner == TopologyNode::NO_ID ? numbers[gpu] : numbers[owner];
    }
    return numbers;
}

uint32_t
CollectiveHelper::GetNicsPerRank(const Topology& topology, const std::vector<uint32_t>& ranks)
{
    uint32_t fewest = UINT32_MAX;
    for (const uint32_t rank : ranks)
    {
        const uint32_t owner = topology.nodes[rank].nicOf;
        const uint32_t place = owner == TopologyNode::NO_ID ? rank : owner;
        fewest = std::min(fewest, topology.nodes[place].nics);
    }
    return ranks.empty() ? 1 : fewest;
}

CollectiveGroup
CollectiveHelper::MakeGroup(const Topology& topology,
                            const std::string& name,
                            const std::string& parallel,
                            const std::vector<uint32_t>& ranks)
{
    constexpr uint32_t OWN_SERVER = 1U << 31; // added to a rank: a server that nobody shares
    CollectiveGroup group;
    group.name = name;
    group.parallel = parallel;
    group.ranks = ranks;
    const uint32_t gpus = topology.GetGpuCount();
    const std::vector<uint32_t> nics = GetNicNumbers(topology);
    for (const uint32_t rank : ranks)
    {
        if (rank >= gpus)
        {
            throw ConfigError(topology.source,
                              "group " + name,
                              "rank " + std::to_string(rank),
                              "a rank below " + std::to_string(gpus) + ", the number of GPUs");
        }
        const int32_t server = topology.nodes[rank].server;
        group.servers.push_back(server < 0 ? OWN_SERVER + rank : static_cast<uint32_t>(server));
        group.nics.push_back(nics[rank]);
    }
    group.nicsPerRank = GetNicsPerRank(topology, ranks);
    const std::string problem = group.Check();
    if (!problem.empty())
    {
        throw ConfigError(topology.source, "group " + name, problem, "each rank once");
    }
    return group;
}

CollectiveGroup
CollectiveHelper::MakeGroup(const Topology& topology,
                            const std::string& name,
                            const std::string& parallel)
{
    std::vector<uint32_t> ranks(topology.GetGpuCount());
    std::iota(ranks.begin(), ranks.end(), 0);
    return MakeGroup(topology, name, parallel, ranks);
}

} // namespace ns3
