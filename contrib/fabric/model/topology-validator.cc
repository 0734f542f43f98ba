/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-validator.h"

#include "config-error.h"
#include "pxn-rails.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

namespace ns3
{

namespace
{

const Time MAX_DELAY = Seconds(1); //!< longer, a few messages take more than time can hold
constexpr uint64_t MIN_RATE = 1000; //!< bit/s; slower, a frame takes longer than time can hold

/** Says of two GPUs whether a route joins them in any fabric. */
class Reachability
{
  public:
    /**
     * \param topology the cluster, of sound links
     */
    explicit Reachability(const Topology& topology)
        : m_parent(2 * topology.nodes.size()),
          m_reach(topology.nodes.size())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (const TopologyLink& link : topology.links)
        {
            if (!IsGpu(topology, link.a) && !IsGpu(topology, link.b))
            {
                m_parent[Find(GetPart(link.a, link.kind))] = Find(GetPart(link.b, link.kind));
            }
        }
        for (uint32_t node = 0; node < topology.nodes.size(); node++)
        {
            if (topology.nodes[node].nicOf != TopologyNode::NO_ID)
            {
                m_sharers.emplace(topology.nodes[node].nicOf, node);
            }
        }
        for (const TopologyLink& link : topology.links)
        {
            AddReach(topology, link, link.a, link.b);
            AddReach(topology, link, link.b, link.a);
        }
        for (auto& reach : m_reach)
        {
            std::sort(reach.begin(), reach.end());
            reach.erase(std::unique(reach.begin(), reach.end()), reach.end());
        }
    }

    /**
     * \param a a GPU
     * \param b another
     * \return true if a switch, or switches that are joined, or a link lies between them
     */
    bool IsReachable(uint32_t a, uint32_t b) const
    {
        auto i = m_reach[a].begin();
        auto j = m_reach[b].begin();
        while (i != m_reach[a].end() && j != m_reach[b].end() && *i != *j)
        {
            (*i < *j ? i : j)++;
        }
        return i != m_reach[a].end() && j != m_reach[b].end();
    }

    /**
     * \param gpus number of GPUs
     * \return true if one island of switches reaches all GPUs below that number
     */
    bool HasCommonIsland(uint32_t gpus) const
    {
        return std::any_of(m_reach[0].begin(), m_reach[0].end(), [&](uint64_t island) {
            return std::all_of(m_reach.begin(), m_reach.begin() + gpus, [&](const auto& reach) {
                return std::binary_search(reach.begin(), reach.end(), island);
            });
        });
    }

  private:
    /** \param topology the cluster \param node a node \return true if it is a GPU */
    static bool IsGpu(const Topology& topology, uint32_t node)
    {
        return topology.nodes[node].kind == TopologyNodeKind::GPU;
    }

    /** \param node a switch \param kind a fabric \return its number among the parts to join */
    static uint32_t GetPart(uint32_t node, TopologyLinkKind kind)
    {
        return 2 * node + (kind == TopologyLinkKind::NVLINK ? 1 : 0);
    }

    /** \param part a part \return the island of switches that it belongs to */
    uint32_t Find(uint32_t part)
    {
        while (m_parent[part] != part)
        {
            part = m_parent[part] = m_parent[m_parent[part]];
        }
        return part;
    }

    /**
     * Adds to what a GPU reaches: the island of a switch, or, for a link to another GPU, the link.
     * \param topology the cluster
     * \param link the link
     * \param gpu one end, perhaps a GPU
     * \param peer its other end
     */
    void AddReach(const Topology& topology, const TopologyLink& link, uint32_t gpu, uint32_t peer)
    {
        if (IsGpu(topology, gpu))
        {
            const uint64_t index = &link - topology.links.data();
            const uint64_t island = IsGpu(topology, peer) ? m_parent.size() + index
                                                          : Find(GetPart(peer, link.kind));
            m_reach[gpu].push_back(island);
            const auto [begin, end] = m_sharers.equal_range(gpu);
            for (auto i = begin; i != end && link.kind == TopologyLinkKind::ETHERNET; ++i)
            {
                m_reach[i->second].push_back(island);
            }
        }
    }

