/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routed-transport-under-test.h"
#include "star-topology.h"

#include "ns3/analytic-message-transport.h"
#include "ns3/flow-message-transport.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <vector>

/**
 * \file
 * What transports without packets have in common.
 */

using namespace ns3;

namespace
{

/** \tparam T a transport without packets */
template <typename T>
class FabricRoutedTransport : public ::testing::Test
{
};

using Transports = ::testing::Types<FlowMessageTransport, AnalyticMessageTransport>;
TYPED_TEST_SUITE(FabricRoutedTransport, Transports);

TYPED_TEST(FabricRoutedTransport, ArrivedBytesCountWhatIsUnderWay)
{
    RoutedTransportUnderTest<TypeParam> test(StarTopology(3, "100Gbps", MicroSeconds(1)));
    test.Send(0, 1, 1000000, 1);
    test.Send(0, 1, 1000000, 2);
    test.Send(0, 2, 1000000, 3); // half of the rate is left for the other two
    std::vector<uint64_t> arrived;
    for (const int64_t ns : {82000, 162000 - 500, 162000 + 4000})
    {
        Simulator::Schedule(NanoSeconds(ns), [&] {
            arrived.push_back(test.transport->GetArrivedBytes(0, 1, 0));
        });
    }
    test.Run();
    EXPECT_NEAR(arrived[0], 500000, 13000); // in 2 us 25000 bytes go by at half the rate
    EXPECT_NEAR(arrived[1], 1000000, 25000);
    EXPECT_NEAR(arrived[2], 1050000, 25000);
    EXPECT_EQ(test.transport->GetArrivedBytes(0, 1, 0), 2000000U);
}

TYPED_TEST(FabricRoutedTransport, PacketsAreNotDivided)
{
    RoutedTransportUnderTest<TypeParam> test(StarTopology(4, "100Gbps", MicroSeconds(1)));
    for (uint32_t dst = 1; dst < 4; dst++)
    {
        test.Send(0, dst, 4096, dst);
    }
    test.Run();
    for (uint32_t dst = 1; dst < 4; dst++)
    {
        EXPECT_NEAR(test.GetArrivalNs(dst), dst * 327.68 + 2000, 0.001);
    }
}

TYPED_TEST(FabricRoutedTransport, TheIdealTimeIsThatOfTheNicOfTheChannel)
{
    Topology topology = LoadTopology("star:gpus=2,nicsPerGpu=2,nicRate=100Gbps,delay=1us");
    topology.links[1].rate = DataRate("50Gbps"); // of NIC 1 of the sender
    RoutedTransportUnderTest<TypeParam> test(topology);
    for (const uint32_t channel : {0U, 1U})
    {
        test.Send(0, 1, 1000000, channel, channel);
    }
    test.Run();
    for (const uint32_t channel : {0U, 1U})
    {
        const Time ideal = test.transport->GetIdealTime({0, 1, channel, 1000000});
        EXPECT_EQ(test.GetArrivalNs(channel), ideal.GetPicoSeconds() / 1e3);
        EXPECT_GT(ideal, MicroSeconds(80 * (channel + 1)));
    }
}

TYPED_TEST(FabricRoutedTransport, MessagesOfAllSizesAreCounted)
{
    MessageRouterSettings settings;
    settings.ethernet.unitBytes = 1000;
    settings.ethernet.headerBytes = 50;
    settings.ethernet.ackBytes = 64;
    RoutedTransportUnderTest<TypeParam> test(StarTopology(2, "100Gbps", MicroSeconds(1)), settings);
    for (const uint64_t bytes : {2000, 2000, 500, 2000, 500, 500, 0, 2000})
    {
        test.Send(0, 1, bytes);
    }
    test.Run();
    uint64_t payloadBytes = 0;
    uint64_t wireBytes = 0;
    uint64_t acks = 0;
    uint64_t packets = 0;
    for (const RoutedLinkLoad& load : test.transport->GetLinkLoads())
    {
        payloadBytes += load.payloadBytes;
        wireBytes += load.wireBytes;
        packets += load.packets;
        acks += load.acks;
    }
    const MessageFraming& framing = settings.ethernet;
    EXPECT_EQ(payloadBytes, 2 * 9500U); // over two links
    EXPECT_EQ(packets,
              2 * (4 * framing.GetPieceCount(2000) + 3 * framing.GetPieceCount(500) +
                   framing.GetPieceCount(0)));
    EXPECT_EQ(wireBytes,
              2 * (4 * framing.GetWireBytes(2000) + 3 * framing.GetWireBytes(500) +
                   framing.GetWireBytes(0)));
    EXPECT_EQ(acks,
              2 * (4 * framing.GetAckCount(2000) + 3 * framing.GetAckCount(500) +
                   framing.GetAckCount(0)));
    EXPECT_GT(acks, 0U);
}

TYPED_TEST(FabricRoutedTransport, ARankCopiesToTwoTeamsOnOneChannel)
{
    MessageRouterSettings settings;
    settings.offersOffload = [](const TopologyNode&) { return true; };
    RoutedTransportUnderTest<TypeParam> test(NvswitchTopology({"100Gbps"}, 4, NanoSeconds(50)),
                                             settings);
    Message copy;
    copy.kind = MessageKind::MULTICAST;
    copy.bytes = 1000000;
    std::vector<uint32_t> copies(4);
    test.onReceived = [&](const Message& message) { copies[message.dst]++; };
    for (const std::vector<uint32_t>& team :
         {std::vector<uint32_t>{0, 1, 2, 3}, std::vector<uint32_t>{0, 3}})
    {
        copy.team = test.transport->AddTeam(team);
        test.transport->Send(copy);
    }
    test.Run();
    EXPECT_EQ(copies, (std::vector<uint32_t>{2, 1, 1, 2}));
}

} // namespace
