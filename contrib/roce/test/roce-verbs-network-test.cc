/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/link-event-player.h"
#include "ns3/roce-verbs.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

/**
 * \file
 * READ and datagrams in networks: behind switches, with PFC, two ports, weighted classes.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks
constexpr const char* RECOVERIES[] = {"ns3::GoBackNLossRecovery",
                                      "ns3::SelectiveRepeatLossRecovery"};

/** \ingroup tests \brief A network whose hosts use verbs. */
class VerbsNetwork
{
  public:
    /** \param topology the cluster \param options what it is like */
    explicit VerbsNetwork(const Topology& topology, const RoceTestOptions& options = {})
        : network(topology, options),
          ends(network.fabric.nics.size()),
          seen(ends.size())
    {
        for (size_t host = 0; host < ends.size(); host++)
        {
            ends[host] = CreateObject<RoceVerbs>();
            ends[host]->Open(network.fabric.nics[host]);
            ends[host]->SetCompletionCallback(
                Callback<void, const RoceCompletion&>([this, host](const RoceCompletion& completion) {
                    seen[host].push_back({EngineUnderTest::Now(), completion});
                    bytes += completion.status == RoceStatus::SUCCESS && !completion.received
                                 ? completion.bytes
                                 : 0;
                }));
        }
    }

    ~VerbsNetwork()
    {
        for (const auto& end : ends)
        {
            end->Dispose();
        }
    }

    /** Runs until all is done, and checks that every byte arrived once and that nothing is left. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(network.Counters().payloadBytesDelivered, bytes);
        network.CheckNothingIsLeft();
        network.CheckLinkRates();
    }

    /**
     * \param host a host
     * \param qp number of a queue pair
     * \return cookies of the requests that ended with SUCCESS there, in order
     */
    std::vector<uint64_t> GetEnds(uint32_t host, uint32_t qp) const
    {
        std::vector<uint64_t> cookies;
        for (const NotedCompletion& noted : seen[host])
        {
            if (noted.completion.qp == qp && !noted.completion.received &&
                noted.completion.status == RoceStatus::SUCCESS)
            {
                cookies.push_back(noted.completion.cookie);
            }
        }
        return cookies;
    }

    RoceTestNetwork network;                        //!< the network
    std::vector<Ptr<RoceVerbs>> ends;               //!< verbs of every host
    std::vector<std::vector<NotedCompletion>> seen; //!< completions at every host
    uint64_t bytes{0};                              //!< of requests that ended with SUCCESS
};

/** \param recovery TypeId name \param engine event engine \return options with a small switch */
RoceTestOptions
SmallSwitch(const std::string& recovery = RECOVERIES[0], const std::string& engine = "fabric")
{
    RoceTestOptions options;
    options.engine = engine;
    options.fingerprint = true;
    options.configure = [recovery](RoceHelper& helper) {
        helper.SetNicAttribute("LossRecovery", TypeIdValue(TypeId::LookupByName(recovery)));
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(7)); // 524 us
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(600000));
        helper.SetSwitchAttribute("MaxFrameBytes", UintegerValue(1078));
    };
    return options;
}

/** \param count a number \return 0 to count - 1 */
std::vector<uint64_t>
UpTo(uint64_t count)
{
    std::vector<uint64_t> numbers(count);
    for (uint64_t i = 0; i < count; i++)
    {
        numbers[i] = i;
    }
    return numbers;
}

