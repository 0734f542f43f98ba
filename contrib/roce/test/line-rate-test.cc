/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "congestion-control-test-helper.h"
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/dcqcn-congestion-control.h"
#include "ns3/dctcp-congestion-control.h"
#include "ns3/hpcc-congestion-control.h"
#include "ns3/link-event-player.h"
#include "ns3/loss-recovery.h"
#include "ns3/nvidia-dcqcn-congestion-control.h"
#include "ns3/object-factory.h"
#include "ns3/power-tcp-congestion-control.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/swift-congestion-control.h"
#include "ns3/timely-congestion-control.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * Queue pairs whose line rate changes: another port, or a link of another rate.
 */

using namespace ns3;

namespace
{

constexpr uint64_t GIGA = 1000000000; //!< bit/s

/**
 * \tparam T class of the congestion control
 * \param type its TypeId name
 * \param lineRateBps bit/s
 * \return a congestion control, started
 */
template <class T = RoceCongestionControl>
Ptr<T>
MakeControl(const std::string& type, uint64_t lineRateBps = 100 * GIGA)
{
    const auto control = ObjectFactory(type).Create<T>();
    control->Start(MakeStart(lineRateBps));
    return control;
}

/** \param name TypeId name \return whether its window or rate depends on marks or delays alone */
bool
GrowsByItsOwn(const std::string& name)
{
    return name == "ns3::DctcpCongestionControl" || name == "ns3::SwiftCongestionControl";
}

} // namespace

TEST(RoceLineRate, WhatRunsAtLineRateGoesOnAtTheNewOne)
{
    for (const TypeId& type : FindCongestionControls())
    {
        const std::string name = type.GetName();
        SCOPED_TRACE(name);
        const auto control = MakeControl(name);
        for (const uint64_t rate : {400, 40, 100})
        {
            control->OnLineRate({UsTicks(1), rate * GIGA});
            EXPECT_LE(control->GetRateBps(UsTicks(1)), rate * GIGA);
            EXPECT_GE(control->GetRateBps(UsTicks(1)), rate * GIGA - 1);
        }
    }
}

TEST(RoceLineRate, NoCongestionControlIsEverFaster)
{
    for (const TypeId& type : FindCongestionControls())
    {
        const std::string name = type.GetName();
        SCOPED_TRACE(name);
        const auto control = MakeControl(name);
        uint64_t now = 0;
        uint64_t line = 100 * GIGA;
        for (uint64_t psn = 0; psn < 4000; psn++)
        {
            now += UsTicks(1);
            if (psn % 90 == 89)
            {
                line = (psn * 7919 % 400 + 1) * GIGA;
                control->OnLineRate({now, line});
            }
            PlayPacket(*control, psn, now, 400 * GIGA);
            ASSERT_GT(control->GetRateBps(now), 0U);
            ASSERT_LE(control->GetRateBps(now), line);
            ASSERT_GT(control->GetWindowBytes(), 0U);
        }
    }
}

TEST(RoceLineRate, DcqcnKeepsItsCutAndScalesItsSteps)
{
    const auto dcqcn = MakeControl<DcqcnCongestionControl>("ns3::DcqcnCongestionControl");
    dcqcn->OnCnp({UsTicks(10)}); // R_T = 100, R_C = 50
    dcqcn->OnLineRate({UsTicks(20), 400 * GIGA});
    EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(20)), 50e9);
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(20)), 400e9);
    EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(65)), 225e9) << "its increase timer ran on";
    dcqcn->OnLineRate({UsTicks(66), 40 * GIGA});
    EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(66)), 40e9);
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(66)), 40e9);
    dcqcn->OnCnp({UsTicks(70)});
    dcqcn->OnCnp({UsTicks(70)}); // the target is below the line rate
    const double target = dcqcn->GetTargetRate(UsTicks(70));
    EXPECT_LT(target, 30e9);
    dcqcn->OnLineRate({UsTicks(71), 400 * GIGA});
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(71)), target);
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(70 + 5 * 55)), target + 400e6) << "1/1000 of 400 Gb/s";
}

