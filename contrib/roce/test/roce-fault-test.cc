/*
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Faults known of simulators of RDMA, by their number in doc/faults.md: what other tests do not
 * exercise.
 */
#include "congestion-control-test-helper.h"
#include "nic-under-test.h"
#include "roce-test-network.h"

#include "ns3/config-error.h"
#include "ns3/double.h"
#include "ns3/flow-file.h"
#include "ns3/hpcc-config-reader.h"
#include "ns3/link-event-player.h"
#include "ns3/scoped-defaults.h"
#include "ns3/text-scanner.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * \param switches switches in a row, a host at either end
 * \param rate of every link
 * \return the chain; nodes: both hosts, the switches
 */
Topology
ChainTopology(uint32_t switches, const std::string& rate)
{
    Topology topology;
    topology.nodes.resize(2 + switches);
    for (uint32_t i = 0; i <= switches; i++)
    {
        topology.links.emplace_back();
        TopologyLink& link = topology.links.back();
        link.a = i == 0 ? 0 : 1 + i;
        link.b = i == switches ? 1 : 2 + i;
        link.rate = DataRate(rate);
        link.delay = NanoSeconds(100);
        if (i > 0)
        {
            topology.nodes[1 + i].kind = TopologyNodeKind::SWITCH;
        }
    }
    return topology;
}

/** \ingroup tests \brief Looks at the ECN bits of what arrives. */
class EcnTap : public FabricTap
{
  public:
    void FrameSent(const FabricPacket&, uint64_t) override
    {
    }

    void FrameReceived(const FabricPacket& packet, uint64_t) override
    {
        const bool data = packet.GetClass() == FrameClass::DATA;
        const auto ecn = static_cast<EcnCodepoint>(packet.ecn);
        (data ? marked : others) += data ? ecn == EcnCodepoint::CE : ecn != EcnCodepoint::NOT_ECT;
    }

    uint64_t marked{0}; //!< data frames with CE
    uint64_t others{0}; //!< other frames that are not Not-ECT
};

} // namespace

TEST(RoceFault, F03ShortFlowsAndLastPacketsAreAcknowledged)
{
    // However rare acknowledgements are, the end of a message asks for one; in between, one in
    // `interval` packets does.
    for (const uint32_t packets : {1U, 15U, 16U, 17U, 1000U})
    {
        SCOPED_TRACE(packets);
        NicOptions options;
        options.ackInterval = 16;
        NicUnderTest test(options);
        test.Post(packets * 1000ULL);
        test.Run();
        EXPECT_EQ(test.sender.acknowledged.size(), 1U);
        EXPECT_EQ(test.Acks().size(), (packets + 15) / 16);
        EXPECT_EQ(test.context->counters.timeouts, 0U);
    }
}

TEST(RoceFault, F04AThousandFlowsIntoOneSlowHostLoseNothing)
{
    Topology topology = StarTopology(26, "40Gbps", MicroSeconds(1));
    topology.links[0].rate = DataRate("10Gbps");
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(8000000));
    };
    RoceTestNetwork network(topology, options);
    for (uint32_t flow = 0; flow < 1000; flow++)
    {
        network.Send(1 + flow % 25, 0, 8000, flow / 25);
    }
    network.Run();
    EXPECT_GT(network.Counters().pfcPauses, 0U);
    EXPECT_EQ(network.Counters().drops, 0U);
    EXPECT_EQ(network.Counters().retransmittedPackets, 0U);
}

TEST(RoceFault, F07APauseNeedsNoQueuePairOfItsNumber)
{
    // One queue pair, of class 3. Every class of the host's port is paused and resumed: only a
    // pause of class 3 matters, by its own length.
    std::vector<Time> times;
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)));
        network.Send(0, 1, 100000);
        for (const uint32_t host : {0, 2}) // the third has no queue pair at all
        {
            FabricPort& port = network.fabric.nics[host]->GetPort(0);
            const auto pause = [&port, priority](uint64_t until) {
                port.Pause(priority, until, EngineUnderTest::Now());
            };
            Simulator::Schedule(NanoSeconds(2000), [=] { pause(UsTicks(1000)); });
            Simulator::Schedule(NanoSeconds(7000), [=] { pause(0); });
        }
        network.Run();
        times.push_back(network.flows[0].received);
    }
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        // The frame on the wire ends: the pause begins to count 39.04 ns later.
        const Time held = priority == 3 ? NanoSeconds(7000) - PicoSeconds(24 * 84960) : Time(0);
        EXPECT_EQ(times[priority], times[0] + held) << priority;
    }
}