TEST(RoceVerbsNetwork, ReadsFromManyArePausedAndNotLost)
{
    constexpr uint32_t SOURCES = 6;
    constexpr uint64_t READS = 8;
    constexpr uint64_t BYTES = 50000;
    for (const std::string recovery : RECOVERIES)
    {
        std::vector<std::tuple<uint64_t, uint64_t>> runs;
        for (const std::string engine : {"fabric", "default"})
        {
            SCOPED_TRACE(recovery + " " + engine);
            VerbsNetwork test(StarTopology(SOURCES + 1, "100Gbps", MicroSeconds(1)),
                              SmallSwitch(recovery, engine));
            for (uint32_t source = 1; source <= SOURCES; source++)
            {
                const uint32_t qp = test.ends[0]->CreateQp(*test.ends[source], {});
                for (uint64_t i = 0; i < READS; i++)
                {
                    test.ends[0]->PostSend(qp, {RoceVerb::READ, BYTES, i});
                }
            }
            test.Run();
            for (uint32_t i = 0; i < SOURCES; i++)
            {
                EXPECT_EQ(test.GetEnds(0, RoceNicDevice::FIRST_QP_NUMBER + i), UpTo(READS));
            }
            const FabricCounters& counters = test.network.Counters();
            EXPECT_EQ(counters.retransmittedPackets, 0U);
            EXPECT_EQ(counters.timeouts, 0U);
            EXPECT_EQ(counters.drops, 0U);
            EXPECT_GT(test.network.Counters().pfcPauses, 0U) << "six ports into one";
            // The last link is busy all the time, after the first way there and back.
            const uint64_t last = test.seen[0].back().when;
            const uint64_t busy = SOURCES * READS * BYTES / 1000 * 1062 * 80;
            EXPECT_GE(last, busy + 4 * US);
            EXPECT_LE(last, busy + busy / 50 + 4 * US);
            runs.emplace_back(last, test.network.context->GetFingerprint());
        }
        EXPECT_EQ(runs[0], runs[1]);
    }
}