TEST(RoceLineRate, NvidiaDcqcnWithoutALimiterFollows)
{
    const auto dcqcn =
        MakeControl<NvidiaDcqcnCongestionControl>("ns3::NvidiaDcqcnCongestionControl");
    dcqcn->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_FALSE(dcqcn->IsLimited(UsTicks(1)));
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(1)), 400 * GIGA);
    dcqcn->OnCnp({UsTicks(2)});
    const double cut = dcqcn->GetCurrentRate(UsTicks(6)); // the cut, one period later
    EXPECT_LT(cut, 400e9);
    dcqcn->OnLineRate({UsTicks(7), 800 * GIGA});
    EXPECT_EQ(dcqcn->GetCurrentRate(UsTicks(7)), cut);
    EXPECT_EQ(dcqcn->GetTargetRate(UsTicks(7)), 800e9);
    dcqcn->OnLineRate({UsTicks(8), 100 * GIGA});
    EXPECT_FALSE(dcqcn->IsLimited(UsTicks(8))) << "a limiter at the line rate is released";
    EXPECT_EQ(dcqcn->GetRateBps(UsTicks(8)), 100 * GIGA);
}

TEST(RoceLineRate, TimelyTakesOffTheSerialisationAtThePresentRate)
{
    const auto complete = [](TimelyCongestionControl& timely, uint64_t now, uint64_t rtt) {
        AckEvent event;
        event.now = now;
        event.ackedBytes = 16000;
        event.rtt = rtt;
        timely.OnAck(event);
    };
    const auto timely = MakeControl<TimelyCongestionControl>("ns3::TimelyCongestionControl", GIGA);
    complete(*timely, UsTicks(1000), UsTicks(1000)); // above THigh
    const double rate = timely->GetRate();
    EXPECT_LT(rate, 0.7e9);
    timely->OnLineRate({UsTicks(1001), 100 * GIGA});
    EXPECT_EQ(timely->GetRate(), rate);
    // 1106 bytes take 8.848 us at 1 Gb/s, 88.48 ns at 100: 500.05 us are above THigh, 499.96 below.
    complete(*timely, UsTicks(2000), UsTicks(500) + 130000);
    const double fallen = timely->GetRate();
    EXPECT_LT(fallen, rate);
    timely->OnLineRate({UsTicks(2001), GIGA});
    for (uint64_t i = 0; i < 200; i++)
    {
        complete(*timely, UsTicks(3000 + i), UsTicks(50) + 8000000); // 49.15 us: below TLow
    }
    EXPECT_EQ(timely->GetRate(), 1e9);
    timely->OnLineRate({UsTicks(4000), 2 * GIGA});
    EXPECT_EQ(timely->GetRate(), 2e9);
}

TEST(RoceLineRate, HpccReferenceAndStepFollow)
{
    const auto hpcc = MakeControl<HpccCongestionControl>("ns3::HpccCongestionControl");
    hpcc->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(hpcc->GetReferenceWindow(), 400000); // 8 us at 400 Gb/s
    EXPECT_EQ(hpcc->GetWireWindow(), 400000);
    TelemetryStack stack;
    stack.hops.push_back({0, 0, 0, 400 * GIGA, 1});
    AckEvent ack;
    ack.telemetry = &stack;
    ack.now = UsTicks(2);
    hpcc->OnAck(ack);
    stack.hops[0] = {UsTicks(8), 400000 * 19 / 20, 0, 400 * GIGA, 1}; // U = eta for T
    ack.now = UsTicks(10);
    ack.psn = 1;
    ack.nextPsn = 2;
    hpcc->OnAck(ack);
    EXPECT_EQ(hpcc->GetWireWindow(), 400000) << "the reference, plus a step, is above the ceiling";
    hpcc->OnLineRate({UsTicks(11), 40 * GIGA});
    EXPECT_EQ(hpcc->GetWireWindow(), 40000);
    EXPECT_EQ(hpcc->GetReferenceWindow(), 40000);
    EXPECT_NEAR(hpcc->GetWindowBytes(), 40000.0 * 1024 / 1106, 1);
}

