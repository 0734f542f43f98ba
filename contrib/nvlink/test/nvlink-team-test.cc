/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/boolean.h"
#include "ns3/nvlink-team-flow.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/**
 * \param topology a cluster
 * \return the same with NVSwitches that copy and add up
 */
Topology
WithOffload(Topology topology)
{
    for (TopologyNode& node : topology.nodes)
    {
        node.offload = node.kind == TopologyNodeKind::NVSWITCH;
    }
    return topology;
}

/** \param count how many \return the ranks below that */
std::vector<uint32_t>
Ranks(uint32_t count)
{
    std::vector<uint32_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
}

/**
 * \param network where
 * \param kind MULTICAST or COMBINE
 * \param src a rank
 * \param dst who gets the sum, the rank itself in a multicast
 * \param bytes payload
 * \param team number of the team
 * \param tag tag
 */
void
SendToTeam(NvlinkTestNetwork& network,
           MessageKind kind,
           uint32_t src,
           uint32_t dst,
           uint64_t bytes,
           uint32_t team,
           uint64_t tag = 0)
{
    Message message;
    message.src = src;
    message.dst = dst;
    message.bytes = bytes;
    message.tag = tag;
    message.kind = kind;
    message.team = team;
    network.transport->Send(message);
}

/** \param network a network; nothing may be left in it */
void
ExpectEmpty(const NvlinkTestNetwork& network)
{
    EXPECT_EQ(network.context->pool.GetInUse(), 0U);
    EXPECT_EQ(network.context->counters.drops, 0U);
    EXPECT_TRUE(network.transport->DescribePending().empty());
    for (uint32_t node = 0; node < network.nodes.GetN(); node++)
    {
        if (const auto nvswitch = network.GetSwitch(node))
        {
            EXPECT_EQ(nvswitch->GetBuffer().GetUsed(), 0U);
            EXPECT_EQ(nvswitch->GetReductions().GetHeldBytes(), 0U);
            const auto [stops, resumes] = network.GetCreditSignals(node);
            EXPECT_EQ(stops, resumes);
        }
    }
}

/** \param bytes payload \param gbps a rate \return its time on the link, ps */
int64_t
LinkPs(uint64_t bytes, uint64_t gbps)
{
    return static_cast<int64_t>(bytes * 8 * 1000 / gbps);
}

} // namespace

TEST(NvlinkTeam, AMulticastReachesAllInTheTimeOfOneMessage)
{
    const Time delay = NanoSeconds(25);
    NvlinkTestNetwork network(WithOffload(PlanesTopology(8, {400}, delay)));
    const uint32_t team = network.transport->AddTeam(Ranks(8));
    SendToTeam(network, MessageKind::MULTICAST, 3, 3, MIB, team, 77);
    network.Run();
    for (const NotingEndpoint& endpoint : network.endpoints)
    {
        ASSERT_EQ(endpoint.received.size(), 1U);
        const auto& [time, message] = endpoint.received.front();
        EXPECT_EQ(time.GetPicoSeconds(), LinkPs(MIB, 400) + 2 * delay.GetPicoSeconds());
        EXPECT_EQ(message.src, 3U);
        EXPECT_EQ(message.bytes, MIB);
        EXPECT_EQ(message.tag, 77U);
        EXPECT_EQ(message.kind, MessageKind::MULTICAST);
    }
    EXPECT_EQ(network.endpoints[3].sent.size(), 1U);
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, 8 * MIB);
    EXPECT_EQ(network.GetDevice(3)->GetPort(0).GetCounters().payloadBytes, MIB);
    ExpectEmpty(network);
}

