/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"
#include "roce-test-network.h"

#include "ns3/config.h"
#include "ns3/roce-psn.h"
#include "ns3/selective-repeat-loss-recovery.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <map>
#include <random>

/**
 * \file
 * Loss recoveries against closed forms, chosen losses, reordering, and random everything.
 */

using namespace ns3;

namespace
{

constexpr const char* GO_BACK_N = "ns3::GoBackNLossRecovery";
constexpr const char* SELECTIVE = "ns3::SelectiveRepeatLossRecovery";

/** \ingroup tests \brief A reorder window for what is created in its scope. */
class ReorderScope
{
  public:
    /** \param packets the window */
    explicit ReorderScope(uint32_t packets)
    {
        Config::SetDefault("ns3::LossRecovery::ReorderWindow", UintegerValue(packets));
    }

    ReorderScope(const ReorderScope&) = delete;
    ReorderScope& operator=(const ReorderScope&) = delete;

    ~ReorderScope()
    {
        Config::SetDefault("ns3::LossRecovery::ReorderWindow", UintegerValue(0));
    }
};

/** \ingroup tests \brief A row of roce.md 1.10. */
struct GoodputCase
{
    const char* recovery; //!< TypeId name
    uint64_t rateBps;     //!< of both links
    uint32_t window;      //!< W: packets sent between a loss and the return to it
    double loss;          //!< p
    uint64_t packets;     //!< to be delivered
    double expected;      //!< goodput

    /** \param bytes bytes on a link \return their serialisation, ticks */
    uint64_t Ser(uint64_t bytes) const
    {
        return bytes * 8 * 1000000 / (rateBps / 1000000);
    }
};

/** \ingroup tests \brief Goodput with losses at random, by kind. */
class RoceLossRecoveryGoodput : public testing::TestWithParam<GoodputCase>
{
};

/**
 * Go-back-N: (1 - p) / (1 - p + p W). The tolerance of 3 % covers the lost retransmissions, p of all
 * losses, each of which costs a timeout of 16.4 us instead of a round trip of 10 us, and twice the
 * standard deviation of the number of losses. Selective repeat: 1 - p.
 */
TEST_P(RoceLossRecoveryGoodput, IsThatOfTheClosedForm)
{
    constexpr uint32_t MTU = 1044; // 1106 bytes on the wire
    const GoodputCase& c = GetParam();
    NicOptions options;
    options.mtuBytes = MTU;
    options.ackTimeout = 2;
    options.lossRecovery = c.recovery;
    options.rateBps = c.rateBps;
    // The packet behind the lost one gives the NAK: its round trip is that of W - 1 packets.
    options.delay = ((c.window - 1) * c.Ser(1106) - 2 * c.Ser(1106) - 2 * c.Ser(66)) / 4;
    NicUnderTest test(options);
    test.wire->writesDown = false;
    std::mt19937 random(1);
    std::bernoulli_distribution lost(c.loss);
    test.wire->drop = [&](FabricPacket&, uint32_t from) { return from == 0 && lost(random); };
    test.Post(c.packets * MTU, RoceVerb::WRITE);
    test.Post(10 * c.window * MTU, RoceVerb::WRITE); // the end of the first one is not the end
    test.Run();
    ASSERT_EQ(test.receiver.arrived.size(), 2U);
    const uint64_t ticks = test.receiver.arrived[0].when - 2 * options.delay - c.Ser(1106);
    const double goodput = static_cast<double>(c.packets * c.Ser(1106)) / ticks;
    EXPECT_NEAR(goodput / c.expected, 1, 0.03);
    RecordProperty("goodput", std::to_string(goodput));
}

INSTANTIATE_TEST_SUITE_P(
    Table,
    RoceLossRecoveryGoodput,
    testing::Values(GoodputCase{GO_BACK_N, 100000000000, 113, 1e-4, 400000, 0.989},
                    GoodputCase{GO_BACK_N, 100000000000, 113, 1e-3, 400000, 0.898},
                    GoodputCase{GO_BACK_N, 100000000000, 113, 1e-2, 400000, 0.467},
                    GoodputCase{GO_BACK_N, 400000000000, 452, 1e-4, 400000, 0.957},
                    GoodputCase{GO_BACK_N, 400000000000, 452, 1e-3, 400000, 0.689},
                    GoodputCase{GO_BACK_N, 400000000000, 452, 1e-2, 400000, 0.180},
                    GoodputCase{SELECTIVE, 100000000000, 113, 1e-4, 400000, 0.9999},
                    GoodputCase{SELECTIVE, 100000000000, 113, 1e-2, 400000, 0.99},
                    GoodputCase{SELECTIVE, 400000000000, 452, 1e-2, 400000, 0.99},
                    GoodputCase{SELECTIVE, 400000000000, 452, 1e-1, 200000, 0.9}));

/** \ingroup tests \brief Every loss recovery, by TypeId name. */
class RoceLossRecoveryKinds : public testing::TestWithParam<const char*>
{
  protected:
    /** \param firstPsn number of the first packet \return options */
    static NicOptions Options(uint64_t firstPsn = 0)
    {
        NicOptions options;
        options.lossRecovery = GetParam();
        options.firstPsn = firstPsn;
        return options;
    }

