/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "reduction-tree.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3
{

ReductionTree::ReductionTree(const RouteTable& routes,
                             const std::vector<uint32_t>& ranks,
                             const std::function<bool(uint32_t)>& addsUp)
{
    const std::vector<uint32_t> switches = FindLeaves(routes, ranks, addsUp);
    if (switches.empty())
    {
        return;
    }
    Explore(routes, switches[0], addsUp);
    std::vector<uint32_t> leaves;
    for (const uint32_t node : switches)
    {
        leaves.push_back(FindIndex(node));
        if (leaves.back() == NO_PORT)
        {
            return; // not joined to the first
        }
    }
    const uint32_t root = ChooseRoot(leaves, ranks.front());
    const std::vector<uint64_t> distances = GetDistances(root);
    AddNode(root, distances, ranks.front());
    for (std::size_t i = 0; i < leaves.size(); i++)
    {
        Node& leaf = m_nodes[AddNode(leaves[i], distances, ranks.front())];
        leaf.childPorts.push_back(FindPeerPort(routes, routes.GetPlace(ranks[i]), 0));
        leaf.childRanks.push_back(ranks[i]);
        m_depth = std::max(m_depth, leaf.distance + 1);
    }
    JoinParents(routes);
    m_found = {};
}

std::vector<uint32_t>
ReductionTree::FindLeaves(const RouteTable& routes,
                          const std::vector<uint32_t>& ranks,
                          const std::function<bool(uint32_t)>& addsUp)
{
    std::vector<uint32_t> leaves;
    std::set<uint32_t> nics;
    for (const uint32_t rank : ranks)
    {
        const uint32_t nic = routes.GetPlace(rank);
        if (routes.GetPortCount(nic) != 1 || !nics.insert(nic).second ||
            !addsUp(routes.GetPeer(nic, 0)))
        {
            return {};
        }
        leaves.push_back(routes.GetPeer(nic, 0));
    }
    return leaves.size() > 1 ? leaves : std::vector<uint32_t>();
}

uint32_t
ReductionTree::FindPeerPort(const RouteTable& routes, uint32_t node, uint32_t port)
{
    const uint32_t peer = routes.GetPeer(node, port);
    uint32_t other = 0;
    while (routes.GetLink(peer, other) != routes.GetLink(node, port))
    {
        other++;
    }
    return other;
}

uint32_t
ReductionTree::FindIndex(uint32_t node) const
{
    const auto found =
        std::lower_bound(m_found.begin(), m_found.end(), node, [](const Found& one, uint32_t id) {
            return one.node < id;
        });
    return found == m_found.end() || found->node != node
               ? NO_PORT
               : static_cast<uint32_t>(found - m_found.begin());
}

void
ReductionTree::Explore(const RouteTable& routes,
                       uint32_t leaf,
                       const std::function<bool(uint32_t)>& addsUp)
{
    std::vector<uint32_t> queue{leaf};
    std::set<uint32_t> known{leaf};
    for (std::size_t i = 0; i < queue.size(); i++)
    {
        for (uint32_t port = 0; port < routes.GetPortCount(queue[i]); port++)
        {
            const uint32_t peer = routes.GetPeer(queue[i], port);
            if (addsUp(peer) && known.insert(peer).second)
            {
                queue.push_back(peer);
            }
        }
    }
    for (const uint32_t node : known)
    {
        m_found.push_back({node, {}, {}, 0, 0, NO_PORT});
    }
    for (Found& found : m_found)
    {
        for (uint32_t port = 0; port < routes.GetPortCount(found.node); port++)
        {
            const uint32_t index = FindIndex(routes.GetPeer(found.node, port));
            if (index != NO_PORT)
            {
                found.ports.push_back(port);
                found.neighbours.push_back(index);
            }
        }
    }
}

std::vector<uint64_t>
ReductionTree::GetDistances(uint32_t from) const
{
    std::vector<uint64_t> distances(m_found.size(), UINT64_MAX);
    std::vector<uint32_t> queue{from};
    distances[from] = 0;
    for (std::size_t i = 0; i < queue.size(); i++)
    {
        for (const uint32_t next : m_found[queue[i]].neighbours)
        {
            if (distances[next] == UINT64_MAX)
            {
                distances[next] = distances[queue[i]] + 1;
                queue.push_back(next);
            }
        }
    }
    return distances;
}

uint32_t
ReductionTree::ChooseRoot(const std::vector<uint32_t>& leaves, uint32_t choice)
{
    for (const uint32_t leaf : std::set<uint32_t>(leaves.begin(), leaves.end()))
    {
        const std::vector<uint64_t> distances = GetDistances(leaf);
        for (std::size_t i = 0; i < m_found.size(); i++)
        {
            m_found[i].farthest = std::max(m_found[i].farthest, distances[i]);
            m_found[i].sum += distances[i];
        }
    }
    std::vector<uint32_t> best;
    const auto merit = [this](uint32_t index) {
        return std::make_tuple(m_found[index].farthest, m_found[index].sum);
    };
    for (uint32_t i = 0; i < m_found.size(); i++)
    {
        if (best.empty() || merit(i) < merit(best[0]))
        {
            best = {i};
        }
        else if (merit(i) == merit(best[0]))
        {
            best.push_back(i);
        }
    }
    return best[choice % best.size()];
}

uint32_t
ReductionTree::AddNode(uint32_t index, const std::vector<uint64_t>& distances, uint32_t choice)
{
    Found& found = m_found[index];
    if (found.inTree != NO_PORT)
    {
        return found.inTree;
    }
    Node node;
    node.node = found.node;
    node.distance = static_cast<uint32_t>(distances[index]);
    if (node.distance > 0)
    {
        std::vector<std::size_t> up;
        for (std::size_t i = 0; i < found.ports.size(); i++)
        {
            if (distances[found.neighbours[i]] < distances[index])
            {
                up.push_back(i);
            }
        }
        const std::size_t chosen = up[choice % up.size()];
        AddNode(found.neighbours[chosen], distances, choice);
        node.parentPort = found.ports[chosen];
    }
    found.inTree = static_cast<uint32_t>(m_nodes.size());
    m_nodes.push_back(std::move(node));
    return found.inTree;
}

void
ReductionTree::JoinParents(const RouteTable& routes)
{
    for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); node++)
    {
        node->rank = *std::min_element(node->childRanks.begin(), node->childRanks.end());
        if (node->parentPort != NO_PORT)
        {
            const uint32_t peer = routes.GetPeer(node->node, node->parentPort);
            Node& parent = m_nodes[m_found[FindIndex(peer)].inTree];
            parent.childPorts.push_back(FindPeerPort(routes, node->node, node->parentPort));
            parent.childRanks.push_back(node->rank);
        }
    }
}

} // namespace ns3
