/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/config-error.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <utility>
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

/** Bytes by GPU and port. */
using PortBytes = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/**
 * \param outcome of a collective
 * \param node end of links
 * \param port the port there
 * \return payload on the links of NICs of GPUs at that end
 */
PortBytes
GetBytes(const CollectiveOutcome& outcome, uint32_t LinkRecord::*node, uint32_t LinkRecord::*port)
{
    PortBytes bytes;
    for (const LinkRecord& link : outcome.links)
    {
        if (link.kind == "ethernet" && link.*node < outcome.topology.GetGpuCount())
        {
            bytes[{link.*node, link.*port}] = link.payloadBytes;
        }
    }
    return bytes;
}

/** \param outcome of a collective \return payload that the NICs of GPUs sent */
PortBytes
GetSent(const CollectiveOutcome& outcome)
{
    return GetBytes(outcome, &LinkRecord::node, &LinkRecord::port);
}

/** \param outcome of a collective \return payload that arrived at the NICs of GPUs */
PortBytes
GetTaken(const CollectiveOutcome& outcome)
{
    return GetBytes(outcome, &LinkRecord::peer, &LinkRecord::peerPort);
}

/**
 * \param topology cluster
 * \param bytes operand
 * \param algorithm class, without ns3:: and Algorithm
 * \return an AllReduce of all GPUs
 */
CollectiveInput
MakeInput(const Topology& topology, uint64_t bytes, const std::string& algorithm = "RingAllReduce")
{
    CollectiveInput input;
    input.topology = topology;
    input.bytes = bytes;
    input.algorithm = algorithm;
    return input;
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
GetCommon(const PortBytes& bytes)
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
            const CollectiveOutcome outcome = RunCollective(MakeInput(topology, 64 * MIB));
            const double bytes = 2.0 * (gpus - 1) / gpus * 64 * MIB;
            const double share = bytes * 8 / outcome.duration.GetSeconds() / (nics * 100e9);
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
            CollectiveInput each = MakeInput(MakeStar(gpus, nics), 60 * MIB / 16);
            each.defaults = {{"ns3::RingAlgorithm::Channels", std::to_string(channels)}};
            const CollectiveOutcome outcome = RunCollective(each);
            ASSERT_EQ(outcome.channels, channels);
            // 60 divides by all numbers of channels, and the operand by 4 ranks as well.
            const uint64_t ofChannel = each.bytes / channels / gpus * 2 * (gpus - 1);
            std::vector<uint64_t> expected(nics);
            for (uint32_t channel = 0; channel < channels; channel++)
            {
                expected[channel % nics] += ofChannel;
            }
            EXPECT_EQ(GetCommon(GetSent(outcome)), expected);
            EXPECT_EQ(GetCommon(GetTaken(outcome)), expected);
        }
    }
}

TEST_P(RailyardNicStripingCase, ChannelsKeepToRailsThatNoLinkJoins)
{
    CollectiveInput each = MakeInput(MakeRails(3, 2), 3 * MIB);
    each.defaults = {{"ns3::RingAlgorithm::Channels", "3"}};
    const CollectiveOutcome outcome = RunCollective(each);
    const uint64_t ofChannel = MIB / 3 * 4;
    EXPECT_NEAR(GetCommon(GetSent(outcome))[0], 2.0 * ofChannel, 16); // whole bytes
    EXPECT_NEAR(GetCommon(GetSent(outcome))[1], 1.0 * ofChannel, 16);
    EXPECT_NEAR(GetCommon(GetTaken(outcome))[0], 2.0 * ofChannel, 16);
}

TEST_P(RailyardNicStripingCase, ServersWithDifferentNumbersOfNics)
{
    // GPU 0 has four NICs, GPU 1 two: four channels of two each on the NICs of GPU 1.
    Topology topology = MakeStar(2, 4);
    topology.links.pop_back();
    topology.links.pop_back();
    topology.nodes[1].nics = 2;
    CollectiveInput each = MakeInput(topology, 16 * MIB);
    const CollectiveOutcome fewest = RunCollective(each);
    EXPECT_EQ(fewest.channels, 2U); // as many as the one with fewest has
    EXPECT_EQ(GetSent(fewest).at({0, 0}), 8 * MIB);
    EXPECT_EQ(GetSent(fewest).at({0, 1}), 8 * MIB);
    EXPECT_EQ(GetSent(fewest).at({0, 2}), 0U);
    each.defaults = {{"ns3::RingAlgorithm::Channels", "4"}};
    const CollectiveOutcome four = RunCollective(each);
    for (uint32_t port = 0; port < 4; port++)
    {
        EXPECT_EQ(GetSent(four).at({0, port}), 4 * MIB);
        EXPECT_EQ(GetTaken(four).at({0, port}), 4 * MIB);
    }
    for (uint32_t port = 0; port < 2; port++)
    {
        EXPECT_EQ(GetSent(four).at({1, port}), 8 * MIB);
        EXPECT_EQ(GetTaken(four).at({1, port}), 8 * MIB);
    }
    // GPU 1 is what limits.
    EXPECT_NEAR(four.duration.GetSeconds() / fewest.duration.GetSeconds(), 1, 0.02);
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
        const CollectiveOutcome outcome = RunCollective(MakeInput(topology, 12 * MIB, algorithm));
        EXPECT_EQ(GetSent(outcome).size(), 32U);
        const std::vector<uint64_t> sent = GetCommon(GetSent(outcome));
        EXPECT_GT(sent[0], 0U);
        EXPECT_EQ(sent[0], sent[1]);
    }
}