    /** Takes the n-th transmission of some packets away: number to how many. */
    static void DropFirst(NicUnderTest& test, std::map<uint32_t, int> plan)
    {
        test.wire->drop = [plan](FabricPacket& packet, uint32_t from) mutable {
            return from == 0 && plan.count(packet.psn) && plan[packet.psn]-- > 0;
        };
    }
};

INSTANTIATE_TEST_SUITE_P(Kinds, RoceLossRecoveryKinds, testing::Values(GO_BACK_N, SELECTIVE));

TEST_P(RoceLossRecoveryKinds, RepairsALossAtOnce)
{
    NicUnderTest test(Options());
    DropFirst(test, {{5, 1}});
    test.Post(100000);
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.sender.acknowledged.size(), 1U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 100000U);
    const bool selective = GetParam() == std::string(SELECTIVE);
    EXPECT_EQ(test.context->counters.retransmittedPackets == 1, selective);
}

TEST_P(RoceLossRecoveryKinds, RepairsTheLossOfTheVeryFirstPacket)
{
    // The answers speak of the packet before it, which there never was.
    for (const uint64_t firstPsn : {uint64_t{0}, uint64_t{1}, (uint64_t{1} << 24) - 1})
    {
        SCOPED_TRACE(firstPsn);
        NicOptions options = Options();
        options.firstPsn = firstPsn;
        NicUnderTest test(options);
        DropFirst(test, {{WirePsn(firstPsn), 1}});
        test.Post(100000);
        test.Run();
        EXPECT_EQ(test.sender.acknowledged.size(), 1U);
        EXPECT_EQ(test.context->counters.timeouts, 0U);
        EXPECT_EQ(test.context->counters.payloadBytesDelivered, 100000U);
        const bool selective = GetParam() == std::string(SELECTIVE);
        EXPECT_EQ(test.context->counters.retransmittedPackets == 1, selective);
    }
}

TEST_P(RoceLossRecoveryKinds, LostRetransmissionsAreSentAgain)
{
    NicUnderTest test(Options());
    DropFirst(test, {{5, 4}, {6, 2}, {50, 1}});
    test.Post(1000000);
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 1000000U);
    if (GetParam() == std::string(SELECTIVE))
    {
        EXPECT_EQ(test.context->counters.timeouts, 0U) << "later packets tell of every loss";
        EXPECT_EQ(test.context->counters.retransmittedPackets, 7U);
    }
    else
    {
        EXPECT_EQ(test.context->counters.timeouts, 3U) << "a gap is reported once";
    }
}

TEST_P(RoceLossRecoveryKinds, LostAcknowledgementsAreSentAgain)
{
    for (const uint32_t interval : {1U, 8U, 1000U})
    {
        NicOptions options = Options();
        options.ackInterval = interval;
        NicUnderTest test(options);
        test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
            const uint64_t timeouts = test.context->counters.timeouts;
            return from == 1 ? timeouts < 2 : packet.psn == 7 && timeouts < 1;
        };
        test.Post(20000);
        test.Run();
        EXPECT_EQ(test.receiver.arrived.size(), 1U) << interval;
        EXPECT_EQ(test.sender.acknowledged.size(), 1U) << interval;
        EXPECT_EQ(test.context->counters.payloadBytesDelivered, 20000U);
        EXPECT_EQ(test.context->counters.timeouts, 2U);
    }
}

