/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-topology.h"

#include "ns3/reduction-tree.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** \brief A cluster all of whose network switches add up. */
class TreesOf
{
  public:
    /** \param topology the cluster */
    explicit TreesOf(const Topology& topology)
        : m_topology(topology),
          m_routes(topology, TopologyLinkKind::ETHERNET)
    {
    }

    /** \param ranks a team \return its tree */
    ReductionTree Find(const std::vector<uint32_t>& ranks) const
    {
        return {m_routes, ranks, [this](uint32_t node) {
                    return m_topology.nodes[node].kind == TopologyNodeKind::SWITCH;
                }};
    }

    /**
     * Checks that a tree is one, over links of the topology, and joins the ranks.
     * \param tree the tree
     * \param ranks the team
     */
    void Check(const ReductionTree& tree, const std::vector<uint32_t>& ranks) const
    {
        std::multiset<uint32_t> below; // ranks and switches that are children
        std::set<uint32_t> nodes;
        for (const ReductionTree::Node& node : tree.GetNodes())
        {
            EXPECT_TRUE(nodes.insert(node.node).second);
            EXPECT_EQ(node.parentPort == ReductionTree::NO_PORT, node.distance == 0);
            EXPECT_EQ(node.childPorts.size(), node.childRanks.size());
            for (const uint32_t port : node.childPorts)
            {
                below.insert(m_routes.GetPeer(node.node, port));
            }
        }
        for (const ReductionTree::Node& node : tree.GetNodes())
        {
            EXPECT_EQ(below.count(node.node), node.distance == 0 ? 0U : 1U);
            if (node.distance > 0)
            {
                EXPECT_EQ(nodes.count(m_routes.GetPeer(node.node, node.parentPort)), 1U);
            }
        }
        for (const uint32_t rank : ranks)
        {
            EXPECT_EQ(below.count(m_routes.GetPlace(rank)), 1U);
        }
        EXPECT_EQ(below.size(), tree.GetNodes().size() - 1 + ranks.size());
    }

  private:
    Topology m_topology; //!< the cluster
    RouteTable m_routes; //!< its routes
};

} // namespace

TEST(FabricReductionTree, JoinsTheRanksOfEveryTopology)
{
    for (const std::string name : {"star:gpus=9",
                                   "rail-optimized:gpus=64",
                                   "leaf-spine:gpus=64,leaves=4,linksPerPair=2",
                                   "fat-tree:k=4",
                                   "fat-tree:k=8"})
    {
        SCOPED_TRACE(name);
        const Topology topology = LoadTopology(name);
        const TreesOf trees(topology);
        for (const uint32_t stride : {1, 2, 3, 8})
        {
            std::vector<uint32_t> ranks;
            for (uint32_t rank = stride / 2; rank < topology.GetGpuCount(); rank += stride)
            {
                ranks.push_back(rank);
            }
            const ReductionTree tree = trees.Find(ranks);
            if (ranks.size() > 1)
            {
                ASSERT_FALSE(tree.GetNodes().empty());
                trees.Check(tree, ranks);
            }
        }
    }
}

TEST(FabricReductionTree, IsNoHigherThanItMustBe)
{
    const TreesOf trees(LoadTopology("fat-tree:k=4")); // two hosts per edge, four per pod
    EXPECT_EQ(trees.Find({0, 1}).GetDepth(), 1U);
    EXPECT_EQ(trees.Find({0, 2}).GetDepth(), 2U);
    EXPECT_EQ(trees.Find({0, 4}).GetDepth(), 3U);
    EXPECT_EQ(trees.Find({0, 1}).GetNodes().size(), 1U);
    EXPECT_EQ(trees.Find({0, 2}).GetNodes().size(), 3U);
    EXPECT_EQ(trees.Find({0, 4}).GetNodes().size(), 5U);
}

TEST(FabricReductionTree, RailsHaveRootsOfTheirOwn)
{
    const TreesOf trees(LoadTopology("leaf-spine:gpus=64,leaves=8,spines=8"));
    std::set<uint32_t> roots;
    for (uint32_t rail = 0; rail < 8; rail++)
    {
        std::vector<uint32_t> ranks;
        for (uint32_t server = 0; server < 8; server++)
        {
            ranks.push_back(8 * server + rail);
        }
        roots.insert(trees.Find(ranks).GetNodes()[0].node);
    }
    EXPECT_EQ(roots.size(), 8U);
}

TEST(FabricReductionTree, ThereIsNoneWhereItCannotBe)
{
    Topology topology = StarTopology(4, "100Gbps", MicroSeconds(1));
    EXPECT_FALSE(TreesOf(topology).Find({0, 1}).GetNodes().empty());
    EXPECT_TRUE(TreesOf(topology).Find({}).GetNodes().empty());
    EXPECT_TRUE(TreesOf(topology).Find({2}).GetNodes().empty());
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_TRUE(
        ReductionTree(routes, {0, 1}, [](uint32_t) { return false; }).GetNodes().empty());
    topology.links.push_back(topology.links[0]);
    EXPECT_TRUE(TreesOf(topology).Find({0, 1}).GetNodes().empty()) << "two ports";
    EXPECT_FALSE(TreesOf(topology).Find({1, 2}).GetNodes().empty());
}
