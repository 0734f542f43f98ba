/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <chrono>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <set>

/**
 * \file
 * Handed network cases, worked out from first principles: payload P = 1000 B per packet and H B
 * around it on the wire, 62 without preamble and gap, 82 with them.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

/** \param bytes on the wire \return their serialisation at 100 Gb/s, ticks */
constexpr uint64_t
Ser(uint64_t bytes)
{
    return bytes * 80;
}

/** \ingroup tests \brief Bytes of preamble and gap: 0 gives H = 62, 20 gives H = 82. */
class RoceCases : public testing::TestWithParam<uint32_t>
{
  protected:
    /** \return options with the gap of the parameter */
    static RoceTestOptions Options()
    {
        RoceTestOptions options;
        options.gapBytes = GetParam();
        return options;
    }

    /** \param payload of a packet, bytes \return its serialisation at 100 Gb/s, ticks */
    static uint64_t Packet(uint64_t payload = 1000)
    {
        return Ser(payload + 62 + GetParam());
    }
};

INSTANTIATE_TEST_SUITE_P(Gap, RoceCases, testing::Values(0U, 20U));

TEST_P(RoceCases, H01SingleFlowCompletesExactlyInTime)
{
    for (const uint64_t bytes : {1000000, 1000500})
    {
        RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), Options());
        network.Send(0, 1, bytes);
        network.Run();
        // The short last packet of (b) waits behind the previous full one at the switch.
        const uint64_t shortPacket = bytes % 1000 ? Packet(500) : 0;
        const Time expected = TimeStep(1001 * Packet() + shortPacket + 2 * US);
        EXPECT_EQ(network.flows[0].received, expected);
        EXPECT_EQ(network.transport->GetIdealTime({0, 1, 0, bytes}), expected) << "slowdown 1.000";
        if (GetParam() == 0)
        {
            EXPECT_EQ(expected, TimeStep(bytes % 1000 ? 87089920 : 87044960));
        }
    }
}

TEST_P(RoceCases, H02IncastIsLossless)
{
    /** A line of the pause log. */
    struct PauseLine
    {
        Time time;         // when
        uint32_t port;     // of the switch
        uint32_t priority; // class
        bool pause;        // or resume
    };

    RoceTestOptions options = Options();
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(16000000));
    };
    RoceTestNetwork network(StarTopology(33, "100Gbps", MicroSeconds(1)), options);
    std::vector<PauseLine> log;
    network.fabric.switches[33]->TraceConnectWithoutContext(
        "PauseSent",
        Callback<void, uint32_t, uint32_t, bool>(
            [&log](uint32_t port, uint32_t priority, bool pause) {
                log.push_back({Simulator::Now(), port, priority, pause});
            }));
    for (uint32_t src = 1; src <= 32; src++)
    {
        network.Send(src, 0, 1000000);
    }
    network.Run();
    EXPECT_EQ(network.Counters().drops, 0U);
    EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
    EXPECT_GE(network.Counters().pfcPauses, 1U);
    EXPECT_EQ(network.Counters().pfcResumes, network.Counters().pfcPauses);
    const Time bound = TimeStep(32001 * Packet() + 2 * US);
    EXPECT_GE(network.GetLastReceived(), bound);
    EXPECT_LE(network.GetLastReceived().GetDouble(), 1.01 * bound.GetDouble());
    for (const auto& flow : network.flows)
    {
        EXPECT_GE(flow.received, TimeStep(1001 * Packet() + 2 * US));
    }
    ASSERT_EQ(log.size(), 2 * network.Counters().pfcPauses);
    std::map<uint32_t, bool> paused;
    for (const PauseLine& line : log)
    {
        EXPECT_EQ(line.priority, 3U);
        EXPECT_NE(line.pause, paused[line.port]) << "pause and resume alternate";
        paused[line.port] = line.pause;
    }
    for (const auto& [port, isPaused] : paused)
    {
        EXPECT_FALSE(isPaused) << "port " << port << " was not resumed";
        EXPECT_NE(port, 0U) << "nothing comes from host 0 that could fill memory";
    }
    EXPECT_TRUE(std::is_sorted(log.begin(), log.end(), [](const auto& a, const auto& b) {
        return a.time < b.time;
    }));
}

