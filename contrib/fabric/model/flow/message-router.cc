/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-router.h"

#include "ns3/abort.h"
#include "ns3/config-error.h"
#include "ns3/ecmp-hash.h"
#include "ns3/ecmp-load-balancer.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t FULL = MaxMinAllocator::FULL; //!< all of a message

/**
 * \param amounts some amounts, not all 0
 * \param whole what is divided
 * \return parts of it in proportion, which add up to it
 */
std::vector<uint32_t>
DivideInProportion(const std::vector<uint64_t>& amounts, uint32_t whole)
{
    const uint64_t all = std::accumulate(amounts.begin(), amounts.end(), uint64_t(0));
    std::vector<uint32_t> parts;
    uint64_t sum = 0;
    uint32_t given = 0;
    for (const uint64_t amount : amounts)
    {
        sum += amount;
        const auto upTo =
            static_cast<uint32_t>((static_cast<unsigned __int128>(sum) * whole + all / 2) / all);
        parts.push_back(upTo - given);
        given = upTo;
    }
    return parts;
}

} // namespace

MessageRouter::MessageRouter(const Topology& topology, MessageRouterSettings settings)
    : m_rankCount(topology.GetGpuCount()),
      m_settings(std::move(settings)),
      m_teamFraming(m_settings.nvlink),
      m_nodes(topology.nodes),
      m_links(topology.links),
      m_nvlink(topology, TopologyLinkKind::NVLINK),
      m_ethernet(topology, TopologyLinkKind::ETHERNET),
      m_ofDirection(2 * topology.links.size(), MaxMinAllocator::NONE),
      m_bundles(m_rankCount)
{
    Validate(topology);
    m_teamFraming.unitBytes = std::min(m_teamFraming.unitBytes, m_settings.teamUnitBytes);
    for (uint32_t node = 0; node < m_nodes.size(); node++)
    {
        m_salts.push_back(EcmpLoadBalancer::GetSalt(node));
    }
    MakeBundles();
    MakeLinkResources();
}

void
MessageRouter::Validate(const Topology& topology)
{
    for (const TopologyLink& link : topology.links)
    {
        const std::string place =
            "link between " + topology.GetNodeName(link.a) + " and " + topology.GetNodeName(link.b);
        if (link.lossRate > 0 || link.bitErrorRate > 0)
        {
            std::ostringstream value;
            value << "loss rate " << link.lossRate << ", bit error rate " << link.bitErrorRate;
            throw ConfigError(topology.source,
                              place,
                              value.str(),
                              "0 and 0: a network without packets loses none, --network=packet "
                              "does");
        }
        if (link.rate.GetBitRate() == 0 || link.rate.GetBitRate() > MaxMinAllocator::MAX_BPS)
        {
            throw ConfigError(topology.source,
                              place,
                              "rate " + std::to_string(link.rate.GetBitRate()) + " bit/s",
                              "a rate above 0 and up to " +
                                  std::to_string(MaxMinAllocator::MAX_BPS) + " bit/s");
        }
    }
}

std::map<uint32_t, uint64_t>
MessageRouter::GetNvlinkPeers(uint32_t gpu) const
{
    std::map<uint32_t, uint64_t> peers;
    for (uint32_t port = 0; port < m_nvlink.GetPortCount(gpu); port++)
    {
        peers[m_nvlink.GetPeer(gpu, port)] +=
            m_links[m_nvlink.GetLink(gpu, port)].rate.GetBitRate();
    }
    return peers;
}

bool
MessageRouter::AreAlike(const std::vector<uint32_t>& gpus) const
{
    const std::map<uint32_t, uint64_t> first = GetNvlinkPeers(gpus.front());
    const bool switched = std::all_of(first.begin(), first.end(), [this](const auto& peer) {
        return m_nodes[peer.first].kind == TopologyNodeKind::NVSWITCH;
    });
    return switched && std::all_of(gpus.begin(), gpus.end(), [&](uint32_t gpu) {
               return GetNvlinkPeers(gpu) == first;
           });
}

