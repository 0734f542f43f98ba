/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routed-transport-under-test.h"
#include "star-topology.h"

#include "ns3/analytic-message-transport.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** What is tested. */
using AnalyticUnderTest = RoutedTransportUnderTest<AnalyticMessageTransport>;

/** \param hosts number of hosts \return a star of 100 Gbps, 1 us */
Topology
Star(uint32_t hosts)
{
    return StarTopology(hosts, "100Gbps", MicroSeconds(1));
}

TEST(FabricAnalyticTransport, MessageTakesAlphaAndBytesTimesBeta)
{
    AnalyticUnderTest test(Star(2));
    test.Send(0, 1, 1000000, 1);
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 80000 + 2000);
    EXPECT_EQ(test.GetSentNs(1), 80000);
}

TEST(FabricAnalyticTransport, H01SingleFlow)
{
    for (const auto& [bytes, expectedNs] : {std::pair(1000000, 87044.96), {1000500, 87089.92}})
    {
        MessageRouterSettings settings;
        settings.ethernet = CaseFraming();
        AnalyticUnderTest test(Star(2), settings);
        test.Send(0, 1, bytes, 1);
        test.Run();
        EXPECT_DOUBLE_EQ(test.GetArrivalNs(1), expectedNs);
    }
}

TEST(FabricAnalyticTransport, SourceServesLanesInTurn)
{
    AnalyticUnderTest test(Star(3));
    test.Send(0, 1, 1000000, 1);
    test.Send(0, 2, 2000000, 2);
    test.Send(0, 1, 1000000, 3, 5);
    test.Send(0, 1, 1000000, 4, 5); // waits for the one before it on its lane
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 3 * 80000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(3), 3 * 80000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(2), 5 * 80000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(4), 5 * 80000 + 2000);
}

TEST(FabricAnalyticTransport, PacketsShareWithLongMessages)
{
    // Two packets wait in turn; when a message of many packets comes they share with it.
    AnalyticUnderTest test(Star(4));
    test.Send(0, 1, 4000, 1); // 320 ns
    test.Send(0, 2, 4000, 2);
    Simulator::Schedule(NanoSeconds(80), [&test] { test.Send(0, 3, 1000000, 3); });
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 80 + 3 * 240 + 2000);
    EXPECT_EQ(test.GetArrivalNs(2), 80 + 3 * 240 + 2 * 80 + 2000);
    EXPECT_EQ(test.GetArrivalNs(3), 80640 + 2000);
}

TEST(FabricAnalyticTransport, DestinationTakesWhatItsLinkCarries)
{
    // An incast takes what the last link needs for all; no more than that, although all sources
    // have other messages waiting before.
    AnalyticUnderTest test(Star(9));
    for (uint32_t host = 1; host < 9; host++)
    {
        test.Send(host, 0, 1000000, host);
    }
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(8), 8 * 80000 + 2000);
}

TEST(FabricAnalyticTransport, DestinationServesByArrivalNotBySending)
{
    // Host 1 has 100 messages for host 0 waiting; that of host 2 does not wait for them.
    AnalyticUnderTest test(Star(3));
    for (uint64_t i = 0; i < 100; i++)
    {
        test.Send(1, 0, 1000000, i);
    }
    test.Send(2, 0, 1000000, 200);
    test.Run();
    EXPECT_LE(test.GetArrivalNs(200), 2 * 80000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(99), 101 * 80000 + 2000);
}

TEST(FabricAnalyticTransport, SlowSourcesFillAFastDestination)
{
    // Four hosts of 100 Gbps into one of 400: none waits for another.
    Topology topology = Star(5);
    topology.links[0].rate = DataRate("400Gbps");
    AnalyticUnderTest test(topology);
    for (uint32_t host = 1; host < 5; host++)
    {
        test.Send(host, 0, 1000000, host);
    }
    test.Run();
    for (uint32_t host = 1; host < 5; host++)
    {
        EXPECT_LE(test.GetArrivalNs(host), 80000 + 2000);
    }
}

