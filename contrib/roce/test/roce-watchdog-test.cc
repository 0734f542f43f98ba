/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/pfc-deadlock-detector.h"
#include "ns3/pfc.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** \ingroup tests \brief How watchdogs are set. */
struct WatchdogSetting
{
    bool on{true};           //!< or off
    Time detection;          //!< time
    Time restoration;        //!< time
    bool forward{false};     //!< or drop
    uint64_t bufferBytes{0}; //!< of every switch
};

/** \param setting of the watchdogs \return options of a network that has them */
RoceTestOptions
GetOptions(const WatchdogSetting& setting)
{
    RoceTestOptions options;
    options.gapBytes = 20;
    options.mtuBytes = 4096;
    options.configure = [setting](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(10)); // 4.19 ms
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(setting.bufferBytes));
        helper.SetSwitchAttribute("PfcWatchdog", BooleanValue(setting.on));
        helper.SetSwitchAttribute("PfcWatchdogDetectionTime", TimeValue(setting.detection));
        helper.SetSwitchAttribute("PfcWatchdogRestorationTime", TimeValue(setting.restoration));
        helper.SetSwitchAttribute("PfcWatchdogForward", BooleanValue(setting.forward));
    };
    return options;
}

/** \param network a network \return storms that its watchdogs found */
uint64_t
CountStorms(const RoceTestNetwork& network)
{
    uint64_t storms = 0;
    for (const auto& device : network.fabric.switches)
    {
        storms += device ? device->GetWatchdog().GetStorms().size() : 0;
    }
    return storms;
}

/** \param network a network \return frames that its watchdogs threw away */
uint64_t
CountDiscards(RoceTestNetwork& network)
{
    uint64_t discards = 0;
    for (const FabricPort* port : network.GetPorts())
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            discards += port->GetPriorityCounters(priority).watchdogDiscards;
        }
    }
    return discards;
}

/** \ingroup tests \brief Whether watchdogs forward. */
class RoceWatchdogRing : public testing::TestWithParam<bool>
{
};

INSTANTIATE_TEST_SUITE_P(Action, RoceWatchdogRing, testing::Bool());

TEST_P(RoceWatchdogRing, DeadlockIsBrokenAndRepairedByRetransmission)
{
    RoceTestNetwork network(
        SwitchRingTopology(5),
        GetOptions({true, MilliSeconds(1), MicroSeconds(300), GetParam(), 400000}));
    auto detector = CreateObject<PfcDeadlockDetector>();
    detector->Start(network.context, network.fabric.switches);
    for (uint32_t i = 0; i < 10; i++)
    {
        network.Send(i % 5, (i % 5 + 2) % 5, 200000 + 20000 * i, i / 5);
    }
    network.Run(); // every byte arrives, nothing is left
    EXPECT_FALSE(detector->HasFound());
    EXPECT_GT(CountStorms(network), 0U);
    EXPECT_EQ(CountDiscards(network), network.Counters().drops);
    EXPECT_EQ(CountDiscards(network) > 0, !GetParam()) << "headroom takes what is forwarded";
    EXPECT_EQ(network.Counters().retransmittedPackets > 0, !GetParam());
    const std::vector<std::string> lines = network.fabric.DescribeStorms();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("first switch0 port 1 class 3 at 1."), std::string::npos) << lines[0];
}

TEST(RoceWatchdog, CongestionIsNoStorm)
{
    RoceTestNetwork network(
        StarTopology(9, "100Gbps", MicroSeconds(1)),
        GetOptions({true, MicroSeconds(100), MicroSeconds(300), false, 2000000}));
    for (uint32_t host = 1; host < 9; host++)
    {
        network.Send(host, 0, 10000000);
    }
    network.Run();
    EXPECT_GT(network.Counters().pfcPauses, 100U);
    EXPECT_EQ(CountStorms(network), 0U);
    EXPECT_EQ(network.Counters().drops, 0U);
}

