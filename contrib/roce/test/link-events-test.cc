/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/link-event-player.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t HOSTS = 4;        //!< hosts of each leaf
constexpr uint32_t SPINES = 3;       //!< spines
constexpr uint32_t LEAF = 2 * HOSTS; //!< node of the first leaf
constexpr uint32_t SPINE = LEAF + 2; //!< node of the first spine

/** \param engine event engine \param balancer TypeId name \return what the network is like */
RoceTestOptions
Options(const std::string& engine = "fabric", const std::string& balancer = "ns3::EcmpLoadBalancer")
{
    RoceTestOptions options;
    options.engine = engine;
    options.loadBalancer = balancer;
    options.fingerprint = true;
    options.configure = [](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(8)); // 1.05 ms
        helper.SetNicAttribute("RetryCount", UintegerValue(7));
    };
    return options;
}

/** \return two leaves and three spines */
Topology
TwoLeaves()
{
    return LeafPairTopology(HOSTS, SPINES, "100Gbps", MicroSeconds(1));
}

/** \ingroup tests \brief A network whose links change. */
class LinkEventsUnderTest
{
  public:
    /** \param topology the cluster \param options what it is like */
    LinkEventsUnderTest(const Topology& topology, const RoceTestOptions& options)
        : network(topology, options),
          player({topology,
                  network.fabric.channels,
                  {network.fabric.switches.begin(), network.fabric.switches.end()},
                  [this](const auto& table) { tables.insert(table); }}),
          m_topology(topology)
    {
    }

    /** \param when time \param a node \param b node \param change what happens \param rate to */
    void Add(Time when, uint32_t a, uint32_t b, LinkChange change, const std::string& rate = "1bps")
    {
        m_events.push_back({when, change, DataRate(rate), FindEthernetLinks(m_topology, a, b)});
    }

    /** \param when time \param a node \param b node \param change of what \param probability to */
    void AddErrors(Time when, uint32_t a, uint32_t b, LinkChange change, double probability)
    {
        Add(when, a, b, change);
        m_events.back().probability = probability;
    }

    /** Runs to the end, with all checks. */
    void Run()
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const auto& x, const auto& y) {
            return x.when < y.when;
        });
        player.Start(m_events);
        network.Run();
    }

    /** Every host of the first leaf sends to one of the second. \param bytes of each message */
    void SendAcross(uint64_t bytes)
    {
        for (uint32_t i = 0; i < 8 * HOSTS; i++)
        {
            network.Send(i % HOSTS, HOSTS + i % HOSTS, bytes, i / HOSTS);
        }
    }

    /** \param spine number of a spine \return data frames that the first leaf has sent to it */
    uint64_t GetSent(uint32_t spine)
    {
        return network.fabric.switches[LEAF]->GetPort(HOSTS + spine).GetCounters().packets[0];
    }

    RoceTestNetwork network;                            //!< the network
    std::set<std::shared_ptr<const RouteTable>> tables; //!< all that switches were given
    LinkEventPlayer player;                             //!< on test

  private:
    Topology m_topology;             //!< the cluster
    std::vector<LinkEvent> m_events; //!< what happens
};

/** \param engine event engine \param balancer TypeId name \return fingerprint of a flap */
uint64_t
Flap(const std::string& engine, const std::string& balancer)
{
    LinkEventsUnderTest bench(TwoLeaves(), Options(engine, balancer));
    bench.Add(MicroSeconds(20), LEAF, SPINE, LinkChange::DOWN);
    bench.Add(MicroSeconds(60), LEAF, SPINE, LinkChange::UP);
    bench.Add(MicroSeconds(30), LEAF + 1, SPINE + 1, LinkChange::RATE, "10Gbps");
    bench.AddErrors(MicroSeconds(10), LEAF, SPINE + 2, LinkChange::LOSS, 0.1);
    bench.AddErrors(MicroSeconds(15), LEAF + 1, SPINE + 2, LinkChange::BIT_ERRORS, 1e-5);
    bench.SendAcross(200000);
    bench.Run();
    EXPECT_GT(bench.network.Counters().linkCorruptions, 0U);
    EXPECT_EQ(bench.tables.size(), 2U);
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
    return bench.network.context->GetFingerprint();
}

} // namespace