TEST(FabricAnalyticTransport, FabricHasNoContention)
{
    // Eight hosts across one link of their rate: all at once, as no real network could.
    const Topology topology = LoadTopology("dumbbell:hosts=16,nicRate=100Gbps");
    AnalyticUnderTest test(topology);
    for (uint32_t host = 0; host < 8; host++)
    {
        test.Send(host, 8 + host, 1000000, host);
    }
    test.Run();
    const double aloneNs = test.transport->GetIdealTime({0, 8, 0, 1000000}).GetPicoSeconds() / 1e3;
    for (uint32_t host = 0; host < 8; host++)
    {
        EXPECT_EQ(test.GetArrivalNs(host), aloneNs);
    }
}

TEST(FabricAnalyticTransport, BusyPortHasNoDrift)
{
    AnalyticUnderTest test(StarTopology(2, "300Gbps", MicroSeconds(1)));
    constexpr uint64_t COUNT = 10000;
    for (uint64_t i = 0; i < COUNT; i++)
    {
        test.Send(0, 1, 1001, i); // 26693 1/3 ps
    }
    test.Run();
    EXPECT_NEAR(test.GetArrivalNs(COUNT - 1), COUNT * 1001 * 8 / 300.0L + 2000, 0.001);
}

TEST(FabricAnalyticTransport, PlanesOfNvswitchesAreUsedTogether)
{
    AnalyticUnderTest test(
        NvswitchTopology({"1000Gbps", "800Gbps", "800Gbps", "1000Gbps"}, 8, NanoSeconds(25)));
    for (uint32_t gpu = 0; gpu < 8; gpu++)
    {
        test.Send(gpu, (gpu + 1) % 8, 36000000, gpu);
    }
    test.Run();
    for (uint32_t gpu = 0; gpu < 8; gpu++)
    {
        EXPECT_NEAR(test.GetArrivalNs(gpu), 80000 + 50, 0.001);
    }
}

TEST(FabricAnalyticTransport, UnevenWiringUsesLinksInProportion)
{
    Topology topology = NvswitchTopology({"100Gbps", "100Gbps"}, 3, NanoSeconds(0));
    topology.links[4].rate = DataRate("50Gbps");
    AnalyticUnderTest test(topology);
    test.Send(0, 1, 1500000, 1);
    test.Run();
    EXPECT_NEAR(test.GetArrivalNs(1), 80000, 1);
}

/** \param test after a run \return the largest share of a link's capacity that was used */
double
GetMostUsed(const AnalyticUnderTest& test, const Topology& topology)
{
    double most = 0;
    const std::vector<RoutedLinkLoad> loads = test.transport->GetLinkLoads();
    for (std::size_t i = 0; i < loads.size(); i++)
    {
        const double bits = 8.0 * (loads[i].wireBytes + loads[i].ackWireBytes);
        const auto rate = static_cast<double>(topology.links[i / 2].rate.GetBitRate());
        most = std::max(most, bits / (rate * Simulator::Now().GetSeconds()));
    }
    return most;
}

TEST(FabricAnalyticTransport, LinksThatRanksOfAServerShareAreShared)
{
    // Two PCIe switches of two GPUs on each of two sockets. Two messages leave the first switch by
    // one uplink, one goes on to the other socket; the third stays below the switch.
    const Topology topology =
        LoadTopology("single-server:server=l40s,pcieRate=100Gbps,socketRate=100Gbps");
    AnalyticUnderTest test(topology);
    test.Send(0, 2, 1000000, 1);
    test.Send(1, 4, 1000000, 2);
    test.Send(0, 1, 1000000, 3);
    test.Run();
    const double aloneNs = 80000;
    EXPECT_NEAR(test.GetArrivalNs(1), 2 * aloneNs, 0.02 * aloneNs);
    EXPECT_NEAR(test.GetArrivalNs(2), 2 * aloneNs, 0.02 * aloneNs);
    EXPECT_NEAR(test.GetArrivalNs(3), 2 * aloneNs, 0.02 * aloneNs) << "GPU 0 sends both";
    EXPECT_LE(GetMostUsed(test, topology), 1);
}