/** \ingroup tests \brief H08: A - S1 - S2 - {B, C}; B pauses without end from 1 ms on. */
class StormUnderTest
{
  public:
    static constexpr uint32_t A = 0; //!< sends to B and C
    static constexpr uint32_t B = 1; //!< pauses without end
    static constexpr uint32_t C = 2; //!< is well

    /** \param setting of the watchdogs */
    explicit StormUnderTest(const WatchdogSetting& setting)
        : network(GetTopology(), GetOptions(setting))
    {
        network.fabric.switches[4]->TraceConnectWithoutContext(
            "PfcStorm",
            Callback<void, uint32_t, uint32_t, bool>([this](uint32_t port, uint32_t, bool begins) {
                EXPECT_EQ(port, 1U) << "that of B";
                storms.emplace_back(Simulator::Now(), begins);
            }));
        network.Send(A, B, 1000000000);
        network.Send(A, C, 1000000000);
    }

    /** \param begin first PAUSE of B \param end last one */
    void Storm(Time begin, Time end)
    {
        for (Time at = begin; at < end; at += MicroSeconds(160))
        {
            Simulator::Schedule(at, [this] {
                Pfc::Send(network.fabric.nics[B]->GetPort(0), 3, 65535);
            });
        }
    }

    /** \param when a time \param bytes gets what C has received by then */
    void NoteReceived(Time when, uint64_t& bytes)
    {
        Simulator::Schedule(when, [this, &bytes] { bytes = network.GetReceivedBytes(A, C); });
    }

    RoceTestNetwork network;                   //!< the network
    std::vector<std::pair<Time, bool>> storms; //!< found and ended, by S2

  private:
    /** \return the network */
    static Topology GetTopology()
    {
        Topology topology = StarTopology(3, "100Gbps", MicroSeconds(1));
        topology.nodes.resize(5);
        topology.nodes[4].kind = TopologyNodeKind::SWITCH;
        topology.links[B].b = topology.links[C].b = 4;
        topology.links.push_back(topology.links[A]);
        topology.links.back().a = 3;
        topology.links.back().b = 4;
        std::swap(topology.links[0], topology.links[3]); // S2: port 0 to S1, 1 to B, 2 to C
        return topology;
    }
};

TEST(RoceWatchdog, H08StormReachesAVictimAndIsReported)
{
    StormUnderTest test({false, MilliSeconds(5), MilliSeconds(5), false, 2000000});
    auto detector = CreateObject<PfcDeadlockDetector>();
    detector->Start(test.network.context, test.network.fabric.switches);
    test.Storm(MilliSeconds(1), MilliSeconds(60));
    uint64_t early = 0;
    uint64_t late = 0;
    test.NoteReceived(MilliSeconds(1), early);
    test.NoteReceived(MicroSeconds(1000 + 320), late); // 2 MB drain in 160 us
    test.network.RunFor(MilliSeconds(50));
    EXPECT_EQ(Simulator::Now(), MilliSeconds(50)) << "not before and not never";
    EXPECT_FALSE(detector->HasFound());
    EXPECT_GT(early, 5000000U);
    EXPECT_EQ(test.network.GetReceivedBytes(0, 2), late) << "C gets no more";
    const std::vector<std::string> pauses = test.network.fabric.DescribePauses(16);
    ASSERT_EQ(pauses.size(), 3U);
    EXPECT_EQ(pauses[0].substr(0, pauses[0].find(", since")),
              "switch0 port 0 is still paused in class 3 by switch1");
    EXPECT_EQ(pauses[1].substr(0, pauses[1].find(" ms")),
              "switch1 port 1 is still paused in class 3 by gpu1, since 1.001");
    EXPECT_EQ(pauses[2].substr(0, pauses[2].find(", since")),
              "gpu0 port 0 is still paused in class 3 by switch0");
}

