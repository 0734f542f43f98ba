/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-helper.h"
#include "ns3/config-error.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** \return two servers of two GPUs, a GPU of unknown place, and a switch */
Topology
MakeTopology()
{
    Topology topology;
    topology.source = "test.topo";
    for (const int32_t server : {0, 0, 1, 1, -1})
    {
        TopologyNode node;
        node.server = server;
        topology.nodes.push_back(node);
    }
    TopologyNode node;
    node.kind = TopologyNodeKind::SWITCH;
    topology.nodes.push_back(node);
    return topology;
}

} // namespace

TEST(CollectiveHelper, GroupsAreWhereTheTopologyPutsTheirRanks)
{
    const auto group = CollectiveHelper::MakeGroup(MakeTopology(), "DP0", "DP", {3, 0, 4, 1});
    EXPECT_EQ(group.name, "DP0");
    EXPECT_EQ(group.parallel, "DP");
    EXPECT_EQ(group.ranks, std::vector<uint32_t>({3, 0, 4, 1}));
    EXPECT_EQ(group.GetPlacement(), std::vector<uint32_t>({0, 1, 2, 1}));
}

TEST(CollectiveHelper, RefusesRanksThatAreNoGpus)
{
    EXPECT_THROW(CollectiveHelper::MakeGroup(MakeTopology(), "DP0", "DP", {0, 5}), ConfigError);
    try
    {
        CollectiveHelper::MakeGroup(MakeTopology(), "DP0", "DP", {0, 0});
        FAIL() << "a rank twice";
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  MakeTopology().source +
                      ": read 'group DP0: rank 0 more than once', expected each rank once");
    }
    EXPECT_THROW(CollectiveHelper::MakeGroup(MakeTopology(), "DP0", "DP", {}), ConfigError);
}

TEST(CollectiveHelper, InstallsAnEngine)
{
    CollectiveTestBed bed(2, "400Gbps", "1us");
    CollectiveHelper helper;
    helper.SetEngineAttribute("SendOverhead", TimeValue(MicroSeconds(3)));
    const auto transport = CreateObject<LatencyTransport>(5, DataRate("1Gbps"), MicroSeconds(1));
    const Ptr<CollectiveEngine> engine = helper.Install(transport);
    const auto group = CollectiveHelper::MakeGroup(MakeTopology(), "PP0", "PP", {1, 2});
    const uint32_t number = engine->AddGroup(group);
    uint32_t done = 0;
    for (const uint32_t rank : group.ranks)
    {
        engine->Join(rank, {number, CollectiveKind::SEND_RECV, 0}, [&done] { done++; });
        engine->Join(rank, {number, CollectiveKind::SEND_RECV, 125}, [&done] { done++; });
    }
    Simulator::Run();
    EXPECT_EQ(done, 4U);
    EXPECT_EQ(Simulator::Now(), MicroSeconds(3 + 1 + 1)); // overhead, latency, 125 bytes
    engine->Dispose();
}

TEST(CollectiveHelper, GroupsKnowWhichRanksShareANic)
{
    const Topology pairs = LoadTopology("rail-optimized:gpus=16,gpusPerNic=2");
    const auto of = [](const Topology& topology, const std::vector<uint32_t>& ranks) {
        return CollectiveHelper::MakeGroup(topology, "test", "DP", ranks).GetNics();
    };
    EXPECT_EQ(of(pairs, {0, 1, 2, 3, 8, 9, 10, 11}),
              (std::vector<uint32_t>{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(of(pairs, {4, 5, 6, 7, 12, 13, 14, 15}), of(pairs, {0, 1, 2, 3, 8, 9, 10, 11}));
    // One of each NIC: as if each had one of its own.
    EXPECT_EQ(of(pairs, {1, 3, 8, 10}), std::vector<uint32_t>());
    EXPECT_EQ(of(pairs, {2, 12}), std::vector<uint32_t>()) << "a rank per server";
    EXPECT_EQ(of(pairs, {0, 1, 2, 3}), std::vector<uint32_t>()) << "one server";
    const Topology own = LoadTopology("rail-optimized:gpus=16");
    EXPECT_EQ(of(own, {4, 5, 6, 7, 12, 13, 14, 15}), std::vector<uint32_t>());
    EXPECT_EQ(of(own, {4, 5, 13, 14}), (std::vector<uint32_t>{0, 1, 1, 2})) << "other rails";
}

} // namespace ns3