TEST(RoceLineRate, PowerTcpAdditiveIncreaseFollows)
{
    const auto power = MakeControl<PowerTcpCongestionControl>("ns3::PowerTcpCongestionControl");
    EXPECT_EQ(power->GetAdditiveIncrease(), 10000);
    power->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(power->GetAdditiveIncrease(), 40000);
    power->OnLineRate({UsTicks(2), 40 * GIGA});
    EXPECT_EQ(power->GetAdditiveIncrease(), 4000);
    EXPECT_EQ(power->GetWireWindow(), 40000);
}

TEST(RoceLineRate, WindowsOfMarksAndDelaysStay)
{
    const auto dctcp = MakeControl<DctcpCongestionControl>("ns3::DctcpCongestionControl");
    const double window = dctcp->GetWindow();
    dctcp->OnLineRate({UsTicks(1), 40 * GIGA});
    EXPECT_EQ(dctcp->GetWindow(), window);
    EXPECT_EQ(dctcp->GetRateBps(UsTicks(1)), 40 * GIGA);

    const auto swift = MakeControl<SwiftCongestionControl>("ns3::SwiftCongestionControl");
    const double cwnd = swift->GetWindow();
    swift->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(swift->GetWindow(), cwnd);
    swift->OnLineRate({UsTicks(2), GIGA}); // 120 us, the largest target delay, of 1106 bytes each
    EXPECT_NEAR(swift->GetWindow(), 120e-6 * 1e9 / 8 / 1106, 1e-9);
    AckEvent ack;
    ack.now = UsTicks(3);
    ack.ackedBytes = 1024;
    ack.rtt = UsTicks(1000);
    swift->OnAck(ack);
    EXPECT_LT(swift->GetWindow(), 120e-6 * 1e9 / 8 / 1106)
        << "the bound counts as no decrease: the law may decrease at once";
}

TEST(RoceLineRate, FixedOnesFollowTheirAttributes)
{
    ObjectFactory rates("ns3::FixedRateCongestionControl");
    rates.Set("Rate", StringValue("200Gbps"));
    const auto rate = rates.Create<RoceCongestionControl>();
    rate->Start(MakeStart(100 * GIGA));
    rate->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(rate->GetRateBps(UsTicks(1)), 200 * GIGA);

    const auto window = MakeControl("ns3::FixedWindowCongestionControl");
    EXPECT_EQ(window->GetWindowBytes(), 92586U); // 8 us of 100 Gb/s, 1024 of 1106 bytes payload
    window->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(window->GetWindowBytes(), 370344U);
    ObjectFactory windows("ns3::FixedWindowCongestionControl");
    windows.Set("Window", UintegerValue(5000));
    const auto given = windows.Create<RoceCongestionControl>();
    given->Start(MakeStart(100 * GIGA));
    given->OnLineRate({UsTicks(1), 400 * GIGA});
    EXPECT_EQ(given->GetWindowBytes(), 5000U);
}

TEST(RoceLineRate, TheCapOfSelectiveRepeatFollows)
{
    const auto recovery =
        ObjectFactory("ns3::SelectiveRepeatLossRecovery").Create<LossRecovery>();
    LossRecoveryStart start;
    start.ticksPerSecond = UsTicks(1000000);
    start.lineRateBps = 100 * GIGA;
    start.packetWireBytes = 1000;
    start.baseRtt = UsTicks(8);
    recovery->Start(start);
    EXPECT_EQ(recovery->GetMaxOutstanding(), 100U);
    recovery->LineRateChanged(400 * GIGA);
    EXPECT_EQ(recovery->GetMaxOutstanding(), 400U);
}