TEST_P(RoceLossRecoveryKinds, NumbersWrapWhilePacketsAreLost)
{
    NicUnderTest test(Options(PSN_COUNT - 100));
    DropFirst(test, {{PSN_COUNT - 3, 1}, {PSN_COUNT - 1, 1}, {0, 1}, {1, 2}, {70, 1}});
    test.Post(90000);
    test.Post(40000);
    test.Post(150000);
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 3U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 280000U);
}

TEST_P(RoceLossRecoveryKinds, GivesUpWhenNothingGetsThrough)
{
    NicUnderTest test(Options());
    test.wire->drop = [](FabricPacket&, uint32_t from) { return from == 0; };
    test.Post(20000);
    test.Run();
    EXPECT_EQ(test.sender.failed.size(), 1U);
    EXPECT_EQ(test.sender.lost.size(), 1U);
    EXPECT_EQ(test.context->counters.timeouts, 8U);
}

TEST_P(RoceLossRecoveryKinds, ReorderingWithinTheWindowIsNoLoss)
{
    const ReorderScope scope(16);
    for (const uint32_t interval : {1U, 5U, 100U})
    {
        NicOptions options = Options(PSN_COUNT - 100);
        options.ackInterval = interval;
        NicUnderTest test(options);
        std::mt19937 random(interval);
        test.wire->hold = [&](const FabricPacket&) { return random() % (15 * test.Ser(1062)); };
        for (int i = 0; i < 20; i++)
        {
            test.Post(1000 * (random() % 40), RoceVerb::WRITE, i);
        }
        test.Run();
        ASSERT_EQ(test.receiver.arrived.size(), 20U);
        for (uint64_t i = 0; i < 20; i++)
        {
            EXPECT_EQ(test.receiver.arrived[i].completion.cookie, i) << "in the order of posting";
        }
        EXPECT_EQ(test.context->counters.retransmittedPackets, 0U);
        EXPECT_EQ(test.context->counters.naks, 0U);
        EXPECT_EQ(test.context->counters.timeouts, 0U);
    }
}

TEST_P(RoceLossRecoveryKinds, ALossIsFoundBeyondTheReorderWindow)
{
    const ReorderScope scope(16);
    NicUnderTest test(Options());
    DropFirst(test, {{20, 1}});
    test.Post(200000);
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
    const auto data = test.Data();
    const auto again = std::find_if(data.begin() + 21, data.end(), [](const auto& frame) {
        return frame.psn == 20;
    });
    ASSERT_NE(again, data.end());
    // Packet 37 is the first one beyond the window; its answer brings number 20 back.
    const uint64_t roundTrip = 2 * test.Ser(1062) + 4 * 500000;
    EXPECT_GE(again->when - data[37].when, roundTrip);
    EXPECT_LE(again->when - data[37].when, roundTrip + 2 * test.Ser(1062));
}

TEST_P(RoceLossRecoveryKinds, SprayingOverFourPathsCostsNothing)
{
    // Of the longest path; the cap that is computed is that of the shortest.
    Config::SetDefault("ns3::SelectiveRepeatLossRecovery::BdpCapBytes", UintegerValue(300000));
    for (const bool tolerant : {true, false})
    {
        const ReorderScope scope(tolerant ? 64 : 0);
        RoceTestOptions options;
        options.mtuBytes = 4096;
        options.write = true;
        options.gapBytes = 20;
        options.loadBalancer = "ns3::SprayLoadBalancer";
        options.configure = [](RoceHelper& helper) {
            helper.SetNicAttribute("LossRecovery", TypeIdValue(TypeId::LookupByName(GetParam())));
            helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6));
        };
        Topology topology = LeafPairTopology(2, 4, "100Gbps", MicroSeconds(1));
        for (TopologyLink& link : topology.links)
        {
            const uint32_t spine = std::max(link.a, link.b) - 6;
            link.delay += spine < 4 ? NanoSeconds(700) * spine : Time(0); // unequal paths
        }
        RoceTestNetwork network(topology, options);
        for (uint32_t host = 0; host < 2; host++)
        {
            network.Send(host, host + 2, 10000000);
        }
        network.Run();
        EXPECT_EQ(network.Counters().retransmittedPackets == 0, tolerant) << "paths do differ";
        if (tolerant)
        {
            const double ideal = 10000000 * 8 / (100000 * 0.98037); // us
            EXPECT_EQ(network.Counters().naks, 0U);
            EXPECT_EQ(network.Counters().timeouts, 0U);
            EXPECT_LT(network.GetLastReceived().GetDouble() / 1e6, ideal + 15);
        }
    }
    Config::SetDefault("ns3::SelectiveRepeatLossRecovery::BdpCapBytes", UintegerValue(0));
}