TEST_P(RoceCases, H02IncastWithoutPfcLosesAndRepairs)
{
    RoceTestOptions options = Options();
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(2000000));
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
    };
    RoceTestNetwork network(StarTopology(33, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t src = 1; src <= 32; src++)
    {
        network.Send(src, 0, 1000000);
    }
    network.Run(); // delivered once, all of it
    EXPECT_GT(network.Counters().drops, 0U);
    EXPECT_GE(network.Counters().retransmittedPackets, network.Counters().drops);
    EXPECT_EQ(network.Counters().pfcPauses, 0U);
    EXPECT_EQ(network.Counters().payloadBytesDelivered, 32000000U);
}

TEST_P(RoceCases, H03RandomLossEnds)
{
    std::vector<Time> times;
    for (const double rate : {0.0, 0.001})
    {
        const auto begin = std::chrono::steady_clock::now();
        Topology topology = StarTopology(2, "100Gbps", MicroSeconds(1));
        topology.links[1].lossRate = rate;
        RoceTestNetwork network(topology, Options());
        network.Send(0, 1, 10000000);
        network.Run();
        times.push_back(network.flows[0].received);
        const FabricPortCounters toReceiver = network.fabric.switches[2]->GetPort(1).GetCounters();
        const FabricPortCounters fromReceiver = network.fabric.nics[1]->GetPort(0).GetCounters();
        EXPECT_EQ(network.Counters().linkLosses, toReceiver.lost + fromReceiver.lost);
        EXPECT_LE(toReceiver.lost, 25U);
        EXPECT_EQ(toReceiver.lost > 0, rate > 0);
        if (toReceiver.lost == 0)
        {
            EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
        }
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
        EXPECT_LT(wall.count(), 10.0);
    }
    EXPECT_EQ(times[0], TimeStep(10001 * Packet() + 2 * US));
    EXPECT_GT(times[1], times[0]);
}

TEST(RoceCasesEcmp, H05SpreadsAtEveryTier)
{
    const Topology topology = LoadTopology("fat-tree:k=4,nicRate=100Gbps,delay=1us");
    ASSERT_EQ(topology.GetGpuCount(), 16U);
    RoceTestNetwork network(topology);
    for (uint32_t src = 0; src < 16; src++)
    {
        for (uint32_t dst = 0; dst < 16; dst++)
        {
            for (uint32_t channel = 0; src / 4 != dst / 4 && channel < 5; channel++)
            {
                network.Send(src, dst, 1000, channel);
            }
        }
    }
    ASSERT_EQ(network.flows.size(), 960U);
    network.Run();
    std::map<uint32_t, uint64_t> perCore;
    uint32_t uplinks = 0;
    for (uint32_t id = 16; id < topology.nodes.size(); id++)
    {
        for (uint32_t i = 0; topology.nodes[id].tier == 1 && i < 4; i++)
        {
            const FabricPort& port = network.fabric.switches[id]->GetPort(i);
            const uint32_t peer = port.GetPeer()->GetOwner()->GetNode()->GetId();
            if (topology.nodes[peer].tier == 2)
            {
                const uint64_t packets = port.GetCounters().packets[0];
                EXPECT_GT(packets, 0U) << "aggregation switch " << id << ", core " << peer;
                perCore[peer] += packets;
                uplinks++;
            }
        }
    }
    EXPECT_EQ(uplinks, 16U);
    ASSERT_EQ(perCore.size(), 4U);
    uint64_t sum = 0;
    for (const auto& [core, packets] : perCore)
    {
        EXPECT_GE(packets, 173U) << "core " << core;
        EXPECT_LE(packets, 307U) << "core " << core;
        sum += packets;
    }
    EXPECT_EQ(sum, 960U);
}