TEST(RoceVerbsNetwork, CongestionControlsKnowThePathWithoutBeingTold)
{
    for (const std::string control : {"Hpcc", "Swift", "PowerTcp", "Dctcp", "FixedWindow"})
    {
        SCOPED_TRACE(control);
        const TypeId type = TypeId::LookupByName("ns3::" + control + "CongestionControl");
        RoceTestOptions options;
        options.configure = [type](RoceHelper& helper) {
            helper.SetNicAttribute("CongestionControl", TypeIdValue(type));
        };
        VerbsNetwork test(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
        const uint32_t qp = test.ends[0]->CreateQp(*test.ends[1], {});
        test.ends[0]->PostSend(qp, {RoceVerb::SEND, 1000000, 1});
        test.ends[1]->PostSend(test.ends[0]->GetPeerQp(qp), {RoceVerb::SEND, 1000000, 2});
        test.Run();
        EXPECT_EQ(test.GetEnds(0, qp), std::vector<uint64_t>{1});
        for (uint32_t host = 0; host < 2; host++)
        {
            const RoceQueuePair& own = test.network.fabric.nics[host]->FindQueuePair(qp);
            EXPECT_EQ(own.parameters.switchCount, 1U);
            const uint32_t telemetry = own.needs.telemetry ? RoceWire::TelemetryBytes(1) : 0;
            const uint64_t bytes = RoceWire::FullFrameBytes(own.settings.mtuBytes, telemetry) +
                                   RoceWire::FrameBytes(RoceOpcode::ACKNOWLEDGE, 0, telemetry) +
                                   2 * test.network.fabric.nics[host]->GetPort(0).GetGapBytes();
            EXPECT_EQ(own.parameters.baseRtt, 4 * US + 2 * 80 * bytes);
        }
    }
}

TEST(RoceVerbsNetwork, AQueuePairUsesTheNicThatItIsToldToUse)
{
    for (const uint32_t nic : {0U, 1U})
    {
        VerbsNetwork test(LoadTopology("star:gpus=2,nicsPerGpu=2,nicRate=100Gbps,delay=1us"));
        const auto& nics = test.network.fabric.nics;
        RoceQueuePairParameters parameters;
        parameters.localEnd = test.network.fabric.routes->GetNic(0, nic);
        parameters.port = RoceQueuePairParameters::ANY_PORT;
        const uint32_t qp = test.ends[0]->CreateQp(*test.ends[1], parameters);
        test.ends[0]->PostSend(qp, {RoceVerb::SEND, 100000, 1});
        test.ends[1]->PostSend(test.ends[0]->GetPeerQp(qp), {RoceVerb::SEND, 200000, 2});
        test.Run();
        EXPECT_EQ(test.GetEnds(0, qp), std::vector<uint64_t>{1});
        EXPECT_EQ(test.GetEnds(1, qp), std::vector<uint64_t>{2});
        const auto count = [](const FabricPort& port) { return port.GetCounters().packets[0]; };
        EXPECT_EQ(count(nics[0]->GetPort(nic)), 100U);
        EXPECT_EQ(count(nics[0]->GetPort(1 - nic)), 0U);
        // Ports 0 and 1 of the switch are those of NICs 0 and 1 of host 0.
        EXPECT_EQ(count(test.network.fabric.switches[2]->GetPort(nic)), 200U);
        EXPECT_EQ(nics[0]->FindQueuePair(qp).parameters.switchCount, 1U);
        EXPECT_GT(nics[0]->FindQueuePair(qp).parameters.baseRtt, 4 * US);
    }
}

TEST(RoceVerbsNetwork, DatagramsLeaveByTheNicThatTheirQueuePairIsToldToUse)
{
    for (const uint32_t nic : {0U, 1U})
    {
        VerbsNetwork test(LoadTopology("star:gpus=2,nicsPerGpu=2,nicRate=100Gbps,delay=1us"));
        RoceQueuePairParameters parameters;
        parameters.localEnd = test.network.fabric.routes->GetNic(0, nic);
        parameters.port = RoceQueuePairParameters::ANY_PORT;
        const uint32_t from = test.ends[0]->CreateUdQp(parameters);
        const uint32_t to = test.ends[1]->CreateUdQp();
        for (uint64_t i = 0; i < 20; i++)
        {
            test.ends[1]->PostRecv(to, i);
            test.ends[0]->PostSend(from, {RoceVerb::SEND, 1000, i}, {1, to});
        }
        test.Run();
        EXPECT_EQ(test.GetEnds(0, from), UpTo(20));
        EXPECT_EQ(test.ends[1]->GetDroppedDatagrams(to), 0U);
        const RoceNicDevice& device = *test.network.fabric.nics[0];
        EXPECT_EQ(device.GetPort(nic).GetCounters().packets[0], 20U);
        EXPECT_EQ(device.GetPort(1 - nic).GetCounters().packets[0], 0U);
    }
}

TEST(RoceVerbsNetwork, DatagramsDoNotLeaveByAnotherNicWhereTheirsIsDown)
{
    const Topology topology = LoadTopology("star:gpus=2,nicsPerGpu=2,nicRate=100Gbps,delay=1us");
    VerbsNetwork test(topology);
    const RoceFabric& fabric = test.network.fabric;
    LinkEventPlayer player({topology,
                            fabric.channels,
                            {fabric.switches.begin(), fabric.switches.end()},
                            [&](const auto& routes) { fabric.SetNicRoutes(routes); }});
    player.Start({{MicroSeconds(1), LinkChange::DOWN, DataRate("1bps"), {1}}});
    RoceQueuePairParameters parameters;
    parameters.localEnd = fabric.routes->GetNic(0, 1);
    parameters.port = RoceQueuePairParameters::ANY_PORT;
    const uint32_t from = test.ends[0]->CreateUdQp(parameters);
    const uint32_t to = test.ends[1]->CreateUdQp();
    test.ends[1]->PostRecv(to, 0);
    Simulator::Schedule(MicroSeconds(2), [&] {
        test.ends[0]->PostSend(from, {RoceVerb::SEND, 1000, 0}, {1, to});
    });
    Simulator::Run();
    EXPECT_EQ(fabric.nics[0]->GetPort(0).GetCounters().packets[0], 0U) << "of NIC 0";
    EXPECT_EQ(test.network.Counters().payloadBytesDelivered, 0U);
}

TEST(RoceVerbsNetwork, ReadsSurviveLossesAndIncast)
{
    constexpr uint64_t READS = 10;
    for (const std::string recovery : RECOVERIES)
    {
        SCOPED_TRACE(recovery);
        Topology topology = StarTopology(4, "100Gbps", MicroSeconds(1));
        for (TopologyLink& link : topology.links)
        {
            link.lossRate = 0.01;
        }
        VerbsNetwork test(topology, SmallSwitch(recovery));
        // Everybody reads from, and writes to, everybody else over the same queue pair.
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> qps;
        for (uint32_t a = 0; a < 4; a++)
        {
            for (uint32_t b = a + 1; b < 4; b++)
            {
                qps[{a, b}] = test.ends[a]->CreateQp(*test.ends[b], {});
                qps[{b, a}] = test.ends[a]->GetPeerQp(qps[{a, b}]);
            }
        }
        for (const auto& [pair, qp] : qps)
        {
            for (uint64_t i = 0; i < READS; i++)
            {
                const RoceVerb verb = i % 3 == 2 ? RoceVerb::WRITE : RoceVerb::READ;
                test.ends[pair.first]->PostSend(qp, {verb, 1 + i * 7000, i});
            }
        }
        test.Run();
        for (const auto& [pair, qp] : qps)
        {
            EXPECT_EQ(test.GetEnds(pair.first, qp), UpTo(READS))
                << pair.first << " of " << pair.second;
        }
        EXPECT_GT(test.network.Counters().retransmittedPackets, 0U);
    }
}

/** \return two hosts with a port of 100 Gbit/s to each of two switches */
Topology
TwoPorts()
{
    Topology topology;
    topology.nodes.resize(4);
    topology.links.resize(4);
    for (uint32_t i = 0; i < 4; i++)
    {
        topology.links[i].a = i / 2;
        topology.links[i].b = 2 + i % 2;
        topology.links[i].rate = DataRate("100Gbps");
        topology.links[i].delay = MicroSeconds(1);
    }
    topology.nodes[2].kind = topology.nodes[3].kind = TopologyNodeKind::SWITCH;
    return topology;
}

TEST(RoceVerbsNetwork, ReadsLeaveAPortThatDies)
{
    constexpr uint64_t READS = 20;
    for (const bool requester : {true, false})
    {
        for (const std::string recovery : RECOVERIES)
        {
            SCOPED_TRACE(recovery + (requester ? ", the requester's" : ", the responder's"));
            VerbsNetwork test(TwoPorts(), SmallSwitch(recovery));
            RoceFabric& fabric = test.network.fabric;
            LinkEventPlayer player({TwoPorts(),
                                    fabric.channels,
                                    {fabric.switches.begin(), fabric.switches.end()},
                                    [&fabric](const auto& routes) { fabric.SetNicRoutes(routes); }});
            RoceQueuePairParameters parameters;
            parameters.port = RoceQueuePairParameters::ANY_PORT;
            const uint32_t qp =
                test.ends[0]->CreateQp(*test.ends[1], parameters, parameters.port);
            const uint32_t host = requester ? 0 : 1;
            RoceNicDevice& nic = *fabric.nics[host];
            const uint32_t home = nic.GetQueuePair(0).port;
            player.Start({{MicroSeconds(20),
                           LinkChange::DOWN,
                           DataRate("1bps"),
                           {2 * host + home}}});
            for (uint64_t i = 0; i < READS; i++)
            {
                test.ends[0]->PostSend(qp, {RoceVerb::READ, 50000, i});
            }
            test.Run();
            EXPECT_EQ(test.GetEnds(0, qp), UpTo(READS));
            EXPECT_EQ(nic.GetQueuePair(0).port, 1 - home);
            EXPECT_GT(nic.GetPort(1 - home).GetCounters().packets[0], 0U);
            // 85 us without the failure, one timeout with it.
            EXPECT_LT(test.seen[0].back().when, 85 * US + 2 * 525 * US);
        }
    }
}

TEST(RoceVerbsNetwork, ReadsAreSpreadOverBothPortsAndSurviveTheDeathOfOne)
{
    constexpr uint64_t READS = 20;
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(256));
    for (const std::string recovery : RECOVERIES)
    {
        for (const bool dies : {false, true})
        {
            SCOPED_TRACE(recovery + (dies ? ", one dies" : ""));
            RoceTestOptions options = SmallSwitch(recovery);
            const auto configure = options.configure;
            options.configure = [&configure](RoceHelper& helper) {
                configure(helper);
                helper.SetNicAttribute("PortPerPacket", BooleanValue(true));
                helper.SetNicAttribute("PortBalancer", StringValue("ns3::SprayLoadBalancer"));
            };
            VerbsNetwork test(TwoPorts(), options);
            RoceFabric& fabric = test.network.fabric;
            LinkEventPlayer player({TwoPorts(),
                                    fabric.channels,
                                    {fabric.switches.begin(), fabric.switches.end()},
                                    [&fabric](const auto& routes) { fabric.SetNicRoutes(routes); }});
            RoceQueuePairParameters parameters;
            parameters.port = RoceQueuePairParameters::ANY_PORT;
            const uint32_t qp = test.ends[0]->CreateQp(*test.ends[1], parameters, parameters.port);
            if (dies)
            {
                player.Start({{MicroSeconds(20), LinkChange::DOWN, DataRate("1bps"), {2}}});
            }
            for (uint64_t i = 0; i < READS; i++)
            {
                test.ends[0]->PostSend(qp, {RoceVerb::READ, 50000, i});
            }
            test.Run();
            EXPECT_EQ(test.GetEnds(0, qp), UpTo(READS));
            const uint64_t last = test.seen[0].back().when;
            if (dies)
            {
                EXPECT_LT(last, 90 * US + 2 * 525 * US);
                continue;
            }
            EXPECT_EQ(test.network.Counters().retransmittedPackets, 0U);
            EXPECT_NEAR(static_cast<double>(last) / US, 1000 * 0.08496 / 2 + 4, 3);
        }
    }
}

