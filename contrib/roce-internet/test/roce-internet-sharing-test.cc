/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "ns3/roce-wire.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

constexpr uint32_t RDMA_CLASS = 3;    //!< default of NICs, lossless
constexpr uint32_t IP_CLASS = 0;      //!< default of Ethernet interfaces, lossy
constexpr uint64_t MESSAGE = 1000000; //!< bytes of an RDMA message

/** \param helper gets a small packet memory, of which TCP soon takes its part */
void
UseSmallMemory(RoceHelper& helper)
{
    helper.SetSwitchAttribute("BufferBytes", UintegerValue(300000));
}

/** \param helper gives IP packets without DSCP the class of RDMA */
void
ShareTheClass(RoceHelper& helper)
{
    helper.SetNicAttribute("DscpMap", StringValue("0:3"));
    helper.SetSwitchAttribute("DscpMap", StringValue("0:3"));
}

/** Runs until the RDMA messages have arrived. \param network its network \return when */
Time
RunUntilDelivered(const RoceInternetTestNetwork& network, uint64_t bytes)
{
    while (network.context->counters.payloadBytesDelivered < bytes && Simulator::Now() < Seconds(1))
    {
        network.RunFor(NanoSeconds(100));
    }
    return Simulator::Now();
}

/**
 * \param withTcp whether TCP sends to the same host
 * \param tcpSource which host sends TCP
 * \return how long an RDMA message from host 1 to host 0 takes, 100 ns more at most
 */
Time
GetRdmaTime(bool withTcp, uint32_t tcpSource)
{
    RoceInternetTestNetwork network(3);
    if (withTcp)
    {
        network.SendTcp(tcpSource, 0, 0);
    }
    network.RunFor(MilliSeconds(1)); // TCP fills its window
    network.SendRdma(1, 0, MESSAGE);
    return RunUntilDelivered(network, MESSAGE) - MilliSeconds(1);
}

} // namespace

TEST(RoceInternetSharing, LossyTcpLosesLosslessRdmaIsPaused)
{
    RoceInternetTestOptions options;
    options.configure = UseSmallMemory;
    RoceInternetTestNetwork network(7, options);
    std::vector<Ptr<PacketSink>> sinks;
    for (uint16_t src = 1; src < 4; src++)
    {
        sinks.push_back(network.SendTcp(src, 0, 1000000, 5000 + src));
    }
    network.RunFor(MicroSeconds(400));
    for (uint32_t src = 4; src < 7; src++)
    {
        network.SendRdma(src, 0, MESSAGE);
    }
    Simulator::Run();
    const FabricPort& port = network.GetPortTo(0);
    EXPECT_GT(port.GetPriorityCounters(IP_CLASS).drops, 0U);
    EXPECT_EQ(port.GetPriorityCounters(IP_CLASS).drops, network.context->counters.drops);
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, 3 * MESSAGE);
    EXPECT_EQ(network.context->counters.retransmittedPackets, 0U);
    uint64_t pauses = 0;
    for (uint32_t host = 0; host < 7; host++)
    {
        const FabricPort& peer = network.fabric.nics[host]->GetPort(0);
        EXPECT_EQ(peer.GetPriorityCounters(IP_CLASS).pausesReceived, 0U);
        pauses += peer.GetPriorityCounters(RDMA_CLASS).pausesReceived;
        EXPECT_EQ(network.GetPortTo(host).GetPriorityCounters(RDMA_CLASS).drops, 0U);
    }
    EXPECT_GT(pauses, 0U);
    for (const auto& sink : sinks)
    {
        EXPECT_EQ(sink->GetTotalRx(), 1000000U);
    }
    network.ExpectNothingLost();
}

TEST(RoceInternetSharing, HigherClassIsHeldUpByAFrameOnTheWireAlone)
{
    const Time alone = GetRdmaTime(false, 0);
    const Time frame = NanoSeconds(1538 * 8 / 10);
    // From another host TCP meets RDMA at the switch alone, from the same one at the NIC too. Where
    // RDMA comes at the rate of the link its queue may run empty: before the first packets.
    for (const uint32_t source : {1, 2})
    {
        const Time with = GetRdmaTime(true, source);
        EXPECT_GE(with, alone);
        EXPECT_LE(with, alone + 4 * frame) << "TCP from host " << source;
    }
}

