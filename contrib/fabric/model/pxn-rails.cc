/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pxn-rails.h"

#include <algorithm>
#include <map>

namespace ns3
{

namespace
{

/** \param numbers some numbers; gets them ascending, each once */
void
SortUnique(std::vector<uint32_t>& numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/**
 * \param topology a cluster
 * \param kind a fabric
 * \return for each GPU the other ends of its links of that fabric, ascending, PCIe left out
 */
std::vector<std::vector<uint32_t>>
FindPeers(const Topology& topology, TopologyLinkKind kind)
{
    std::vector<std::vector<uint32_t>> peers(topology.GetGpuCount());
    const auto add = [&](uint32_t node, uint32_t peer) {
        if (node < peers.size() && topology.nodes[peer].kind != TopologyNodeKind::PCIE_SWITCH)
        {
            peers[node].push_back(peer);
        }
    };
    for (const TopologyLink& link : topology.links)
    {
        if (link.kind == kind)
        {
            add(link.a, link.b);
            add(link.b, link.a);
        }
    }
    std::for_each(peers.begin(), peers.end(), SortUnique);
    return peers;
}

} // namespace

PxnRails::PxnRails(const Topology& topology, uint32_t level)
    : m_level(level),
      m_peers(FindPeers(topology, TopologyLinkKind::NVLINK))
{
    PlaceGpus(topology);
    CountRails(topology);
    const bool hasNvlink = std::any_of(m_peers.begin(), m_peers.end(), [](const auto& peers) {
        return !peers.empty();
    });
    m_hasRelays = level != NEVER && hasNvlink && m_servers.size() > 1;
}

void
PxnRails::PlaceGpus(const Topology& topology)
{
    std::map<int32_t, uint32_t> numbers;
    m_places.resize(topology.GetGpuCount());
    for (uint32_t gpu = 0; gpu < m_places.size(); gpu++)
    {
        const TopologyNode& node = topology.nodes[gpu];
        // A GPU without a server has one of its own.
        const int32_t key = node.server < 0 ? -1 - static_cast<int32_t>(gpu) : node.server;
        const auto place = numbers.emplace(key, m_servers.size()).first;
        m_servers.resize(std::max<std::size_t>(m_servers.size(), place->second + 1));
        std::vector<uint32_t>& gpus = m_servers[place->second].gpus;
        m_places[gpu].server = place->second;
        m_places[gpu].position = static_cast<uint32_t>(gpus.size());
        m_places[gpu].owner = node.nicOf == TopologyNode::NO_ID ? gpu : node.nicOf;
        gpus.push_back(gpu);
    }
}

void
PxnRails::CountRails(const Topology& topology)
{
    const auto leaves = FindPeers(topology, TopologyLinkKind::ETHERNET);
    for (Server& server : m_servers)
    {
        const auto size = static_cast<uint32_t>(server.gpus.size());
        // The leaves of a GPU's NIC, and from which position on they are those of the first again.
        const auto at = [&](uint32_t position) -> const std::vector<uint32_t>& {
            return leaves[m_places[server.gpus[position]].owner];
        };
        uint32_t period = 1;
        while (period < size && at(period) != at(0))
        {
            period++;
        }
        bool repeats = period > 1 && size % period == 0;
        for (uint32_t position = period; repeats && position < size; position++)
        {
            repeats = at(position) == at(position - period);
        }
        server.rails = repeats ? period : size;
    }
}

bool
PxnRails::AreJoined(uint32_t a, uint32_t b) const
{
    if (std::binary_search(m_peers[a].begin(), m_peers[a].end(), b))
    {
        return true;
    }
    const auto gpus = static_cast<uint32_t>(m_places.size());
    auto i = std::lower_bound(m_peers[a].begin(), m_peers[a].end(), gpus); // behind them: switches
    auto j = std::lower_bound(m_peers[b].begin(), m_peers[b].end(), gpus);
    while (i != m_peers[a].end() && j != m_peers[b].end() && *i != *j)
    {
        *i < *j ? ++i : ++j;
    }
    return i != m_peers[a].end() && j != m_peers[b].end();
}

uint32_t
PxnRails::GetRelay(uint32_t src, uint32_t dst) const
{
    const Place& from = m_places[src];
    const Place& to = m_places[dst];
    if (from.server == to.server || !m_hasRelays)
    {
        return src;
    }
    const Server& server = m_servers[from.server];
    const uint32_t rail = to.position % m_servers[to.server].rails;
    const uint32_t position = from.position - from.position % server.rails + rail;
    if (rail >= server.rails || position >= server.gpus.size())
    {
        return src;
    }
    const uint32_t relay = m_places[server.gpus[position]].owner;
    const bool ownNic = relay == from.owner && m_level < ALWAYS;
    return relay == src || ownNic || !AreJoined(src, relay) ? src : relay;
}

} // namespace ns3
