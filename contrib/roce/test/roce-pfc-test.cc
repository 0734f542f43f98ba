/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "engine-under-test.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/dscp-map.h"
#include "ns3/node.h"
#include "ns3/pfc-frame.h"
#include "ns3/pfc.h"
#include "ns3/roce-switch-device.h"
#include "ns3/roce-wire.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000;   //!< ticks
constexpr uint32_t FRAME = 1000;   //!< bytes
constexpr uint64_t SER = 80000;    //!< of a frame at 100 Gb/s without gap, ticks
constexpr uint64_t DELAY = 997440; //!< of every link: 12,468 bytes at 100 Gb/s, ticks

/** \ingroup tests \brief A host that sends whatever it is given as fast as PFC lets it. */
class FrameHost : public FabricDevice
{
  public:
    std::vector<uint64_t> arrivals;              //!< when frames arrived, ticks
    std::vector<uint64_t> departures;            //!< when frames left, ticks
    std::function<bool(const PfcFrame&)> ignore; //!< PFC frames that get lost

    /**
     * Queues frames at a given time.
     * \param ts when, ticks
     * \param dst host they go to
     * \param count their number
     * \param priority their class
     * \param bytes size of each
     */
    void SendAt(uint64_t ts,
                uint32_t dst,
                uint32_t count,
                uint32_t priority = 3,
                uint32_t bytes = FRAME)
    {
        EngineUnderTest::At(ts, [this, dst, count, priority, bytes] {
            for (uint32_t i = 0; i < count; i++)
            {
                FabricPacket* packet = GetFabric()->pool.Allocate();
                packet->src = GetNode()->GetId();
                packet->dst = dst;
                packet->frameBytes = bytes;
                packet->priority = priority;
                packet->dscp = DscpMap().GetDscp(priority);
                GetPort(0).Enqueue(packet, NowTicks());
            }
        });
    }

    void Receive(FabricPacket* packet, FabricPort& port) override
    {
        if (packet->priority != FabricPort::CONTROL)
        {
            arrivals.push_back(NowTicks());
        }
        else if (!ignore || !ignore(PfcFrame::FromRecord(*packet)))
        {
            Pfc::Obey(*packet, port, NowTicks());
        }
        GetFabric()->pool.Release(packet);
    }

    bool WantsDepartures() const override
    {
        return true;
    }

    void Departed(FabricPacket& packet, FabricPort& port) override
    {
        departures.push_back(packet.start);
    }
};

/** \ingroup tests \brief Four hosts on one switch, 100 Gb/s, no gap, traces noted. */
class PfcUnderTest
{
  public:
    using Attributes = std::map<std::string, uint64_t>; //!< integer attributes of the switch

    /** A line of a trace. */
    struct Note
    {
        uint64_t when;     //!< ticks
        uint32_t port;     //!< of the switch
        uint32_t priority; //!< class
        bool pause;        //!< or resume
    };

