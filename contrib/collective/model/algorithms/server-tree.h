/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SERVER_TREE_H
#define SERVER_TREE_H

#include "server-layout.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Trees of a group's ranks as NCCL builds them: a binary tree over the servers, and inside
 * each server a chain that begins at the server's node of the tree.
 *
 * On rail k, one of NICs, the node of a server is the first rank of its NIC k, so that all hops
 * between servers stay on the rail, and its chain goes on with the ranks behind it in the order of
 * the group and then those before.
 *
 * The binary tree over s servers (ncclGetBtree) has server 0 at its root, with one child. The
 * others are numbered in order: with b the lowest bit of v that is set, the parent of v is v-b with
 * bit 2b set, or v-b if there is no such server. Odd servers are leaves.
 *
 * The second tree (ncclGetDtree) is the same with the servers numbered backwards if s is even, or
 * each shifted by one if s is odd, so that inner nodes of the one are leaves of the other: every
 * server is the parent of at most two (Sanders, Speck, Traeff: Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan, 2009). If s is odd, server 0 has a child in both.
 */
class ServerTree
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< the parent of the root

    /** \brief Where a rank stands. */
    struct Node
    {
        uint32_t parent{NONE};          //!< group rank
        uint32_t index{0};              //!< which child of its parent it is
        std::vector<uint32_t> children; //!< group ranks; the one in its own server first
    };

    /**
     * \param layout the servers
     * \param rail the rail
     * \param isSecond true for the second tree
     * \param firstServer the server that stands for server 0
     */
    ServerTree(const ServerLayout& layout, uint32_t rail, bool isSecond, uint32_t firstServer = 0);

    /** \param root makes this group rank the root; the pairs that are linked stay the same */
    void SetRoot(uint32_t root);

    /** \param rank a group rank \return where it stands */
    const Node& GetNode(uint32_t rank) const
    {
        return m_nodes[rank];
    }

    /** \return the group ranks by server, each server's in the order of its chain */
    const std::vector<uint32_t>& GetOrder() const
    {
        return m_order;
    }

    /**
     * \param node a node of a binary tree, as ncclGetBtree() builds it
     * \param size its number of nodes
     * \return the parent, NONE for node 0
     */
    static uint32_t GetParent(uint32_t node, uint32_t size);

    /**
     * \param node a node of the second tree, as ncclGetDtree() builds it
     * \param size its number of nodes
     * \return the parent, NONE for the root
     */
    static uint32_t GetSecondParent(uint32_t node, uint32_t size);

  private:
    /** \param parent a group rank \param child becomes its next child */
    void Link(uint32_t parent, uint32_t child);

    std::vector<Node> m_nodes;     //!< by group rank
    std::vector<uint32_t> m_order; //!< see GetOrder()
};

} // namespace ns3

#endif /* SERVER_TREE_H */
