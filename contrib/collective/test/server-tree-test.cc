/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/server-tree.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace ns3
{

namespace
{

/**
 * \param size number of nodes
 * \param isSecond true for the second tree
 * \return the parents of all nodes
 */
std::vector<uint32_t>
GetParents(uint32_t size, bool isSecond)
{
    std::vector<uint32_t> parents;
    for (uint32_t node = 0; node < size; node++)
    {
        parents.push_back(isSecond ? ServerTree::GetSecondParent(node, size)
                                   : ServerTree::GetParent(node, size));
    }
    return parents;
}

/**
 * \param parents parents of all nodes
 * \return how many hops the farthest node is away from the root; the number of nodes if some node
 * is not below the root
 */
uint32_t
GetDepth(const std::vector<uint32_t>& parents)
{
    uint32_t depth = 0;
    for (uint32_t node = 0; node < parents.size(); node++)
    {
        uint32_t hops = 0;
        for (uint32_t at = node; parents[at] != ServerTree::NONE && hops < parents.size(); hops++)
        {
            at = parents[at];
        }
        depth = std::max(depth, hops);
    }
    return depth;
}

/**
 * \param parents parents of all nodes
 * \param node a node
 * \return the number of its children
 */
uint32_t
CountChildren(const std::vector<uint32_t>& parents, uint32_t node)
{
    return static_cast<uint32_t>(std::count(parents.begin(), parents.end(), node));
}

} // namespace

TEST(CollectiveServerTree, BinaryTreeIsNccls)
{
    // The figure in NCCL's src/graph/trees.cc, 14 nodes: 0 - 8; 8 - 4, 12; 4 - 2, 6; 12 - 10, 13.
    const uint32_t none = ServerTree::NONE;
    EXPECT_EQ(GetParents(14, false),
              (std::vector<uint32_t>{none, 2, 4, 2, 8, 6, 4, 6, 0, 10, 12, 10, 8, 12}));
    EXPECT_EQ(GetParents(2, true), (std::vector<uint32_t>{1, none}));
    EXPECT_EQ(GetParents(4, true), (std::vector<uint32_t>{1, 3, 1, none}));
    EXPECT_EQ(GetParents(5, false), (std::vector<uint32_t>{none, 2, 4, 2, 0}));
    EXPECT_EQ(GetParents(5, true), (std::vector<uint32_t>{1, none, 3, 0, 3}));
}

TEST(CollectiveServerTree, BothTreesAreBinaryAndShallow)
{
    for (uint32_t size = 1; size <= 200; size++)
    {
        uint32_t height = 0;
        while ((1U << height) < size)
        {
            height++;
        }
        for (const bool isSecond : {false, true})
        {
            const auto parents = GetParents(size, isSecond);
            EXPECT_LE(GetDepth(parents), height) << size << " " << isSecond;
            EXPECT_EQ(CountChildren(parents, ServerTree::NONE), 1U) << size << " " << isSecond;
        }
    }
}

TEST(CollectiveServerTree, AServerIsAParentInOneTreeAlone)
{
    for (uint32_t size = 2; size <= 200; size++)
    {
        const auto first = GetParents(size, false);
        const auto second = GetParents(size, true);
        for (uint32_t node = 0; node < size; node++)
        {
            const uint32_t inFirst = CountChildren(first, node);
            const uint32_t inSecond = CountChildren(second, node);
            EXPECT_LE(inFirst + inSecond, 2U) << size << " " << node;
            EXPECT_TRUE(inFirst == 0 || inSecond == 0 || (node == 0 && size % 2 == 1))
                << size << " " << node;
        }
    }
}

TEST(CollectiveServerTree, HopsBetweenServersStayOnTheRail)
{
    const auto placement = PlaceRanks({4, 4, 4, 4, 4});
    const ServerLayout layout(placement);
    for (uint32_t rail = 0; rail < 4; rail++)
    {
        for (const bool isSecond : {false, true})
        {
            const ServerTree tree(layout, rail, isSecond);
            uint32_t hops = 0;
            for (uint32_t rank = 0; rank < placement.size(); rank++)
            {
                const uint32_t parent = tree.GetNode(rank).parent;
                if (parent == ServerTree::NONE)
                {
                    continue;
                }
                if (placement[parent] == placement[rank])
                {
                    EXPECT_EQ(rank % 4, (parent + 1) % 4); // the chain
                    continue;
                }
                EXPECT_EQ(rank % 4, rail);
                EXPECT_EQ(parent % 4, rail);
                hops++;
            }
            EXPECT_EQ(hops, 4U);
        }
    }
}

TEST(CollectiveServerTree, AnyRankCanBecomeTheRoot)
{
    const auto placement = PlaceRanks({3, 1, 5, 2});
    const ServerLayout layout(placement);
    const ServerTree original(layout, 0, false, 2);
    const auto getLinks = [&](const ServerTree& tree) {
        std::set<std::pair<uint32_t, uint32_t>> links;
        for (uint32_t rank = 0; rank < placement.size(); rank++)
        {
            const ServerTree::Node& node = tree.GetNode(rank);
            for (uint32_t i = 0; i < node.children.size(); i++)
            {
                EXPECT_EQ(tree.GetNode(node.children[i]).parent, rank);
                EXPECT_EQ(tree.GetNode(node.children[i]).index, i);
                links.emplace(std::minmax(rank, node.children[i]));
            }
        }
        return links;
    };
    for (uint32_t root = 0; root < placement.size(); root++)
    {
        ServerTree tree = original;
        tree.SetRoot(root);
        EXPECT_EQ(tree.GetNode(root).parent, ServerTree::NONE);
        EXPECT_EQ(getLinks(tree), getLinks(original)) << root;
        EXPECT_EQ(getLinks(tree).size(), placement.size() - 1);
    }
}

} // namespace ns3