TEST_P(RoceLossRecoveryKinds, DuplicatesAreAcknowledgedAgain)
{
    const ReorderScope scope(8);
    ObjectFactory factory(GetParam());
    const auto recovery = factory.Create<LossRecovery>();
    EXPECT_EQ(recovery->Accept(4, true, 10).kind, ArrivalKind::DUPLICATE);
    EXPECT_EQ(recovery->Accept(4, true, 10).answer, ArrivalAnswer::ACK);
    EXPECT_EQ(recovery->Accept(12, false, 10).kind, ArrivalKind::BUFFERED);
    EXPECT_EQ(recovery->Accept(12, true, 10).kind, ArrivalKind::DUPLICATE);
    EXPECT_NE(recovery->Accept(12, true, 10).answer, ArrivalAnswer::NONE);
    EXPECT_EQ(recovery->Accept(11, true, 10).kind, ArrivalKind::BUFFERED);
    const Arrival filled = recovery->Accept(10, false, 10);
    EXPECT_EQ(filled.kind, ArrivalKind::IN_ORDER);
    EXPECT_EQ(filled.expected, 13U);
    EXPECT_EQ(filled.answer, ArrivalAnswer::ACK) << "one that was kept asked for it";
    EXPECT_FALSE(recovery->IsHolding());
}

/** \ingroup tests \brief What a random run told. */
struct RandomRun
{
    std::vector<std::pair<uint64_t, uint64_t>> arrived; //!< when, ticks, and cookie
    std::vector<uint64_t> sent;                         //!< bytes, by cookie
    uint64_t acknowledged{0};                           //!< messages
    uint64_t delivered{0};                              //!< bytes
};

/** \param kind TypeId name \param seed of all choices \return a run with losses and reordering */
RandomRun
PlayRandomly(const char* kind, uint32_t seed)
{
    std::mt19937 random(seed);
    const ReorderScope scope(random() % 2 ? random() % 40 : 0);
    NicOptions options;
    options.lossRecovery = kind;
    options.ackInterval = 1 + random() % 12;
    options.firstPsn = random() % 2 ? PSN_COUNT - random() % 300 : 0;
    NicUnderTest test(options);
    const uint32_t lossPercent = random() % 4 ? random() % 12 : 0;
    const uint64_t spread = random() % 3 ? 1 + random() % 3000000 : 1;
    test.wire->writesDown = false;
    test.wire->drop = [&](FabricPacket&, uint32_t) { return random() % 100 < lossPercent; };
    test.wire->hold = [&](const FabricPacket&) { return random() % spread; };
    RandomRun run;
    for (uint64_t cookie = 0; cookie < 40; cookie++)
    {
        run.sent.push_back(random() % 5 ? random() % 30000 : 0);
        EngineUnderTest::At(random() % 100000000, [&test, &run, cookie]() {
            test.Post(run.sent[cookie], RoceVerb::WRITE, cookie);
        });
    }
    test.Run();
    EXPECT_TRUE(test.sender.failed.empty());
    for (const NotedCompletion& noted : test.receiver.arrived)
    {
        run.arrived.emplace_back(noted.when, noted.completion.cookie);
        EXPECT_EQ(noted.completion.bytes, run.sent[noted.completion.cookie]);
    }
    run.acknowledged = test.sender.acknowledged.size();
    run.delivered = test.context->counters.payloadBytesDelivered;
    return run;
}

TEST_P(RoceLossRecoveryKinds, RandomLossesAndReorderingHarmNoMessage)
{
    for (uint32_t seed = 1; seed <= 60; seed++)
    {
        SCOPED_TRACE(seed);
        const RandomRun run = PlayRandomly(GetParam(), seed);
        std::vector<uint64_t> cookies;
        uint64_t bytes = 0;
        for (const auto& [when, cookie] : run.arrived)
        {
            cookies.push_back(cookie);
            bytes += run.sent[cookie];
        }
        std::sort(cookies.begin(), cookies.end());
        ASSERT_EQ(cookies.size(), 40U);
        EXPECT_EQ(std::unique(cookies.begin(), cookies.end()), cookies.end()) << "each once";
        EXPECT_EQ(run.acknowledged, 40U);
        EXPECT_EQ(run.delivered, bytes);
        EXPECT_EQ(PlayRandomly(GetParam(), seed).arrived, run.arrived) << "runs repeat";
    }
}