    std::vector<uint32_t> m_parent;             //!< union-find forest over nodes and fabrics
    std::multimap<uint32_t, uint32_t> m_sharers; //!< by GPU: others that share its NIC
    std::vector<std::vector<uint64_t>> m_reach; //!< by GPU: islands and links, ascending
};

/**
 * \param topology the cluster
 * \param [out] findings errors of the nodes
 */
void
CheckNumbering(const Topology& topology, TopologyFindings& findings)
{
    const uint32_t gpus = topology.GetGpuCount();
    if (gpus == 0)
    {
        findings.errors.emplace_back("the topology has no GPU");
    }
    for (uint32_t node = 0; node < gpus; node++)
    {
        if (topology.nodes[node].kind != TopologyNodeKind::GPU)
        {
            findings.errors.push_back("node " + std::to_string(node) + " is no GPU: the " +
                                      std::to_string(gpus) +
                                      " GPUs must be the first nodes of a topology");
            return;
        }
        const uint32_t owner = topology.nodes[node].nicOf;
        if (owner != TopologyNode::NO_ID &&
            (owner >= gpus || topology.nodes[owner].nicOf != TopologyNode::NO_ID))
        {
            findings.errors.push_back("GPU " + std::to_string(node) + " shares the NIC of node " +
                                      std::to_string(owner) + ", which is no GPU with its own");
        }
    }
}

/**
 * \param topology the cluster
 * \param [out] findings errors of the links, the first of each kind
 */
void
CheckLinks(const Topology& topology, TopologyFindings& findings)
{
    for (std::size_t i = 0; i < topology.links.size() && findings.errors.empty(); i++)
    {
        const TopologyLink& link = topology.links[i];
        const std::string name = "link " + std::to_string(i) + " (nodes " + std::to_string(link.a) +
                                 " and " + std::to_string(link.b) + ")";
        if (std::max(link.a, link.b) >= topology.nodes.size())
        {
            findings.errors.push_back(name + " ends at a node that does not exist: there are " +
                                      std::to_string(topology.nodes.size()) + " nodes");
        }
        else if (link.a == link.b)
        {
            findings.errors.push_back(name + " joins a node to itself");
        }
        else if (link.kind == TopologyLinkKind::ETHERNET &&
                 (topology.nodes[link.a].nicOf != TopologyNode::NO_ID ||
                  topology.nodes[link.b].nicOf != TopologyNode::NO_ID))
        {
            findings.errors.push_back(name + " ends at a GPU that shares the NIC of another one");
        }
        if (link.rate.GetBitRate() == 0)
        {
            findings.errors.push_back(
                name + (link.kind == TopologyLinkKind::NVLINK ? " is an NVLink" : " has a port") +
                " of rate 0");
        }
        else if (link.rate.GetBitRate() < MIN_RATE)
        {
            findings.errors.push_back(name + " has the rate " +
                                      std::to_string(link.rate.GetBitRate()) +
                                      " bit/s, less than the 1 kbit/s that can be simulated");
        }
        if (link.delay.IsStrictlyNegative())
        {
            findings.errors.push_back(name + " has a negative delay");
        }
        if (link.delay > MAX_DELAY)
        {
            findings.errors.push_back(name + " has a delay of more than 1 s");
        }
        if (!(link.lossRate >= 0.0 && link.lossRate < 1.0))
        {
            findings.errors.push_back(name + " has the loss rate " + std::to_string(link.lossRate) +
                                      ", which is not in [0, 1)");
        }
        if (!(link.bitErrorRate >= 0.0 && link.bitErrorRate < 1.0))
        {
            findings.errors.push_back(name + " has the bit error rate " +
                                      std::to_string(link.bitErrorRate) +
                                      ", which is not in [0, 1)");
        }
    }
}

/**
 * \param topology the cluster, of sound links
 * \param [out] findings the first GPU whose ports cannot be those of its NICs
 */
void
CheckNics(const Topology& topology, TopologyFindings& findings)
{
    const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
    for (uint32_t gpu = 0; gpu < topology.GetGpuCount(); gpu++)
    {
        const std::size_t most = std::max<std::size_t>(ports[gpu].size(), 1);
        const uint32_t nics = topology.nodes[gpu].nics;
        if (nics == 0 || nics > most)
        {
            findings.errors.push_back("GPU " + std::to_string(gpu) + " has " +
                                      std::to_string(nics) + " NICs and " +
                                      std::to_string(ports[gpu].size()) +
                                      " Ethernet ports: 1 to " + std::to_string(most) +
                                      " NICs have a port each");
            return;
        }
    }
}

/**
 * \param nodes nodes without a link
 * \param what what they are
 * \param [out] lines gets a line that names the first, if there is one
 */
void
AddIsolated(const std::vector<uint32_t>& nodes,
            const std::string& what,
            std::vector<std::string>& lines)
{
    if (!nodes.empty())
    {
        const std::string more =
            nodes.size() > 1 ? " (and " + std::to_string(nodes.size() - 1) + " more)" : "";
        lines.push_back(what + " " + std::to_string(nodes[0]) + more + " has no link");
    }
}

/**
 * \param topology the cluster, of sound links
 * \param ranks GPUs in use
 * \param [out] findings errors and warnings of nodes without a link
 */
void
CheckIsolation(const Topology& topology, uint32_t ranks, TopologyFindings& findings)
{
    std::vector<bool> hasLink(topology.nodes.size(), false);
    for (const TopologyLink& link : topology.links)
    {
        hasLink[link.a] = true;
        hasLink[link.b] = true;
    }
    for (uint32_t node = 0; node < topology.nodes.size(); node++)
    {
        const uint32_t owner = topology.nodes[node].nicOf;
        if (owner != TopologyNode::NO_ID)
        {
            hasLink[node] = hasLink[owner];
        }
    }
    std::vector<uint32_t> usedGpus;
    std::vector<uint32_t> otherGpus;
    std::vector<uint32_t> switches;
    for (uint32_t node = 0; node < topology.nodes.size(); node++)
    {
        if (!hasLink[node])
        {
            const bool isGpu = topology.nodes[node].kind == TopologyNodeKind::GPU;
            (isGpu ? node < ranks ? usedGpus : otherGpus : switches).push_back(node);
        }
    }
    AddIsolated(usedGpus, "GPU", ranks > 1 ? findings.errors : findings.warnings);
    AddIsolated(otherGpus, "GPU", findings.warnings);
    AddIsolated(switches, "switch", findings.warnings);
}

/**
 * \param topology the cluster, of sound links
 * \param ranks GPUs in use
 * \param [out] findings the first pair without a route, even with PXN
 */
void
CheckReachability(const Topology& topology, uint32_t ranks, TopologyFindings& findings)
{
    const Reachability reachability(topology);
    if (reachability.HasCommonIsland(ranks))
    {
        return;
    }
    const PxnRails rails(topology, PxnRails::ALWAYS);
    const auto isRelayed = [&](uint32_t from, uint32_t to) {
        const uint32_t relay = rails.GetRelay(from, to);
        return relay != from && reachability.IsReachable(relay, to);
    };
    for (uint32_t a = 0; a < ranks; a++)
    {
        for (uint32_t b = a + 1; b < ranks; b++)
        {
            if (!reachability.IsReachable(a, b) && !(isRelayed(a, b) && isRelayed(b, a)))
            {
                findings.warnings.push_back(
                    "no route joins GPU " + std::to_string(a) + " and GPU " + std::to_string(b) +
                    ": no switch or link lies between them (GPUs do not forward)");
                return;
            }
        }
    }
}

} // namespace