/**
 * Eight hosts send to one each across eight spines.
 * \param packets packets of every flow
 * \param balancer TypeId name of the load balancer
 * \return packets by spine
 */
std::vector<uint64_t>
PacketsBySpine(uint64_t packets, const std::string& balancer)
{
    RoceTestOptions options;
    options.loadBalancer = balancer;
    RoceTestNetwork network(LeafPairTopology(8, 8, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t i = 0; i < 8; i++)
    {
        network.Send(i, 8 + i, 1000 * packets);
    }
    network.Run();
    std::vector<uint64_t> counts;
    for (uint32_t spine = 0; spine < 8; spine++)
    {
        counts.push_back(network.fabric.switches[16]->GetPort(8 + spine).GetCounters().packets[0]);
    }
    return counts;
}

TEST(RoceCasesEcmp, H05EightFlowsOverEightPaths)
{
    constexpr int SEEDS = 400;
    const uint64_t run = RngSeedManager::GetRun();
    double distinct = 0;
    for (int seed = 0; seed < SEEDS; seed++)
    {
        RngSeedManager::SetRun(run + seed);
        const auto counts = PacketsBySpine(1, "ns3::EcmpLoadBalancer");
        distinct += 8 - std::count(counts.begin(), counts.end(), 0);
        EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), uint64_t{0}), 8U);
    }
    RngSeedManager::SetRun(run);
    EXPECT_NEAR(distinct / SEEDS, 5.25, 0.18); // 8 (1 - (7/8)^8)
}

TEST(RoceCasesEcmp, H05SprayingUsesAllPathsEqually)
{
    constexpr uint64_t PACKETS = 500;
    const auto counts = PacketsBySpine(PACKETS, "ns3::SprayLoadBalancer");
    const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
    EXPECT_GE(*least, PACKETS);
    EXPECT_LE(*most - *least, 8U) << "equal within one packet per flow";
}

/**
 * Case H06 (a) and (b): two switches joined by four links, four hosts on each.
 * \param balancer TypeId name of the load balancer
 * \return packets by link; the last entry is the last arrival, us
 */
std::vector<double>
ParallelLinks(const std::string& balancer)
{
    Topology topology;
    topology.nodes.resize(10);
    topology.nodes[8].kind = topology.nodes[9].kind = TopologyNodeKind::SWITCH;
    for (uint32_t i = 0; i < 12; i++)
    {
        topology.links.emplace_back();
        topology.links[i].a = i < 8 ? i : 8;
        topology.links[i].b = i < 4 ? 8 : 9;
        topology.links[i].rate = DataRate("100Gbps");
        topology.links[i].delay = MicroSeconds(1);
    }
    RoceTestOptions options;
    options.loadBalancer = balancer;
    RoceTestNetwork network(topology, options);
    for (uint32_t i = 0; i < 64; i++)
    {
        network.Send(i % 4, 4 + i % 4, 1000000, i / 4);
    }
    network.Run();
    std::vector<double> figures;
    for (const uint32_t port : network.fabric.routes->NextPorts(8, 4))
    {
        const FabricPortCounters counters = network.fabric.switches[8]->GetPort(port).GetCounters();
        figures.push_back(static_cast<double>(counters.packets[0]));
    }
    figures.push_back(network.GetLastReceived().GetSeconds() * 1e6);
    return figures;
}

TEST(RoceCasesEcmp, H06ParallelLinksAreAllUsed)
{
    const auto figures = ParallelLinks("ns3::EcmpLoadBalancer");
    ASSERT_EQ(figures.size(), 5U);
    for (int link = 0; link < 4; link++)
    {
        EXPECT_GT(figures[link], 0);
    }
    EXPECT_EQ(std::accumulate(figures.begin(), figures.begin() + 4, 0.0), 64000);
}