TEST(RoceLossRecovery, EveryKindRepairs)
{
    const auto types = TypeCatalogue(LossRecovery::GetTypeId()).GetTypes();
    EXPECT_GE(types.size(), 2U);
    for (const TypeId& type : types)
    {
        NicOptions options;
        options.lossRecovery = type.GetName();
        NicUnderTest test(options);
        uint32_t count = 0;
        test.wire->drop = [&](FabricPacket&, uint32_t) { return ++count % 10 == 0; };
        test.Post(300000);
        test.Run();
        EXPECT_EQ(test.receiver.arrived.size(), 1U) << type.GetName();
        EXPECT_EQ(test.context->counters.payloadBytesDelivered, 300000U) << type.GetName();
    }
}

TEST(RoceLossRecovery, QueuePairsKeepTheKindTheyWereCreatedWith)
{
    NicUnderTest test;
    RoceQueuePair& before = test.Qp();
    test.nic->SetAttribute("LossRecovery", TypeIdValue(TypeId::LookupByName(SELECTIVE)));
    RoceQueuePair& after = test.AddQueuePair();
    EXPECT_EQ(before.settings.lossRecovery.GetName(), GO_BACK_N);
    EXPECT_EQ(after.settings.lossRecovery.GetName(), SELECTIVE);
}

TEST(RoceSelectiveRepeat, CapIsTheBandwidthDelayProduct)
{
    LossRecoveryStart start;
    start.ticksPerSecond = 1000000000000;
    start.lineRateBps = 40000000000;
    start.packetWireBytes = 1000;
    start.baseRtt = 24000000; // 24 us: 120 KB
    const auto recovery = CreateObject<SelectiveRepeatLossRecovery>();
    recovery->Start(start);
    EXPECT_EQ(recovery->GetMaxOutstanding(), 120U);
    recovery->SetAttribute("BdpCapBytes", UintegerValue(2001));
    recovery->Start(start);
    EXPECT_EQ(recovery->GetMaxOutstanding(), 3U);
    start.baseRtt = 0;
    const auto unknown = CreateObject<SelectiveRepeatLossRecovery>();
    unknown->Start(start);
    EXPECT_GT(unknown->GetMaxOutstanding(), PSN_COUNT);
}

TEST(RoceSelectiveRepeat, NoMoreThanTheCapIsOutstanding)
{
    NicOptions options;
    options.lossRecovery = SELECTIVE;
    NicUnderTest test(options);
    Config::SetDefault("ns3::SelectiveRepeatLossRecovery::BdpCapBytes", UintegerValue(10 * 1062));
    uint32_t acked = 0;
    uint32_t most = 0;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        acked = from == 1 ? std::max(acked, packet.psn + 1) : acked;
        most = from == 0 ? std::max(most, packet.psn + 1 - acked) : most;
        return false;
    };
    test.Post(200000);
    Config::SetDefault("ns3::SelectiveRepeatLossRecovery::BdpCapBytes", UintegerValue(0));
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(most, 10U);
}

TEST(RoceSelectiveRepeat, TimeoutDependsOnWhatIsOutstandingAndDoubles)
{
    for (const uint64_t packets : {1, 2, 3, 20})
    {
        NicOptions options;
        options.lossRecovery = SELECTIVE;
        NicUnderTest test(options);
        uint64_t left = 3 * packets; // the first three times
        test.wire->drop = [&](FabricPacket&, uint32_t from) {
            return from == 0 && left > 0 && left--;
        };
        test.Post(packets * 1000);
        test.Run();
        const auto data = test.Data();
        ASSERT_EQ(data.size(), 4 * packets);
        const uint64_t rto = packets < 3 ? 100000000 : 320000000;
        EXPECT_EQ(data[packets].when - data[0].when, rto);
        EXPECT_EQ(data[2 * packets].when - data[packets].when, 2 * rto);
        EXPECT_EQ(data[3 * packets].when - data[2 * packets].when, 4 * rto);
        EXPECT_EQ(test.receiver.arrived.size(), 1U);
    }
}

} // namespace