/** \ingroup tests \brief Weighted classes at NICs and switches. */
class WeightedClasses
{
  public:
    /** \param weights of the classes */
    explicit WeightedClasses(const std::string& weights)
    {
        const TypeIdValue type(TypeId::LookupByName("ns3::DwrrEgressScheduler"));
        m_defaults.Set("ns3::DwrrEgressScheduler::Weights", StringValue(weights));
        m_defaults.Set("ns3::DwrrEgressScheduler::Quantum", UintegerValue(2000));
        m_defaults.Set("ns3::RoceNicDevice::EgressScheduler", type);
        m_defaults.Set("ns3::RoceSwitchDevice::EgressScheduler", type);
    }

  private:
    ScopedDefaults m_defaults; //!< while it lives
};

TEST(RoceVerbsNetwork, ResponsesHaveTheWeightOfTheirClass)
{
    WeightedClasses classes("3:3,4:1");
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("LosslessPriorities", UintegerValue(0x18));
    };
    VerbsNetwork test(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
    std::map<uint32_t, uint32_t> qps;
    for (const uint32_t priority : {3, 4})
    {
        RoceQueuePairParameters parameters;
        parameters.priority = priority;
        qps[priority] = test.ends[0]->CreateQp(*test.ends[1], parameters);
        for (uint64_t i = 0; i < 12; i++)
        {
            test.ends[0]->PostSend(qps[priority], {RoceVerb::READ, 100000, i});
        }
    }
    size_t slow = 0;
    EngineUnderTest::At(100 * US, [&] { slow = test.GetEnds(0, qps[4]).size(); });
    test.Run();
    EXPECT_EQ(test.GetEnds(0, qps[3]), UpTo(12));
    EXPECT_EQ(test.GetEnds(0, qps[4]), UpTo(12));
    EXPECT_EQ(test.network.Counters().retransmittedPackets, 0U);
    // 96 us of 100 carry 1130 packets, 3/4 of them of class 3.
    EXPECT_EQ(slow, 2U);
    const auto end = [&](uint32_t priority) {
        const auto& seen = test.seen[0];
        const auto last = std::find_if(seen.rbegin(), seen.rend(), [&](const auto& noted) {
            return noted.completion.qp == qps[priority];
        });
        return static_cast<double>(last->when) / US;
    };
    EXPECT_NEAR(end(3), 1200 * 0.08496 * 4 / 3, 6);
    EXPECT_NEAR(end(4), 2400 * 0.08496, 6);
}