TEST(RoceCasesEcmp, H06SprayingFillsParallelLinksEqually)
{
    const auto figures = ParallelLinks("ns3::SprayLoadBalancer");
    for (int link = 0; link < 4; link++)
    {
        EXPECT_NEAR(figures[link], 16000, 64) << "within one packet per queue pair";
    }
    EXPECT_GE(figures[4], 1359);
    EXPECT_LT(figures[4], 1369.4);
}

TEST(RoceCasesEcmp, AllToAllOnAFatTreeIsLossless)
{
    RoceTestOptions options;
    options.mtuBytes = 4096;
    options.gapBytes = 20;
    options.write = true;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(400000));
    };
    RoceTestNetwork network(LoadTopology("fat-tree:k=4,nicRate=100Gbps,delay=1us"), options);
    for (uint32_t src = 0; src < 16; src++)
    {
        for (uint32_t dst = 0; dst < 16; dst++)
        {
            if (src != dst)
            {
                network.Send(src, dst, 200000);
            }
        }
    }
    network.Run();
    EXPECT_GT(network.Counters().pfcPauses, 100U) << "the buffers are small";
    EXPECT_EQ(network.Counters().drops, 0U);
    EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
}

TEST(RoceCasesEcmp, NicWithTwoPortsSpreadsItsQueuePairs)
{
    // Two hosts, two switches, a port of each host on each.
    Topology topology;
    topology.nodes.resize(4);
    topology.nodes[2].kind = topology.nodes[3].kind = TopologyNodeKind::SWITCH;
    for (uint32_t i = 0; i < 4; i++)
    {
        topology.links.emplace_back();
        topology.links[i].a = i / 2;
        topology.links[i].b = 2 + i % 2;
        topology.links[i].rate = DataRate("200Gbps");
        topology.links[i].delay = MicroSeconds(1);
    }
    RoceTestNetwork network(topology);
    for (uint32_t channel = 0; channel < 16; channel++)
    {
        network.Send(0, 1, 100000, channel);
    }
    network.Run();
    RoceNicDevice& nic = *network.fabric.nics[0];
    uint64_t packets = 0;
    for (uint32_t port = 0; port < 2; port++)
    {
        const uint64_t sent = nic.GetPort(port).GetCounters().packets[0];
        EXPECT_GE(sent, 300U);
        packets += sent;
    }
    EXPECT_EQ(packets, 1600U);
    EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
}

TEST_P(RoceCases, H07SwitchWith1200Ports)
{
    const auto begin = std::chrono::steady_clock::now();
    RoceTestNetwork network(StarTopology(1200, "100Gbps", MicroSeconds(1)), Options());
    network.Send(0, 1199, 100000);
    network.Run();
    EXPECT_EQ(network.flows[0].received, TimeStep(101 * Packet() + 2 * US));
    if (GetParam() == 0)
    {
        EXPECT_EQ(network.flows[0].received, TimeStep(10580960));
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(wall.count(), 60.0);
}

/** \ingroup tests \brief MTU, bytes, and the goodput ceiling as a part of the line rate. */
class RoceGoodput : public testing::TestWithParam<std::pair<uint32_t, double>>
{
};

INSTANTIATE_TEST_SUITE_P(Mtu,
                         RoceGoodput,
                         testing::Values(std::make_pair(256U, 0.7574),
                                         std::make_pair(512U, 0.8620),
                                         std::make_pair(1024U, 0.92586),
                                         std::make_pair(2048U, 0.96150),
                                         std::make_pair(4096U, 0.98037)));

TEST_P(RoceGoodput, LongFlowReachesTheCeilingOfItsHeaders)
{
    const auto [mtu, ceiling] = GetParam();
    RoceTestOptions options;
    options.mtuBytes = mtu;
    options.gapBytes = 20;
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
    const uint64_t bytes = 1000ULL * mtu;
    network.Send(0, 1, bytes);
    network.Run();
    const Time latency = TimeStep(2 * US + Ser(mtu + 82));
    const double seconds = (network.flows[0].received - latency).GetSeconds();
    EXPECT_NEAR(8.0 * bytes / seconds / 100e9, ceiling, 1e-4);
}

} // namespace
