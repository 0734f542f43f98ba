/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <numeric>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;

/** \param network a network \param node a node \param port a port \return payload sent by it */
uint64_t
PayloadSent(const NvlinkTestNetwork& network, uint32_t node, uint32_t port)
{
    return network.GetDevice(node)->GetPort(port).GetCounters().payloadBytes;
}

/** \param endpoint a rank \return payload that it received */
uint64_t
BytesReceived(const NotingEndpoint& endpoint)
{
    uint64_t bytes = 0;
    for (const auto& note : endpoint.received)
    {
        bytes += note.second.bytes;
    }
    return bytes;
}

/**
 * Eight GPUs send to one; nothing may be lost and the last link may not fall idle.
 * \param delay of the links
 * \param bufferPackets attribute InputBufferPackets
 */
void
CheckIncast(Time delay, uint32_t bufferPackets)
{
    NvlinkTestNetwork network(PlanesTopology(9, {400}, delay), [&](NvlinkHelper& helper) {
        helper.SetSwitchAttribute("InputBufferPackets", UintegerValue(bufferPackets));
    });
    const uint64_t bytes = 8 * MIB;
    for (uint32_t src = 1; src <= 8; src++)
    {
        network.Send(src, 0, bytes);
    }
    network.Run();
    EXPECT_EQ(network.endpoints[0].received.size(), 8U);
    EXPECT_EQ(BytesReceived(network.endpoints[0]), 8 * bytes);
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, 8 * bytes);
    EXPECT_EQ(network.context->counters.drops, 0U);
    EXPECT_EQ(network.context->pool.GetInUse(), 0U);
    const Ptr<NvSwitchDevice> nvswitch = network.GetSwitch(9);
    const auto [stops, resumes] = network.GetCreditSignals(9);
    EXPECT_GT(stops, 0U);
    EXPECT_EQ(stops, resumes);
    uint64_t pauses = 0;
    for (uint32_t src = 1; src <= 8; src++)
    {
        FabricPort& port = network.GetDevice(src)->GetPort(0);
        pauses += port.GetCounters().pauses;
        EXPECT_FALSE(port.IsPaused(0));
        EXPECT_EQ(nvswitch->GetBuffer().GetOccupied(src, 0), 0U);
    }
    EXPECT_EQ(pauses, stops);
    EXPECT_EQ(nvswitch->GetBuffer().GetUsed(), 0U);
    const int64_t linkPs = 8 * bytes * 8 * 1000 / 400;
    EXPECT_EQ(network.endpoints[0].received.back().first.GetPicoSeconds(),
              linkPs + 2 * delay.GetPicoSeconds());
}

} // namespace

TEST(NvlinkSharing, IncastIsLosslessAndKeepsTheLastLinkBusy)
{
    CheckIncast(NanoSeconds(25), 4);
}

TEST(NvlinkSharing, IncastWithTheSmallestBuffer)
{
    CheckIncast(NanoSeconds(25), 2);
}

TEST(NvlinkSharing, IncastOverLongLinks)
{
    CheckIncast(MicroSeconds(10), 2);
}

TEST(NvlinkSharing, UnequalPlanesAreFilledInProportion)
{
    const std::vector<uint64_t> rates{1000, 800, 800, 1000};
    const uint64_t bytes = 32 * MIB;
    NvlinkTestNetwork network(PlanesTopology(2, rates, NanoSeconds(25)));
    network.Send(0, 1, bytes);
    network.Run();
    uint64_t sum = 0;
    for (uint32_t plane = 0; plane < rates.size(); plane++)
    {
        const uint64_t sent = PayloadSent(network, 0, plane);
        // Links end together up to one smallest packet, 4096 of about 8 million bytes.
        EXPECT_NEAR(static_cast<double>(sent), bytes * rates[plane] / 3600.0, 2 * 4096)
            << "plane " << plane;
        sum += sent;
    }
    EXPECT_EQ(sum, bytes);
    const double ideal = bytes * 8.0 / 3600e9 + 50e-9;
    // The slowest plane ends at most one smallest packet late: 41 ns.
    EXPECT_GE(network.endpoints[1].received.at(0).first.GetSeconds(), ideal * 0.999999);
    EXPECT_LE(network.endpoints[1].received.at(0).first.GetSeconds(), ideal + 41e-9);
}

