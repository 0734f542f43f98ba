/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routed-transport-under-test.h"
#include "star-topology.h"

#include "ns3/config-error.h"
#include "ns3/flow-message-transport.h"
#include "ns3/scoped-defaults.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What is tested. */
using FlowUnderTest = RoutedTransportUnderTest<FlowMessageTransport>;

/** \param hosts number of hosts \return a star of 100 Gbps, 1 us */
Topology
Star(uint32_t hosts)
{
    return StarTopology(hosts, "100Gbps", MicroSeconds(1));
}

/** \return settings with the framing of the handed cases */
MessageRouterSettings
CaseSettings()
{
    MessageRouterSettings settings;
    settings.ethernet = CaseFraming();
    return settings;
}

TEST(FabricFlowTransport, APacketWaitsForLinksNotForDestinations)
{
    // Host 1 receives at a tenth of the rate: what goes there leaves host 0 all the same.
    Topology topology = StarTopology(3, "100Gbps", MicroSeconds(1));
    topology.links[1].rate = DataRate("10Gbps");
    FlowUnderTest test(topology);
    test.Send(0, 1, 4000, 1);
    test.Send(0, 2, 4000, 2);
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 3200 + 2000);
    EXPECT_NEAR(test.GetArrivalNs(2), 320 + 320 / 0.9 + 2000, 0.001); // host 1 keeps its tenth
}

TEST(FabricFlowTransport, PacketsShareWithLongMessages)
{
    FlowUnderTest test(StarTopology(4, "100Gbps", MicroSeconds(1)));
    test.Send(0, 1, 4000, 1); // 320 ns
    test.Send(0, 2, 4000, 2);
    Simulator::Schedule(NanoSeconds(80), [&test] { test.Send(0, 3, 1000000, 3); });
    test.Run();
    const double tick = 0.0015; // rates and ends are rounded
    EXPECT_NEAR(test.GetArrivalNs(1), 80 + 3 * 240 + 2000, tick);
    EXPECT_NEAR(test.GetArrivalNs(2), 80 + 3 * 240 + 2 * 80 + 2000, tick);
    EXPECT_NEAR(test.GetArrivalNs(3), 80640 + 2000, tick);
}

TEST(FabricFlowTransport, MessageAloneTakesItsBytesAndTheDelays)
{
    FlowUnderTest test(Star(2));
    test.Send(0, 1, 1000000, 1);
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 80000 + 2000);
    EXPECT_EQ(test.GetSentNs(1), 80000); // nothing is acknowledged
}

TEST(FabricFlowTransport, H01SingleFlow)
{
    for (const auto& [bytes, expectedNs] : {std::pair(1000000, 87044.96), {1000500, 87089.92}})
    {
        FlowUnderTest test(Star(2), CaseSettings());
        test.Send(0, 1, bytes, 1);
        test.Run();
        EXPECT_DOUBLE_EQ(test.GetArrivalNs(1), expectedNs);
        const Message message{0, 1, 0, static_cast<uint64_t>(bytes)};
        EXPECT_DOUBLE_EQ(test.transport->GetIdealTime(message).GetPicoSeconds() / 1e3, expectedNs);
    }
}

TEST(FabricFlowTransport, AcknowledgementComesBackOverTheSameLinks)
{
    MessageRouterSettings settings = CaseSettings();
    settings.ethernet.ackBytes = 100;
    FlowUnderTest test(Star(2), settings);
    test.Send(0, 1, 1000000, 1);
    test.Run();
    EXPECT_DOUBLE_EQ(test.GetArrivalNs(1), 87044.96) << "one way: nothing is in the way of data";
    EXPECT_DOUBLE_EQ(test.GetSentNs(1), 87044.96 + 2000 + 2 * 8);
}

TEST(FabricFlowTransport, FlowThatEndsFreesItsShare)
{
    // 1 MB and 3 MB to one host: 50 Gbps each until the small one has gone.
    FlowUnderTest test(Star(3));
    test.Send(1, 0, 1000000, 1);
    test.Send(2, 0, 3000000, 3);
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 160000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(3), 160000 + 160000 + 2000);
}

