/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef REDUCTION_TREE_H
#define REDUCTION_TREE_H

#include "route-table.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief The network switches that add up for a team of ranks, and how they hang together.
 *
 * Leaves are the switches that the NICs are attached to. The root is the switch that is nearest to
 * the farthest of them; among equal ones, and among equal ports to the next switch, the lowest rank
 * of the team chooses, by its number, so that the trees of rails lie side by side. All ways to the
 * root are shortest ones, and a switch has one parent.
 */
class ReductionTree
{
  public:
    /** Port of a switch that has none: of the root to its parent. */
    static constexpr uint32_t NO_PORT = UINT32_MAX;

    /** \brief A switch. */
    struct Node
    {
        uint32_t node{0};                   //!< node of the topology
        uint32_t parentPort{NO_PORT};       //!< towards the root
        std::vector<uint32_t> childPorts{}; //!< to NICs and switches below
        std::vector<uint32_t> childRanks{}; //!< lowest rank below each of them
        uint32_t rank{UINT32_MAX};          //!< lowest rank below
        uint32_t distance{0};               //!< links to the root
    };

    /** No tree. */
    ReductionTree() = default;

    /**
     * \param routes of the fabric
     * \param ranks those that are to be joined, ascending, below the number of ranks
     * \param addsUp whether a node is a switch that adds up
     */
    ReductionTree(const RouteTable& routes,
                  const std::vector<uint32_t>& ranks,
                  const std::function<bool(uint32_t)>& addsUp);

    /**
     * \return the switches, a parent before its children; empty if there is no tree: fewer than two
     * ranks, one without a NIC or with the NIC of another, a NIC with several ports or without a
     * switch, switches that do not add up
     */
    const std::vector<Node>& GetNodes() const
    {
        return m_nodes;
    }

    /** \return links from the root to the farthest NIC */
    uint32_t GetDepth() const
    {
        return m_depth;
    }

  private:
    /** \brief A switch that was found. */
    struct Found
    {
        uint32_t node;                    //!< of the topology
        std::vector<uint32_t> ports;      //!< to other switches
        std::vector<uint32_t> neighbours; //!< by entry of ports: index of that switch
        uint64_t farthest;                //!< links to the farthest leaf
        uint64_t sum;                     //!< links to all leaves
        uint32_t inTree;                  //!< its index among the nodes of the tree, or NO_PORT
    };

    /**
     * \param routes of the fabric
     * \param ranks the team
     * \param addsUp whether a node is a switch that adds up
     * \return the switch that each is attached to, empty if there is no tree
     */
    static std::vector<uint32_t> FindLeaves(const RouteTable& routes,
                                            const std::vector<uint32_t>& ranks,
                                            const std::function<bool(uint32_t)>& addsUp);
    /** \param routes of the fabric \param node a node \param port its port \return its peer's */
    static uint32_t FindPeerPort(const RouteTable& routes, uint32_t node, uint32_t port);
    /**
     * Finds all switches that are joined to one.
     * \param routes of the fabric
     * \param leaf the one
     * \param addsUp whether a node is a switch that adds up
     */
    void Explore(const RouteTable& routes,
                 uint32_t leaf,
                 const std::function<bool(uint32_t)>& addsUp);
    /** \param from index of a switch \return links from it to each that was found */
    std::vector<uint64_t> GetDistances(uint32_t from) const;
    /** \param node a node \return index of the switch among those found, or NO_PORT */
    uint32_t FindIndex(uint32_t node) const;
    /**
     * \param leaves indices of the leaves
     * \param choice chooses among equals
     * \return index of the root
     */
    uint32_t ChooseRoot(const std::vector<uint32_t>& leaves, uint32_t choice);
    /**
     * Adds a switch and all above it that are not there.
     * \param index of the switch
     * \param distances to the root
     * \param choice chooses among equals
     * \return its index among the nodes of the tree
     */
    uint32_t AddNode(uint32_t index, const std::vector<uint64_t>& distances, uint32_t choice);
    /** \param routes of the fabric; tells parents of their children */
    void JoinParents(const RouteTable& routes);

    std::vector<Found> m_found; //!< while the tree is built
    std::vector<Node> m_nodes;  //!< see GetNodes()
    uint32_t m_depth{0};        //!< see GetDepth()
};

} // namespace ns3

#endif /* REDUCTION_TREE_H */