TEST(RoceFault, F08ALinkOfTenMillisecondsIsALink)
{
    RoceTestNetwork network(StarTopology(2, "100Gbps", MilliSeconds(10)));
    network.Send(0, 1, 1000000);
    network.Run();
    EXPECT_EQ(network.flows[0].received, PicoSeconds(1001 * 84960) + MilliSeconds(20));
    EXPECT_EQ(network.Counters().timeouts, 0U);
}

TEST(RoceFault, F10CongestionControlsDiffer)
{
    std::map<uint64_t, std::string> seen;
    const std::set<std::string> constant{"ns3::NoCongestionControl",
                                         "ns3::FixedRateCongestionControl"};
    for (const TypeId& type : FindCongestionControls())
    {
        RoceTestOptions options;
        options.congestionControl = type.GetName();
        options.fingerprint = true;
        RoceTestNetwork network(StarTopology(17, "100Gbps", MicroSeconds(1)), options);
        for (uint32_t host = 1; host < 17; host++)
        {
            network.Send(host, 0, 1000000);
        }
        network.Run();
        if (constant.count(type.GetName()) == 0) // both send at the line rate
        {
            const auto [other, isNew] =
                seen.emplace(network.context->GetFingerprint(), type.GetName());
            EXPECT_TRUE(isNew) << type.GetName() << " does what " << other->second << " does";
        }
    }
    EXPECT_GE(seen.size(), 9U);
}

TEST(RoceFault, F11AQueuePairThatWaitsDoesNotDelayOthers)
{
    // The first has sent all and hears no answer for 50 us; the second is paced at 10 Gbit/s.
    NicOptions options;
    options.congestionControl = "ns3::FixedRateCongestionControl";
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedRateCongestionControl::Rate", DataRateValue(DataRate("10Gbps")));
    NicUnderTest test(options);
    RoceQueuePair& first = test.AddQueuePair();
    RoceQueuePair& second = test.AddQueuePair();
    test.wire->hold = [&](const FabricPacket& packet) -> uint64_t {
        const bool answer = packet.GetClass() == FrameClass::ACK && packet.qp == first.number;
        return answer ? UsTicks(50) : 0;
    };
    test.nic->Post(first, {RoceVerb::SEND, 1000, 0, 0});
    EngineUnderTest::At(UsTicks(1), [&] {
        test.nic->Post(second, {RoceVerb::SEND, 20000, 0, 0});
    });
    test.Run();
    const auto data = test.Data();
    ASSERT_EQ(data.size(), 21U);
    for (std::size_t i = 2; i < data.size(); i++)
    {
        EXPECT_EQ(data[i].when - data[i - 1].when, 849600U) << i;
    }
}

TEST(RoceFault, F12FramesMayLeaveByThePortTheyCameIn)
{
    // Behind a cut, a spine sends what comes from the first leaf back to it, towards the other
    // spine. Its port there is paused, so that it pauses the leaf by the port it is to send by.
    constexpr uint32_t HOSTS = 3;
    constexpr uint32_t LEAF = 2 * HOSTS;
    const Topology topology = LeafPairTopology(HOSTS, 2, "100Gbps", MicroSeconds(1));
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(8));
        helper.SetSwitchAttribute("Alpha", DoubleValue(0.0001)); // two frames are a pause
    };
    RoceTestNetwork network(topology, options);
    FabricPort& back = network.fabric.switches[LEAF + 2]->GetPort(0); // the spine's, to the leaf
    Simulator::Schedule(MicroSeconds(20),
                        [&] { back.Pause(3, UsTicks(60), EngineUnderTest::Now()); });
    LinkEventPlayer player({topology,
                            network.fabric.channels,
                            {network.fabric.switches.begin(), network.fabric.switches.end()}});
    const auto links = FindEthernetLinks(topology, LEAF + 1, LEAF + 2);
    player.Start({{MicroSeconds(20), LinkChange::DOWN, {}, links}});
    for (uint32_t flow = 0; flow < 24; flow++)
    {
        network.Send(flow % HOSTS, HOSTS + flow % 2, 200000, flow / HOSTS);
    }
    network.Run();
    EXPECT_GT(back.GetCounters().packets[0], 0U) << "data that came in by this port";
    EXPECT_GT(back.GetPriorityCounters(3).pausesSent, 0U);
    EXPECT_EQ(network.Counters().drops, network.Counters().noRoute);
}

