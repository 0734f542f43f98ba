/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/boolean.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/**
 * \param bytes bytes on a link
 * \param gbps its rate, Gbit/s
 * \return time that they take, ps, rounded down
 */
int64_t
LinkPs(uint64_t bytes, uint64_t gbps)
{
    return bytes * 8 * 1000 / gbps;
}

/** \param network a network in which rank 1 received one message \return when, ps */
int64_t
ReceivedPs(const NvlinkTestNetwork& network)
{
    EXPECT_EQ(network.endpoints[1].received.size(), 1U);
    return network.endpoints[1].received.at(0).first.GetPicoSeconds();
}

} // namespace

TEST(NvlinkTiming, DirectLink)
{
    NvlinkTestNetwork network(DirectTopology(2, {{0, 1, 400}}, MicroSeconds(5)));
    network.Send(0, 1, MIB, 42);
    network.Run();
    EXPECT_EQ(ReceivedPs(network), LinkPs(MIB, 400) + 5000000);
    ASSERT_EQ(network.endpoints[0].sent.size(), 1U);
    EXPECT_EQ(network.endpoints[0].sent[0].first.GetPicoSeconds(), LinkPs(MIB, 400));
    const Message& message = network.endpoints[1].received[0].second;
    EXPECT_EQ(message.src, 0U);
    EXPECT_EQ(message.dst, 1U);
    EXPECT_EQ(message.bytes, MIB);
    EXPECT_EQ(message.tag, 42U);
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, MIB);
    EXPECT_EQ(network.context->pool.GetInUse(), 0U);
}

TEST(NvlinkTiming, CutThroughSwitchCostsOneSerialisationAndTwoDelays)
{
    for (const uint64_t bytes : {1UL, 5000UL, 65536UL, MIB, 10 * MIB + 17})
    {
        NvlinkTestNetwork network(PlanesTopology(2, {2880}, NanoSeconds(25)));
        network.Send(0, 1, bytes);
        network.Run();
        // A byte takes 25 / 9 ps: whole ticks differ from the exact time by one at most per hop.
        EXPECT_NEAR(ReceivedPs(network), LinkPs(bytes, 2880) + 50000, 2) << bytes << " bytes";
    }
}

TEST(NvlinkTiming, StoreAndForwardAddsTheLastPacket)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)), [](NvlinkHelper& helper) {
        helper.SetSwitchAttribute("CutThrough", BooleanValue(false));
        helper.SetSwitchAttribute("Latency", TimeValue(NanoSeconds(100)));
    });
    network.Send(0, 1, MIB);
    network.Run();
    EXPECT_EQ(ReceivedPs(network), LinkPs(MIB + 65536, 400) + 50000 + 100000);
}

TEST(NvlinkTiming, SwitchLatencyAddsToCutThrough)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)), [](NvlinkHelper& helper) {
        helper.SetSwitchAttribute("Latency", TimeValue(NanoSeconds(100)));
    });
    network.Send(0, 1, MIB);
    network.Run();
    EXPECT_EQ(ReceivedPs(network), LinkPs(MIB, 400) + 50000 + 100000);
}

TEST(NvlinkTiming, SlowerLinkBehindTheSwitchSetsThePace)
{
    Topology topology = PlanesTopology(2, {800}, NanoSeconds(25));
    topology.links[1].rate = DataRate(200000000000);
    NvlinkTestNetwork network(topology);
    network.Send(0, 1, MIB);
    network.Run();
    // The head of the first packet is forwarded at once, the rest waits for the slow link.
    EXPECT_EQ(ReceivedPs(network), LinkPs(MIB, 200) + 50000);
}

TEST(NvlinkTiming, HeadersCostWhatTheyOccupy)
{
    NvlinkTestNetwork network(
        DirectTopology(2, {{0, 1, 400}}, NanoSeconds(0)),
        [](NvlinkHelper& helper) { helper.SetDeviceAttribute("HeaderBytes", UintegerValue(16)); });
    network.Send(0, 1, MIB + 1);
    network.Run();
    EXPECT_EQ(ReceivedPs(network), LinkPs(MIB + 1 + 16 * (MIB / 256 + 1), 400));
}

TEST(NvlinkTiming, EmptyMessageTakesTheDelays)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)));
    network.Send(0, 1, 0, 9);
    EXPECT_TRUE(network.endpoints[0].sent.empty()) << "completions come in events, not in Send()";
    network.Run();
    EXPECT_EQ(ReceivedPs(network), 50000);
    EXPECT_EQ(network.endpoints[1].received[0].second.tag, 9U);
    EXPECT_EQ(network.endpoints[0].sent.at(0).first, Time(0));
}

TEST(NvlinkTiming, EmptyMessageIsOneHeader)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)), [](NvlinkHelper& helper) {
        helper.SetDeviceAttribute("HeaderBytes", UintegerValue(16));
    });
    network.Send(0, 1, 0);
    network.Run();
    EXPECT_EQ(ReceivedPs(network), LinkPs(16, 400) + 50000);
}

TEST(NvlinkTiming, SameEventsOnBothEngines)
{
    uint64_t fingerprints[2];
    Time ends[2];
    for (int i = 0; i < 2; i++)
    {
        NvlinkTestNetwork network(
            PlanesTopology(8, {1000, 800, 800, 1000}, NanoSeconds(25)),
            [](NvlinkHelper& helper) {
                helper.SetSwitchAttribute("InputBufferPackets", UintegerValue(2));
            },
            i == 0 ? "fabric" : "default");
        ASSERT_EQ(network.context->engine.GetName(),
                  i == 0 ? "fabric" : "ns3::DefaultSimulatorImpl");
        for (uint32_t src = 1; src < 8; src++)
        {
            network.Send(src, 0, 3 * MIB + src, src, 5); // incast: credits stop and resume
        }
        ends[i] = RunRing(network, {0, 1, 2, 3, 4, 5, 6, 7}, 8 * MIB, 2);
        fingerprints[i] = network.context->GetFingerprint();
        EXPECT_GT(network.GetCreditSignals(8).first, 0U);
    }
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
    EXPECT_EQ(ends[0], ends[1]);
}