void
MessageRouter::MakeBundles()
{
    // GPUs that have an NVSwitch in common, by the lowest switch that each has.
    std::vector<uint32_t> lowest(m_nodes.size());
    std::iota(lowest.begin(), lowest.end(), 0);
    const auto find = [&](uint32_t node) {
        while (lowest[node] != node)
        {
            node = lowest[node] = lowest[lowest[node]];
        }
        return node;
    };
    for (const TopologyLink& link : m_links)
    {
        if (link.kind == TopologyLinkKind::NVLINK)
        {
            const uint32_t a = find(link.a);
            const uint32_t b = find(link.b);
            lowest[std::max(a, b)] = std::min(a, b);
        }
    }
    std::map<uint32_t, std::vector<uint32_t>> domains;
    for (uint32_t gpu = 0; gpu < m_rankCount; gpu++)
    {
        if (m_nvlink.GetPortCount(gpu) > 0)
        {
            domains[find(gpu)].push_back(gpu);
        }
    }
    for (const auto& [domain, gpus] : domains)
    {
        if (!AreAlike(gpus))
        {
            continue;
        }
        for (const uint32_t gpu : gpus)
        {
            MakeBundle(gpu);
            m_bundles[gpu].domain = domain;
        }
    }
}

void
MessageRouter::MakeBundle(uint32_t gpu)
{
    Bundle& bundle = m_bundles[gpu];
    RouteResource up;
    up.kind = TopologyLinkKind::NVLINK;
    std::vector<uint64_t> rates;
    for (uint32_t port = 0; port < m_nvlink.GetPortCount(gpu); port++)
    {
        const uint32_t link = m_nvlink.GetLink(gpu, port);
        const uint64_t rateBps = m_links[link].rate.GetBitRate();
        up.capacityBps += rateBps;
        rates.push_back(rateBps);
        up.links.push_back({GetDirection(gpu, link), 0});
        bundle.linkBps = port == 0 ? rateBps : std::min(bundle.linkBps, rateBps);
        bundle.delay =
            std::max(bundle.delay, static_cast<uint64_t>(m_links[link].delay.GetTimeStep()));
    }
    const std::vector<uint32_t> shares = DivideInProportion(rates, FULL);
    for (std::size_t i = 0; i < shares.size(); i++)
    {
        up.links[i].share = shares[i];
    }
    RouteResource down = up;
    for (RouteLink& link : down.links)
    {
        link.direction ^= 1;
    }
    bundle.up = static_cast<uint32_t>(m_resources.size());
    bundle.down = bundle.up + 1;
    up.reverse = bundle.down;
    down.reverse = bundle.up;
    for (const RouteLink& link : up.links)
    {
        m_ofDirection[link.direction] = bundle.up;
        m_ofDirection[link.direction ^ 1] = bundle.down;
    }
    m_resources.push_back(std::move(up));
    m_resources.push_back(std::move(down));
}

void
MessageRouter::MakeLinkResources()
{
    for (uint32_t direction = 0; direction < m_ofDirection.size(); direction++)
    {
        if (m_ofDirection[direction] != MaxMinAllocator::NONE)
        {
            continue;
        }
        const TopologyLink& link = m_links[direction / 2];
        RouteResource resource;
        resource.capacityBps = link.rate.GetBitRate();
        resource.links = {{direction, FULL}};
        resource.kind = link.kind;
        m_ofDirection[direction] = static_cast<uint32_t>(m_resources.size());
        resource.reverse = m_ofDirection[direction] + (direction % 2 == 0 ? 1 : -1);
        m_resources.push_back(std::move(resource));
    }
}