    /**
     * \param attributes of the switch
     * \param alpha of its threshold
     * \param delay of every link, ticks
     */
    explicit PfcUnderTest(const Attributes& attributes, double alpha = 0.05, uint64_t delay = DELAY)
        : m_context(Create<FabricContext>()),
          hub(CreateObject<RoceSwitchDevice>())
    {
        hub->SetAttribute("BufferBytes", UintegerValue(1000000));
        hub->SetAttribute("Alpha", DoubleValue(alpha));
        hub->SetAttribute("MaxFrameBytes", UintegerValue(FRAME));
        for (const auto& [name, value] : attributes)
        {
            hub->SetAttribute(name, UintegerValue(value));
        }
        Topology topology;
        topology.nodes.resize(HOSTS + 1);
        topology.nodes[HOSTS].kind = TopologyNodeKind::SWITCH;
        topology.links.resize(HOSTS);
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            hosts.push_back(CreateObject<FrameHost>());
            Add(hosts[i]);
        }
        Add(hub);
        for (uint32_t i = 0; i < HOSTS; i++)
        {
            topology.links[i].a = i;
            topology.links[i].b = HOSTS;
            FabricPort::Connect(hosts[i]->AddPort(), hub->AddPort(), {100000000000, delay, 0, 0});
        }
        hub->SetRoutes(std::make_shared<RouteTable>(topology, TopologyLinkKind::ETHERNET), HOSTS);
        hub->Configure();
        Trace("PauseSent", sent);
        Trace("PauseReceived", received);
    }

    /** Runs to the end; every frame is somewhere. */
    void Run()
    {
        Simulator::Run();
        EXPECT_EQ(m_context->pool.GetInUse(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetUsed(), 0U);
        EXPECT_EQ(hub->GetBuffer().GetPausedCount(), 0U);
        EXPECT_EQ(Counters().pfcPauses, Counters().pfcResumes);
    }

    /** \return counters of the fabric */
    const FabricCounters& Counters() const
    {
        return m_context->counters;
    }

    static constexpr uint32_t HOSTS = 4; //!< number of hosts

  private:
    /** \param device put on a node of its own */
    void Add(Ptr<FabricDevice> device)
    {
        device->SetFabric(m_context);
        CreateObject<Node>()->AddDevice(device);
    }

    /** \param source trace source of the switch \param notes where it is written down */
    void Trace(const std::string& source, std::vector<Note>& notes)
    {
        hub->TraceConnectWithoutContext(
            source,
            Callback<void, uint32_t, uint32_t, bool>(
                [&notes](uint32_t port, uint32_t priority, bool pause) {
                    notes.push_back({EngineUnderTest::Now(), port, priority, pause});
                }));
    }

    EngineUnderTest m_engine;     //!< the simulation
    Ptr<FabricContext> m_context; //!< shared state

  public:
    Ptr<RoceSwitchDevice> hub;         //!< the switch
    std::vector<Ptr<FrameHost>> hosts; //!< the hosts
    std::vector<Note> sent;            //!< trace PauseSent
    std::vector<Note> received;        //!< trace PauseReceived
};

/**
 * The worst case for headroom: host 0 sends to host 1, whose port is stuck; hosts 2 and 3 send to
 * host 0 more than fits, so that our PAUSE waits for a whole frame; when it reaches host 0, a frame
 * has just started there.
 * \param maxFrameBytes what the switch believes to be the largest frame
 * \param latency time that a frame takes through the switch, ticks: of 1000 bytes or a multiple
 * \return frames lost
 */
uint64_t
DropsInTheWorstCase(uint32_t maxFrameBytes, uint64_t latency = 0)
{
    PfcUnderTest test({{"MaxFrameBytes", maxFrameBytes}});
    test.hub->SetAttribute("Latency", TimeValue(TimeStep(latency)));
    test.hub->Configure();
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 300);
    test.hosts[2]->SendAt(0, 0, 150);
    test.hosts[3]->SendAt(0, 0, 150);
    test.Run();
    EXPECT_GE(test.Counters().pfcPauses, 1U);
    const uint64_t drops = test.Counters().drops;
    EXPECT_EQ(test.hosts[1]->arrivals.size() + drops, 300U);
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 300U);
    EXPECT_EQ(test.hub->GetPort(1).GetCounters().drops, drops);
    return drops;
}

TEST(RocePfc, HeadroomFollowsTheFormula)
{
    // 2 r d + L_rev + PFC + L_fwd, all with preamble and gap.
    struct Case
    {
        uint64_t rateBps;
        uint64_t delay;
        uint32_t gap;
        uint32_t frame;
        uint64_t expected;
    };

    const std::vector<Case> cases = {
        {100000000000, US, 20, 1086, 27296},
        {100000000000, US, 20, 4158, 33440},
        {400000000000, US / 2, 20, 4158, 58440},
        {400000000000, US / 2, 20, 9062, 68248},
        {100000000000, DELAY, 0, FRAME, 27000},
        {40000000000, 1500000, 20, 1534, 15000 + 2 * 1554 + 84},
    };
    for (const Case& c : cases)
    {
        EngineUnderTest engine;
        auto context = Create<FabricContext>();
        std::vector<Ptr<FrameHost>> hosts = {CreateObject<FrameHost>(), CreateObject<FrameHost>()};
        for (const auto& host : hosts)
        {
            host->SetFabric(context);
            CreateObject<Node>()->AddDevice(host);
            host->AddPort();
        }
        FabricPort::Connect(hosts[0]->GetPort(0),
                            hosts[1]->GetPort(0),
                            {c.rateBps, c.delay, c.gap, 0});
        EXPECT_EQ(Pfc::GetHeadroomBytes(hosts[0]->GetPort(0), c.frame), c.expected);
    }
}