TEST(FabricFlowTransport, FlowThatComesTakesItsShare)
{
    FlowUnderTest test(Star(3));
    test.Send(1, 0, 2000000, 1);                                        // 160 us alone
    EngineUnderTest::At(40000000, [&] { test.Send(2, 0, 500000, 2); }); // 40 us alone
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(2), 40000 + 80000 + 2000);
    EXPECT_EQ(test.GetArrivalNs(1), 160000 + 40000 + 2000);
}

TEST(FabricFlowTransport, H02IncastFillsTheLastLink)
{
    FlowUnderTest test(Star(33), CaseSettings());
    for (uint32_t host = 1; host < 33; host++)
    {
        test.Send(host, 0, 1000000, host);
    }
    test.Run();
    for (uint32_t host = 1; host < 33; host++)
    {
        EXPECT_NEAR(test.GetArrivalNs(host), 2720804.96, 0.001);
    }
    const std::vector<RoutedLinkLoad> loads = test.transport->GetLinkLoads();
    EXPECT_EQ(loads[1].payloadBytes, 32000000U); // from the switch to host 0
    EXPECT_EQ(loads[1].wireBytes, 32U * 1062000);
    EXPECT_EQ(loads[1].packets, 32000U);
    EXPECT_EQ(loads[0].payloadBytes, 0U);
    EXPECT_EQ(loads[2].payloadBytes, 1000000U);
}

TEST(FabricFlowTransport, UnequalRatesShareMaxMinFairly)
{
    // Hosts of 100, 100 and 10 Gbps send to one of 100: 45, 45 and 10.
    Topology topology = Star(4);
    topology.links[3].rate = DataRate("10Gbps");
    FlowUnderTest test(topology);
    test.Send(1, 0, 4500000, 1);
    test.Send(2, 0, 4500000, 2);
    test.Send(3, 0, 1000000, 3);
    test.Run();
    for (uint64_t tag = 1; tag <= 3; tag++)
    {
        EXPECT_NEAR(test.GetArrivalNs(tag), 800000 + 2000, 0.001);
    }
}

TEST(FabricFlowTransport, MessagesOfAChannelGoOneAfterAnother)
{
    FlowUnderTest test(Star(2), CaseSettings());
    test.Send(0, 1, 1000000, 1);
    test.Send(0, 1, 1, 2); // does not overtake the last packet before it
    test.Send(0, 1, 0, 3);
    test.Send(0, 1, 1000000, 4, 9); // another channel: half of the link
    test.Run();
    std::vector<uint64_t> order;
    for (const auto& happening : test.happenings)
    {
        if (happening.received && happening.message.channel == 0)
        {
            order.push_back(happening.message.tag);
        }
    }
    EXPECT_EQ(order, (std::vector<uint64_t>{1, 2, 3}));
    EXPECT_NEAR(test.GetArrivalNs(1), 2 * 84960 + 84.96 + 2000, 0.001);
    EXPECT_GE(test.GetArrivalNs(2), test.GetArrivalNs(1));
    EXPECT_GE(test.GetArrivalNs(3), test.GetArrivalNs(2));
}

TEST(FabricFlowTransport, EmptyMessageTakesTheDelays)
{
    FlowUnderTest test(Star(2)); // without headers nothing is sent at all
    test.Send(0, 1, 0, 1);
    EXPECT_TRUE(test.happenings.empty()) << "never inside Send()";
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(1), 2000);
    EXPECT_EQ(test.GetSentNs(1), 0);
    FlowUnderTest framed(Star(2), CaseSettings());
    framed.Send(0, 1, 0, 1);
    framed.Run();
    EXPECT_DOUBLE_EQ(framed.GetArrivalNs(1), 2000 + 2 * 62 * 0.08);
}

TEST(FabricFlowTransport, BusyLaneHasNoDrift)
{
    // 1001 bytes take 26693 1/3 ps.
    FlowUnderTest test(StarTopology(2, "300Gbps", MicroSeconds(1)));
    constexpr uint64_t COUNT = 10000;
    for (uint64_t i = 0; i < COUNT; i++)
    {
        test.Send(0, 1, 1001, i);
    }
    test.Run();
    EXPECT_NEAR(test.GetSentNs(COUNT - 1), COUNT * 1001 * 8 / 300.0L, 0.001);
}