MessageRoute
MessageRouter::Find(uint32_t src, uint32_t dst, uint32_t channel) const
{
    MessageRoute route;
    route.nvlink = UsesNvlink(src, dst);
    NS_ABORT_MSG_UNLESS(CanReach(src, dst),
                        "there is no path from rank " << src << " to rank " << dst
                                                      << ": validate the topology");
    if (route.nvlink && m_bundles[src].up != MaxMinAllocator::NONE)
    {
        return FindOffloaded({src}, {dst});
    }
    const RouteTable& routes = route.nvlink ? m_nvlink : m_ethernet;
    const NicPair ends =
        route.nvlink ? NicPair{src, dst} : StripeNics(m_ethernet, src, dst, channel);
    const uint32_t entropy =
        m_settings.entropy ? m_settings.entropy(src, dst, channel) : EcmpHash(src, dst, channel, 0);
    const uint32_t end = routes.GetPlace(dst);
    const uint64_t latency = GetFraming(route.nvlink).switchLatency.GetTimeStep();
    route.rateBps = UINT64_MAX;
    Parts here{{ends.src, FULL}};
    do
    {
        here = AddHop(routes, here, ends, entropy, route);
        route.delay += here.count(end) ? 0 : latency;
    } while (!here.count(end));
    return route;
}

MessageRouter::Parts
MessageRouter::AddHop(const RouteTable& routes,
                      const Parts& here,
                      const NicPair& ends,
                      uint32_t entropy,
                      MessageRoute& route) const
{
    const auto& [src, dst] = ends;
    const bool spread = route.nvlink || m_settings.spreadEthernet;
    Parts next;
    const auto usesBefore = static_cast<uint32_t>(route.uses.size());
    HopPart all{0, UINT64_MAX, UINT64_MAX, 0};
    for (const auto& [node, part] : here)
    {
        const PortSpan ports = routes.NextPorts(node, dst);
        const uint32_t place = routes.GetPlace(node);
        // A NIC keeps a flow on one port.
        const bool chooses = !spread || (!route.nvlink && node == src);
        const uint32_t choice =
            EcmpChoice(EcmpHash(src, dst, entropy, m_salts[place]), ports.count);
        const std::vector<uint32_t> parts =
            chooses ? std::vector<uint32_t>() : Divide(routes, node, dst, route.nvlink, part);
        for (uint32_t i = 0; i < ports.count; i++)
        {
            const uint32_t weight = !chooses ? parts[i] : i == choice ? part : 0;
            if (weight == 0)
            {
                continue;
            }
            const uint32_t link = routes.GetLink(place, ports[i]);
            const uint64_t rateBps = m_links[link].rate.GetBitRate();
            route.uses.push_back({m_ofDirection[GetDirection(place, link)], weight});
            all.rateBps = std::min(
                all.rateBps,
                static_cast<uint64_t>(static_cast<unsigned __int128>(rateBps) * FULL / weight));
            all.linkBps = std::min(all.linkBps, rateBps);
            all.delay =
                std::max(all.delay, static_cast<uint64_t>(m_links[link].delay.GetTimeStep()));
            next[routes.GetPeer(place, ports[i])] += weight;
        }
    }
    EndHop(all, static_cast<uint32_t>(route.uses.size()) - usesBefore, route);
    return next;
}

std::vector<uint32_t>
MessageRouter::Divide(const RouteTable& routes,
                      uint32_t node,
                      uint32_t dst,
                      bool nvlink,
                      uint32_t part) const
{
    const uint32_t place = routes.GetPlace(node);
    const PortSpan ports = routes.NextPorts(node, dst);
    std::vector<uint64_t> rates;
    for (const uint16_t port : ports)
    {
        uint64_t rateBps = nvlink ? m_links[routes.GetLink(place, port)].rate.GetBitRate() : 1;
        const uint32_t peer = routes.GetPeer(place, port);
        if (nvlink && peer != dst)
        {
            uint64_t behindBps = 0;
            for (const uint16_t next : routes.NextPorts(peer, dst))
            {
                behindBps += m_links[routes.GetLink(peer, next)].rate.GetBitRate();
            }
            rateBps = std::min(rateBps, behindBps);
        }
        rates.push_back(rateBps);
    }
    return DivideInProportion(rates, part);
}

bool
MessageRouter::CanOffload(const std::vector<uint32_t>& ranks) const
{
    if (!m_settings.offersOffload || ranks.size() < 2)
    {
        return false;
    }
    return std::all_of(ranks.begin(), ranks.end(), [&](uint32_t rank) {
        const Bundle& bundle = m_bundles[rank];
        if (bundle.up == MaxMinAllocator::NONE || bundle.domain != m_bundles[ranks[0]].domain)
        {
            return false;
        }
        const auto peers = GetNvlinkPeers(rank);
        return std::all_of(peers.begin(), peers.end(), [this](const auto& peer) {
            return m_settings.offersOffload(m_nodes[peer.first]);
        });
    });
}

