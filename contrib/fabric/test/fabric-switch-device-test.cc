/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-under-test.h"

#include "ns3/boolean.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/fabric-switch-device.h"

#include <functional>
#include <gtest/gtest.h>
#include <random>

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks
constexpr uint32_t FRAME = 1062; //!< bytes
constexpr uint64_t SER = 84960;  //!< of a frame at 100 Gb/s, without gap, ticks

/** \ingroup tests \brief A switch that notes its pauses instead of sending them. */
class NotingSwitch : public FabricSwitchDevice
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = AddForwardingAttributes(TypeId("ns3::NotingSwitch")
                                                        .SetParent<FabricSwitchDevice>()
                                                        .AddConstructor<NotingSwitch>(),
                                                    EcmpLoadBalancer::GetTypeId(),
                                                    false);
        return tid;
    }

    std::vector<std::pair<uint64_t, bool>> pauses; //!< ticks, and whether it is a pause
    std::vector<uint64_t> control;                 //!< cookies of control frames
    SharedBufferParameters parameters;             //!< of its buffer

  protected:
    SharedBufferParameters GetBufferParameters() const override
    {
        return parameters;
    }

    void SignalPause(FabricPort& port, uint32_t priority, bool pause) override
    {
        EXPECT_EQ(priority, 3U);
        pauses.emplace_back(NowTicks(), pause);
    }

    void ReceiveControl(const FabricPacket& packet, FabricPort& port) override
    {
        control.push_back(packet.cookie);
    }
};

/** \ingroup tests \brief A load balancer that notes what it is told. */
class NotingBalancer : public LoadBalancer
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::NotingBalancer")
                                .SetParent<LoadBalancer>()
                                .AddConstructor<NotingBalancer>();
        return tid;
    }

    NotingBalancer()
    {
        last = this;
    }

    void Start(const LoadBalancerStart& told) override
    {
        start = told;
    }

    int64_t AssignStreams(int64_t first) override
    {
        stream = first;
        return 2;
    }

    uint32_t Choose(FabricPacket&, PortSpan) override
    {
        return 0;
    }

    static NotingBalancer* last; //!< the one made last
    LoadBalancerStart start;     //!< what it was told
    int64_t stream{-1};          //!< its first stream
};

NotingBalancer* NotingBalancer::last = nullptr;

/** \ingroup tests \brief Some hosts and a switch, all links with 1 us of delay and no gap. */
class SwitchUnderTest
{
  public:
    /**
     * \param rates rate of each host's link, Gbit/s
     * \param configure sets attributes of the switch before it is configured
     */
    explicit SwitchUnderTest(const std::vector<uint64_t>& rates,
                             std::function<void(NotingSwitch&)> configure = nullptr)
        : m_context(Create<FabricContext>()),
          hub(CreateObject<NotingSwitch>())
    {
        Topology topology;
        topology.nodes.resize(rates.size() + 1);
        topology.nodes.back().kind = TopologyNodeKind::SWITCH;
        Add(hub);
        for (uint32_t i = 0; i < rates.size(); i++)
        {
            TopologyLink link;
            link.a = i;
            link.b = rates.size();
            topology.links.push_back(link);
            hosts.push_back(CreateObject<NotingDevice>());
            Add(hosts.back());
            FabricPort::Connect(hosts.back()->AddPort(),
                                hub->AddPort(),
                                {rates[i] * 1000000000, US, 0, 0});
        }
        m_routes = std::make_shared<RouteTable>(topology, TopologyLinkKind::ETHERNET);
        hub->SetRoutes(m_routes, rates.size());
        hub->parameters.totalBytes = 1000000;
        hub->parameters.losslessMask = 1U << 3;
        if (configure)
        {
            configure(*hub);
        }
        hub->Configure();
    }

    /**
     * \param ts when, ticks
     * \param src sending host
     * \param dst receiving host
     * \param id number of the frame
     * \param bytes its size
     * \param priority its class
     */
    void SendAt(uint64_t ts,
                uint32_t src,
                uint32_t dst,
                uint64_t id,
                uint32_t bytes = FRAME,
                uint32_t priority = 3)
    {
        EngineUnderTest::At(ts, [=] {
            FabricPacket* packet = m_context->pool.Allocate();
            packet->src = src;
            packet->dst = dst;
            packet->cookie = id;
            packet->frameBytes = bytes;
            packet->priority = priority;
            if (instrument)
            {
                m_context->pool.AttachTelemetry(packet);
            }
            hosts[src]->GetPort(0).Enqueue(packet, ts);
        });
    }