TEST_P(RailyardNicStripingCase, AllToAllUsesAllNicsOfEveryPair)
{
    CollectiveInput each = MakeInput(MakeStar(4, 4), 16 * MIB, "DirectAllToAll");
    each.kind = CollectiveKind::ALL_TO_ALL;
    const CollectiveOutcome outcome = RunCollective(each);
    EXPECT_EQ(GetCommon(GetSent(outcome)), std::vector<uint64_t>(4, 3 * MIB));
    EXPECT_EQ(GetCommon(GetTaken(outcome)), std::vector<uint64_t>(4, 3 * MIB));
}

TEST_P(RailyardNicStripingCase, WithoutItPortsAreThoseOfOneNic)
{
    CollectiveInput each = MakeInput(MakeStar(4, 2), 6 * MIB);
    each.defaults = {{"ns3::ClusterNetwork::StripeNics", "false"}};
    const CollectiveOutcome hashed = RunCollective(each);
    EXPECT_EQ(hashed.channels, 1U);
    each.topology.MergeNics(); // as before there were NICs
    each.defaults.clear();
    const CollectiveOutcome before = RunCollective(each);
    EXPECT_EQ(GetSent(hashed), GetSent(before));
    EXPECT_EQ(hashed.duration, before.duration);
}

TEST_P(RailyardNicStripingCase, PortsOfANicCanBeNics)
{
    CollectiveInput each =
        MakeInput(LoadTopology("star:gpus=4,portsPerNic=2,nicRate=200Gbps"), 6 * MIB);
    EXPECT_EQ(RunCollective(each).channels, 1U);
    each.defaults = {{"ns3::ClusterNetwork::MergePorts", "false"}};
    const CollectiveOutcome apart = RunCollective(each);
    EXPECT_EQ(apart.channels, 2U);
    EXPECT_EQ(GetCommon(GetSent(apart)), std::vector<uint64_t>(2, 6 * MIB * 3 / 4));
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
    const CollectiveOutcome outcome = RunCollective(MakeInput(topology, 12 * MIB));
    EXPECT_EQ(outcome.channels, 8U);
    const std::vector<uint64_t> sent = GetCommon(GetSent(outcome));
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
        const CollectiveOutcome outcome = RunCollective(MakeInput(topology, 6 * MIB, algorithm));
        EXPECT_EQ(outcome.channels, 16U);
        EXPECT_EQ(GetSent(outcome).size(), 24U);
        for (const auto& [place, bytes] : GetSent(outcome))
        {
            EXPECT_GT(bytes, 0U);
            EXPECT_EQ(bytes, GetSent(outcome).at({place.first, 1 - place.second})) << place.first;
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
    CollectiveInput each =
        MakeInput(LoadTopology("leaf-spine:hosts=4,leaves=2,spines=2,nicsPerGpu=2"), 6 * MIB);
    for (const std::string balancer : {"Conga", "WeightedEcmp"})
    {
        SCOPED_TRACE(balancer);
        each.defaults = {
            {"ns3::RoceSwitchDevice::LoadBalancer", "ns3::" + balancer + "LoadBalancer"},
            {"ns3::RingAlgorithm::Channels", "3"}};
        const CollectiveOutcome outcome = RunCollective(each);
        const uint64_t ofChannel = each.bytes / 3 / gpus * 2 * (gpus - 1);
        const std::vector<uint64_t> expected{2 * ofChannel, ofChannel};
        EXPECT_EQ(GetCommon(GetSent(outcome)), expected);
        EXPECT_EQ(GetCommon(GetTaken(outcome)), expected);
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
            std::map<std::string, CollectiveOutcome> outcomes;
            for (const std::string network : {"packet", "flow", "analytic"})
            {
                const ScopedClusterNetwork chosen(
                    ClusterNetwork::Find(TextValue("test", "network", network)));
                CollectiveInput each = MakeInput(topology, bytes);
                each.defaults = {{"ns3::RingAlgorithm::Channels", channels}};
                outcomes[network] = RunCollective(each);
            }
            const CollectiveOutcome& packet = outcomes["packet"];
            for (const std::string network : {"flow", "analytic"})
            {
                const Time duration = outcomes[network].duration;
                EXPECT_NEAR(duration.GetSeconds() / packet.duration.GetSeconds(), 1, 0.02)
                    << network;
                EXPECT_EQ(GetSent(outcomes[network]), GetSent(packet)) << network;
                EXPECT_EQ(GetTaken(outcomes[network]), GetTaken(packet)) << network;
            }
        }
    }
}

} // namespace ns3