TopologyFindings
ValidateTopology(const Topology& topology, uint32_t ranks)
{
    TopologyFindings findings;
    const uint32_t gpus = topology.GetGpuCount();
    CheckNumbering(topology, findings);
    CheckLinks(topology, findings);
    if (findings.errors.empty())
    {
        CheckNics(topology, findings);
    }
    if (ranks > gpus)
    {
        findings.errors.push_back(std::to_string(ranks) +
                                  " ranks need as many GPUs, the topology has " +
                                  std::to_string(gpus));
    }
    else if (ranks > 0 && ranks < gpus)
    {
        findings.warnings.push_back("uses GPUs 0 to " + std::to_string(ranks - 1) + " of " +
                                    std::to_string(gpus));
    }
    if (findings.errors.empty())
    {
        const uint32_t used = ranks == 0 ? gpus : ranks;
        CheckIsolation(topology, used, findings);
        CheckReachability(topology, used, findings);
    }
    return findings;
}

std::vector<std::string>
RequireValidTopology(const Topology& topology, uint32_t ranks)
{
    TopologyFindings findings = ValidateTopology(topology, ranks);
    if (!findings.errors.empty())
    {
        throw ConfigError(topology.source,
                          "",
                          findings.errors.front(),
                          "a topology that the ranks can run on");
    }
    return findings.warnings;
}

} // namespace ns3
