/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROUTE_TABLE_H
#define ROUTE_TABLE_H

#include "topology.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief Ports of a node, in ascending order; a view into a RouteTable. */
struct PortSpan
{
    const uint16_t* ports{nullptr}; //!< first port
    uint32_t count{0};              //!< number of ports, 0 if there is no route
    uint32_t id{0}; //!< the same for the same ports of a node, different for others of that node

    /** \return the first port */
    const uint16_t* begin() const
    {
        return ports;
    }

    /** \return the place behind the last port */
    const uint16_t* end() const
    {
        return ports + count;
    }

    /**
     * \param i index, below count
     * \return the port
     */
    uint16_t operator[](uint32_t i) const
    {
        return ports[i];
    }
};

/** \ingroup fabric \brief One shortest path through a Topology. */
struct PathProperties
{
    std::vector<uint32_t> links; //!< indices of the links, from source to destination
    DataRate rate;               //!< lowest rate among them
    Time delay;                  //!< sum of their propagation delays
};

/**
 * \ingroup fabric
 * \brief The routes of one node: what a switch keeps to forward frames.
 *
 * A view of a few pointers, valid as long as its RouteTable lives.
 */
class RouteRow
{
  public:
    /**
     * \param dst an end point: a GPU, below the topology's GPU count, or a NIC
     * \return the ports of this node on shortest paths to it; empty if there is none, or if dst is
     * this node itself
     */
    inline PortSpan NextPorts(uint32_t dst) const;

    /**
     * \param dst an end point: a GPU, below the topology's GPU count, or a NIC
     * \return links on a shortest path, 0 to itself, RouteTable::NO_ROUTE if there is no path
     */
    inline uint32_t GetHopCount(uint32_t dst) const;

  private:
    friend class RouteTable;

    /** Where an end point stands among the destinations. */
    struct Destination
    {
        uint32_t group;  //!< its destination group
        uint32_t member; //!< its number within the group
    };

    /** Routes of a node to a group. */
    struct Entry
    {
        uint32_t offset; //!< hops > 1: first port; hops == 1: first entry of m_direct
        uint16_t count;  //!< number of ports
        uint16_t hops;   //!< links to a member of the group, 0 for no route
    };

    /**
     * \param dst an end point
     * \return the entry of its group, nullptr if there is none
     */
    inline const Entry* Find(uint32_t dst) const;

    const Destination* m_destinations{nullptr}; //!< by end point
    const Entry* m_entries{nullptr};            //!< by group, from m_firstGroup on
    const Entry* m_direct{nullptr};             //!< ports to attached end points, by member
    const uint16_t* m_ports{nullptr};           //!< lists of ports
    uint32_t m_firstGroup{0};                   //!< first group with an entry
    uint32_t m_groupCount{0};                   //!< number of entries
    uint32_t m_node{0};                         //!< this node
};

/**
 * \ingroup fabric
 * \brief All equal-cost shortest paths of one fabric of a Topology.
 *
 * A path is as long as it has links, whatever their rates. Port p of node n is the p-th link of the
 * fabric that touches n (Topology::GetPorts()); parallel links are parallel ports, all used. A GPU
 * is source or destination, never transit: two GPUs without a switch or a link between them have no
 * route, however many GPUs stand in between. GPUs that share a NIC have the routes of its owner,
 * and reach each other by way of the switch that the NIC is attached to.
 *
 * End points are the GPUs, by their node, and of GPUs with several NICs (TopologyNode::nics) each
 * NIC, by a number above all nodes: GetNic(). A GPU with several is reached by any of them, a NIC
 * by its own ports, and it sends by these alone.
 *
 * Memory: end points attached to the same nodes form a destination group, sources with the same
 * neighbours share a row, and a row spans only the groups that its node reaches. A table has about
 * switches x groups entries of 8 bytes plus one per end point and switch it is attached to, never
 * nodes x nodes. Time: one breadth-first search per group, confined to the switches that reach it.
 */
class RouteTable
{
  public:
    /** Hop count of a pair without a path. */
    static constexpr uint32_t NO_ROUTE = UINT32_MAX;