TEST(RocePfc, HeadroomCountsAPauseOfEveryClassAndTheLatency)
{
    PfcUnderTest test({});
    const FabricPort& port = test.hub->GetPort(0);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 1), 27000U);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 3), 27000U + 2 * 64);
    EXPECT_EQ(Pfc::GetHeadroomBytes(port, FRAME, 1, US), 27000U + 12500);
    EXPECT_EQ(test.hub->GetHeadroomBytes(0), 27000U);
    test.hub->SetAttribute("LosslessPriorities", UintegerValue(0xff));
    EXPECT_EQ(test.hub->GetHeadroomBytes(0), 27000U + 7 * 64);
}

TEST(RocePfc, DefaultHeadroomHoldsTheLargestFrame)
{
    UintegerValue bytes;
    CreateObject<RoceSwitchDevice>()->GetAttribute("MaxFrameBytes", bytes);
    uint32_t largest = 0;
    for (uint32_t opcode = 0; opcode < 256; opcode++)
    {
        const auto code = static_cast<RoceOpcode>(opcode);
        largest = std::max(largest, RoceWire::FrameBytes(code, 4096));
    }
    EXPECT_EQ(bytes.Get(), largest);
}

TEST(RocePfc, QuantaAre512BitTimes)
{
    PfcUnderTest test({});
    EXPECT_EQ(Pfc::GetTicks(test.hub->GetPort(0), 1), 5120U);
    EXPECT_EQ(Pfc::GetTicks(test.hub->GetPort(0), 65535), 335539200U);
}

TEST(RocePfc, MinimumHeadroomLosesNothing)
{
    EXPECT_EQ(DropsInTheWorstCase(FRAME), 0U);
}

TEST(RocePfc, HeadroomHoldsWhatComesDuringTheLatency)
{
    EXPECT_EQ(DropsInTheWorstCase(FRAME, 13 * SER), 0U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME - 1, 13 * SER), 1U) << "again to the last byte";
}

TEST(RocePfc, HeadroomShortByAByteLosesAFrame)
{
    // The case uses the headroom to its last byte: the formula has no slack.
    EXPECT_EQ(DropsInTheWorstCase(FRAME - 1), 1U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME / 2), 1U);
    EXPECT_EQ(DropsInTheWorstCase(FRAME / 2 - 1), 2U);
}

/**
 * The worst case with two lossless classes: a frame of 1000 bytes has just started in front of our
 * PAUSE frames when class 5 reaches its threshold, and class 3 does 16 bytes later: its PAUSE waits
 * for the one of class 5. When it arrives 26 frames have left host 0 and a 27th has started.
 * \param maxFrameBytes what the switch believes to be the largest frame
 * \return frames lost
 */
uint64_t
DropsWithTwoClasses(uint32_t maxFrameBytes)
{
    constexpr uint64_t BYTE = 80;               // ticks
    constexpr uint64_t LINK = 12450 * BYTE;     // delay
    constexpr uint64_t BEGIN = 35630 * BYTE;    // class 3 is 28 bytes below its threshold to be
    constexpr uint64_t FULL = BEGIN + 36 * SER; // class 5 has sent what brings it to its own
    const uint64_t headroom = 24900 + 2 * maxFrameBytes + 2 * 64;
    PfcUnderTest test({{"MaxFrameBytes", maxFrameBytes},
                       {"LosslessPriorities", 1U << 3 | 1U << 5},
                       {"BufferBytes", 784000 + 8 * headroom}},
                      0.05,
                      LINK);
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hub->GetPort(1).Pause(5, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 35);
    test.hosts[0]->SendAt(0, 1, 1, 3, 630);
    test.hosts[0]->SendAt(BEGIN, 1, 36, 5);
    test.hosts[0]->SendAt(BEGIN, 1, 1, 3, 16);
    test.hosts[0]->SendAt(BEGIN, 1, 60);
    test.hosts[2]->SendAt(FULL - 30 * SER - 1, 0, 60, 1);
    test.Run();
    EXPECT_GE(test.sent.size(), 4U);
    EXPECT_EQ(test.sent[0].when, FULL + LINK);
    EXPECT_EQ(test.sent[0].priority, 5U);
    EXPECT_EQ(test.sent[1].when, FULL + LINK + 16 * BYTE);
    EXPECT_EQ(test.sent[1].priority, 3U);
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 60U);
    EXPECT_EQ(test.hosts[1]->arrivals.size() + test.Counters().drops, 133U);
    return test.Counters().drops;
}