MessageRoute
MessageRouter::FindOffloaded(const std::vector<uint32_t>& sources,
                             const std::vector<uint32_t>& sinks) const
{
    MessageRoute route;
    route.nvlink = true;
    route.rateBps = UINT64_MAX;
    const auto add = [&](const std::vector<uint32_t>& ranks, uint32_t Bundle::*resource) {
        std::vector<HopPart> parts;
        for (const uint32_t rank : ranks)
        {
            const Bundle& bundle = m_bundles[rank];
            const uint32_t used = bundle.*resource;
            parts.push_back({used, m_resources[used].capacityBps, bundle.linkBps, bundle.delay});
        }
        AddWholeHop(parts, route);
    };
    add(sources, &Bundle::up);
    add(sinks, &Bundle::down);
    route.delay += m_settings.nvlink.switchLatency.GetTimeStep();
    return route;
}

ReductionTree
MessageRouter::FindTree(const std::vector<uint32_t>& ranks) const
{
    if (!m_settings.addsUp || ranks.empty() || ranks.back() >= m_rankCount)
    {
        return {};
    }
    return {m_ethernet, ranks, [this](uint32_t node) {
                return m_nodes[node].kind == TopologyNodeKind::SWITCH &&
                       m_settings.addsUp(m_nodes[node]);
            }};
}

void
MessageRouter::AddWholeHop(const std::vector<HopPart>& parts, MessageRoute& route)
{
    HopPart all{0, UINT64_MAX, UINT64_MAX, 0};
    for (const HopPart& part : parts)
    {
        route.uses.push_back({part.resource, FULL});
        all.rateBps = std::min(all.rateBps, part.rateBps);
        all.linkBps = std::min(all.linkBps, part.linkBps);
        all.delay = std::max(all.delay, part.delay);
    }
    EndHop(all, static_cast<uint32_t>(parts.size()), route);
}

void
MessageRouter::EndHop(const HopPart& all, uint32_t uses, MessageRoute& route)
{
    if (all.rateBps < route.rateBps)
    {
        route.rateBps = all.rateBps;
        route.slowestHop = static_cast<uint32_t>(route.hopsBps.size());
    }
    route.delay += all.delay;
    route.hopsBps.push_back(all.linkBps);
    route.hopUses.push_back(uses);
}

MessageRoute
MessageRouter::FindReduction(const std::vector<uint32_t>& ranks) const
{
    const ReductionTree tree = FindTree(ranks);
    std::vector<std::vector<uint32_t>> down(tree.GetDepth()); // directions, by links from the root
    for (const ReductionTree::Node& node : tree.GetNodes())
    {
        for (const uint32_t port : node.childPorts)
        {
            const uint32_t link = m_ethernet.GetLink(node.node, port);
            down[node.distance].push_back(GetDirection(node.node, link));
        }
    }
    MessageRoute route;
    route.reduction = true;
    route.rateBps = UINT64_MAX;
    const auto add = [&](const std::vector<uint32_t>& directions, uint32_t reverse) {
        std::vector<HopPart> parts;
        for (const uint32_t direction : directions)
        {
            const TopologyLink& link = m_links[direction / 2];
            const uint64_t rateBps = link.rate.GetBitRate();
            parts.push_back({m_ofDirection[direction ^ reverse],
                             rateBps,
                             rateBps,
                             static_cast<uint64_t>(link.delay.GetTimeStep())});
        }
        AddWholeHop(parts, route);
    };
    for (auto level = down.rbegin(); level != down.rend(); level++)
    {
        add(*level, 1);
    }
    for (const auto& level : down)
    {
        add(level, 0);
    }
    const uint64_t switches = 2 * tree.GetDepth() - 1;
    route.delay += switches * m_settings.reduction.switchLatency.GetTimeStep();
    return route;
}

} // namespace ns3
