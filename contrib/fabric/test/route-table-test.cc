/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/route-table.h"
#include "ns3/topology-file-reader.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <gtest/gtest.h>
#include <map>

using namespace ns3;

namespace
{

/** \param text a topology file \return the topology */
Topology
Read(const std::string& text)
{
    return ReadTopologyFile(TextFile::FromString("file", text));
}

/** \param span ports \return them as a vector */
std::vector<uint32_t>
List(PortSpan span)
{
    return {span.begin(), span.end()};
}

/**
 * The definition, computed one destination at a time: links from every node to a GPU, GPUs in
 * between excluded.
 * \param topology the cluster
 * \param kind the fabric
 * \param dst the GPU
 * \return by node, RouteTable::NO_ROUTE where there is no path
 */
std::vector<uint32_t>
Distances(const Topology& topology, TopologyLinkKind kind, uint32_t dst)
{
    const auto ports = topology.GetPorts(kind);
    std::vector<uint32_t> distance(topology.nodes.size(), RouteTable::NO_ROUTE);
    std::deque<uint32_t> queue{dst};
    distance[dst] = 0;
    while (!queue.empty())
    {
        const uint32_t node = queue.front();
        queue.pop_front();
        if (node != dst && topology.nodes[node].kind == TopologyNodeKind::GPU)
        {
            continue;
        }
        for (const uint32_t link : ports[node])
        {
            const uint32_t peer = topology.links[link].a ^ topology.links[link].b ^ node;
            if (distance[peer] == RouteTable::NO_ROUTE)
            {
                distance[peer] = distance[node] + 1;
                queue.push_back(peer);
            }
        }
    }
    return distance;
}

/**
 * Compares a table with the definition, for all nodes and some destinations.
 * \param topology the cluster
 * \param kind the fabric
 * \param step every step-th GPU is a destination
 */
void
ExpectShortestPaths(const Topology& topology, TopologyLinkKind kind, uint32_t step = 1)
{
    const RouteTable routes(topology, kind);
    const auto ports = topology.GetPorts(kind);
    std::map<uint32_t, std::map<uint32_t, std::vector<uint32_t>>> setOfId; // by node
    std::map<uint32_t, std::map<std::vector<uint32_t>, uint32_t>> idOfSet; // by node
    for (uint32_t dst = 0; dst < topology.GetGpuCount(); dst += step)
    {
        const std::vector<uint32_t> distance = Distances(topology, kind, dst);
        for (uint32_t node = 0; node < topology.nodes.size(); node++)
        {
            std::vector<uint32_t> expected;
            for (uint32_t port = 0; port < ports[node].size() && node != dst; port++)
            {
                const TopologyLink& link = topology.links[ports[node][port]];
                const uint32_t peer = link.a ^ link.b ^ node;
                const bool mayForward =
                    peer == dst || topology.nodes[peer].kind != TopologyNodeKind::GPU;
                if (mayForward && distance[node] != RouteTable::NO_ROUTE &&
                    distance[peer] == distance[node] - 1)
                {
                    expected.push_back(port);
                }
            }
            const PortSpan span = routes.NextPorts(node, dst);
            ASSERT_EQ(List(span), expected) << node << " to " << dst;
            if (!expected.empty())
            {
                ASSERT_EQ(setOfId[node].emplace(span.id, expected).first->second, expected);
                ASSERT_EQ(idOfSet[node].emplace(expected, span.id).first->second, span.id);
            }
            ASSERT_EQ(routes.GetHopCount(node, dst), distance[node]) << node << " to " << dst;
        }
    }
}

/**
 * \param routes a table
 * \param node a node
 * \param dst a GPU
 * \return number of shortest paths between them
 */
uint64_t
CountPaths(const RouteTable& routes, uint32_t node, uint32_t dst)
{
    uint64_t count = node == dst ? 1 : 0;
    for (const uint32_t port : routes.NextPorts(node, dst))
    {
        count += CountPaths(routes, routes.GetPeer(node, port), dst);
    }
    return count;
}

} // namespace

TEST(FabricRouteTable, FatTreeHasAllItsPaths)
{
    const Topology topology = LoadTopology("fat-tree:k=4");
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetHopCount(0, 1), 2U); // same edge switch
    EXPECT_EQ(CountPaths(routes, 0, 1), 1U);
    EXPECT_EQ(routes.GetHopCount(0, 2), 4U); // same pod
    EXPECT_EQ(CountPaths(routes, 0, 2), 2U);
    EXPECT_EQ(routes.GetHopCount(0, 15), 6U); // other pod: k^2/4
    EXPECT_EQ(CountPaths(routes, 0, 15), 4U);
    EXPECT_EQ(
        CountPaths(RouteTable(LoadTopology("fat-tree:k=8"), TopologyLinkKind::ETHERNET), 0, 127),
        16U);
}

