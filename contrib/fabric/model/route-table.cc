/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "route-table.h"

#include "config-error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/** Marks what has no number. */
constexpr uint32_t NONE = UINT32_MAX;

/** Longest path that an entry can hold. */
constexpr uint32_t MAX_HOPS = UINT16_MAX;

} // namespace

struct RouteTable::Build
{
    std::string source;           //!< topology, for errors
    std::vector<bool> isEndPoint; //!< by node and NIC: whether it is an end point
    std::vector<uint32_t> row;    //!< by node and NIC: its row

    /** A NIC of a GPU with several. */
    struct Nic
    {
        uint32_t number; //!< of the GPU
        uint32_t count;  //!< how many it has
    };

    std::vector<Nic> nics;            //!< by NIC
    std::vector<uint32_t> canonical;  //!< by node and NIC: the one whose routes it has
    std::vector<uint32_t> ends;       //!< by port: end point at the other end, or the peer
    std::vector<uint32_t> endPoints;  //!< GPUs and NICs, all of them

    std::vector<std::vector<uint32_t>> neighbours; //!< by group: nodes its members are attached to
    std::vector<std::vector<uint32_t>> members;    //!< by group: its end points

    std::vector<uint32_t> nodeOfRow;              //!< by row: the node, or the first such end point
    std::vector<std::vector<uint32_t>> sourcesAt; //!< by switch: rows of end points attached to it
    std::vector<uint32_t> hops;                   //!< by node: links to the group, or NONE
    std::vector<uint32_t> queue;                  //!< nodes with hops set
    std::vector<uint32_t> lastGroup;              //!< by row: the last group it has an entry for

    /** By row: entries with their groups, in ascending order. */
    std::vector<std::vector<std::pair<uint32_t, RouteRow::Entry>>> entries;
    /** By row: offsets of its port lists. */
    std::vector<std::map<std::vector<uint16_t>, uint32_t>> lists;
    /** By row: offset and length of the list it used last. */
    std::vector<std::pair<uint32_t, uint32_t>> lastList;
    std::vector<uint16_t> ports; //!< the list in the making
};

RouteTable::RouteTable(const Topology& topology,
                       TopologyLinkKind kind,
                       const std::vector<bool>& down)
    : m_down(down)
{
    BuildPorts(topology, kind);
    Build build;
    build.source = topology.source;
    for (const TopologyNode& node : topology.nodes)
    {
        build.isEndPoint.push_back(node.kind == TopologyNodeKind::GPU);
    }
    m_destinations.resize(topology.GetGpuCount());
    build.endPoints.resize(m_destinations.size());
    std::iota(build.endPoints.begin(), build.endPoints.end(), 0);
    build.canonical = m_places;
    if (kind == TopologyLinkKind::ETHERNET)
    {
        BuildNics(topology, build);
    }
    BuildGroups(build);
    BuildSources(build);
    for (uint32_t group = 0; group < build.members.size(); group++)
    {
        RouteGroup(build, group);
    }
    BuildRows(build);
    m_down.clear();
}

void
RouteTable::BuildPorts(const Topology& topology, TopologyLinkKind kind)
{
    const auto ports = topology.GetPorts(kind);
    for (uint32_t node = 0; node < ports.size(); node++)
    {
        const uint32_t owner = topology.nodes[node].nicOf;
        const bool shares = kind == TopologyLinkKind::ETHERNET && owner != TopologyNode::NO_ID;
        m_places.push_back(shares ? owner : node);
    }
    m_portBegin.push_back(0);
    for (uint32_t node = 0; node < ports.size(); node++)
    {
        if (ports[node].size() > UINT16_MAX)
        {
            throw ConfigError(topology.source,
                              "node " + std::to_string(node),
                              std::to_string(ports[node].size()) + " links",
                              "at most " + std::to_string(UINT16_MAX) + " links at a node");
        }
        for (const uint32_t link : ports[node])
        {
            m_ports.push_back({link, topology.links[link].a ^ topology.links[link].b ^ node});
        }
        m_portBegin.push_back(m_ports.size());
    }
    for (const TopologyLink& link : topology.links)
    {
        m_links.push_back({link.rate, link.delay});
    }
}