TEST(RoceInternetSharing, TcpGetsWhatIsLeft)
{
    RoceInternetTestOptions options;
    RoceInternetTestNetwork network(3, options);
    const Ptr<PacketSink> sink = network.SendTcp(2, 0, 0);
    network.RunFor(MilliSeconds(1));
    network.SendRdma(1, 0, 4 * MESSAGE); // takes 3.3 ms
    const uint64_t before = sink->GetTotalRx();
    network.RunFor(MilliSeconds(3));
    EXPECT_LT(sink->GetTotalRx() - before, 100000U) << "a higher class with packets is served";
    RunUntilDelivered(network, 4 * MESSAGE);
    network.RunFor(MilliSeconds(5)); // a timeout may be needed
    const uint64_t between = sink->GetTotalRx();
    network.RunFor(MilliSeconds(2));
    EXPECT_GT(sink->GetTotalRx() - between, 2200000U); // of 2.35 MB
}

TEST(RoceInternetSharing, WithDwrrTheClassesShareByWeight)
{
    // From one host they meet at its NIC, from two at the switch.
    for (const uint32_t source : {1, 2})
    {
        ScopedDefaults defaults;
        defaults.Set("ns3::DwrrEgressScheduler::Weights", StringValue("0:1,3:3"));
        RoceInternetTestOptions options;
        options.configure = [](RoceHelper& helper) {
            const TypeIdValue dwrr(TypeId::LookupByName("ns3::DwrrEgressScheduler"));
            helper.SetNicAttribute("EgressScheduler", dwrr);
            helper.SetSwitchAttribute("EgressScheduler", dwrr);
        };
        RoceInternetTestNetwork network(3, options);
        const Ptr<PacketSink> sink = network.SendTcp(source, 0, 0);
        network.RunFor(MilliSeconds(1));
        network.SendRdma(1, 0, 100 * MESSAGE);
        network.RunFor(MilliSeconds(1));
        const uint64_t tcpBefore = sink->GetTotalRx();
        const uint64_t rdmaBefore = network.GetRdmaBytes(0);
        network.RunFor(MilliSeconds(4));
        const double tcp = static_cast<double>(sink->GetTotalRx() - tcpBefore) * 1538 / 1448;
        const double rdma = static_cast<double>(network.GetRdmaBytes(0) - rdmaBefore) *
                            RoceWire::WireBytes(RoceOpcode::WRITE_MIDDLE, 4096) / 4096;
        EXPECT_NEAR(tcp / (tcp + rdma), 0.25, 0.005) << "TCP from host " << source;
        EXPECT_NEAR(8 * (tcp + rdma) / 0.004 / 10e9, 1, 0.005);
    }
}

TEST(RoceInternetSharing, InTheSameClassFramesAndQueuePairsTakeTurns)
{
    RoceInternetTestOptions options;
    options.configure = ShareTheClass;
    RoceInternetTestNetwork network(2, options);
    const Ptr<PacketSink> sink = network.SendTcp(0, 1, 0);
    network.RunFor(MilliSeconds(2));
    const uint64_t before = sink->GetTotalRx();
    network.SendRdma(0, 1, 100 * MESSAGE);
    network.RunFor(MilliSeconds(1));
    const uint64_t tcpBytes = sink->GetTotalRx() - before;
    const uint64_t packets = network.GetRdmaBytes(1) / 4096;
    EXPECT_NEAR(static_cast<double>(tcpBytes) / 1448, static_cast<double>(packets), 3);
    EXPECT_GT(packets, 100U);
    EXPECT_EQ(network.context->counters.drops, 0U);
}

TEST(RoceInternetSharing, InALosslessClassTcpLosesNothing)
{
    RoceInternetTestOptions options;
    options.configure = [](RoceHelper& helper) {
        UseSmallMemory(helper);
        ShareTheClass(helper);
    };
    RoceInternetTestNetwork network(5, options);
    for (uint16_t src = 1; src < 5; src++)
    {
        network.SendTcp(src, 0, 2000000, 5000 + src);
    }
    Simulator::Run();
    EXPECT_EQ(network.context->counters.drops, 0U);
    EXPECT_GT(network.context->counters.pfcPauses, 0U);
    network.ExpectNothingLost();
}

} // namespace ns3