TEST(RocePfc, HeadroomOfTwoClassesHoldsWhatTheLaterPauseLetsThrough)
{
    EXPECT_EQ(DropsWithTwoClasses(FRAME), 0U);
    EXPECT_EQ(DropsWithTwoClasses(FRAME - 14), 0U) << "27,000 bytes, all of them used";
    EXPECT_EQ(DropsWithTwoClasses(FRAME - 15), 1U);
}

TEST(RocePfc, PauseAndResumeReachThePeerAndTheTraces)
{
    PfcUnderTest test({{"ResumeOffset", 2 * FRAME}});
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    ASSERT_EQ(test.sent.size(), 2 * test.Counters().pfcPauses);
    for (size_t i = 0; i < test.sent.size(); i++)
    {
        EXPECT_EQ(test.sent[i].port, 0U);
        EXPECT_EQ(test.sent[i].priority, 3U);
        EXPECT_EQ(test.sent[i].pause, i % 2 == 0);
    }
    EXPECT_TRUE(test.received.empty());
    // Host 0 stops one PAUSE frame and one delay after the decision, no sooner and no later, and
    // starts again likewise.
    const uint64_t stop = test.sent[0].when + 64 * 80 + DELAY;
    const uint64_t start = test.sent[1].when + 64 * 80 + DELAY;
    const auto& departures = test.hosts[0]->departures;
    for (const uint64_t departure : departures)
    {
        EXPECT_TRUE(departure <= stop || departure >= start);
    }
    EXPECT_NE(std::find(departures.begin(), departures.end(), start), departures.end());
    const auto last = std::find_if(departures.begin(), departures.end(), [&](uint64_t departure) {
        return departure > stop;
    });
    EXPECT_GT(*(last - 1) + SER, stop) << "it stopped in time, not before";
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 200U);
    EXPECT_EQ(test.hosts[1]->arrivals.front(), 50 * US + SER + DELAY);
}

TEST(RocePfc, PauseIsRefreshedAsLongAsItLasts)
{
    for (const uint64_t quanta : {400, 1000, 20000})
    {
        PfcUnderTest test({{"PauseQuanta", quanta}});
        test.hub->GetPort(1).Pause(3, 100 * US, 0);
        test.hosts[0]->SendAt(0, 1, 200);
        test.Run();
        ASSERT_GE(test.sent.size(), 2U);
        EXPECT_EQ(test.Counters().drops, 0U);
        EXPECT_EQ(test.Counters().pfcPauses, test.sent.size() / 2);
        const uint64_t length = test.sent[1].when - test.sent[0].when;
        const uint64_t period = quanta * 5120 / 2;
        EXPECT_GE(test.Counters().pfcRefreshes, length / period);
        EXPECT_GE(length, 90 * US);
        const uint64_t stop = test.sent[0].when + 64 * 80 + DELAY;
        for (const uint64_t departure : test.hosts[0]->departures)
        {
            EXPECT_TRUE(departure <= stop || departure >= test.sent[1].when);
        }
    }
}

TEST(RocePfc, WithoutRefreshThePauseWouldExpire)
{
    // The same as above with a peer that does not hear refreshes: it sends again and loses frames.
    PfcUnderTest test({{"PauseQuanta", 1000}});
    int pauses = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] > 0 && pauses++ > 0;
    };
    test.hub->GetPort(1).Pause(3, 100 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    EXPECT_GT(test.Counters().drops, 0U);
}