/** \ingroup tests \brief Writes down when datagrams left a port. */
class DepartureTap : public FabricTap
{
  public:
    std::vector<uint64_t> ends; //!< of their last bits, ticks

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        if (packet.GetClass() == FrameClass::DATA)
        {
            ends.push_back(when + packet.frameBytes * 80);
        }
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }
};

/**
 * Five hosts send 300 datagrams each to a sixth, which sends data to them.
 * \param options of the network
 * \return times of all completions, ticks, and the fingerprint
 */
std::vector<uint64_t>
PlayDatagrams(const RoceTestOptions& options)
{
    constexpr uint32_t SENDERS = 5;
    constexpr uint64_t COUNT = 300;
    std::vector<DepartureTap> taps(SENDERS);
    VerbsNetwork test(StarTopology(SENDERS + 1, "100Gbps", MicroSeconds(1)), options);
    const uint32_t to = test.ends[0]->CreateUdQp();
    for (uint64_t i = 0; i < SENDERS * COUNT; i++)
    {
        test.ends[0]->PostRecv(to, i);
    }
    std::vector<uint32_t> qps(SENDERS);
    for (uint32_t i = 0; i < SENDERS; i++)
    {
        test.network.fabric.nics[i + 1]->GetPort(0).SetTap(&taps[i]);
        qps[i] = test.ends[i + 1]->CreateUdQp();
        for (uint64_t k = 0; k < COUNT; k++)
        {
            test.ends[i + 1]->PostSend(qps[i], {RoceVerb::SEND, 1000, k}, {0, to});
        }
        // Whose acknowledgements share the ports with the datagrams.
        const uint32_t qp = test.ends[0]->CreateQp(*test.ends[i + 1], {});
        test.ends[0]->PostSend(qp, {RoceVerb::WRITE, 40000, 0});
    }
    test.Run();
    EXPECT_EQ(test.ends[0]->GetDroppedDatagrams(to), 0U);
    EXPECT_EQ(test.network.Counters().drops, 0U);
    EXPECT_GT(test.network.Counters().pfcPauses, 0U);
    std::vector<uint64_t> times;
    for (uint32_t i = 0; i < SENDERS; i++)
    {
        EXPECT_EQ(test.GetEnds(i + 1, qps[i]), UpTo(COUNT));
        std::vector<uint64_t> told;
        for (const NotedCompletion& noted : test.seen[i + 1])
        {
            told.push_back(noted.when);
        }
        EXPECT_EQ(told, taps[i].ends) << "told when their last bits left";
        times.insert(times.end(), told.begin(), told.end());
    }
    times.push_back(test.seen[0].back().when);
    times.push_back(test.network.context->GetFingerprint());
    return times;
}