void
RouteTable::BuildNics(const Topology& topology, Build& build)
{
    std::vector<uint32_t> counts;
    for (const uint32_t gpu : build.endPoints)
    {
        counts.push_back(topology.nodes[m_places[gpu]].nics);
        if (counts.back() == 0)
        {
            throw ConfigError(topology.source,
                              "node " + std::to_string(m_places[gpu]),
                              "0 NICs",
                              "at least one NIC of a GPU");
        }
    }
    if (std::any_of(counts.begin(), counts.end(), [](uint32_t count) { return count > 1; }))
    {
        NumberNics(counts, build);
        LabelEnds(counts, build);
    }
}

void
RouteTable::NumberNics(const std::vector<uint32_t>& counts, Build& build)
{
    const auto nodes = static_cast<uint32_t>(m_places.size());
    m_nicBegin.push_back(0);
    for (uint32_t gpu = 0; gpu < counts.size(); gpu++)
    {
        const uint32_t count = counts[gpu] > 1 ? counts[gpu] : 0; // a single one is the GPU itself
        for (uint32_t nic = 0; nic < count; nic++)
        {
            build.endPoints.push_back(nodes + build.nics.size());
            build.nics.push_back({nic, count});
            build.isEndPoint.push_back(true);
            m_places.push_back(m_places[gpu]);
        }
        m_nicBegin.push_back(build.nics.size());
    }
    for (const Build::Nic& nic : build.nics)
    {
        build.canonical.push_back(GetNic(m_places[build.canonical.size()], nic.number));
    }
    m_destinations.resize(m_places.size());
}

void
RouteTable::LabelEnds(const std::vector<uint32_t>& counts, Build& build) const
{
    // Links have two sides: that of the node with the lower number, and the other.
    std::vector<uint32_t> nicAt(2 * m_links.size());
    for (uint32_t gpu = 0; gpu < counts.size(); gpu++)
    {
        for (uint32_t port = 0; port < GetPortCount(gpu); port++)
        {
            const bool isUpper = gpu > GetPeer(gpu, port);
            nicAt[2 * GetLink(gpu, port) + isUpper] = GetNic(gpu, port % counts[gpu]);
        }
    }
    for (uint32_t node = 0; node + 1 < m_portBegin.size(); node++)
    {
        for (uint32_t port = 0; port < GetPortCount(node); port++)
        {
            const uint32_t peer = GetPeer(node, port);
            const bool isUpper = peer > node;
            build.ends.push_back(peer < counts.size() ? nicAt[2 * GetLink(node, port) + isUpper]
                                                      : peer);
        }
    }
}

uint32_t
RouteTable::GetNeighbour(const Build& build, uint32_t node, uint32_t port) const
{
    const std::size_t nodes = m_portBegin.size() - 1;
    if (node >= nodes)
    {
        const Build::Nic& nic = build.nics[node - nodes];
        if (port % nic.count != nic.number)
        {
            return NONE;
        }
    }
    const Port& end = m_ports[m_portBegin[m_places[node]] + port];
    return m_down.empty() || !m_down[end.link] ? end.peer : NONE;
}

std::vector<uint32_t>
RouteTable::GetNeighbours(const Build& build, uint32_t node) const
{
    const uint32_t place = m_places[node];
    std::vector<uint32_t> neighbours;
    for (uint32_t port = 0; port < GetPortCount(place); port++)
    {
        const uint32_t neighbour = GetNeighbour(build, node, port);
        neighbours.push_back(neighbour);
        const uint32_t end = build.ends.empty() ? neighbour : build.ends[m_portBegin[place] + port];
        if (neighbour != NONE && end != neighbour)
        {
            neighbours.push_back(end);
        }
    }
    return neighbours;
}