TEST(NvlinkSharing, ParallelLinksCarryAsMuchAsOneWideLink)
{
    // 18 links of 200 Gbit/s over two switches: what an H100 has.
    NvlinkTestNetwork network(PlanesTopology(8, {200, 200}, NanoSeconds(25), 9));
    const uint64_t bytes = 64 * MIB;
    const Time end = RunRing(network, {0, 1, 2, 3, 4, 5, 6, 7}, bytes);
    const double ideal = 14 * (bytes / 8 * 8.0 / 3600e9 + 50e-9);
    EXPECT_GE(end.GetSeconds(), ideal * 0.999999);
    EXPECT_LE(end.GetSeconds(), ideal * 1.01) << "a step ends up to one packet of a link late";
}

TEST(NvlinkSharing, FlowsToTwoDestinationsShareFairly)
{
    NvlinkTestNetwork network(PlanesTopology(4, {400}, NanoSeconds(25)));
    network.Send(0, 1, 8 * MIB);
    network.Send(0, 2, 8 * MIB);
    // A third flow comes in the middle and does not wait behind megabytes.
    Simulator::Schedule(MicroSeconds(100), [&network] { network.Send(0, 3, 65536); });
    network.Run();
    const double packet = 65536 * 8 / 400e9;
    const double first = network.endpoints[1].received.at(0).first.GetSeconds();
    const double second = network.endpoints[2].received.at(0).first.GetSeconds();
    EXPECT_NEAR(first, second, 2 * packet * 1.0001) << "one turn, and one of the third flow";
    EXPECT_LT(network.endpoints[3].received.at(0).first.GetSeconds(), 100e-6 + 4.1 * packet);
    EXPECT_NEAR(std::max(first, second), (16 * MIB + 65536) * 8 / 400e9 + 50e-9, 1e-12);
}

TEST(NvlinkSharing, MessagesOfAChannelArriveInOrder)
{
    NvlinkTestNetwork network(PlanesTopology(2, {1000, 100, 800}, NanoSeconds(25)));
    const std::vector<uint64_t> sizes{5 * MIB, 0, 100, 3 * MIB, 1, 70000, 0, 4096, 2 * MIB};
    for (uint32_t i = 0; i < sizes.size(); i++)
    {
        network.Send(0, 1, sizes[i], i);
    }
    network.Run();
    const auto& received = network.endpoints[1].received;
    ASSERT_EQ(received.size(), sizes.size());
    for (uint32_t i = 0; i < sizes.size(); i++)
    {
        EXPECT_EQ(received[i].second.tag, i);
        EXPECT_EQ(received[i].second.bytes, sizes[i]);
    }
    EXPECT_EQ(network.endpoints[0].sent.size(), sizes.size());
}

TEST(NvlinkSharing, ChannelsDoNotWaitForEachOther)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)));
    network.Send(0, 1, 8 * MIB, 1, 0);
    network.Send(0, 1, 65536, 2, 7);
    network.Run();
    const auto& received = network.endpoints[1].received;
    ASSERT_EQ(received.size(), 2U);
    EXPECT_EQ(received[0].second.tag, 2U);
    EXPECT_EQ(received[0].second.channel, 7U);
}

TEST(NvlinkSharing, StoppedLinkIsNotFedAndTheOthersGoOn)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400, 400}, NanoSeconds(25)));
    FabricPort& port = network.GetDevice(0)->GetPort(0);
    port.Pause(0, ~uint64_t{0}, 0);
    network.Send(0, 1, 4 * MIB);
    // 10 us at 400 Gbit/s: 500,000 of 4 Mi bytes have left by the other link.
    Simulator::Schedule(MicroSeconds(10), [&] {
        EXPECT_EQ(PayloadSent(network, 0, 0), 0U);
        port.Pause(0, 0, Simulator::Now().GetTimeStep());
    });
    network.Run();
    ASSERT_EQ(network.endpoints[1].received.size(), 1U);
    const double shared = (4 * MIB - 500000) / 2.0;
    EXPECT_NEAR(static_cast<double>(PayloadSent(network, 0, 0)), shared, 65536);
    EXPECT_EQ(PayloadSent(network, 0, 0) + PayloadSent(network, 0, 1), 4 * MIB);
}

TEST(NvlinkSharing, SmallMessagesOfManySendersDoNotMeetOnOnePlane)
{
    NvlinkTestNetwork network(PlanesTopology(5, {400, 400, 400, 400}, NanoSeconds(25)));
    for (uint32_t src = 1; src < 5; src++)
    {
        network.Send(src, 0, 4096);
    }
    network.Run();
    for (const auto& note : network.endpoints[0].received)
    {
        EXPECT_EQ(note.first.GetPicoSeconds(), 4096 * 8 * 1000 / 400 + 50000);
    }
}