TEST(RoceVerbsNetwork, DatagramsArePausedAndToldWhenTheyLeft)
{
    EXPECT_EQ(PlayDatagrams(SmallSwitch()), PlayDatagrams(SmallSwitch(RECOVERIES[0], "default")));
}

TEST(RoceVerbsNetwork, DatagramsOfWeightedClassesAreToldWhenTheyLeft)
{
    WeightedClasses classes("3:3,4:1");
    EXPECT_EQ(PlayDatagrams(SmallSwitch()), PlayDatagrams(SmallSwitch(RECOVERIES[0], "default")));
}

TEST(RoceVerbsNetwork, DatagramsThatASwitchDropsAreNotRepeated)
{
    RoceTestOptions options = SmallSwitch();
    const auto configure = options.configure;
    options.configure = [&configure](RoceHelper& helper) {
        configure(helper);
        helper.SetSwitchAttribute("LosslessPriorities", UintegerValue(0));
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(100000));
    };
    VerbsNetwork test(StarTopology(4, "100Gbps", MicroSeconds(1)), options);
    const uint32_t to = test.ends[0]->CreateUdQp();
    constexpr uint64_t COUNT = 900;
    for (uint64_t i = 0; i < COUNT; i++)
    {
        const uint32_t host = 1 + i % 3;
        test.ends[0]->PostRecv(to, i);
        if (i < 3)
        {
            test.ends[host]->CreateUdQp();
        }
        test.ends[host]->PostSend(RoceNicDevice::FIRST_QP_NUMBER,
                                  {RoceVerb::SEND, 1000, i},
                                  {0, to});
    }
    Simulator::Run();
    test.network.CheckNothingIsLeft();
    const uint64_t dropped = test.network.Counters().drops;
    EXPECT_GT(dropped, 100U);
    EXPECT_EQ(test.seen[0].size(), COUNT - dropped);
    EXPECT_EQ(test.bytes, COUNT * 1000) << "all left";
    EXPECT_EQ(test.network.Counters().payloadBytesDelivered, (COUNT - dropped) * 1000);
    EXPECT_EQ(test.network.Counters().retransmittedPackets, 0U);
}

} // namespace