TEST(NvlinkTeam, ASumTakesTheTimeOfOneMessageFromTheLastRankOn)
{
    const Time delay = NanoSeconds(25);
    NvlinkTestNetwork network(WithOffload(PlanesTopology(8, {400}, delay)));
    const uint32_t team = network.transport->AddTeam(Ranks(8));
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        Simulator::Schedule(MicroSeconds(rank == 5 ? 90 : 0), [&network, rank, team] {
            SendToTeam(network, MessageKind::COMBINE, rank, 2, MIB, team, 5);
        });
    }
    network.Run();
    ASSERT_EQ(network.endpoints[2].received.size(), 1U);
    const auto& [time, message] = network.endpoints[2].received.front();
    EXPECT_EQ(time.GetPicoSeconds(), 90000000 + LinkPs(MIB, 400) + 2 * delay.GetPicoSeconds());
    EXPECT_EQ(message.src, 2U);
    EXPECT_EQ(message.bytes, MIB);
    EXPECT_EQ(message.tag, 5U);
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        EXPECT_EQ(network.endpoints[rank].received.size(), rank == 2 ? 1U : 0U);
        EXPECT_EQ(network.endpoints[rank].sent.size(), 1U);
        EXPECT_EQ(network.GetDevice(rank)->GetPort(0).GetCounters().payloadBytes, MIB);
    }
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, MIB);
    EXPECT_EQ(network.context->counters.combined, 7 * MIB / 4096);
    EXPECT_EQ(network.GetSwitch(8)->GetReductions().GetMaxHeldBytes(), MIB);
    ExpectEmpty(network);
}

// All reduce-scatter through the switch: every link carries the whole operand up and a part down.
TEST(NvlinkTeam, SumsForAllRanksFillTheLinksUp)
{
    const Time delay = NanoSeconds(25);
    NvlinkTestNetwork network(WithOffload(PlanesTopology(4, {400}, delay)));
    const uint32_t team = network.transport->AddTeam(Ranks(4));
    for (uint32_t rank = 0; rank < 4; rank++)
    {
        for (uint32_t root = 0; root < 4; root++)
        {
            SendToTeam(network, MessageKind::COMBINE, rank, root, MIB, team);
        }
    }
    network.Run();
    Time end;
    for (const NotingEndpoint& endpoint : network.endpoints)
    {
        ASSERT_EQ(endpoint.received.size(), 1U);
        end = std::max(end, endpoint.received.front().first);
    }
    EXPECT_EQ(end.GetPicoSeconds(), LinkPs(4 * MIB, 400) + 2 * delay.GetPicoSeconds());
    ExpectEmpty(network);
}

// All-gather through the switch: every link carries a part up and everything down, without loss.
TEST(NvlinkTeam, MulticastsOfAllRanksFillTheLinksDown)
{
    for (const uint32_t bufferPackets : {2U, 4U, 64U})
    {
        const Time delay = NanoSeconds(25);
        NvlinkTestNetwork network(
            WithOffload(PlanesTopology(8, {400}, delay)),
            [&](NvlinkHelper& helper) {
                helper.SetSwitchAttribute("InputBufferPackets", UintegerValue(bufferPackets));
            });
        const uint32_t team = network.transport->AddTeam(Ranks(8));
        for (uint32_t rank = 0; rank < 8; rank++)
        {
            SendToTeam(network, MessageKind::MULTICAST, rank, rank, 4 * MIB, team);
        }
        network.Run();
        Time end;
        for (const NotingEndpoint& endpoint : network.endpoints)
        {
            ASSERT_EQ(endpoint.received.size(), 8U);
            end = std::max(end, endpoint.received.back().first);
        }
        EXPECT_EQ(end.GetPicoSeconds(), LinkPs(32 * MIB, 400) + 2 * delay.GetPicoSeconds());
        EXPECT_EQ(network.GetCreditSignals(8).first > 0, bufferPackets < 64);
        ExpectEmpty(network);
    }
}