TEST(RocePfc, LostResumeIsRepairedByExpiry)
{
    PfcUnderTest test({{"PauseQuanta", 4000}});
    int resumes = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] == 0 && resumes++ == 0;
    };
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 200);
    test.Run();
    EXPECT_EQ(test.Counters().drops, 0U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 200U);
    // Host 0 starts again exactly when the time of the last PAUSE is over.
    ASSERT_GE(test.sent.size(), 2U);
    const uint64_t refreshes = (test.sent[1].when - test.sent[0].when) / (2000 * 5120);
    const uint64_t last = test.sent[0].when + refreshes * 2000 * 5120;
    const uint64_t expiry = last + 64 * 80 + DELAY + 4000 * 5120;
    const auto& departures = test.hosts[0]->departures;
    EXPECT_NE(std::find(departures.begin(), departures.end(), expiry), departures.end());
}

TEST(RocePfc, LostPauseIsRepairedByTheRefresh)
{
    // Headroom for 5 us more than the formula asks for; the refresh comes after 2.69 us.
    PfcUnderTest test({{"PauseQuanta", 1050}, {"MaxFrameBytes", 33000}, {"BufferBytes", 2000000}});
    int pauses = 0;
    test.hosts[0]->ignore = [&](const PfcFrame& frame) {
        return frame.quanta[3] > 0 && pauses++ == 0;
    };
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 400);
    test.Run();
    EXPECT_GT(pauses, 1);
    EXPECT_EQ(test.Counters().drops, 0U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 400U);
}

TEST(RocePfc, ClassesArePausedOneByOne)
{
    PfcUnderTest test({{"LosslessPriorities", 1U << 3 | 1U << 5}});
    test.hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 100, 3);
    test.hosts[0]->SendAt(0, 2, 100, 5);
    test.Run();
    for (const auto& note : test.sent)
    {
        EXPECT_EQ(note.priority, 3U);
    }
    EXPECT_GE(test.sent.size(), 2U);
    EXPECT_EQ(test.hosts[2]->arrivals.back(), 102 * SER + 2 * DELAY) << "class 5 is never held";
    EXPECT_EQ(test.Counters().drops, 0U);
}

TEST(RocePfc, PauseSpreadsFromSwitchToHostsAndIsTraced)
{
    // Host 1 pauses the switch: obeyed by the switch's port 1 and traced.
    PfcUnderTest test({});
    EngineUnderTest::At(US, [&] { Pfc::Send(test.hosts[1]->GetPort(0), 3, 1000); });
    EngineUnderTest::At(3 * US, [&] { Pfc::Send(test.hosts[1]->GetPort(0), 3, 0); });
    test.hosts[0]->SendAt(0, 1, 100);
    test.Run();
    ASSERT_EQ(test.received.size(), 2U);
    EXPECT_EQ(test.received[0].port, 1U);
    EXPECT_EQ(test.received[0].when, US + 64 * 80 + DELAY);
    EXPECT_TRUE(test.received[0].pause);
    EXPECT_FALSE(test.received[1].pause);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 100U);
}

TEST(RocePfc, WithoutPfcTheClassIsLossy)
{
    PfcUnderTest test({});
    Ptr<RoceSwitchDevice> hub = test.hub;
    hub->SetAttribute("Pfc", BooleanValue(false));
    hub->SetAttribute("BufferBytes", UintegerValue(40 * FRAME));
    hub->Configure();
    hub->GetPort(1).Pause(3, 50 * US, 0);
    test.hosts[0]->SendAt(0, 1, 100);
    test.Run();
    EXPECT_TRUE(test.sent.empty());
    EXPECT_EQ(test.Counters().drops, 80U) << "the queue may hold half of the memory";
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 20U);
}

using Signals = std::vector<std::tuple<uint32_t, bool>>; //!< port, and whether it is a pause

/**
 * Hosts 0 and 1 send to each other and host 2 to host 3, through stuck ports. When the first two go
 * on, one more frame of some hosts arrives. T = (892 - s) / 20 frames of 1000 bytes.
 * \param early frames that hosts 0, 1 and 2 have sent before
 * \param late whether host 1 sends one at that tick, as host 0 does
 * \return PAUSE and RESUME frames of the switch
 */
