/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "ns3/roce-wire.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
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

/** \ingroup tests \brief Notes when a message arrived. */
class Arrival : public MessageEndpoint
{
  public:
    void MessageReceived(const Message&) override
    {
        when = Simulator::Now();
    }

    void MessageSent(const Message&) override
    {
    }

    Time when; //!< the last arrival
};

/** \ingroup tests \brief How long an RDMA message takes beside TCP of a lower class. */
struct HeldUp
{
    Time time;     //!< of the message
    Time residual; //!< of the frame on the wire where the first RDMA packet meets TCP
};

/**
 * \param tcpSource which host sends TCP to the same host: they meet at host 1's NIC, or, when it is
 * another one, at the switch; 0: none
 * \param start when the message is posted
 * \return what becomes of an RDMA message from host 1 to host 0
 */
HeldUp
SendBesideTcp(uint32_t tcpSource, Time start)
{
    RoceInternetTestNetwork network(3);
    Arrival arrival;
    network.transport->SetEndpoint(0, &arrival);
    FabricPort& nic = network.fabric.nics[1]->GetPort(0);
    FabricPort& meeting = tcpSource == 1 ? nic : network.GetPortTo(0);
    if (tcpSource)
    {
        network.SendTcp(tcpSource, 0, 0);
    }
    network.RunFor(start); // TCP fills its window
    network.SendRdma(1, 0, MESSAGE);
    const uint32_t mtu = network.fabric.nics[1]->GetMtuBytes();
    const Time serialisation =
        PicoSeconds(800 * RoceWire::WireBytes(RoceOpcode::WRITE_FIRST, mtu)); // at 10 Gb/s
    const Time way = tcpSource == 1 ? Time(0)
                                    : serialisation + MicroSeconds(1) +
                                          network.GetSwitch().GetLatency();
    network.RunFor(way);
    const Time end = TimeStep(meeting.GetSendingEnd());
    const Time residual = tcpSource ? std::max(Time(0), end - Simulator::Now()) : Time(0);
    network.RunFor(MilliSeconds(1));
    return {arrival.when - start, residual};
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
    const Time alone = SendBesideTcp(0, MilliSeconds(1)).time;
    const Time frame = PicoSeconds(1538 * 800);
    // Where they meet the first packet waits for what is left of the frame on the wire. Those
    // behind it come at the link's rate and find one before them: the message is late by just that.
    for (const uint32_t source : {1, 2})
    {
        for (const int64_t ns : {0, 400, 800})
        {
            const HeldUp held = SendBesideTcp(source, MilliSeconds(1) + NanoSeconds(ns));
            EXPECT_EQ(held.time, alone + held.residual) << "TCP from host " << source << ", " << ns;
            EXPECT_GT(held.residual, Time(0));
            EXPECT_LE(held.residual, frame);
        }
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