    /**
     * \param topology the cluster; not kept
     * \param kind the fabric to route in
     * \param down by link of the topology: whether it is down; empty if none is. Ports keep their
     * numbers
     */
    RouteTable(const Topology& topology,
               TopologyLinkKind kind,
               const std::vector<bool>& down = {});

    RouteTable(const RouteTable&) = delete;
    RouteTable& operator=(const RouteTable&) = delete;
    RouteTable(RouteTable&&) = default;
    RouteTable& operator=(RouteTable&&) = default;

    /**
     * \param node a node or end point
     * \param dst an end point
     * \return the ports of the node on shortest paths to it, ascending; empty if none
     */
    PortSpan NextPorts(uint32_t node, uint32_t dst) const
    {
        return m_rows[node].NextPorts(dst);
    }

    /**
     * \param node a node
     * \return its routes; valid as long as this table
     */
    const RouteRow& GetRow(uint32_t node) const
    {
        return m_rows[node];
    }

    /**
     * \param src a node or end point
     * \param dst an end point
     * \return links on a shortest path; 0 if they are the same, NO_ROUTE if there is no path
     */
    uint32_t GetHopCount(uint32_t src, uint32_t dst) const
    {
        return m_rows[src].GetHopCount(dst);
    }

    /**
     * \param src a node or end point
     * \param dst an end point
     * \return the shortest path that takes the first port at every node; no links if there is no
     * path or if they are the same
     */
    PathProperties GetPath(uint32_t src, uint32_t dst) const;

    /**
     * \param node a node
     * \return number of its ports
     */
    uint32_t GetPortCount(uint32_t node) const
    {
        return m_portBegin[node + 1] - m_portBegin[node];
    }

    /**
     * \param node a node
     * \param port a port of it
     * \return index of the link in the topology
     */
    uint32_t GetLink(uint32_t node, uint32_t port) const
    {
        return m_ports[m_portBegin[node] + port].link;
    }

    /**
     * \param node a node
     * \param port a port of it
     * \return the node at the other end of the link
     */
    uint32_t GetPeer(uint32_t node, uint32_t port) const
    {
        return m_ports[m_portBegin[node] + port].peer;
    }

    /**
     * \param gpu a GPU
     * \return number of its NICs, or of those that it shares; 1 in a fabric without NICs
     */
    uint32_t GetNicCount(uint32_t gpu) const
    {
        return m_nicBegin.empty() ? 1 : std::max(1U, m_nicBegin[gpu + 1] - m_nicBegin[gpu]);
    }

    /**
     * \param gpu a GPU
     * \param nic a NIC of it, below GetNicCount()
     * \return the end point that it is: the GPU if it has no other
     */
    uint32_t GetNic(uint32_t gpu, uint32_t nic) const
    {
        return GetNicCount(gpu) == 1 ? gpu : m_portBegin.size() - 1 + m_nicBegin[gpu] + nic;
    }

    /**
     * \param node a node or end point
     * \return the node whose ports it uses: itself, the GPU whose NIC it shares, or that of a NIC
     */
    uint32_t GetPlace(uint32_t node) const
    {
        return m_places[node];
    }

    /** \return the number of entries, a measure of memory */
    std::size_t GetEntryCount() const
    {
        return m_entries.size() + m_direct.size();
    }

  private:
    /** A port of a node. */
    struct Port
    {
        uint32_t link; //!< link in the topology
        uint32_t peer; //!< node at the other end
    };

    /** Rate and delay of a link. */
    struct LinkProperties
    {
        DataRate rate; //!< bit rate
        Time delay;    //!< propagation delay
    };

    /** What is needed while the table is computed. */
    struct Build;

    /**
     * \param topology the cluster
     * \param kind the fabric
     */
    void BuildPorts(const Topology& topology, TopologyLinkKind kind);

    /**
     * Makes the NICs of GPUs that have several end points.
     * \param topology the cluster
     * \param build work data
     */
    void BuildNics(const Topology& topology, Build& build);