TEST(NvlinkTeam, MessagesAreStripedOverUnequalPlanes)
{
    const Time delay = NanoSeconds(25);
    NvlinkTestNetwork network(WithOffload(PlanesTopology(8, {1000, 800, 800, 1000}, delay)));
    const uint32_t team = network.transport->AddTeam(Ranks(8));
    const uint64_t bytes = 36 * MIB;
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        SendToTeam(network, MessageKind::COMBINE, rank, 7, bytes, team);
    }
    network.Run();
    ASSERT_EQ(network.endpoints[7].received.size(), 1U);
    EXPECT_EQ(network.endpoints[7].received.front().first.GetPicoSeconds(),
              LinkPs(bytes, 3600) + 2 * delay.GetPicoSeconds());
    EXPECT_EQ(network.GetDevice(0)->GetPort(0).GetCounters().payloadBytes, 10 * MIB);
    EXPECT_EQ(network.GetDevice(0)->GetPort(1).GetCounters().payloadBytes, 8 * MIB);
    ExpectEmpty(network);
}

TEST(NvlinkTeam, MessagesOfATeamArriveInOrderWhateverTheirSizes)
{
    for (const std::string engine : {"fabric", "default"})
    {
        NvlinkTestNetwork network(
            WithOffload(PlanesTopology(3, {900, 900}, NanoSeconds(25), 2)),
            [](NvlinkHelper&) {},
            engine);
        const uint32_t team = network.transport->AddTeam(Ranks(3));
        const std::vector<uint64_t> sizes{100, 0, 3 * MIB + 1, 1, 5000, MIB, 0, 70000};
        for (uint32_t rank = 0; rank < 3; rank++)
        {
            for (uint64_t i = 0; i < sizes.size(); i++)
            {
                SendToTeam(network, MessageKind::COMBINE, rank, 1, sizes[i], team, i);
                SendToTeam(network, MessageKind::MULTICAST, rank, rank, sizes[i], team, i);
            }
            network.Send(rank, (rank + 1) % 3, MIB, 99); // not of the team, on the same links
        }
        network.Run();
        for (uint32_t rank = 0; rank < 3; rank++)
        {
            std::map<std::pair<MessageKind, uint32_t>, uint64_t> next;
            for (const auto& [time, message] : network.endpoints[rank].received)
            {
                if (message.kind == MessageKind::UNICAST)
                {
                    continue;
                }
                const uint64_t tag = next[{message.kind, message.src}]++;
                EXPECT_EQ(message.tag, tag);
                EXPECT_EQ(message.bytes, sizes[tag]);
            }
            EXPECT_EQ(network.endpoints[rank].received.size(), (rank == 1 ? 4 : 3) * 8U + 1);
            EXPECT_EQ(network.endpoints[rank].sent.size(), 17U);
        }
        ExpectEmpty(network);
    }
}

TEST(NvlinkTeam, EnginesAgree)
{
    std::vector<std::pair<Time, uint64_t>> ends;
    for (const std::string engine : {"fabric", "default"})
    {
        NvlinkTestNetwork network(
            WithOffload(PlanesTopology(8, {500, 400, 400, 500}, NanoSeconds(25))),
            [](NvlinkHelper&) {},
            engine);
        const uint32_t team = network.transport->AddTeam(Ranks(8));
        for (uint32_t i = 0; i < 64; i++)
        {
            SendToTeam(network, MessageKind::COMBINE, i % 8, i / 8, MIB / 2, team);
            SendToTeam(network, MessageKind::MULTICAST, i % 8, i % 8, MIB / 8, team);
        }
        const Time end = network.Run();
        ends.emplace_back(end, network.context->GetFingerprint());
        ExpectEmpty(network);
    }
    EXPECT_EQ(ends[0], ends[1]);
}