TEST(RoceLineRate, ACapThatShrinksBelowWhatIsOutstandingLeavesNothingWaiting)
{
    const auto recovery = ObjectFactory("ns3::GoBackNLossRecovery").Create<LossRecovery>();
    recovery->Start({0, UsTicks(1000000), GIGA, 1000, 0, UsTicks(100)});
    RoceRequester requester;
    RoceRequesterParameters parameters;
    parameters.mtuBytes = 1000;
    parameters.ackEveryPackets = 100;
    parameters.maxOutstanding = 100;
    requester.Configure(parameters, *recovery);
    RoceWorkRequest request;
    request.bytes = 1000000;
    requester.Post(request);
    FabricPacket packet{};
    for (uint32_t i = 0; i < 50; i++)
    {
        requester.BuildNext(packet, RoceCongestionControl::UNLIMITED);
        EXPECT_FALSE(packet.ackRequest);
    }
    requester.SetMaxOutstanding(10);
    ASSERT_TRUE(requester.CanSend(RoceCongestionControl::UNLIMITED));
    requester.BuildNext(packet, RoceCongestionControl::UNLIMITED);
    EXPECT_TRUE(packet.ackRequest);
    EXPECT_FALSE(requester.CanSend(RoceCongestionControl::UNLIMITED));
    requester.Acknowledge(51);
    EXPECT_TRUE(requester.CanSend(RoceCongestionControl::UNLIMITED));
}

namespace
{

/** \ingroup tests \brief Two hosts with a port to each of two switches, of two rates. */
class TwoRatesUnderTest
{
  public:
    /**
     * \param control TypeId name of the congestion control
     * \param rates of the links to each switch, Gb/s
     * \param perPacket whether packets are spread over the ports
     */
    TwoRatesUnderTest(const std::string& control,
                      const std::pair<uint64_t, uint64_t>& rates,
                      bool perPacket = false)
        : m_topology(MakeTopology(rates)),
          network(m_topology, Options(control, perPacket)),
          m_player({m_topology,
                    network.fabric.channels,
                    {network.fabric.switches.begin(), network.fabric.switches.end()},
                    [this](const auto& routes) { network.fabric.SetNicRoutes(routes); }})
    {
    }

    /**
     * \param us microseconds
     * \param port of host 0
     * \param change what happens
     * \param gbps new rate, Gb/s
     */
    void Add(int64_t us, uint32_t port, LinkChange change, uint64_t gbps = 1)
    {
        m_events.push_back({MicroSeconds(us), change, DataRate(gbps * GIGA), {port}});
    }

    /** Gives the player its events. */
    void Start()
    {
        m_player.Start(m_events);
    }

    /** \return the sending queue pair */
    RoceQueuePair& GetQp()
    {
        return network.fabric.nics[0]->GetQueuePair(0);
    }

    /** \param port of host 0 \param us time to run on \return what data takes of its line rate */
    double Share(uint32_t port, int64_t us)
    {
        FabricPort& out = network.fabric.nics[0]->GetPort(port);
        const uint64_t before = out.GetCounters().wireBytes[0];
        network.RunFor(MicroSeconds(us));
        const double bits = 8.0 * static_cast<double>(out.GetCounters().wireBytes[0] - before);
        return bits / (static_cast<double>(us) * 1e-6) / static_cast<double>(out.GetRateBps());
    }

  private:
    /** \param rates of the links to each switch, Gb/s \return the network */
    static Topology MakeTopology(const std::pair<uint64_t, uint64_t>& rates)
    {
        Topology topology;
        topology.nodes.resize(4);
        topology.nodes[2].kind = topology.nodes[3].kind = TopologyNodeKind::SWITCH;
        topology.links.resize(4);
        for (uint32_t i = 0; i < 4; i++)
        {
            topology.links[i].a = i / 2;
            topology.links[i].b = 2 + i % 2;
            topology.links[i].rate = DataRate((i % 2 ? rates.second : rates.first) * GIGA);
            topology.links[i].delay = MicroSeconds(1);
        }
        return topology;
    }

    /** \param control TypeId name \param perPacket as the constructor's \return options */
    static RoceTestOptions Options(const std::string& control, bool perPacket)
    {
        RoceTestOptions options;
        options.congestionControl = control;
        options.mtuBytes = 4096;
        options.configure = [perPacket](RoceHelper& helper) {
            helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(3)); // 33 us
            helper.SetNicAttribute("PortPerPacket", BooleanValue(perPacket));
        };
        return options;
    }

    Topology m_topology;             //!< the network
    std::vector<LinkEvent> m_events; //!< what happens

  public:
    RoceTestNetwork network; //!< the network

  private:
    LinkEventPlayer m_player; //!< changes its links
};

} // namespace