TEST(RoceFault, F14WindowsOfLongFastPathsDoNotOverflow)
{
    for (const auto& [gigabits, milliseconds] :
         {std::pair<uint64_t, uint64_t>{400, 1}, {800, 1}, {1600, 10}})
    {
        for (const TypeId& type : FindCongestionControls())
        {
            SCOPED_TRACE(type.GetName() + " at " + std::to_string(gigabits) + " Gbit/s");
            ObjectFactory factory(type.GetName());
            const auto control = factory.Create<RoceCongestionControl>();
            CongestionControlStart start = MakeStart(gigabits * 1000000000);
            start.baseRtt = UsTicks(1000 * milliseconds);
            control->Start(start);
            const uint64_t path = start.GetPathPayloadBytes();
            EXPECT_NEAR(static_cast<double>(path),
                        gigabits * 1e9 * milliseconds * 1e-3 / 8 * 1024 / 1106,
                        1024);
            // Swift's window is at most what fits into its longest target delay.
            const bool swift = type.GetName() == "ns3::SwiftCongestionControl";
            const uint64_t least = swift ? start.lineRateBps / 8 / 10000 : path / 10 * 9; // 100 us
            EXPECT_GE(control->GetWindowBytes(), least);
            EXPECT_GE(control->GetRateBps(0), start.lineRateBps / 2 - 1); // TIMELY: a share
            for (uint64_t psn = 0; psn < 100; psn++)
            {
                const uint64_t window = control->GetWindowBytes();
                EXPECT_GE(window, least / 2);
                EXPECT_TRUE(window == RoceCongestionControl::UNLIMITED || window < 2 * path);
                const uint64_t rate = control->GetRateBps(start.now);
                EXPECT_LE(rate, start.lineRateBps);
                EXPECT_GE(rate, start.lineRateBps / 10);
                AckEvent ack;
                ack.now = start.now = UsTicks(1000 * milliseconds) + psn * UsTicks(1);
                ack.psn = psn;
                ack.nextPsn = psn + path / 1024;
                ack.ackedBytes = 1024;
                control->OnAck(ack);
            }
        }
    }
}

TEST(RoceFault, F15TelemetryKnowsAnyRateAndAnyNumberOfHops)
{
    for (const char* rate : {"30Gbps", "800Gbps", "1600Gbps"})
    {
        SCOPED_TRACE(rate);
        RoceTestOptions options;
        options.congestionControl = "ns3::HpccCongestionControl";
        RoceTestNetwork network(ChainTopology(9, rate), options);
        network.Send(0, 1, 20000000);
        network.Run();
        // At most the target utilisation, 0.95; a wrong rate would show as a multiple of it.
        const double seconds = network.flows[0].received.GetSeconds();
        const double share = 20e6 * 8 / seconds / static_cast<double>(DataRate(rate).GetBitRate());
        EXPECT_GT(share, 0.8);
        EXPECT_LE(share, 1.0);
    }
}

TEST(RoceFault, F16WhatAConfigurationOmitsHasAWorkingDefault)
{
    // Nothing but the kind: no timer may be 0, no gain may be 0.
    for (const char* mode : {"1", "3", "7", "8"})
    {
        const HpccConfig config =
            ReadHpccConfig(TextFile::FromString("config", std::string("CC_MODE ") + mode + "\n"));
        const TypeId type = MakeCongestionControlFactory(config).GetTypeId();
        const Ptr<Object> control = MakeCongestionControlFactory(config).Create();
        for (const char* name : {"IncreaseTimer", "AlphaTimer", "AlphaGain", "Gain"})
        {
            TypeId::AttributeInformation info;
            if (!type.LookupAttributeByName(name, &info))
            {
                continue;
            }
            SCOPED_TRACE(type.GetName() + "::" + name);
            Ptr<AttributeValue> value = info.checker->Create();
            control->GetAttribute(name, *value);
            const std::string text = value->SerializeToString(info.checker);
            EXPECT_NE(text.find_first_of("123456789"), std::string::npos) << text;
        }
    }
}

TEST(RoceFault, F17OrderAndNumberOfFlowsAreChecked)
{
    const auto read = [](const std::string& text) {
        return ReadFlowFile(TextFile::FromString("flows", text));
    };
    EXPECT_EQ(read("3\n0 1 3 100 1 2.1\n1 0 3 100 2 2.5\n0 1 3 100 3 2.5\n").flows.size(), 3U);
    EXPECT_THROW(read("3\n0 1 3 100 1 2.5\n1 0 3 100 2 2.1\n0 1 3 100 3 2.5\n"), ConfigError);
    // The number of an estimate that was overwritten by a shorter one.
    EXPECT_THROW(read("30\n0 1 3 100 1 2.1\n1 0 3 100 2 2.5\n0 1 3 100 3 2.5\n"), ConfigError);
}