TEST(RoceLinkEvents, FlowsGoAroundACutAndComeBack)
{
    LinkEventsUnderTest bench(TwoLeaves(), Options());
    bench.Add(MicroSeconds(20), LEAF, SPINE, LinkChange::DOWN);
    bench.Add(MicroSeconds(200), LEAF, SPINE, LinkChange::UP);
    bench.SendAcross(1000000);
    std::vector<uint64_t> sent;
    for (const int64_t us : {19, 30, 199, 300})
    {
        Simulator::Schedule(MicroSeconds(us), [&] { sent.push_back(bench.GetSent(0)); });
    }
    bench.Run();
    ASSERT_EQ(sent.size(), 4U);
    EXPECT_GT(sent[0], 100U);
    EXPECT_EQ(sent[2], sent[1]) << "what was queued has gone, and nothing comes after it";
    EXPECT_GT(sent[3], sent[2] + 100);
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
    EXPECT_GT(bench.network.Counters().retransmittedPackets, 0U);
    EXPECT_EQ(bench.network.Counters().noRoute, 0U);
}

TEST(RoceLinkEvents, H04TheOtherPathTakesOver)
{
    // Two leaves, two spines; host 0 sends 100 MB to host 2, on the other leaf.
    constexpr uint64_t BYTES = 100000000;
    constexpr uint32_t FIRST_LEAF = 4;
    constexpr uint32_t FIRST_SPINE = 6;
    const Topology topology = LeafPairTopology(2, 2, "100Gbps", MicroSeconds(1));
    const Time undisturbed = PicoSeconds(8500254880); // 100,003 packets of 84.96 ns, 4 us
    uint32_t used = 0;                                // the spine that carries the flow
    {
        LinkEventsUnderTest bench(topology, Options());
        bench.network.Send(0, 2, BYTES);
        bench.Run();
        EXPECT_EQ(bench.network.flows[0].received, undisturbed);
        FabricSwitchDevice& leaf = *bench.network.fabric.switches[FIRST_LEAF];
        used = leaf.GetPort(2).GetCounters().packets[0] ? 0 : 1;
        EXPECT_EQ(leaf.GetPort(2 + used).GetCounters().packets[0], BYTES / 1000);
    }
    LinkEventsUnderTest bench(topology, Options());
    bench.Add(MilliSeconds(2), FIRST_LEAF, FIRST_SPINE + used, LinkChange::DOWN);
    bench.network.Send(0, 2, BYTES);
    FabricSwitchDevice& leaf = *bench.network.fabric.switches[FIRST_LEAF];
    const auto delivered = [&](uint32_t spine) {
        const FabricPortCounters counters = leaf.GetPort(2 + spine).GetCounters();
        return counters.packets[0] - counters.lost;
    };
    uint64_t before = 0;
    Simulator::Schedule(MilliSeconds(2), [&] { before = delivered(used); });
    bench.Run(); // which checks that every byte is delivered once
    EXPECT_EQ(delivered(used), before) << "nothing gets over the dead link";
    EXPECT_GT(delivered(1 - used), BYTES / 1000 - before - 100);
    // The host never pauses: what it sends twice is all that the cut costs.
    const uint64_t again = bench.network.Counters().retransmittedPackets;
    EXPECT_EQ(bench.network.flows[0].received, undisturbed + PicoSeconds(84960 * again));
    EXPECT_EQ(bench.network.Counters().timeouts, 0U) << "a gap is reported at once";
    // Lost is what is on the cut link; sent again is what was sent in the round trip as well.
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
    EXPECT_LE(again, 8000000U / 84960U + 20);
}