TEST(FabricRouteTable, ListsParallelLinks)
{
    const Topology topology = LoadTopology("leaf-spine:gpus=4,leaves=2,spines=2,linksPerPair=3");
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(List(routes.NextPorts(4, 3)), (std::vector<uint32_t>{2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(List(routes.NextPorts(6, 3)), (std::vector<uint32_t>{3, 4, 5}));
    EXPECT_EQ(CountPaths(routes, 0, 3), 2U * 3 * 3);
    const Topology nics = LoadTopology("star:gpus=2,nicsPerGpu=2");
    const RouteTable nicRoutes(nics, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(List(nicRoutes.NextPorts(0, 1)), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(List(nicRoutes.NextPorts(2, 1)), (std::vector<uint32_t>{2, 3}));
}

TEST(FabricRouteTable, MatchesTheDefinition)
{
    for (const char* spec : {"star:gpus=7",
                             "fat-tree:k=4,linksPerPair=2",
                             "leaf-spine:gpus=24,leaves=4,spines=3",
                             "rail-optimized:gpus=64,serversPerSegment=3",
                             "rail-optimized:gpus=32,nicsPerGpu=2",
                             "single-server:nvlinkPlanes=4"})
    {
        SCOPED_TRACE(spec);
        const Topology topology = LoadTopology(spec);
        ExpectShortestPaths(topology, TopologyLinkKind::ETHERNET);
        ExpectShortestPaths(topology, TopologyLinkKind::NVLINK);
    }
}

TEST(FabricRouteTable, MatchesTheDefinitionOnOddTopologies)
{
    // Ring of GPUs; GPU 0 wired to GPU 1 and a switch; two planes; unequal NICs; a lone GPU; two
    // GPUs that only a third joins; several GPUs wired to the same GPU.
    for (const char* text :
         {"4 0 4\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n2 3 1Gbps 1us 0\n3 0 1Gbps 1us 0\n",
          "4 1 4\n3\n0 1 1Gbps 1us 0\n0 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n",
          "4 2 4\n2 3\n0 2 1Gbps 1us 0\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
          "5 2 5\n3 4\n0 3 1Gbps 1us 0\n0 4 1Gbps 1us 0\n1 3 1Gbps 1us 0\n2 4 1Gbps 1us 0\n3 4 "
          "1Gbps 1us 0\n",
          "4 1 2\n3\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n",
          "3 0 2\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
          "4 0 4\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n0 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n",
          "5 1 4\n0\n1 2 1Gbps 1us 0\n0 2 1Gbps 1us 0\n3 0 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"})
    {
        SCOPED_TRACE(text);
        ExpectShortestPaths(Read(text), TopologyLinkKind::ETHERNET);
    }
}

TEST(FabricRouteTable, GpusDoNotForward)
{
    const RouteTable routes(Read("3 0 2\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"),
                            TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.NextPorts(0, 2).count, 0U);
    EXPECT_EQ(routes.GetHopCount(0, 2), RouteTable::NO_ROUTE);
    EXPECT_TRUE(routes.GetPath(0, 2).links.empty());
    EXPECT_EQ(routes.GetHopCount(0, 1), 1U);
}

TEST(FabricRouteTable, HasNoRouteToItself)
{
    const RouteTable routes(LoadTopology("star:gpus=2"), TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.NextPorts(1, 1).count, 0U);
    EXPECT_EQ(routes.GetHopCount(1, 1), 0U);
    EXPECT_TRUE(routes.GetPath(1, 1).links.empty());
}

TEST(FabricRouteTable, FollowsThePathOfFirstPorts)
{
    const Topology topology = Read("4 2 4\n2 3\n0 2 100Gbps 1us 0\n2 3 25Gbps 3us 0\n"
                                   "2 3 50Gbps 7us 0\n1 3 100Gbps 2us 0\n");
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    const PathProperties path = routes.GetPath(0, 1);
    EXPECT_EQ(path.links, (std::vector<uint32_t>{0, 1, 3}));
    EXPECT_EQ(path.rate.GetBitRate(), 25'000'000'000U);
    EXPECT_EQ(path.delay, MicroSeconds(6));
    EXPECT_EQ(routes.GetPortCount(2), 3U);
    EXPECT_EQ(routes.GetLink(2, 2), 2U);
    EXPECT_EQ(routes.GetPeer(2, 2), 3U);
    EXPECT_EQ(routes.GetPath(3, 0).links, (std::vector<uint32_t>{1, 0}));
}

TEST(FabricRouteTable, KeepsTheFabricsApart)
{
    const Topology topology = LoadTopology("rail-optimized:gpus=16");
    const RouteTable nvlink(topology, TopologyLinkKind::NVLINK);
    const RouteTable ethernet(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(nvlink.GetHopCount(0, 7), 2U);
    EXPECT_EQ(nvlink.GetHopCount(0, 8), RouteTable::NO_ROUTE);
    EXPECT_EQ(ethernet.GetHopCount(0, 7), 4U);
    EXPECT_EQ(ethernet.GetHopCount(0, 8), 2U);
    EXPECT_EQ(ethernet.GetPath(0, 8).links.size(), 2U);
    EXPECT_EQ(topology.links[ethernet.GetPath(0, 8).links[0]].b, 18U); // rail leaf 0
    EXPECT_EQ(ethernet.GetPath(0, 8).delay, MicroSeconds(1));
}

TEST(FabricRouteTable, RowsAreWhatTheTableSays)
{
    const Topology topology = LoadTopology("fat-tree:k=4");
    RouteTable table(topology, TopologyLinkKind::ETHERNET);
    const RouteRow row = table.GetRow(20);
    const auto before = List(row.NextPorts(9));
    const RouteTable moved = std::move(table);
    EXPECT_EQ(List(row.NextPorts(9)), before); // views stay valid
    EXPECT_EQ(List(moved.NextPorts(20, 9)), before);
    EXPECT_EQ(row.GetHopCount(9), moved.GetHopCount(20, 9));
}

TEST(FabricRouteTable, MemoryGrowsWithSwitchesTimesGroups)
{
    const Topology star = LoadTopology("star:gpus=1200");
    const RouteTable routes(star, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetPortCount(1200), 1200U);
    EXPECT_EQ(List(routes.NextPorts(1200, 777)), std::vector<uint32_t>{777});
    EXPECT_LE(routes.GetEntryCount(), 1200U + 2);

    const Topology fatTree = LoadTopology("fat-tree:k=16"); // 1024 GPUs, 320 switches, 128 groups
    const RouteTable tree(fatTree, TopologyLinkKind::ETHERNET);
    EXPECT_LE(tree.GetEntryCount(), (320U + 128) * 128 + 1024);
    ExpectShortestPaths(fatTree, TopologyLinkKind::ETHERNET, 61);
}

TEST(FabricRouteTable, LoadsTenThousandNodesFast)
{
    RAILYARD_NEED_SHARED_FILES();
    const auto begin = std::chrono::steady_clock::now();
    const Topology topology = LoadTopology(
        SharedDir() + "/data/realfiles/simai/topologies/Spectrum-X_9216g_8gps_100Gbps_A100");
    const RouteTable ethernet(topology, TopologyLinkKind::ETHERNET);
    const RouteTable nvlink(topology, TopologyLinkKind::NVLINK);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    RecordProperty("loadMilliseconds", static_cast<int>(1000 * seconds.count()));
    EXPECT_EQ(ethernet.GetHopCount(0, 9215), 4U);
    EXPECT_EQ(nvlink.GetHopCount(9208, 9215), 2U);
    EXPECT_LE(ethernet.GetEntryCount(), 9216U + (136 + 72) * 72);
    EXPECT_LE(nvlink.GetEntryCount(), 9216U + 2 * 1152);
    ExpectShortestPaths(topology, TopologyLinkKind::ETHERNET, 4001);
}

TEST(FabricRouteTable, LinksThatAreDownLeaveTheRoutesOfTheOthers)
{
    const Topology topology = LoadTopology("fat-tree:k=4,nicRate=100Gbps,delay=1us");
    for (uint32_t round = 0; round < 30; round++)
    {
        std::vector<bool> down(topology.links.size());
        Topology left = topology;
        left.links.clear();
        for (uint32_t link = 0; link < down.size(); link++)
        {
            down[link] = (link * 7 + round * 13) % 11 < round / 6;
            if (!down[link])
            {
                left.links.push_back(topology.links[link]);
            }
        }
        const RouteTable routes(topology, TopologyLinkKind::ETHERNET, down);
        const RouteTable expected(left, TopologyLinkKind::ETHERNET);
        for (uint32_t node = 0; node < topology.nodes.size(); node++)
        {
            for (uint32_t dst = 0; dst < topology.GetGpuCount(); dst++)
            {
                ASSERT_EQ(routes.GetHopCount(node, dst), expected.GetHopCount(node, dst));
                std::vector<uint32_t> peers;
                for (const uint32_t port : routes.NextPorts(node, dst))
                {
                    EXPECT_FALSE(down[routes.GetLink(node, port)]);
                    peers.push_back(routes.GetPeer(node, port));
                }
                std::vector<uint32_t> expectedPeers;
                for (const uint32_t port : expected.NextPorts(node, dst))
                {
                    expectedPeers.push_back(expected.GetPeer(node, port));
                }
                ASSERT_EQ(peers, expectedPeers) << node << " to " << dst << ", round " << round;
            }
        }
    }
}