TEST(RoceFault, F19NoTwoConnectionsShareAQueuePair)
{
    // Channels whose bits coincide when they are combined with ranks or ports by OR.
    std::vector<uint32_t> channels{0xffffffff, 0x80000000, 0x10000, 0x30000, 0xffff};
    for (uint32_t channel = 0; channel < 195; channel++)
    {
        channels.push_back(channel);
    }
    RoceTestNetwork network(StarTopology(4, "100Gbps", MicroSeconds(1)));
    for (const uint32_t channel : channels)
    {
        for (uint32_t src = 1; src < 4; src++)
        {
            network.Send(src, 0, 100 + src, channel);
            network.Send(0, src, 200 + src, channel);
        }
    }
    network.Run(); // checks source, destination, channel and bytes of everything that arrives
    RoceNicDevice& nic = *network.fabric.nics[0];
    EXPECT_EQ(nic.GetQueuePairCount(), 3 * channels.size());
    std::set<std::pair<uint32_t, uint16_t>> addresses;
    for (uint32_t i = 0; i < nic.GetQueuePairCount(); i++)
    {
        const RoceQueuePair& qp = nic.GetQueuePair(i);
        addresses.emplace(qp.parameters.peerRank, qp.parameters.udpPort);
        EXPECT_EQ(qp.receivedBytes, 100U + qp.parameters.peerRank);
    }
    EXPECT_LT(addresses.size(), nic.GetQueuePairCount()) << "some share even their UDP port";
}

TEST(RoceFault, F20TenThousandFlowsOfAHostCostNoMoreEach)
{
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)));
    for (uint32_t channel = 0; channel < 10000; channel++)
    {
        network.Send(0, 1, 1000, channel);
    }
    network.Run();
    EXPECT_EQ(network.GetLastReceived(), PicoSeconds(10001ULL * 84960) + MicroSeconds(2));
    EXPECT_LT(Simulator::GetEventCount(), 2 * network.Counters().packetHops);
}

TEST(RoceFault, F25HostsMayBeWiredToEachOther)
{
    Topology topology;
    topology.nodes.resize(2);
    topology.links.resize(1);
    topology.links[0].b = 1;
    topology.links[0].rate = DataRate("100Gbps");
    topology.links[0].delay = MicroSeconds(1);
    RoceTestNetwork network(topology);
    network.Send(0, 1, 100000);
    network.Send(1, 0, 50000);
    network.Run();
    EXPECT_EQ(network.flows[0].message.bytes, 100000U);
    EXPECT_GT(network.flows[0].received, network.flows[1].received);
}

TEST(RoceFault, F31NothingIsPrintedWhateverIsLost)
{
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    {
        Topology topology = StarTopology(6, "100Gbps", MicroSeconds(1));
        topology.links[1].lossRate = 0.01;
        RoceTestOptions options;
        options.configure = [](RoceHelper& helper) {
            helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6));
            helper.SetSwitchAttribute("Alpha", DoubleValue(1.0 / 64));
        };
        RoceTestNetwork network(topology, options);
        for (uint32_t host = 1; host < 6; host++)
        {
            network.Send(host, 0, 1000000);
        }
        network.Run();
        EXPECT_GT(network.Counters().linkLosses, 0U);
        EXPECT_GT(network.Counters().pfcPauses, 0U);
        EXPECT_GT(network.Counters().retransmittedPackets, 0U);
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(RoceFault, F33OnlyDataThatAllowsItIsMarked)
{
    // Three hosts send to one and it to them: acknowledgements wait in the queue that marks data.
    RoceTestOptions options;
    options.congestionControl = "ns3::DctcpCongestionControl";
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("EcnKmin", UintegerValue(1));
        helper.SetSwitchAttribute("EcnKmax", UintegerValue(2));
    };
    RoceTestNetwork network(StarTopology(4, "100Gbps", MicroSeconds(1)), options);
    EcnTap tap;
    for (const auto& nic : network.fabric.nics)
    {
        if (nic)
        {
            nic->GetPort(0).SetTap(&tap);
        }
    }
    for (uint32_t host = 1; host < 4; host++)
    {
        network.Send(host, 0, 1000000);
        network.Send(0, host, 1000000);
    }
    network.Run();
    EXPECT_GT(tap.marked, 0U);
    EXPECT_EQ(tap.marked, network.Counters().ecnMarks);
    EXPECT_EQ(tap.others, 0U) << "acknowledgements and notifications are not ECN capable";
}