    /**
     * Gives the NICs of GPUs that have several their numbers.
     * \param counts NICs, by GPU
     * \param build work data
     */
    void NumberNics(const std::vector<uint32_t>& counts, Build& build);

    /**
     * Finds the end point behind every port.
     * \param counts NICs, by GPU
     * \param build work data
     */
    void LabelEnds(const std::vector<uint32_t>& counts, Build& build) const;

    /**
     * \param build work data
     * \param node a node or NIC
     * \param port a port of the node, or of the GPU that has the NIC
     * \return the node at the other end, UINT32_MAX if the link is down or another NIC's
     */
    uint32_t GetNeighbour(const Build& build, uint32_t node, uint32_t port) const;

    /**
     * \param build work data
     * \param node a node or NIC
     * \return GetNeighbour() of all its ports; behind a GPU with several NICs the one of the port
     */
    std::vector<uint32_t> GetNeighbours(const Build& build, uint32_t node) const;

    /**
     * Puts end points with the same neighbours into one destination group.
     * \param build work data
     */
    void BuildGroups(Build& build);

    /**
     * Gives every switch a row, and end points with the same neighbours by port a common one.
     * \param build work data
     */
    void BuildSources(Build& build) const;

    /**
     * Finds the distances to a group, and the entries of all rows that reach it.
     * \param build work data
     * \param group the group
     */
    void RouteGroup(Build& build, uint32_t group);

    /**
     * \param build work data
     * \param group the group that distances are known for
     * \param row a row
     */
    void AddEntry(Build& build, uint32_t group, uint32_t row);

    /**
     * Adds the ports of a node to each member of a group that is attached to it.
     * \param build work data
     * \param group the group
     * \param row the node's row
     * \return offset in m_direct
     */
    uint32_t AddDirect(Build& build, uint32_t group, uint32_t row);

    /**
     * \param build work data
     * \param row a row
     * \param ports ports of its node
     * \return offset of these ports in m_portLists; the same list is stored once per row
     */
    uint32_t AddPortList(Build& build, uint32_t row, const std::vector<uint16_t>& ports);

    /**
     * Lays the entries of all rows into one array and makes the rows.
     * \param build work data
     */
    void BuildRows(const Build& build);

    std::vector<uint32_t> m_places;                    //!< by node and NIC: see GetPlace()
    std::vector<uint32_t> m_nicBegin; //!< by GPU: its first NIC, empty if none has several
    std::vector<uint32_t> m_portBegin;                 //!< by node: its first port in m_ports
    std::vector<Port> m_ports;                         //!< ports, node by node
    std::vector<LinkProperties> m_links;               //!< by link of the topology
    std::vector<bool> m_down;                          //!< by link, while the table is made
    std::vector<RouteRow::Destination> m_destinations; //!< by end point
    std::vector<RouteRow::Entry> m_entries;            //!< row by row, by group
    std::vector<RouteRow::Entry> m_direct;             //!< ports to attached end points
    std::vector<uint16_t> m_portLists;                 //!< lists of ports
    std::vector<RouteRow> m_rows;                      //!< by node and NIC
};

const RouteRow::Entry*
RouteRow::Find(uint32_t dst) const
{
    const uint32_t i = m_destinations[dst].group - m_firstGroup; // wraps below m_firstGroup
    return i < m_groupCount && dst != m_node ? &m_entries[i] : nullptr;
}

PortSpan
RouteRow::NextPorts(uint32_t dst) const
{
    const Entry* entry = Find(dst);
    if (entry == nullptr)
    {
        return {};
    }
    if (entry->hops == 1)
    {
        entry = &m_direct[entry->offset + m_destinations[dst].member];
    }
    return {m_ports + entry->offset, entry->count, entry->offset};
}

uint32_t
RouteRow::GetHopCount(uint32_t dst) const
{
    if (dst == m_node)
    {
        return 0;
    }
    const Entry* entry = Find(dst);
    return entry == nullptr || entry->hops == 0 ? UINT32_MAX : entry->hops;
}

} // namespace ns3

#endif /* ROUTE_TABLE_H */