TEST(RoceLineRate, EveryCongestionControlFillsThePortThatItMovesTo)
{
    for (const TypeId& type : FindCongestionControls())
    {
        const std::string name = type.GetName();
        for (const bool homeIsFast : {false, true})
        {
            SCOPED_TRACE(name + (homeIsFast ? ", from 400 Gb/s" : ", from 100 Gb/s"));
            for (const bool second : {false, true}) // which is the fast port: one of them fits
            {
                TwoRatesUnderTest bench(name, {second ? 100 : 400, second ? 400 : 100});
                bench.network.Send(0, 1, 1000000000);
                RoceQueuePair& qp = bench.GetQp();
                const uint32_t home = qp.port;
                if ((home == second) != homeIsFast)
                {
                    continue;
                }
                bench.Add(100, home, LinkChange::DOWN);
                bench.Add(300, home, LinkChange::UP);
                bench.Start();
                const double least = GrowsByItsOwn(name) ? 0.2 : 0.85;
                bench.network.RunFor(MicroSeconds(50));
                EXPECT_GT(bench.Share(home, 49), least);
                bench.network.RunFor(MicroSeconds(151));
                EXPECT_EQ(qp.port, 1 - home);
                EXPECT_GT(bench.Share(1 - home, 49), least);
                EXPECT_LE(qp.congestionControl->GetRateBps(UsTicks(299)), qp.pacing.lineRateBps);
                bench.network.RunFor(MicroSeconds(151));
                EXPECT_EQ(qp.port, home);
                EXPECT_GT(bench.Share(home, 49), least);
            }
        }
    }
}

TEST(RoceLineRate, APacedRateStaysWhatItIsAtAFasterPort)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedRateCongestionControl::Rate", StringValue("100Gbps"));
    for (const bool second : {false, true})
    {
        TwoRatesUnderTest bench("ns3::FixedRateCongestionControl",
                                {second ? 100 : 400, second ? 400 : 100});
        bench.network.Send(0, 1, 1000000000);
        const uint32_t fast = second;
        if (bench.GetQp().port == fast)
        {
            continue;
        }
        bench.Add(100, 1 - fast, LinkChange::DOWN);
        bench.Start();
        bench.network.RunFor(MicroSeconds(200));
        EXPECT_NEAR(bench.Share(fast, 100), 0.25, 0.005);
        return;
    }
    FAIL() << "the home of the queue pair was never the slow port";
}

TEST(RoceLineRate, TheNicHearsOfTheRateOfItsOwnLink)
{
    TwoRatesUnderTest bench("ns3::NoCongestionControl", {100, 100});
    bench.network.Send(0, 1, 1000000000);
    RoceQueuePair& qp = bench.GetQp();
    bench.Add(10, qp.port, LinkChange::RATE, 25);
    bench.Add(20, qp.port, LinkChange::RATE, 100);
    bench.Start();
    bench.network.RunFor(MicroSeconds(15));
    EXPECT_EQ(qp.congestionControl->GetRateBps(UsTicks(15)), 25 * GIGA);
    bench.network.RunFor(MicroSeconds(10));
    EXPECT_EQ(qp.congestionControl->GetRateBps(UsTicks(25)), 100 * GIGA);
}

TEST(RoceLineRate, QueuePairsSpreadOverPortsHaveTheRateOfThosePortsThatAreThere)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
    TwoRatesUnderTest bench("ns3::NoCongestionControl", {100, 400}, true);
    bench.network.Send(0, 1, 1000000000);
    RoceQueuePair& qp = bench.GetQp();
    bench.Add(10, 1, LinkChange::DOWN);
    bench.Add(20, 1, LinkChange::UP);
    bench.Start();
    bench.network.RunFor(MicroSeconds(5));
    EXPECT_EQ(qp.congestionControl->GetRateBps(UsTicks(5)), 500 * GIGA);
    bench.network.RunFor(MicroSeconds(10));
    EXPECT_EQ(qp.congestionControl->GetRateBps(UsTicks(15)), 100 * GIGA);
    bench.network.RunFor(MicroSeconds(10));
    EXPECT_EQ(qp.congestionControl->GetRateBps(UsTicks(25)), 500 * GIGA);
}