TEST(FabricFlowTransport, ChangingRatesHaveNoDrift)
{
    // A long message beside 10,000 short ones: as many bytes as the link carries in that time.
    FlowUnderTest test(Star(3));
    test.Send(1, 0, 100000000, 1);
    constexpr uint64_t COUNT = 10000;
    for (uint64_t i = 0; i < COUNT; i++)
    {
        EngineUnderTest::At(i * 499979, [&, i] { test.Send(2, 0, 1237, 100 + i); });
    }
    test.Run();
    EXPECT_NEAR(test.GetArrivalNs(1), (100000000 + COUNT * 1237) * 0.08 + 2000, 0.05);
}

TEST(FabricFlowTransport, PlanesOfNvswitchesAreUsedTogether)
{
    // H15: four planes of 1000, 800, 800 and 1000 Gbps carry what one of 3600 does.
    for (const std::vector<std::string>& planes :
         {std::vector<std::string>{"1000Gbps", "800Gbps", "800Gbps", "1000Gbps"}, {"3600Gbps"}})
    {
        FlowUnderTest test(NvswitchTopology(planes, 8, NanoSeconds(25)));
        for (uint32_t gpu = 0; gpu < 8; gpu++)
        {
            test.Send(gpu, (gpu + 1) % 8, 36000000, gpu);
        }
        test.Run();
        for (uint32_t gpu = 0; gpu < 8; gpu++)
        {
            EXPECT_NEAR(test.GetArrivalNs(gpu), 80000 + 50, 0.001);
        }
        const auto loads = test.transport->GetLinkLoads();
        uint64_t up = 0;
        for (uint32_t plane = 0; plane < planes.size(); plane++)
        {
            const RoutedLinkLoad& load = loads[2 * (8 * plane)]; // GPU 0
            EXPECT_NEAR(load.payloadBytes,
                        36000000.0 * DataRate(planes[plane]).GetBitRate() / 3600e9,
                        40);
            up += load.payloadBytes;
        }
        EXPECT_EQ(up, 36000000U);
    }
}

TEST(FabricFlowTransport, UnevenWiringUsesLinksInProportion)
{
    // GPU 1 has half a link to the second plane: a message to it goes 2:1.
    Topology topology = NvswitchTopology({"100Gbps", "100Gbps"}, 3, NanoSeconds(0));
    topology.links[4].rate = DataRate("50Gbps");
    FlowUnderTest test(topology);
    test.Send(0, 1, 1500000, 1);
    test.Send(2, 0, 2000000, 2);
    test.Run();
    EXPECT_NEAR(test.GetArrivalNs(1), 80000, 1);
    EXPECT_NEAR(test.GetArrivalNs(2), 80000, 1);
    const auto loads = test.transport->GetLinkLoads();
    EXPECT_NEAR(loads[0].payloadBytes, 1000000, 2);
    EXPECT_EQ(loads[0].payloadBytes + loads[6].payloadBytes, 1500000U);
}