    /** Runs to the end; everything must be back in its place. */
    void Run()
    {
        Simulator::Run();
        for (uint32_t i = 0; i < hub->GetPortCount(); i++)
        {
            hub->GetPort(i).Advance(EngineUnderTest::Now());
        }
        EXPECT_EQ(m_context->pool.GetInUse(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetUsed(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetPausedCount(), 0U);
    }

  private:
    /** \param device put on a node of its own */
    void Add(Ptr<FabricDevice> device)
    {
        device->SetFabric(m_context);
        CreateObject<Node>()->AddDevice(device);
    }

    EngineUnderTest m_engine;                   //!< the simulation
    Ptr<FabricContext> m_context;               //!< shared state
    std::shared_ptr<const RouteTable> m_routes; //!< of the star

  public:
    Ptr<NotingSwitch> hub;                //!< the switch
    bool instrument{false};               //!< frames carry telemetry
    std::vector<Ptr<NotingDevice>> hosts; //!< the hosts
};

using Notes = std::vector<NotingDevice::Note>; //!< frames with times

TEST(FabricSwitchDevice, StoresAndForwards)
{
    SwitchUnderTest star({100, 100, 400});
    star.SendAt(0, 0, 1, 1);
    star.SendAt(0, 0, 2, 2);
    star.Run();
    EXPECT_EQ(star.hosts[1]->arrivals, (Notes{{1, 2 * SER + 2 * US}}));
    EXPECT_EQ(star.hosts[2]->arrivals, (Notes{{2, 2 * SER + SER / 4 + 2 * US}}));
}

TEST(FabricSwitchDevice, WritesTelemetryAsOfTheDeparture)
{
    // Two hosts send two frames each at the same time. The second pair comes at the very tick at
    // which the first pair's last frame leaves, and after that.
    SwitchUnderTest star({100, 100, 100});
    star.instrument = true;
    for (const uint64_t id : {1, 2})
    {
        star.SendAt(0, 0, 2, id);
        star.SendAt(0, 1, 2, 10 + id);
    }
    star.Run();
    ASSERT_EQ(star.hosts[2]->telemetry.size(), 4U);
    const uint64_t first = SER + US;
    const std::vector<uint64_t> order{1, 11, 2, 12};
    const std::vector<uint64_t> behind{0, 0, 1, 0};
    for (size_t i = 0; i < order.size(); i++)
    {
        const auto& hops = star.hosts[2]->telemetry[order[i]];
        ASSERT_EQ(hops.size(), 1U) << order[i];
        EXPECT_EQ(hops[0].when, first + i * SER) << order[i];
        EXPECT_EQ(hops[0].sentBytes, i * FRAME) << order[i];
        EXPECT_EQ(hops[0].queueBytes, behind[i] * FRAME) << order[i];
        EXPECT_EQ(hops[0].rateBps, 100000000000U);
    }
}

TEST(FabricSwitchDevice, ReturnsTheTelemetryOfDroppedFrames)
{
    SwitchUnderTest star({400, 100}, [](NotingSwitch& hub) {
        hub.parameters.losslessMask = 0;
        hub.parameters.totalBytes = 4 * FRAME;
    });
    star.instrument = true;
    for (uint64_t id = 0; id < 50; id++)
    {
        star.SendAt(0, 0, 1, id);
    }
    star.Run();
    ASSERT_LT(star.hosts[1]->telemetry.size(), 50U);
    for (const auto& [id, hops] : star.hosts[1]->telemetry)
    {
        EXPECT_EQ(hops.size(), 1U) << id; // nothing is left of the record's last use
    }
}

TEST(FabricSwitchDevice, LatencyDelaysEveryFrameButControl)
{
    SwitchUnderTest star({100, 100, 100}, [](NotingSwitch& hub) {
        hub.SetAttribute("Latency", TimeValue(NanoSeconds(300)));
    });
    constexpr uint64_t LATENCY = 300000;
    star.SendAt(0, 0, 1, 1);
    star.SendAt(0, 0, 1, 2);
    star.SendAt(10, 2, 1, 3);
    star.SendAt(0, 0, 1, 4, 64, FabricPort::CONTROL);
    star.Run();
    const uint64_t first = 2 * SER + LATENCY + 2 * US;
    EXPECT_EQ(star.hosts[1]->arrivals, (Notes{{1, first}, {3, first + SER}, {2, first + 2 * SER}}));
    EXPECT_EQ(star.hub->control, (std::vector<uint64_t>{4}));
}

TEST(FabricSwitchDevice, FramesInThePipelineDoNotHoldUpThePort)
{
    // A frame of higher precedence, and a pause, find the egress port idle while another frame is
    // still inside the switch.
    SwitchUnderTest star({100, 100}, [](NotingSwitch& hub) {
        hub.SetAttribute("Latency", TimeValue(MicroSeconds(2)));
    });
    star.SendAt(0, 0, 1, 1);
    star.SendAt(0, 0, 1, 2);
    EngineUnderTest::At(2 * US, [&] {
        FabricPacket* packet = star.hub->GetFabric()->pool.Allocate();
        packet->frameBytes = 64;
        packet->cookie = 3;
        packet->priority = FabricPort::CONTROL;
        star.hub->GetPort(1).Enqueue(packet, 2 * US);
        star.hub->GetPort(1).Pause(3, 2 * US + 100, 2 * US);
    });
    star.Run();
    const uint64_t control = 64 * 80;
    EXPECT_EQ(star.hosts[1]->arrivals,
              (Notes{{3, 2 * US + control + US}, {1, 2 * SER + 4 * US}, {2, 3 * SER + 4 * US}}));
}

TEST(FabricSwitchDevice, LatencyHidesNoFrameFromTheLossyThreshold)
{
    // A queue may hold what is free: 10 of 20 frames. 20 frames arrive within the latency.
    for (const uint64_t latency : {0, 1, 5})
    {
        SwitchUnderTest star({100, 100, 100}, [&](NotingSwitch& hub) {
            hub.SetAttribute("Latency", TimeValue(MicroSeconds(latency)));
            hub.parameters.totalBytes = 20 * FRAME;
        });
        star.hub->GetPort(2).Pause(0, 50 * US, 0);
        for (uint64_t id = 0; id < 10; id++)
        {
            star.SendAt(0, 0, 2, id, FRAME, 0);
            star.SendAt(0, 1, 2, id + 10, FRAME, 0);
        }
        star.Run();
        EXPECT_EQ(star.hub->GetFabric()->counters.drops, 10U) << latency << " us";
        EXPECT_EQ(star.hosts[2]->arrivals.size(), 10U) << latency << " us";
    }
}

TEST(FabricSwitchDevice, TellsItsLoadBalancerWhoItServes)
{
    SwitchUnderTest star({100, 100, 100}, [](NotingSwitch& hub) {
        hub.SetAttribute("LoadBalancer", TypeIdValue(NotingBalancer::GetTypeId()));
    });
    const NotingBalancer& balancer = *NotingBalancer::last;
    EXPECT_EQ(balancer.start.node, star.hub->GetNode()->GetId());
    EXPECT_EQ(balancer.start.seed, EcmpLoadBalancer::GetSalt(balancer.start.node));
    EXPECT_EQ(balancer.start.device, PeekPointer(star.hub));
    EXPECT_EQ(star.hub->AssignStreams(70), 3 + 2) << "one for each port and those of the balancer";
    EXPECT_EQ(balancer.stream, 73);
}

TEST(FabricSwitchDevice, CutThroughForwardsTheHead)
{
    SwitchUnderTest star({100, 100, 400}, [](NotingSwitch& hub) {
        hub.SetAttribute("CutThrough", BooleanValue(true));
    });
    star.SendAt(0, 0, 1, 1);
    star.SendAt(0, 0, 2, 2);      // a faster port does not run dry: it ends with the last bit
    star.SendAt(4 * US, 2, 0, 3); // a slower one takes its time
    star.Run();
    EXPECT_EQ(star.hosts[1]->arrivals, (Notes{{1, SER + 2 * US}}));
    EXPECT_EQ(star.hosts[2]->arrivals, (Notes{{2, 2 * SER + 2 * US}}));
    EXPECT_EQ(star.hosts[0]->arrivals, (Notes{{3, 4 * US + SER + 2 * US}}));
}

TEST(FabricSwitchDevice, CutThroughAtTheBeginningOfTime)
{
    // Serialisation is rounded down, the length of a frame up: its head seems to come before 0.
    EngineUnderTest scope;
    auto context = Create<FabricContext>();
    Topology topology;
    topology.nodes.resize(3);
    topology.nodes[2].kind = TopologyNodeKind::SWITCH;
    topology.links.resize(2);
    auto hub = CreateObject<NotingSwitch>();
    hub->SetFabric(context);
    CreateObject<Node>()->AddDevice(hub);
    std::vector<Ptr<NotingDevice>> hosts;
    for (uint32_t i = 0; i < 2; i++)
    {
        topology.links[i].a = i;
        topology.links[i].b = 2;
        hosts.push_back(CreateObject<NotingDevice>());
        hosts[i]->SetFabric(context);
        CreateObject<Node>()->AddDevice(hosts[i]);
        FabricPort::Connect(hosts[i]->AddPort(), hub->AddPort(), {3000000000007, 0, 0, 0});
    }
    auto routes = std::make_shared<RouteTable>(topology, TopologyLinkKind::ETHERNET);
    hub->SetRoutes(routes, 2);
    hub->parameters.totalBytes = 1000000;
    hub->SetAttribute("CutThrough", BooleanValue(true));
    hub->Configure();
    FabricPacket* packet = context->pool.Allocate();
    packet->dst = 1;
    packet->frameBytes = 1000;
    packet->cookie = 1;
    hosts[0]->GetPort(0).Enqueue(packet, 0);
    Simulator::Run();
    EXPECT_EQ(hosts[1]->arrivals, (Notes{{1, 2666}}));
    EXPECT_EQ(hub->GetPort(1).GetTotalQueueBytes(), 0U);
    EXPECT_EQ(hub->GetBuffer().GetUsed(), 0U);
}

TEST(FabricSwitchDevice, PausesAndResumesAtTheThresholds)
{
    // Host 2's port is paused from 0 on, so that frames of host 0 pile up. T = (90 - s) / 8 frames.
    for (const bool crowded : {false, true})
    {
        SwitchUnderTest star({100, 100, 100, 100}, [](NotingSwitch& hub) {
            hub.parameters.totalBytes = 90 * FRAME + 4 * 3 * FRAME;
            hub.parameters.headroomBytes.assign(4, 3 * FRAME);
            hub.parameters.resumeOffset = 2 * FRAME;
        });
        star.hub->GetPort(2).Pause(3, 100 * US, 0);
        for (uint64_t id = 0; id < 13; id++)
        {
            star.SendAt(0, 0, 2, id);
        }
        for (uint64_t id = 100; crowded && id < 150; id++)
        {
            star.SendAt(0, 1, 3, id); // traffic that hides stale accounts
        }
        star.Run();
        // The 10th frame of host 0 arrives at 10 SER + 1 us and brings its share to T.
        ASSERT_EQ(star.hub->pauses.size(), 2U);
        EXPECT_EQ(star.hub->pauses[0], std::make_pair(10 * SER + US, true));
        // 3 in the headroom and 10 in the pool; at 5 departures the pool holds 8, T is 82 / 8.
        EXPECT_EQ(star.hub->pauses[1], std::make_pair(100 * US + 4 * SER, false));
        EXPECT_EQ(star.hosts[2]->arrivals.size(), 13U);
        EXPECT_EQ(star.hub->GetFabric()->counters.drops, 0U);
    }
}

TEST(FabricSwitchDevice, DropsAreTracedAndCounted)
{
    std::vector<std::pair<uint64_t, uint32_t>> drops;
    SwitchUnderTest star({100, 100}, [](NotingSwitch& hub) {
        hub.parameters.totalBytes = 90 * FRAME + 2 * 2 * FRAME;
        hub.parameters.headroomBytes.assign(2, 2 * FRAME);
    });
    star.hub->TraceConnectWithoutContext("Drop",
                                         Callback<void, const FabricPacket&, uint32_t>(
                                             [&](const FabricPacket& packet, uint32_t port) {
                                                 drops.emplace_back(packet.cookie, port);
                                             }));
    star.hub->GetPort(1).Pause(3, 50 * US, 0);
    for (uint64_t id = 0; id < 14; id++)
    {
        star.SendAt(0, 0, 1, id);
    }
    star.Run();
    EXPECT_EQ(drops, (std::vector<std::pair<uint64_t, uint32_t>>{{12, 0}, {13, 0}}));
    EXPECT_EQ(star.hub->GetFabric()->counters.drops, 2U);
    EXPECT_EQ(star.hub->GetPort(1).GetCounters().drops, 2U);
    EXPECT_EQ(star.hosts[1]->arrivals.size(), 12U);
}

TEST(FabricSwitchDevice, TappedPortsChangeNothing)
{
    struct Silent : FabricTap
    {
        void FrameSent(const FabricPacket&, uint64_t) override
        {
        }

        void FrameReceived(const FabricPacket&, uint64_t) override
        {
        }
    };

    Silent tap;
    std::vector<Notes> results;
    for (const bool tapped : {false, true})
    {
        SwitchUnderTest star({100, 100, 100, 100},
                             [](NotingSwitch& hub) { hub.parameters.totalBytes = 40 * FRAME; });
        for (uint32_t i = 0; tapped && i < 4; i++)
        {
            star.hub->GetPort(i).SetTap(&tap);
        }
        std::mt19937 random(3);
        for (uint64_t id = 0; id < 3000; id++)
        {
            const uint32_t src = random() % 3;
            star.SendAt(random() % (80 * US), src, 3, id, 64 + random() % 1400, random() % 8);
        }
        star.Run();
        results.push_back(star.hosts[3]->arrivals);
        EXPECT_GT(star.hub->GetFabric()->counters.drops, 0U);
    }
    EXPECT_EQ(results[0], results[1]);
}

} // namespace