Signals
SignalsOfOneTick(const std::vector<uint32_t>& early, bool late)
{
    PfcUnderTest test({{"ResumeOffset", 0}});
    constexpr uint64_t TICK = 50 * US;
    for (uint32_t i = 0; i < 3; i++)
    {
        const uint32_t dst = i ^ 1;
        test.hub->GetPort(dst).Pause(3, i < 2 ? TICK : 2 * TICK, 0);
        test.hosts[i]->SendAt(0, dst, early[i]);
    }
    test.hosts[0]->SendAt(TICK - SER - DELAY, 1, 1);
    test.hosts[1]->SendAt(TICK - SER - DELAY, 0, late);
    test.Run();
    EXPECT_EQ(test.hosts[0]->arrivals.size(), early[1] + late);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), early[0] + 1);
    Signals signals;
    for (const auto& note : test.sent)
    {
        signals.emplace_back(note.port, note.pause);
    }
    return signals;
}

TEST(RocePfc, ArrivalAndDepartureOfOneTickTreatBothSidesAlike)
{
    // Both classes reach the threshold at the tick at which both lose a frame: none is paused. The
    // class of host 2 is, so that the switch looks at every departure.
    EXPECT_EQ(SignalsOfOneTick({38, 38, 39}, true), (Signals{{2, true}, {2, false}}));
    EXPECT_EQ(SignalsOfOneTick({40, 40, 0}, true), Signals{});
}

TEST(RocePfc, PauseAndResumeOfOneTickDoNotCross)
{
    // Host 1 is paused and resumes at the tick at which host 0 reaches the threshold.
    EXPECT_EQ(SignalsOfOneTick({40, 41, 0}, false), (Signals{{1, true}, {1, false}}));
}

/** What became of hosts 0 and 1 that were paused for a while. */
struct PausedHosts
{
    uint64_t paused{0};    //!< when host 0 was told to pause, ticks
    uint64_t resumed{0};   //!< when it was told to go on, ticks
    uint64_t end{0};       //!< last arrival, ticks
    uint64_t refreshes{0}; //!< pauses sent again
    bool alike{false};     //!< both hosts were told the same at the same time
};

/**
 * Hosts 0 and 1 send more to each other than fits while the ports of both are stuck.
 * \param stuck until when, ticks
 * \return what became of them
 */
PausedHosts
PauseBothHosts(uint64_t stuck)
{
    PfcUnderTest test({{"ResumeOffset", 0}, {"PauseQuanta", 20000}});
    PausedHosts result;
    for (uint32_t i = 0; i < 2; i++)
    {
        test.hub->GetPort(i).Pause(3, stuck, 0);
        test.hosts[i]->SendAt(0, 1 - i, 80);
    }
    test.Run();
    EXPECT_EQ(test.hosts[0]->arrivals.size(), 80U);
    EXPECT_EQ(test.hosts[1]->arrivals.size(), 80U);
    EXPECT_GE(test.sent.size(), 4U);
    result.paused = test.sent[0].when;
    result.resumed = test.sent[2].when;
    result.alike = test.sent[1].when == result.paused && test.sent[3].when == result.resumed &&
                   test.sent[0].port != test.sent[1].port && test.sent[2].port != test.sent[3].port;
    result.end = std::max(test.hosts[0]->arrivals.back(), test.hosts[1]->arrivals.back());
    result.refreshes = test.Counters().pfcRefreshes;
    return result;
}

TEST(RocePfc, ResumeAtTheTickOfARefreshIsTheLastWord)
{
    const PausedHosts before = PauseBothHosts(40 * US);
    EXPECT_TRUE(before.alike);
    const uint64_t refresh = before.paused + 20000 * 5120 / 2;
    ASSERT_LT(before.resumed, refresh);
    // The same, with the ports stuck for so much longer that both resume when they are refreshed.
    const uint64_t shift = refresh - before.resumed;
    const PausedHosts after = PauseBothHosts(40 * US + shift);
    EXPECT_TRUE(after.alike);
    EXPECT_EQ(after.resumed, refresh);
    EXPECT_EQ(after.refreshes, 0U);
    EXPECT_EQ(after.end, before.end + shift);
}

} // namespace