TEST(NvlinkTeam, OnlyTeamsThatMeetInSwitchesThatCanAreAccepted)
{
    const Time delay = NanoSeconds(25);
    const auto canOffload = [](const Topology& topology,
                               const std::vector<uint32_t>& ranks,
                               bool sharp = true) {
        const NvlinkTestNetwork network(topology, [&](NvlinkHelper& helper) {
            helper.SetSwitchAttribute("Sharp", BooleanValue(sharp));
        });
        return network.transport->CanOffload(ranks);
    };
    const Topology able = WithOffload(PlanesTopology(4, {400, 400}, delay));
    EXPECT_TRUE(canOffload(able, {0, 1, 2, 3}));
    EXPECT_TRUE(canOffload(able, {1, 3}));
    EXPECT_FALSE(canOffload(able, {1, 3}, false));
    EXPECT_FALSE(canOffload(able, {1}));
    EXPECT_FALSE(canOffload(able, {}));
    EXPECT_FALSE(canOffload(able, {1, 4}));
    EXPECT_FALSE(canOffload(PlanesTopology(4, {400, 400}, delay), {0, 1, 2, 3}));
    EXPECT_FALSE(canOffload(DirectTopology(8, H14Links(), delay), {0, 1}));
    Topology unequal = able;
    unequal.links[0].rate = DataRate("200Gbps");
    EXPECT_FALSE(canOffload(unequal, {0, 1}));
    EXPECT_TRUE(canOffload(unequal, {1, 2}));
    Topology oldSwitch = able;
    oldSwitch.nodes[5].offload = false;
    EXPECT_FALSE(canOffload(oldSwitch, {0, 1}));
}

TEST(NvlinkTeam, EqualTeamsHaveEqualNumbers)
{
    const NvlinkTestNetwork network(WithOffload(PlanesTopology(4, {400}, NanoSeconds(25))));
    const uint32_t all = network.transport->AddTeam({0, 1, 2, 3});
    const uint32_t half = network.transport->AddTeam({0, 1});
    EXPECT_NE(all, half);
    EXPECT_EQ(network.transport->AddTeam({0, 1, 2, 3}), all);
    EXPECT_EQ(network.transport->GetTeam(half), (std::vector<uint32_t>{0, 1}));
}

TEST(NvlinkTeam, WhatALateRankHoldsUpIsDescribed)
{
    NvlinkTestNetwork network(WithOffload(PlanesTopology(3, {400}, NanoSeconds(25))));
    const uint32_t team = network.transport->AddTeam(Ranks(3));
    SendToTeam(network, MessageKind::COMBINE, 0, 1, MIB, team);
    SendToTeam(network, MessageKind::COMBINE, 1, 1, MIB, team);
    network.Run();
    EXPECT_EQ(network.transport->DescribePending(),
              (std::vector<std::string>{
                  "NVLink: rank 0 channel 0: 1 messages added up in switches for rank 1, of which 0 "
                  "have arrived",
                  "NVLink: rank 1 channel 0: 1 messages added up in switches for rank 1, of which 0 "
                  "have arrived"}));
    EXPECT_EQ(network.GetSwitch(3)->GetReductions().GetHeldBytes(), MIB);
}

TEST(NvlinkTeam, SharesAreProportionalToRates)
{
    const NvlinkTeamFlow flow({1000, 800, 800, 1000});
    for (const uint64_t bytes : {0UL, 1UL, 4095UL, 8192UL, 40960UL, 1000003UL, 1UL << 40})
    {
        for (uint32_t number = 0; number < 5; number++)
        {
            const auto shares = flow.Split(bytes, number, 4096);
            uint64_t sum = 0;
            for (const NvlinkShare& share : shares)
            {
                sum += share.bytes;
                EXPECT_LT(share.lane, 4U);
            }
            EXPECT_EQ(sum, bytes);
            EXPECT_EQ(shares.front().lane, number % 4);
            EXPECT_EQ(shares.size(), std::clamp<uint64_t>(bytes / 4096, 1, 4));
        }
    }
    const auto shares = flow.Split(36 * MIB, 1, 4096);
    EXPECT_EQ(shares[0].bytes, 8 * MIB);
    EXPECT_EQ(shares[3].lane, 0U);
    EXPECT_EQ(shares[3].bytes, 10 * MIB);
}