TEST(RoceWatchdog, H08WatchdogFreesTheVictim)
{
    StormUnderTest test({true, MilliSeconds(5), MilliSeconds(5), false, 2000000});
    test.Storm(MilliSeconds(1), MilliSeconds(20));
    uint64_t stuck = 0;
    uint64_t freed = 0;
    uint64_t later = 0;
    test.NoteReceived(MicroSeconds(5990), stuck);
    test.NoteReceived(MicroSeconds(6020), freed);
    test.NoteReceived(MicroSeconds(7020), later);
    test.network.RunFor(MilliSeconds(30));
    EXPECT_GT(freed, stuck) << "A to C runs again after 6 ms";
    EXPECT_GT(later - freed, 5000000U) << "at least half of the rate";
    ASSERT_EQ(test.storms.size(), 2U);
    // The PAUSE takes 84 bytes and 1 us, or waits for an ACK that had begun.
    EXPECT_GE(test.storms[0].first, MicroSeconds(6001));
    EXPECT_LT(test.storms[0].first, MicroSeconds(6002));
    EXPECT_TRUE(test.storms[0].second);
    // The last PAUSE leaves before 20 ms.
    EXPECT_FALSE(test.storms[1].second);
    EXPECT_GT(test.storms[1].first, MicroSeconds(20000 - 160 + 5000));
    EXPECT_LE(test.storms[1].first, MicroSeconds(20000 + 5002));
    RoceSwitchDevice& last = *test.network.fabric.switches[4];
    EXPECT_GT(last.GetPort(1).GetPriorityCounters(3).watchdogDiscards, 100U);
    EXPECT_EQ(last.GetPort(1).GetPriorityCounters(3).watchdogDiscards, CountDiscards(test.network));
    EXPECT_GT(test.network.GetReceivedBytes(0, 1), 12000000U) << "B hears A again in the end";
}

TEST(RoceWatchdog, H08ForwardingIsDeafToTheStorm)
{
    StormUnderTest test({true, MilliSeconds(5), MilliSeconds(5), true, 2000000});
    test.Storm(MilliSeconds(1), MilliSeconds(20));
    uint64_t before = 0;
    uint64_t after = 0;
    Simulator::Schedule(MicroSeconds(5990), [&] { before = test.network.GetReceivedBytes(0, 1); });
    Simulator::Schedule(MicroSeconds(8000), [&] { after = test.network.GetReceivedBytes(0, 1); });
    test.network.RunFor(MilliSeconds(30));
    EXPECT_GT(after, before + 5000000) << "B gets its frames, although it pauses";
    EXPECT_EQ(test.network.Counters().drops, 0U);
    ASSERT_EQ(test.storms.size(), 2U);
    const FabricPriorityCounters counters =
        test.network.fabric.switches[4]->GetPort(1).GetPriorityCounters(3);
    EXPECT_GT(counters.pausesReceived, 100U) << "they are counted";
    EXPECT_LT(counters.longestPauseTicks, 5001000000U);
}

TEST(RoceWatchdog, QueueThatFillsLaterIsFoundByTheNextPause)
{
    // B pauses from 0 on; its first frame comes at 3 ms.
    WatchdogSetting setting{true, MilliSeconds(2), MilliSeconds(1), false, 2000000};
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), GetOptions(setting));
    for (uint32_t i = 0; i < 50; i++)
    {
        Simulator::Schedule(MicroSeconds(160 * i),
                            [&] { Pfc::Send(network.fabric.nics[1]->GetPort(0), 3, 65535); });
    }
    Simulator::Schedule(MilliSeconds(3), [&] { network.Send(0, 1, 10000); });
    network.Run();
    const auto& storms = network.fabric.switches[2]->GetWatchdog().GetStorms();
    ASSERT_EQ(storms.size(), 1U);
    // The first PAUSE that finds the frames leaves at 19 * 160 us = 3.04 ms.
    EXPECT_NEAR(storms[0].begin, 3040e6 + 1e6, 1e5);
}

} // namespace
