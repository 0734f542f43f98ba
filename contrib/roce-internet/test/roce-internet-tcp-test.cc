/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dynamic-queue-limits.h"
#include "ns3/queue-disc.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/**
 * \param rateBps of the link
 * \param payloadBytes of a TCP segment
 * \return goodput of full segments with time stamps, bit/s: every one takes 12 bytes of options, 20
 * of TCP, 20 of IPv4, 14 of Ethernet, 4 of its check sequence, 8 of preamble and 12 of gap
 */
double
GetGoodput(double rateBps, double payloadBytes)
{
    return rateBps * payloadBytes / (payloadBytes + 12 + 20 + 20 + 14 + 4 + 8 + 12);
}

/** \param most the most so far \param now packets in a queue */
void
NoteMost(uint32_t* most, uint32_t, uint32_t now)
{
    *most = std::max(*most, now);
}

} // namespace

TEST(RoceInternetTcp, BulkTransferReachesTheRateThatHeadersLeave)
{
    RoceInternetTestNetwork network(2);
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 0);
    network.RunFor(MilliSeconds(5)); // slow start is over
    const uint64_t before = sink->GetTotalRx();
    network.RunFor(MilliSeconds(5));
    const double goodput = 8.0 * static_cast<double>(sink->GetTotalRx() - before) / 0.005;
    EXPECT_NEAR(goodput / GetGoodput(10e9, 1448), 1, 0.001);
}

TEST(RoceInternetTcp, EveryByteArrivesAndEveryFrameIsAccountedFor)
{
    RoceInternetTestNetwork network(2);
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 10000000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 10000000U);
    network.ExpectNothingLost();
}

TEST(RoceInternetTcp, LossesAreRepairedAndCounted)
{
    RoceInternetTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(300000));
        helper.SetSwitchAttribute("Pfc", BooleanValue(false));
    };
    RoceInternetTestNetwork network(4, options);
    std::vector<Ptr<PacketSink>> sinks;
    for (uint16_t src = 1; src < 4; src++)
    {
        sinks.push_back(network.SendTcp(src, 0, 3000000, 5000 + src));
    }
    Simulator::Run();
    for (const auto& sink : sinks)
    {
        EXPECT_EQ(sink->GetTotalRx(), 3000000U);
    }
    const uint64_t drops = network.GetPortTo(0).GetPriorityCounters(0).drops;
    EXPECT_GT(drops, 0U);
    EXPECT_EQ(drops, network.context->counters.drops);
    network.ExpectNothingLost();
}

TEST(RoceInternetTcp, DctcpKeepsTheQueueAtTheMarkingThreshold)
{
    RoceInternetTestOptions options;
    options.tcp = "ns3::TcpDctcp";
    options.ecn = true;
    // 65 packets at 10 Gb/s: Alizadeh et al., SIGCOMM 2010, section 3.4
    static constexpr uint64_t K = 65 * 1500;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(K));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(K));
        helper.SetSwitchAttribute("EcnReferenceRate", DataRateValue(DataRate(0)));
    };
    RoceInternetTestNetwork network(3, options);
    const std::vector<Ptr<PacketSink>> sinks{network.SendTcp(1, 0, 0, 5001),
                                             network.SendTcp(2, 0, 0, 5002)};
    network.RunFor(MilliSeconds(5));
    const uint64_t before = sinks[0]->GetTotalRx() + sinks[1]->GetTotalRx();
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    for (uint32_t i = 0; i < 500; i++)
    {
        network.RunFor(MicroSeconds(10));
        network.GetPortTo(0).Advance(EngineUnderTest::Now());
        least = std::min(least, network.GetPortTo(0).GetQueueBytes(0));
        most = std::max(most, network.GetPortTo(0).GetQueueBytes(0));
    }
    const uint64_t after = sinks[0]->GetTotalRx() + sinks[1]->GetTotalRx();
    const double goodput = 8.0 * static_cast<double>(after - before) / 0.005;
    EXPECT_NEAR(goodput / GetGoodput(10e9, 1448), 1, 0.01);
    EXPECT_GT(least, 0U);
    EXPECT_GT(most, K);
    EXPECT_LT(most, K + K / 2);
    EXPECT_GT(network.GetPortTo(0).GetPriorityCounters(0).marks, 0U);
    EXPECT_EQ(network.context->counters.drops, 0U);
}

TEST(RoceInternetTcp, WithoutEcnNothingIsMarked)
{
    RoceInternetTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(0));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(0));
    };
    RoceInternetTestNetwork network(3, options);
    network.SendTcp(1, 0, 1000000, 5001);
    network.SendTcp(2, 0, 1000000, 5002);
    Simulator::Run();
    EXPECT_GT(network.GetPortTo(0).GetPriorityCounters(0).maxQueueBytes, 100000U);
    EXPECT_EQ(network.GetPortTo(0).GetPriorityCounters(0).marks, 0U);
}

TEST(RoceInternetTcp, TheQueueDiscIsStoppedAndNothingIsLostAtTheDevice)
{
    RoceInternetTestOptions options;
    options.configureIp = [](RoceInternetHelper& helper) {
        helper.SetDeviceAttribute("TxQueueSize", QueueSizeValue(QueueSize("4p")));
    };
    RoceInternetTestNetwork network(2, options);
    const Ptr<QueueDisc> disc =
        network.GetNode(0)->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(
            network.devices.Get(0));
    ASSERT_TRUE(disc);
    uint32_t most = 0;
    disc->TraceConnectWithoutContext("PacketsInQueue", MakeBoundCallback(&NoteMost, &most));
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 5000000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 5000000U);
    EXPECT_GT(most, 50U);
    EXPECT_EQ(disc->GetStats().nTotalDroppedPackets, 0U);
    EXPECT_EQ(network.GetDevice(0).GetDrops(RoceEthernetDrop::QUEUE_FULL), 0U);
    network.ExpectNothingLost();
}

TEST(RoceInternetTcp, QueueLimitsHearWhatLeft)
{
    RoceInternetTestNetwork network(2);
    const Ptr<NetDeviceQueue> queue =
        network.devices.Get(0)->GetObject<NetDeviceQueueInterface>()->GetTxQueue(0);
    queue->SetQueueLimits(CreateObject<DynamicQueueLimits>());
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 2000000);
    Simulator::Run();
    EXPECT_EQ(sink->GetTotalRx(), 2000000U) << "a queue that hears nothing stays shut";
    EXPECT_FALSE(queue->IsStopped());
}

TEST(RoceInternetTcp, BothEnginesAndTwoRunsAgree)
{
    std::vector<uint64_t> fingerprints;
    for (const std::string engine : {"fabric", "fabric", "default"})
    {
        RoceInternetTestOptions options;
        options.engine = engine;
        options.configure = [](RoceHelper& helper) {
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(300000));
        };
        RoceInternetTestNetwork network(4, options);
        for (uint16_t src = 1; src < 4; src++)
        {
            network.SendTcp(src, 0, 1000000, 5000 + src);
        }
        network.RunFor(MicroSeconds(400));
        for (uint32_t src = 1; src < 4; src++)
        {
            network.SendRdma(src, 0, 500000);
        }
        Simulator::Run();
        EXPECT_GT(network.context->counters.drops, 0U);
        EXPECT_EQ(network.context->counters.payloadBytesDelivered, 1500000U);
        network.ExpectNothingLost();
        fingerprints.push_back(network.context->GetFingerprint());
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
    EXPECT_EQ(fingerprints[0], fingerprints[2]);
}

} // namespace ns3