void
RouteTable::BuildGroups(Build& build)
{
    std::map<std::vector<uint32_t>, uint32_t> groups;
    for (const uint32_t end : build.endPoints)
    {
        if (build.canonical[end] != end)
        {
            continue;
        }
        std::vector<uint32_t> neighbours = GetNeighbours(build, end);
        neighbours.erase(std::remove(neighbours.begin(), neighbours.end(), NONE), neighbours.end());
        std::sort(neighbours.begin(), neighbours.end());
        neighbours.erase(std::unique(neighbours.begin(), neighbours.end()), neighbours.end());
        const auto [found, isNew] = groups.emplace(neighbours, build.members.size());
        if (isNew)
        {
            build.neighbours.push_back(neighbours);
            build.members.emplace_back();
        }
        std::vector<uint32_t>& members = build.members[found->second];
        m_destinations[end] = {found->second, static_cast<uint32_t>(members.size())};
        members.push_back(end);
    }
    for (const uint32_t end : build.endPoints)
    {
        m_destinations[end] = m_destinations[build.canonical[end]];
    }
}

void
RouteTable::BuildSources(Build& build) const
{
    const uint32_t nodes = build.isEndPoint.size();
    std::map<std::vector<uint32_t>, uint32_t> sources;
    build.row.resize(nodes);
    build.sourcesAt.resize(nodes);
    build.hops.assign(nodes, NONE);
    for (uint32_t node = 0; node < nodes; node++)
    {
        if (build.canonical[node] != node)
        {
            continue;
        }
        const std::vector<uint32_t> peers =
            build.isEndPoint[node] ? GetNeighbours(build, node) : std::vector<uint32_t>();
        const uint32_t newRow = build.nodeOfRow.size();
        build.row[node] =
            build.isEndPoint[node] ? sources.emplace(peers, newRow).first->second : newRow;
        if (build.row[node] == newRow)
        {
            build.nodeOfRow.push_back(node);
            for (const uint32_t peer : peers)
            {
                if (peer != NONE)
                {
                    build.sourcesAt[peer].push_back(newRow);
                }
            }
        }
    }
    build.lastGroup.assign(build.nodeOfRow.size(), NONE);
    build.entries.resize(build.nodeOfRow.size());
    build.lists.resize(build.nodeOfRow.size());
    build.lastList.resize(build.nodeOfRow.size());
}

void
RouteTable::RouteGroup(Build& build, uint32_t group)
{
    for (const uint32_t neighbour : build.neighbours[group])
    {
        build.hops[neighbour] = 1;
        build.queue.push_back(neighbour);
    }
    for (std::size_t head = 0; head < build.queue.size(); head++)
    {
        const uint32_t node = build.queue[head];
        for (uint32_t port = 0; !build.isEndPoint[node] && port < GetPortCount(node); port++)
        {
            const uint32_t peer = GetNeighbour(build, node, port);
            if (peer != NONE && !build.isEndPoint[peer] && build.hops[peer] == NONE)
            {
                build.hops[peer] = build.hops[node] + 1;
                build.queue.push_back(peer);
            }
        }
    }
    for (const uint32_t node : build.queue)
    {
        AddEntry(build, group, build.row[node]);
        for (uint32_t i = 0; !build.isEndPoint[node] && i < build.sourcesAt[node].size(); i++)
        {
            AddEntry(build, group, build.sourcesAt[node][i]);
        }
    }
    for (const uint32_t node : build.queue)
    {
        build.hops[node] = NONE;
    }
    build.queue.clear();
}

void
RouteTable::AddEntry(Build& build, uint32_t group, uint32_t row)
{
    if (std::exchange(build.lastGroup[row], group) == group)
    {
        return;
    }
    const uint32_t node = build.nodeOfRow[row];
    if (build.hops[node] == 1)
    {
        build.entries[row].push_back({group, {AddDirect(build, group, row), 0, 1}});
        return;
    }
    uint32_t nearest = NONE;
    std::vector<uint16_t>& ports = build.ports;
    ports.clear();
    for (uint32_t port = 0; port < GetPortCount(m_places[node]); port++)
    {
        const uint32_t peer = GetNeighbour(build, node, port);
        if (peer == NONE || build.isEndPoint[peer] || build.hops[peer] > nearest ||
            build.hops[peer] == NONE)
        {
            continue;
        }
        if (build.hops[peer] < nearest)
        {
            nearest = build.hops[peer];
            ports.clear();
        }
        ports.push_back(port);
    }
    if (nearest >= MAX_HOPS)
    {
        throw ConfigError(build.source,
                          "node " + std::to_string(node),
                          "a path of " + std::to_string(nearest) + " links",
                          "paths of fewer than " + std::to_string(MAX_HOPS) + " links");
    }
    build.entries[row].push_back({group,
                                  {AddPortList(build, row, ports),
                                   static_cast<uint16_t>(ports.size()),
                                   static_cast<uint16_t>(nearest + 1)}});
}