TEST(FabricFlowTransport, SwitchesAddAndCopyWhereTheyOfferIt)
{
    const Topology topology = NvswitchTopology({"100Gbps", "100Gbps"}, 4, NanoSeconds(50));
    const std::vector<uint32_t> all{0, 1, 2, 3};
    FlowUnderTest without(topology);
    EXPECT_FALSE(without.transport->CanOffload(all));
    MessageRouterSettings settings;
    settings.offersOffload = [](const TopologyNode&) { return true; };
    FlowUnderTest test(topology, settings);
    ASSERT_TRUE(test.transport->CanOffload(all));
    Message sum;
    sum.kind = MessageKind::COMBINE;
    sum.team = test.transport->AddTeam(all);
    sum.dst = 2;
    sum.bytes = 1000000;
    sum.tag = 7;
    for (const uint32_t rank : {3, 0, 1})
    {
        sum.src = rank;
        test.transport->Send(sum);
    }
    EXPECT_EQ(test.transport->DescribePending().size(), 1U);
    EngineUnderTest::At(1000000, [&] {
        sum.src = 2; // the last one
        test.transport->Send(sum);
    });
    test.onReceived = [&](const Message& message) {
        if (message.kind == MessageKind::COMBINE)
        {
            EXPECT_EQ(message.src, 2U);
            Message copies = message;
            copies.kind = MessageKind::MULTICAST;
            copies.tag = 8;
            test.transport->Send(copies);
        }
    };
    test.Run();
    EXPECT_EQ(test.GetArrivalNs(7), 1000 + 40000 + 100);
    EXPECT_EQ(test.GetArrivalNs(8), 1000 + 2 * (40000 + 100));
    EXPECT_EQ(test.happenings.size(), 1U + 4 + 4 + 1); // sum, its parts, copies, their sender
    const auto loads = test.transport->GetLinkLoads();
    for (uint32_t link = 0; link < 8; link++)
    {
        const bool sink = link % 4 == 2;
        EXPECT_EQ(loads[2 * link].payloadBytes, sink ? 1000000U : 500000U) << link;
        EXPECT_EQ(loads[2 * link + 1].payloadBytes, sink ? 1000000U : 500000U) << link;
    }
}

TEST(FabricFlowTransport, NetworkSwitchesAddUpWhereTheyOfferIt)
{
    const std::vector<uint32_t> all{0, 1, 2, 3};
    EXPECT_FALSE(FlowUnderTest(Star(4)).transport->CanAllReduce(all));
    MessageRouterSettings settings = MessageRouterSettings();
    settings.addsUp = [](const TopologyNode&) { return true; };
    settings.ethernet.ackBytes = 86; // which what is added up has not
    FlowUnderTest test(Star(4), settings);
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
    EXPECT_NEAR(test.GetArrivalNs(7), 5000 + 80000 + 2000, 80000 * 0.0015);
    EXPECT_EQ(test.happenings.size(), 4U + 4); // every rank hears both
    for (const RoutedLinkLoad& load : test.transport->GetLinkLoads())
    {
        EXPECT_EQ(load.payloadBytes, 1000000U);
        EXPECT_EQ(load.acks, 0U);
    }
    EXPECT_EQ(test.transport->GetVolume().deliveredBytes, 4000000U);
    EXPECT_EQ(test.transport->GetVolume().offloadedBytes, 4000000U);
}

/**
 * Ranks of a fat tree that send on what they get, to others by chance.
 * \param engine the engine
 * \param sizes what messages may have, bytes
 * \return fingerprint of all that happened
 */
uint64_t
PassOnByChance(const std::string& engine, const std::vector<uint64_t>& sizes)
{
    std::mt19937 random(3);
    MessageRouterSettings settings = CaseSettings();
    settings.ethernet.ackBytes = 86;
    FlowUnderTest test(LoadTopology("fat-tree:k=4"), settings, engine);
    const uint32_t ranks = test.transport->GetRankCount();
    const auto getSize = [&] { return sizes[random() % sizes.size()]; };
    uint64_t tag = 0;
    test.onReceived = [&](const Message& message) {
        if (tag < 3000)
        {
            const uint32_t dst = (message.dst + 1 + random() % (ranks - 1)) % ranks;
            const uint64_t bytes = getSize();
            test.Send(message.dst, dst, bytes, tag++, random() % 2);
        }
    };
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        for (uint32_t i = 1; i < 4; i++)
        {
            test.Send(rank, (rank + i) % ranks, getSize(), tag++);
        }
    }
    test.Run();
    return test.GetFingerprint();
}

TEST(FabricFlowTransport, SameResultsOnBothEngines)
{
    std::vector<uint64_t> sizes(100000);
    std::iota(sizes.begin(), sizes.end(), 0);
    const uint64_t first = PassOnByChance("fabric", sizes);
    EXPECT_EQ(PassOnByChance("default", sizes), first);
    EXPECT_EQ(PassOnByChance("fabric", sizes), first);
}

