/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-reduction-tree.h"

#include "ns3/roce-nic-device.h"
#include "ns3/roce-switch-device.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace ns3
{

RoceReductionTree::RoceReductionTree(const std::vector<Ptr<RoceNicDevice>>& nics,
                                     const std::vector<uint32_t>& ranks)
{
    const std::vector<FabricPort*> ports = FindLeafPorts(nics, ranks);
    if (ports.empty())
    {
        return;
    }
    Explore(ports);
    std::vector<uint32_t> leaves;
    for (FabricPort* port : ports)
    {
        leaves.push_back(FindPlace(static_cast<RoceSwitchDevice*>(port->GetOwner())));
    }
    const uint32_t root = std::count(leaves.begin(), leaves.end(), NO_PORT) > 0
                              ? NO_PORT
                              : ChooseRoot(leaves, ranks.front());
    if (root != NO_PORT)
    {
        const std::vector<uint64_t> distances = GetDistances(root);
        AddNode(root, distances, ranks.front());
        for (std::size_t i = 0; i < leaves.size(); i++)
        {
            const uint32_t node = AddNode(leaves[i], distances, ranks.front());
            m_nodes[node].childPorts.push_back(ports[i]->GetIndex());
            m_nodes[node].childRanks.push_back(ranks[i]);
            m_depth = std::max<uint32_t>(m_depth, distances[leaves[i]] + 1);
        }
        for (auto node = m_nodes.rbegin(); node != m_nodes.rend(); node++)
        {
            node->rank = *std::min_element(node->childRanks.begin(), node->childRanks.end());
            if (node->parentPort != NO_PORT)
            {
                const FabricPort* port = node->device->GetPort(node->parentPort).GetPeer();
                Node& parent = m_nodes[m_found[FindPlace(
                    static_cast<const RoceSwitchDevice*>(port->GetOwner()))].node];
                parent.childPorts.push_back(port->GetIndex());
                parent.childRanks.push_back(node->rank);
            }
        }
    }
    m_found = {};
}

std::vector<FabricPort*>
RoceReductionTree::FindLeafPorts(const std::vector<Ptr<RoceNicDevice>>& nics,
                                 const std::vector<uint32_t>& ranks)
{
    std::vector<FabricPort*> ports;
    std::set<uint32_t> owners;
    for (const uint32_t rank : ranks)
    {
        if (rank >= nics.size() || !nics[rank] || nics[rank]->GetPortCount() != 1 ||
            !owners.insert(nics[rank]->GetRank()).second || !nics[rank]->GetPort(0).IsUp())
        {
            return {};
        }
        FabricPort* port = nics[rank]->GetPort(0).GetPeer();
        const auto* leaf = port ? dynamic_cast<RoceSwitchDevice*>(port->GetOwner()) : nullptr;
        if (!leaf || !leaf->GetReducer())
        {
            return {};
        }
        ports.push_back(port);
    }
    return ports.size() > 1 ? ports : std::vector<FabricPort*>();
}

uint32_t
RoceReductionTree::FindPlace(const RoceSwitchDevice* device) const
{
    const uint32_t id = device->GetNode()->GetId();
    const auto found = std::lower_bound(m_found.begin(),
                                        m_found.end(),
                                        id,
                                        [](const Found& one, uint32_t node) {
                                            return one.device->GetNode()->GetId() < node;
                                        });
    return found == m_found.end() || found->device != device
               ? NO_PORT
               : static_cast<uint32_t>(found - m_found.begin());
}

void
RoceReductionTree::Explore(const std::vector<FabricPort*>& leaves)
{
    std::vector<RoceSwitchDevice*> devices{static_cast<RoceSwitchDevice*>(leaves[0]->GetOwner())};
    std::set<uint32_t> known{devices[0]->GetNode()->GetId()};
    const auto forEachNeighbour = [](RoceSwitchDevice& device, const auto& visit) {
        for (uint32_t i = 0; i < device.GetPortCount(); i++)
        {
            FabricPort* peer = device.GetPort(i).GetPeer();
            auto* other = peer ? dynamic_cast<RoceSwitchDevice*>(peer->GetOwner()) : nullptr;
            if (other && other->GetReducer() && device.GetPort(i).IsUp() && peer->IsUp())
            {
                visit(i, other);
            }
        }
    };
    for (std::size_t i = 0; i < devices.size(); i++)
    {
        forEachNeighbour(*devices[i], [&](uint32_t, RoceSwitchDevice* other) {
            if (known.insert(other->GetNode()->GetId()).second)
            {
                devices.push_back(other);
            }
        });
    }
    std::sort(devices.begin(), devices.end(), [](const auto* a, const auto* b) {
        return a->GetNode()->GetId() < b->GetNode()->GetId();
    });
    for (RoceSwitchDevice* device : devices)
    {
        m_found.push_back({device, {}, {}, 0, 0, NO_PORT});
    }
    for (Found& found : m_found)
    {
        forEachNeighbour(*found.device, [&](uint32_t port, RoceSwitchDevice* other) {
            found.ports.push_back(port);
            found.neighbours.push_back(FindPlace(other));
        });
    }
}

std::vector<uint64_t>
RoceReductionTree::GetDistances(uint32_t from) const
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
RoceReductionTree::ChooseRoot(const std::vector<uint32_t>& leaves, uint32_t choice)
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
    const auto rank = [this](uint32_t place) {
        return std::make_tuple(m_found[place].farthest, m_found[place].sum);
    };
    for (uint32_t i = 0; i < m_found.size(); i++)
    {
        if (best.empty() || rank(i) < rank(best[0]))
        {
            best = {i};
        }
        else if (rank(i) == rank(best[0]))
        {
            best.push_back(i);
        }
    }
    return best[choice % best.size()];
}

uint32_t
RoceReductionTree::AddNode(uint32_t place,
                           const std::vector<uint64_t>& distances,
                           uint32_t choice)
{
    Found& found = m_found[place];
    if (found.node != NO_PORT)
    {
        return found.node;
    }
    uint32_t parentPort = NO_PORT;
    if (distances[place] > 0)
    {
        std::vector<std::size_t> up;
        for (std::size_t i = 0; i < found.ports.size(); i++)
        {
            if (distances[found.neighbours[i]] < distances[place])
            {
                up.push_back(i);
            }
        }
        const std::size_t chosen = up[choice % up.size()];
        AddNode(found.neighbours[chosen], distances, choice);
        parentPort = found.ports[chosen];
    }
    found.node = static_cast<uint32_t>(m_nodes.size());
    m_nodes.emplace_back();
    m_nodes.back().device = found.device;
    m_nodes.back().parentPort = parentPort;
    return found.node;
}

} // namespace ns3
