/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-group-maker.h"

#include "ns3/config-error.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{

namespace
{

constexpr uint32_t OWN_SERVER = 1U << 31; //!< added to a rank: a server that nobody shares

} // namespace

CollectiveGroupMaker::CollectiveGroupMaker(const Topology& topology)
    : m_source(topology.source)
{
    const uint32_t gpus = topology.GetGpuCount();
    m_places.reserve(gpus);
    std::map<int32_t, uint32_t> seated; // GPUs so far, by server
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        const TopologyNode& node = topology.nodes[gpu];
        const bool isAlone = node.server < 0;
        m_places.push_back({isAlone ? OWN_SERVER + gpu : static_cast<uint32_t>(node.server),
                            isAlone ? 0 : seated[node.server]++,
                            node.nics});
    }
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        const uint32_t owner = topology.nodes[gpu].nicOf; // which has none of its own
        if (owner != TopologyNode::NO_ID)
        {
            m_places[gpu].nic = m_places[owner].nic;
            m_places[gpu].nics = m_places[owner].nics;
        }
    }
}

CollectiveGroup
CollectiveGroupMaker::Make(const std::string& name,
                           const std::string& parallel,
                           const std::vector<uint32_t>& ranks) const
{
    CollectiveGroup group;
    group.name = name;
    group.parallel = parallel;
    group.ranks = ranks;
    uint32_t fewest = std::numeric_limits<uint32_t>::max();
    for (const uint32_t rank : ranks)
    {
        if (rank >= m_places.size())
        {
            throw ConfigError(m_source,
                              "group " + name,
                              "rank " + std::to_string(rank),
                              "a rank below " + std::to_string(m_places.size()) +
                                  ", the number of GPUs");
        }
        const Place& place = m_places[rank];
        group.servers.push_back(place.server);
        group.nics.push_back(place.nic);
        fewest = std::min(fewest, place.nics);
    }
    group.nicsPerRank = fewest;
    const std::string problem = group.Check();
    if (!problem.empty())
    {
        throw ConfigError(m_source, "", problem, "each rank once");
    }
    return group;
}

} // namespace ns3