TEST(FabricAnalyticTransport, AnAllToAllOverPcieTakesWhatItsBusiestLinkNeeds)
{
    // Each switch of two GPUs sends to six others what both have for them.
    const Topology topology =
        LoadTopology("single-server:server=l40s,pcieRate=100Gbps,socketRate=1000Gbps");
    AnalyticUnderTest test(topology);
    for (uint32_t src = 0; src < 8; src++)
    {
        for (uint32_t dst = 0; dst < 8; dst++)
        {
            src == dst ? void() : test.Send(src, dst, 1000000, 8 * src + dst);
        }
    }
    test.Run();
    EXPECT_NEAR(test.GetLastNs(), 12 * 80000, 0.02 * 12 * 80000);
    EXPECT_LE(GetMostUsed(test, topology), 1);
}

TEST(FabricAnalyticTransport, MessagesOfALaneFollowEachOtherOverSharedLinks)
{
    // Packets of 16 KiB, one behind the other, of two GPUs over one uplink: no time is lost.
    const Topology topology = LoadTopology("single-server:server=l40s,pcieRate=100Gbps");
    MessageRouterSettings settings;
    settings.nvlink.unitBytes = 16384;
    AnalyticUnderTest test(topology, settings);
    for (uint32_t i = 0; i < 100; i++)
    {
        test.Send(0, 2, 16384, 2 * i);
        test.Send(1, 3, 16384, 2 * i + 1);
    }
    test.Run();
    EXPECT_NEAR(test.GetLastNs(), 200 * 1310.72, 3 * 1310.72 + 2000);
    EXPECT_LE(GetMostUsed(test, topology), 1);
}

TEST(FabricAnalyticTransport, LastLinksCountWhatTheyHadTimeFor)
{
    // Sources send at once what the link of their common destination takes eight times as long for.
    const Topology topology = Star(9);
    AnalyticUnderTest test(topology);
    for (uint32_t host = 1; host < 9; host++)
    {
        test.Send(host, 0, 1000000, host);
    }
    Simulator::Stop(MicroSeconds(322));
    Simulator::Run();
    EXPECT_LE(GetMostUsed(test, topology), 1);
    uint64_t taken = 0;
    for (std::size_t i = 0; i < topology.links.size(); i++)
    {
        if (topology.links[i].a == 0 || topology.links[i].b == 0)
        {
            const auto loads = test.transport->GetLinkLoads();
            taken += loads[2 * i].payloadBytes + loads[2 * i + 1].payloadBytes;
        }
    }
    EXPECT_NEAR(static_cast<double>(taken), 4e6, 16) << "since the first bits came after 2 us";
}

/** \param test a transport \param topology of it \return payload on the links to rank 0 */
uint64_t
GetPayloadTo0(const AnalyticUnderTest& test, const Topology& topology)
{
    const std::vector<RoutedLinkLoad> loads = test.transport->GetLinkLoads();
    uint64_t sum = 0;
    for (std::size_t i = 0; i < topology.links.size(); i++)
    {
        const TopologyLink& link = topology.links[i];
        sum += link.b == 0 ? loads[2 * i].payloadBytes : 0;
        sum += link.a == 0 ? loads[2 * i + 1].payloadBytes : 0;
    }
    return sum;
}

TEST(FabricAnalyticTransport, WhatIsThereIsWhatTheLastLinkHasCarried)
{
    const Topology topology = Star(9);
    AnalyticUnderTest test(topology);
    for (uint32_t host = 1; host < 9; host++)
    {
        test.Send(host, 0, 1000000, host);
    }
    uint64_t before = 0;
    for (int us = 1; us < 642; us += 10)
    {
        Simulator::Schedule(MicroSeconds(us), [&, us] {
            uint64_t there = 0;
            for (uint32_t host = 1; host < 9; host++)
            {
                there += test.transport->GetArrivedBytes(host, 0, 0);
            }
            EXPECT_NEAR(there, us < 2 ? 0 : 12500 * (us - 2), 16) << us << " us";
            EXPECT_NEAR(there, GetPayloadTo0(test, topology), 16) << us << " us";
            EXPECT_EQ(test.transport->GetVolume().deliveredBytes, there) << us << " us";
            EXPECT_GE(there, before) << us << " us";
            before = there;
        });
    }
    test.Run();
    EXPECT_EQ(test.transport->GetVolume().deliveredBytes, 8000000U);
}