TEST(FabricFlowTransport, SameResultsHoweverRatesAreFound)
{
    const std::vector<uint64_t> sizes{20000, 60000}; // many end together
    const uint64_t usual = PassOnByChance("fabric", sizes);
    for (const uint32_t mostFilled : {0U, 5U, std::numeric_limits<uint32_t>::max()})
    {
        ScopedDefaults defaults;
        defaults.Set("ns3::FlowMessageTransport::MostFilled", UintegerValue(mostFilled));
        EXPECT_EQ(PassOnByChance("fabric", sizes), usual) << mostFilled;
    }
}

TEST(FabricFlowTransport, StuckMessagesAreNamed)
{
    FlowUnderTest test(Star(3));
    test.Send(1, 0, 1000000, 1);
    test.Send(1, 0, 5, 2);
    test.Send(2, 0, 1000000, 3);
    Simulator::Stop(MicroSeconds(80));
    Simulator::Run();
    const std::vector<std::string> lines = test.transport->DescribePending();
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0],
              "Ethernet: rank 1 to rank 0 channel 0: 1000000 bytes since 0 ns, 500000 sent");
    EXPECT_EQ(lines[1],
              "Ethernet: rank 1 to rank 0 channel 0: 5 bytes since 0 ns, waits for the one before");
    EXPECT_EQ(test.transport->FindLostBytes(false), "");
    EXPECT_NE(test.transport->FindLostBytes(true), "");
    EXPECT_EQ(test.transport->GetLinkLoads()[1].payloadBytes, 1000000U); // half of each
}

TEST(FabricFlowTransport, OfManyStuckMessagesTheFirstAreNamed)
{
    FlowUnderTest test(Star(20));
    for (uint32_t rank = 1; rank < 20; rank++)
    {
        for (uint64_t i = 0; i < 20; i++)
        {
            test.Send(rank, 0, 1000000, i);
        }
    }
    Simulator::Stop(MicroSeconds(1));
    Simulator::Run();
    const std::vector<std::string> lines = test.transport->DescribePending();
    ASSERT_EQ(lines.size(), 17U);
    EXPECT_EQ(lines[15],
              "Ethernet: rank 1 to rank 0 channel 0: 1000000 bytes since 0 ns, waits for the one "
              "before");
    EXPECT_EQ(lines[16], "and 364 more messages over Ethernet");
}

TEST(FabricFlowTransport, LostMessagesOfTeamsAreCalledSo)
{
    const std::pair<MessageKind, std::string> cases[] = {
        {MessageKind::COMBINE, "of 1 messages from its team to rank 2 on channel 5 "},
        {MessageKind::MULTICAST, "of 1 messages from rank 1 to its team on channel 5 "},
        {MessageKind::ALL_REDUCE,
         "of 1 messages from its team to its team, with rank 2 on channel 5 "}};
    for (const auto& [kind, text] : cases)
    {
        const bool isOutside = kind == MessageKind::ALL_REDUCE;
        MessageRouterSettings settings;
        settings.addsUp = settings.offersOffload = [](const TopologyNode&) { return true; };
        FlowUnderTest test(isOutside ? Star(3) : NvswitchTopology({"100Gbps"}, 3, NanoSeconds(50)),
                           settings);
        Message message;
        message.kind = kind;
        message.team = test.transport->AddTeam({0, 1, 2});
        message.src = isOutside ? 2 : 1;
        message.dst = 2;
        message.channel = 5;
        message.bytes = 1000;
        test.transport->Send(message);
        const std::string lost = test.transport->FindLostBytes(true);
        EXPECT_EQ(lost.substr(0, text.size()), text);
    }
}

TEST(FabricFlowTransport, LinksThatLoseFramesAreRefused)
{
    Topology topology = Star(2);
    topology.links[1].lossRate = 0.001;
    EXPECT_THROW(FlowUnderTest{topology}, ConfigError);
    topology.links[1].lossRate = 0;
    topology.links[1].bitErrorRate = 1e-12;
    EXPECT_THROW(FlowUnderTest{topology}, ConfigError);
}

} // namespace