TEST(RoceLinkEvents, AHostThatIsCutOffIsServedWhenItIsBack)
{
    LinkEventsUnderTest bench(TwoLeaves(), Options());
    bench.Add(MicroSeconds(20), HOSTS, LEAF + 1, LinkChange::DOWN);
    bench.Add(MicroSeconds(500), HOSTS, LEAF + 1, LinkChange::UP);
    bench.SendAcross(500000);
    bench.Run();
    EXPECT_GT(bench.network.Counters().noRoute, 0U);
    EXPECT_GT(bench.network.Counters().timeouts, 0U);
    EXPECT_GT(bench.network.GetLastReceived(), MicroSeconds(500));
}

TEST(RoceLinkEvents, ADegradedLinkCarriesItsRate)
{
    // A flow of 1000 packets over two links: 500 us at 10 instead of 100 Gbit/s carry 588 of them.
    Topology topology = StarTopology(2, "100Gbps", MicroSeconds(1));
    LinkEventsUnderTest bench(topology, Options());
    bench.Add(Time(0), 0, 2, LinkChange::RATE, "10Gbps");
    bench.Add(MicroSeconds(500), 0, 2, LinkChange::RATE, "100Gbps");
    Simulator::Schedule(TimeStep(1), [&] { bench.network.Send(0, 1, 1000000); });
    bench.Run();
    // 1062 bytes take 849.6 ns, then 84.96 ns: the 589th packet is on the wire at 500 us.
    const double expected = 589 * 0.8496 + 411 * 0.08496 + 0.08496 + 2;
    EXPECT_NEAR(bench.network.GetLastReceived().GetSeconds() * 1e6, expected, 0.01);
}

TEST(RoceLinkEvents, PausesSurviveACut)
{
    // Seven hosts send to one; its switch pauses them. The links of two paused hosts flap.
    RoceTestOptions options = Options();
    const auto configure = options.configure;
    options.configure = [&](RoceHelper& helper) {
        configure(helper);
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(1500000));
    };
    LinkEventsUnderTest bench(StarTopology(8, "100Gbps", MicroSeconds(1)), options);
    for (const uint32_t host : {0, 1, 7})
    {
        bench.Add(MicroSeconds(50 + host), host, 8, LinkChange::DOWN);
        bench.Add(MicroSeconds(90 + host), host, 8, LinkChange::UP);
    }
    for (uint32_t host = 0; host < 7; host++)
    {
        bench.network.Send(host, 7, 400000);
    }
    bench.Run(); // which checks that no pause is left
    EXPECT_GT(bench.network.Counters().pfcPauses, 0U);
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
}

TEST(RoceLinkEvents, RunsRepeatOnBothEnginesWithEveryBalancer)
{
    for (const char* name : {"Ecmp", "WeightedEcmp", "Flowlet", "Drill", "Adaptive", "Spray", "Conga"})
    {
        SCOPED_TRACE(name);
        const std::string balancer = std::string("ns3::") + name + "LoadBalancer";
        const uint64_t fingerprint = Flap("fabric", balancer);
        EXPECT_EQ(Flap("fabric", balancer), fingerprint);
        EXPECT_EQ(Flap("default", balancer), fingerprint);
    }
}

TEST(RoceLinkEvents, NothingIsLeftBehindAfterAnySchedule)
{
    for (uint32_t seed = 0; seed < 25; seed++)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const Topology topology = TwoLeaves();
        LinkEventsUnderTest bench(topology, Options());
        for (uint32_t i = 0; i < 12; i++)
        {
            const TopologyLink& link = topology.links[random() % topology.links.size()];
            const Time when = NanoSeconds(random() % 150000);
            const Time end = when + NanoSeconds(random() % 100000);
            if (random() % 3 == 0)
            {
                bench.Add(when, link.a, link.b, LinkChange::RATE, "7Gbps");
                bench.Add(end, link.a, link.b, LinkChange::RATE, "100Gbps");
                continue;
            }
            bench.Add(when, link.a, link.b, LinkChange::DOWN);
            bench.Add(end, link.a, link.b, LinkChange::UP);
        }
        bench.SendAcross(100000);
        bench.Run(); // which checks bytes, frames, pauses and memory
    }
}