TEST(FabricAnalyticTransport, NothingIsThereBeforeItWasSent)
{
    Topology topology = Star(3); // 10 Gbps from rank 1, 100 to rank 0
    topology.links[1].rate = DataRate("10Gbps");
    AnalyticUnderTest test(topology);
    test.Send(1, 0, 1000000, 1);
    for (const int us : {1, 100, 402, 700, 801})
    {
        Simulator::Schedule(MicroSeconds(us), [&, us] {
            const uint64_t there = test.transport->GetArrivedBytes(1, 0, 0);
            EXPECT_NEAR(there, us < 2 ? 0 : 1250 * (us - 2), 16) << us << " us";
            EXPECT_LE(GetPayloadTo0(test, topology), 1250U * us) << us << " us";
        });
    }
    test.Run();
}

TEST(FabricAnalyticTransport, WhatIsThereGrows)
{
    std::mt19937 random(5);
    AnalyticUnderTest test(LoadTopology("fat-tree:k=4"));
    const uint32_t ranks = test.transport->GetRankCount();
    for (uint64_t tag = 0; tag < 200; tag++)
    {
        const uint32_t src = random() % ranks;
        const uint32_t dst = (src + 1 + random() % (ranks - 1)) % ranks;
        const uint64_t bytes = random() % 200000;
        test.Send(src, dst, bytes, tag);
    }
    std::vector<uint64_t> there(ranks * ranks, 0);
    for (int us = 0; us < 400; us++)
    {
        Simulator::Schedule(MicroSeconds(us), [&, us] {
            for (uint32_t pair = 0; pair < ranks * ranks; pair++)
            {
                const uint64_t now = test.transport->GetArrivedBytes(pair / ranks, pair % ranks, 0);
                EXPECT_GE(now + 1, there[pair]) << pair << " at " << us << " us"; // rounded
                there[pair] = now;
            }
        });
    }
    test.Run();
    EXPECT_GT(*std::max_element(there.begin(), there.end()), 0U);
}

TEST(FabricAnalyticTransport, WhatIsThereOfAShortMessageBehindALongOneGrowsToo)
{
    // It has left, with a short latency of its own, long before the one before it is there.
    MessageRouterSettings settings;
    settings.ethernet = CaseFraming();
    AnalyticUnderTest test(LoadTopology("fat-tree:k=4"), settings);
    test.Send(0, 15, 1000, 1);
    test.Send(0, 15, 100, 2);
    uint64_t there = 0;
    const Time first = test.transport->GetIdealTime({0, 15, 0, 1000});
    Simulator::Schedule(first + NanoSeconds(1), [&] { // it takes several
        there = test.transport->GetArrivedBytes(0, 15, 0);
    });
    Simulator::Schedule(first, [&] { EXPECT_LE(test.transport->GetArrivedBytes(0, 15, 0), 1000U); });
    test.Run();
    EXPECT_GT(there, 1000U);
    EXPECT_LT(there, 1100U);
}

TEST(FabricAnalyticTransport, RanksThatShareANicHearInTheirOwnName)
{
    MessageRouterSettings settings;
    settings.ethernet = CaseFraming();
    settings.ethernet.ackBytes = 0; // the ports tell senders
    AnalyticUnderTest test(LoadTopology("star:hosts=8,gpusPerServer=2,gpusPerNic=2"), settings);
    test.Send(0, 4, 100000, 1);
    test.Send(1, 4, 100000, 2);
    test.Run();
    EXPECT_EQ(test.happenings.size(), 4U);
}

