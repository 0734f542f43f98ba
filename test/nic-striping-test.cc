/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/config-error.h"
#include "ns3/result-memory.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

/**
 * \file
 * GPUs with several NICs: channels are dealt out over them, in all fidelities alike.
 */

namespace ns3
{

namespace
{

constexpr uint64_t MIB = 1 << 20; //!< bytes

/** \ingroup tests \brief A collective on a cluster. */
struct StripingCase
{
    Topology topology;                                     //!< cluster
    uint64_t bytes{64 * MIB};                              //!< of the operand
    std::string algorithm{"RingAllReduce"};                //!< class, without ns3:: and Algorithm
    CollectiveKind kind{CollectiveKind::ALL_REDUCE};       //!< operation
    std::map<std::string, std::string> defaults{};         //!< of other attributes
};

/** \ingroup tests \brief What came of it. */
struct StripingOutcome
{
    double seconds{0};                                       //!< until the last rank was done
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> sent;  //!< by GPU and port, payload bytes
    std::map<std::pair<uint32_t, uint32_t>, uint64_t> taken; //!< the same, arrived there
    uint32_t channels{0};          //!< of the plan
};

/**
 * \param each what to run
 * \return what came of it
 */
StripingOutcome
RunCase(const StripingCase& each)
{
    Simulator::Destroy();
    FabricEngine::Select("fabric");
    std::vector<std::unique_ptr<ScopedDefault>> defaults;
    const auto set = [&](const std::string& name, const std::string& value) {
        defaults.push_back(std::make_unique<ScopedDefault>(name, value));
    };
    set("ns3::RoceNicDevice::CongestionControl",
        ScenarioOptions::FindCongestionControl("No").GetName());
    set("ns3::FirstFitSelector::Algorithms", "ns3::" + each.algorithm + "Algorithm");
    for (const auto& [name, value] : each.defaults)
    {
        set(name, value);
    }
    StripingOutcome outcome;
    {
        ResultMemory memory;
        Cluster cluster(each.topology);
        const Topology& topology = cluster.GetTopology();
        const uint32_t gpus = topology.GetGpuCount();
        const auto engine = CollectiveHelper().Install(cluster.GetTransport());
        const CollectiveGroup all = CollectiveHelper::MakeGroup(topology, "all", "DP");
        CollectiveCall call;
        call.group = engine->AddGroup(all);
        call.kind = each.kind;
        call.bytes = each.bytes;
        uint32_t done = 0;
        for (const uint32_t rank : all.ranks)
        {
            engine->Join(rank, call, [&] {
                done++;
                outcome.seconds = Simulator::Now().GetSeconds();
            });
        }
        const PlannedCollective planned = engine->GetPlan(all, call);
        outcome.channels = planned.plan->GetChannels().size();
        Simulator::Run();
        EXPECT_EQ(done, gpus);
        EXPECT_EQ(cluster.FindLostBytes(true), "");
        cluster.GetNetwork().RecordLinks(memory);
        for (const LinkRecord& link : memory.Get<LinkRecord>())
        {
            if (link.kind == "ethernet" && link.node < gpus)
            {
                outcome.sent[{link.node, link.port}] = link.payloadBytes;
            }
            if (link.kind == "ethernet" && link.peer < gpus)
            {
                outcome.taken[{link.peer, link.peerPort}] = link.payloadBytes;
            }
        }
        engine->Dispose();
    }
    Simulator::Destroy();
    return outcome;
}

/** \param gpus GPUs, each a server \param nics of each \return on one switch, 100 Gbps per NIC */
Topology
MakeStar(uint32_t gpus, uint32_t nics)
{
    return LoadTopology("star:gpus=" + std::to_string(gpus) +
                        ",nicRate=100Gbps,delay=500ns,nicsPerGpu=" + std::to_string(nics));
}

/**
 * \param gpus GPUs, each a server
 * \param nics of each
 * \return with a switch for each rail, and no link between them
 */
Topology
MakeRails(uint32_t gpus, uint32_t nics)
{
    Topology topology = LoadTopology("star:gpus=" + std::to_string(gpus) + ",nicRate=" +
                                     std::to_string(100 * nics) + "Gbps,delay=500ns,portsPerNic=" +
                                     std::to_string(nics));
    topology.SplitNics();
    return topology;
}

/**
 * \param bytes some bytes by GPU and port
 * \return those of every port, all GPUs alike: a failure if they are not
 */
std::vector<uint64_t>
GetCommon(const std::map<std::pair<uint32_t, uint32_t>, uint64_t>& bytes)
{
    std::map<uint32_t, std::vector<uint64_t>> byGpu;
    for (const auto& [place, value] : bytes)
    {
        byGpu[place.first].push_back(value);
    }
    for (const auto& [gpu, values] : byGpu)
    {
        EXPECT_EQ(values, byGpu.begin()->second) << "GPU " << gpu;
    }
    return byGpu.begin()->second;
}

/** \ingroup tests \brief What must hold in every fidelity. */
class RailyardNicStripingCase : public RailyardNetworkCase
{
};

} // namespace

TEST_P(RailyardNicStripingCase, RingsReachTheSumOfAllNics)
{
    const uint32_t gpus = 4;
    for (const uint32_t nics : {1U, 2U, 4U})
    {
        for (const Topology& topology : {MakeStar(gpus, nics), MakeRails(gpus, nics)})
        {
            SCOPED_TRACE(topology.source);
            const StripingOutcome outcome = RunCase({topology});
            const double bytes = 2.0 * (gpus - 1) / gpus * 64 * MIB;
            const double share = bytes * 8 / outcome.seconds / (nics * 100e9);
            EXPECT_GT(share, 0.93); // headers take 6 %, of 1000 bytes in 1066
            EXPECT_LT(share, 1);
            EXPECT_EQ(outcome.channels, nics);
        }
    }
}

TEST_P(RailyardNicStripingCase, EveryNicCarriesItsChannelsAtBothEnds)
{
    const uint32_t gpus = 4;
    for (const uint32_t nics : {2U, 3U, 4U})
    {
        for (const uint32_t channels : {1U, 3U, 4U, 5U})
        {
            SCOPED_TRACE(testing::PrintToString(std::pair(nics, channels)));
            StripingCase each{MakeStar(gpus, nics), 60 * MIB / 16};
            each.defaults = {{"ns3::RingAlgorithm::Channels", std::to_string(channels)}};
            const StripingOutcome outcome = RunCase(each);
            ASSERT_EQ(outcome.channels, channels);
            // 60 divides by all numbers of channels, and the operand by 4 ranks as well.
            const uint64_t ofChannel = each.bytes / channels / gpus * 2 * (gpus - 1);
            std::vector<uint64_t> expected(nics);
            for (uint32_t channel = 0; channel < channels; channel++)
            {
                expected[channel % nics] += ofChannel;
            }
            EXPECT_EQ(GetCommon(outcome.sent), expected);
            EXPECT_EQ(GetCommon(outcome.taken), expected);
        }
    }
}

TEST_P(RailyardNicStripingCase, ChannelsKeepToRailsThatNoLinkJoins)
{
    StripingCase each{MakeRails(3, 2), 3 * MIB};
    each.defaults = {{"ns3::RingAlgorithm::Channels", "3"}};
    const StripingOutcome outcome = RunCase(each);
    const uint64_t ofChannel = MIB / 3 * 4;
    EXPECT_NEAR(GetCommon(outcome.sent)[0], 2.0 * ofChannel, 16); // whole bytes
    EXPECT_NEAR(GetCommon(outcome.sent)[1], 1.0 * ofChannel, 16);
    EXPECT_NEAR(GetCommon(outcome.taken)[0], 2.0 * ofChannel, 16);
}

TEST_P(RailyardNicStripingCase, ServersWithDifferentNumbersOfNics)
{
    // GPU 0 has four NICs, GPU 1 two: four channels of two each on the NICs of GPU 1.
    Topology topology = MakeStar(2, 4);
    topology.links.pop_back();
    topology.links.pop_back();
    topology.nodes[1].nics = 2;
    StripingCase each{topology, 16 * MIB};
    const StripingOutcome fewest = RunCase(each);
    EXPECT_EQ(fewest.channels, 2U); // as many as the one with fewest has
    EXPECT_EQ(fewest.sent.at({0, 0}), 8 * MIB);
    EXPECT_EQ(fewest.sent.at({0, 1}), 8 * MIB);
    EXPECT_EQ(fewest.sent.at({0, 2}), 0U);
    each.defaults = {{"ns3::RingAlgorithm::Channels", "4"}};
    const StripingOutcome four = RunCase(each);
    for (uint32_t port = 0; port < 4; port++)
    {
        EXPECT_EQ(four.sent.at({0, port}), 4 * MIB);
        EXPECT_EQ(four.taken.at({0, port}), 4 * MIB);
    }
    for (uint32_t port = 0; port < 2; port++)
    {
        EXPECT_EQ(four.sent.at({1, port}), 8 * MIB);
        EXPECT_EQ(four.taken.at({1, port}), 8 * MIB);
    }
    EXPECT_NEAR(four.seconds / fewest.seconds, 1, 0.02); // GPU 1 is what limits
}

TEST_P(RailyardNicStripingCase, RailsOfServersAreUsedOnAllNics)
{
    // Two servers of eight GPUs with two NICs each: 16 channels, two on every rail.
    const Topology topology =
        LoadTopology("rail-optimized:gpus=16,nicsPerGpu=2,nicRate=100Gbps,delay=500ns");
    for (const std::string algorithm : {"RingAllReduce",
                                        "TreeAllReduce",
                                        "DoubleBinaryTreeAllReduce",
                                        "NvlsTreeAllReduce",
                                        "HierarchicalAllReduce",
                                        "HierarchicalTreeAllReduce"})
    {
        SCOPED_TRACE(algorithm);
        const StripingOutcome outcome = RunCase({topology, 12 * MIB, algorithm});
        EXPECT_EQ(outcome.sent.size(), 32U);
        const std::vector<uint64_t> sent = GetCommon(outcome.sent);
        EXPECT_GT(sent[0], 0U);
        EXPECT_EQ(sent[0], sent[1]);
    }
}

TEST_P(RailyardNicStripingCase, AllToAllUsesAllNicsOfEveryPair)
{
    const StripingOutcome outcome =
        RunCase({MakeStar(4, 4), 16 * MIB, "DirectAllToAll", CollectiveKind::ALL_TO_ALL});
    EXPECT_EQ(GetCommon(outcome.sent), std::vector<uint64_t>(4, 3 * MIB));
    EXPECT_EQ(GetCommon(outcome.taken), std::vector<uint64_t>(4, 3 * MIB));
}

TEST_P(RailyardNicStripingCase, WithoutItPortsAreThoseOfOneNic)
{
    StripingCase each{MakeStar(4, 2), 6 * MIB};
    each.defaults = {{"ns3::ClusterNetwork::StripeNics", "false"}};
    const StripingOutcome hashed = RunCase(each);
    EXPECT_EQ(hashed.channels, 1U);
    each.topology.MergeNics(); // as before there were NICs
    each.defaults.clear();
    const StripingOutcome before = RunCase(each);
    EXPECT_EQ(hashed.sent, before.sent);
    EXPECT_EQ(hashed.seconds, before.seconds);
}

TEST_P(RailyardNicStripingCase, PortsOfANicCanBeNics)
{
    StripingCase each{LoadTopology("star:gpus=4,portsPerNic=2,nicRate=200Gbps"), 6 * MIB};
    EXPECT_EQ(RunCase(each).channels, 1U);
    each.defaults = {{"ns3::ClusterNetwork::MergePorts", "false"}};
    const StripingOutcome apart = RunCase(each);
    EXPECT_EQ(apart.channels, 2U);
    EXPECT_EQ(GetCommon(apart.sent), std::vector<uint64_t>(2, 6 * MIB * 3 / 4));
}

TEST_P(RailyardNicStripingCase, PortsAreNotNicsWithoutStripes)
{
    const ScopedDefault hashed("ns3::ClusterNetwork::StripeNics", "false");
    const ScopedDefault apart("ns3::ClusterNetwork::MergePorts", "false");
    try
    {
        const Cluster cluster(LoadTopology("star:gpus=4,portsPerNic=2"));
        FAIL() << "not refused";
    }
    catch (const ConfigError& error)
    {
        const std::string line = error.what();
        EXPECT_NE(line.find("ns3::ClusterNetwork::MergePorts"), std::string::npos) << line;
        EXPECT_NE(line.find("ns3::ClusterNetwork::StripeNics=false"), std::string::npos) << line;
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
    }
}

TEST_P(RailyardNicStripingCase, SharedNicsAreUsedByAllTheirGpus)
{
    const Topology topology = LoadTopology(
        "rail-optimized:gpus=16,nicsPerGpu=2,gpusPerNic=2,nicRate=100Gbps,delay=500ns");
    const StripingOutcome outcome = RunCase({topology, 12 * MIB});
    EXPECT_EQ(outcome.channels, 8U);
    const std::vector<uint64_t> sent = GetCommon(outcome.sent);
    EXPECT_GT(sent[0], 0U);
    EXPECT_EQ(sent[0], sent[1]);
}

TEST_P(RailyardNicStripingCase, TreesUseSharedNicsOfAServerAlike)
{
    // Of three servers none is at the same place in both trees of a pair.
    const Topology topology = LoadTopology(
        "rail-optimized:gpus=24,nicsPerGpu=2,gpusPerNic=2,nicRate=100Gbps,delay=500ns");
    for (const std::string algorithm : {"NvlsTreeAllReduce", "DoubleBinaryTreeAllReduce"})
    {
        SCOPED_TRACE(algorithm);
        const StripingOutcome outcome = RunCase({topology, 6 * MIB, algorithm});
        EXPECT_EQ(outcome.channels, 16U);
        EXPECT_EQ(outcome.sent.size(), 24U);
        for (const auto& [place, bytes] : outcome.sent)
        {
            EXPECT_GT(bytes, 0U);
            EXPECT_EQ(bytes, outcome.sent.at({place.first, 1 - place.second})) << place.first;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Networks,
                         RailyardNicStripingCase,
                         testing::Values("packet", "flow", "analytic"),
                         [](const auto& info) { return info.param; });

TEST(RailyardNicStriping, BalancersOfSwitchesLeaveNicsTheirChannels)
{
    const uint32_t gpus = 4;
    StripingCase each{LoadTopology("leaf-spine:hosts=4,leaves=2,spines=2,nicsPerGpu=2"), 6 * MIB};
    for (const std::string balancer : {"Conga", "WeightedEcmp"})
    {
        SCOPED_TRACE(balancer);
        each.defaults = {
            {"ns3::RoceSwitchDevice::LoadBalancer", "ns3::" + balancer + "LoadBalancer"},
            {"ns3::RingAlgorithm::Channels", "3"}};
        const StripingOutcome outcome = RunCase(each);
        const uint64_t ofChannel = each.bytes / 3 / gpus * 2 * (gpus - 1);
        const std::vector<uint64_t> expected{2 * ofChannel, ofChannel};
        EXPECT_EQ(GetCommon(outcome.sent), expected);
        EXPECT_EQ(GetCommon(outcome.taken), expected);
    }
}

TEST(RailyardNicStriping, FidelitiesAgree)
{
    // No two channels share a NIC. Those on the NVLinks of a server, twice as many as with one NIC
    // per GPU, are contention that counts in small collectives only (network-agreement-test.cc).
    const std::vector<std::pair<Topology, std::string>> cases{
        {MakeStar(4, 2), "0"},
        {MakeStar(4, 2), "1"},
        {MakeStar(4, 4), "0"},
        {MakeStar(4, 4), "3"},
        {MakeRails(3, 3), "0"},
        {MakeRails(3, 3), "1"},
        {LoadTopology("rail-optimized:gpus=16,nicsPerGpu=2"), "0"},
    };
    for (const auto& [topology, channels] : cases)
    {
        const bool hasNvlink = topology.nodes[0].server == topology.nodes[1].server;
        for (const uint64_t bytes : {(hasNvlink ? 64 : 8) * MIB, 32 * MIB})
        {
            SCOPED_TRACE(topology.source + " " + channels + " " + std::to_string(bytes));
            std::map<std::string, StripingOutcome> outcomes;
            for (const std::string network : {"packet", "flow", "analytic"})
            {
                const ScopedClusterNetwork chosen(
                    ClusterNetwork::Find(TextValue("test", "network", network)));
                StripingCase each{topology, bytes};
                each.defaults = {{"ns3::RingAlgorithm::Channels", channels}};
                outcomes[network] = RunCase(each);
            }
            const StripingOutcome& packet = outcomes["packet"];
            for (const std::string network : {"flow", "analytic"})
            {
                EXPECT_NEAR(outcomes[network].seconds / packet.seconds, 1, 0.02) << network;
                EXPECT_EQ(outcomes[network].sent, packet.sent) << network;
                EXPECT_EQ(outcomes[network].taken, packet.taken) << network;
            }
        }
    }
}

} // namespace ns3