uint32_t
RouteTable::AddDirect(Build& build, uint32_t group, uint32_t row)
{
    const uint32_t node = build.nodeOfRow[row];
    std::vector<std::vector<uint16_t>> ports(build.members[group].size());
    const auto add = [&](uint32_t end, uint32_t port) {
        if (m_destinations[end].group == group)
        {
            ports[m_destinations[end].member].push_back(port);
        }
    };
    const uint32_t place = m_places[node];
    for (uint32_t port = 0; port < GetPortCount(place); port++)
    {
        const uint32_t peer = GetNeighbour(build, node, port);
        if (peer == NONE || !build.isEndPoint[peer])
        {
            continue;
        }
        add(peer, port);
        const uint32_t end = build.ends.empty() ? peer : build.ends[m_portBegin[place] + port];
        if (end != peer)
        {
            add(end, port);
        }
    }
    const uint32_t offset = m_direct.size();
    for (const auto& list : ports)
    {
        m_direct.push_back(
            {AddPortList(build, row, list), static_cast<uint16_t>(list.size()), uint16_t{1}});
    }
    return offset;
}

uint32_t
RouteTable::AddPortList(Build& build, uint32_t row, const std::vector<uint16_t>& ports)
{
    // Neighbouring groups mostly share their list: look at the row's last one first.
    auto& [lastOffset, lastCount] = build.lastList[row];
    const auto last = m_portLists.begin() + lastOffset;
    if (!std::equal(ports.begin(), ports.end(), last, last + lastCount))
    {
        const uint32_t offset = m_portLists.size();
        const auto [found, isNew] = build.lists[row].emplace(ports, offset);
        if (isNew)
        {
            m_portLists.insert(m_portLists.end(), ports.begin(), ports.end());
        }
        lastOffset = found->second;
        lastCount = ports.size();
    }
    return lastOffset;
}

void
RouteTable::BuildRows(const Build& build)
{
    std::vector<std::size_t> begin;
    for (const auto& entries : build.entries)
    {
        begin.push_back(m_entries.size());
        for (const auto& [group, entry] : entries)
        {
            const std::size_t i = begin.back() + group - entries.front().first;
            m_entries.resize(i, {0, 0, 0}); // groups in between, which this node does not reach
            m_entries.push_back(entry);
        }
    }
    for (uint32_t node = 0; node < build.row.size(); node++)
    {
        const uint32_t row = build.row[build.canonical[node]];
        const auto& entries = build.entries[row];
        RouteRow view;
        view.m_node = node;
        view.m_destinations = m_destinations.data();
        view.m_direct = m_direct.data();
        view.m_ports = m_portLists.data();
        view.m_entries = m_entries.data() + begin[row];
        view.m_firstGroup = entries.empty() ? 0 : entries.front().first;
        view.m_groupCount = entries.empty() ? 0 : entries.back().first - entries.front().first + 1;
        m_rows.push_back(view);
    }
}

PathProperties
RouteTable::GetPath(uint32_t src, uint32_t dst) const
{
    PathProperties path;
    const uint32_t end = m_places[dst];
    for (uint32_t node = m_places[src]; src != dst && (path.links.empty() || node != end);)
    {
        const PortSpan ports = NextPorts(path.links.empty() ? src : node, dst);
        if (ports.count == 0)
        {
            return {};
        }
        const uint32_t link = GetLink(node, ports[0]);
        if (path.links.empty() || m_links[link].rate < path.rate)
        {
            path.rate = m_links[link].rate;
        }
        path.links.push_back(link);
        path.delay += m_links[link].delay;
        node = GetPeer(node, ports[0]);
    }
    return path;
}

} // namespace ns3