TEST(FabricAnalyticTransport, SwitchesAddAndCopyWhereTheyOfferIt)
{
    MessageRouterSettings settings;
    settings.offersOffload = [](const TopologyNode&) { return true; };
    AnalyticUnderTest test(NvswitchTopology({"200Gbps"}, 4, NanoSeconds(50)), settings);
    Message copies;
    copies.kind = MessageKind::MULTICAST;
    copies.team = test.transport->AddTeam({0, 1, 2, 3});
    copies.src = 1;
    copies.dst = 1;
    copies.bytes = 1000000;
    copies.tag = 1;
    test.transport->Send(copies);
    test.Run();
    EXPECT_EQ(test.happenings.size(), 5U);
    EXPECT_EQ(test.GetArrivalNs(1), 40000 + 100);
}

TEST(FabricAnalyticTransport, NetworkSwitchesAddUpWhereTheyOfferIt)
{
    const std::vector<uint32_t> all{0, 1, 2, 3};
    const Topology star = StarTopology(4, "100Gbps", MicroSeconds(1));
    EXPECT_FALSE(AnalyticUnderTest(star).transport->CanAllReduce(all));
    MessageRouterSettings settings = MessageRouterSettings();
    settings.addsUp = [](const TopologyNode&) { return true; };
    settings.ethernet.ackBytes = 86; // which what is added up has not
    AnalyticUnderTest test(StarTopology(4, "100Gbps", MicroSeconds(1)), settings);
    ASSERT_TRUE(test.transport->CanAllReduce(all));
    Message sum;
    sum.kind = MessageKind::ALL_REDUCE;
    sum.team = test.transport->AddTeam(all);
    sum.bytes = 1000000;
    sum.tag = 7;
    const auto send = [&](uint32_t rank) {
        sum.src = sum.dst = rank;
        test.transport->Send(sum);
    };
    send(0);
    send(3);
    send(1);
    EngineUnderTest::At(5000000, [&] { send(2); });
    test.Run();
    // All links at once from the last rank on, and the delays there and back.
    EXPECT_NEAR(test.GetArrivalNs(7), 5000 + 80000 + 2000, 0.001);
    EXPECT_EQ(test.happenings.size(), 4U + 4); // every rank hears both
    for (const RoutedLinkLoad& load : test.transport->GetLinkLoads())
    {
        EXPECT_EQ(load.payloadBytes, 1000000U);
        EXPECT_EQ(load.acks, 0U);
    }
    EXPECT_EQ(test.transport->GetVolume().deliveredBytes, 4000000U);
    EXPECT_EQ(test.transport->GetVolume().offloadedBytes, 4000000U);
}

TEST(FabricAnalyticTransport, SameResultsOnBothEngines)
{
    std::vector<uint64_t> fingerprints;
    for (const std::string engine : {"fabric", "default"})
    {
        std::mt19937 random(3);
        MessageRouterSettings settings;
        settings.ethernet = CaseFraming();
        settings.ethernet.ackBytes = 86;
        AnalyticUnderTest test(LoadTopology("fat-tree:k=4"), settings, engine);
        const uint32_t ranks = test.transport->GetRankCount();
        uint64_t tag = 0;
        test.onReceived = [&](const Message& message) {
            if (tag < 3000)
            {
                const uint32_t dst = (message.dst + 1 + random() % (ranks - 1)) % ranks;
                test.Send(message.dst, dst, random() % 100000, tag++, random() % 2);
            }
        };
        for (uint32_t rank = 0; rank < ranks; rank++)
        {
            test.Send(rank, (rank + 1) % ranks, random() % 100000, tag++);
        }
        test.Run();
        fingerprints.push_back(test.GetFingerprint());
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

TEST(FabricAnalyticTransport, EmptyMessageTakesTheDelays)
{
    AnalyticUnderTest test(Star(2));
    test.Send(0, 1, 0, 1);
    EXPECT_TRUE(test.happenings.empty()) << "never inside Send()";
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 2000);
}

} // namespace
