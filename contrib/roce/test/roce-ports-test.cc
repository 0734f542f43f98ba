/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/link-event-player.h"
#include "ns3/pfc.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t HOSTS = 4;     //!< hosts in TwoSwitches()
constexpr double PACKET = 0.04248; //!< us that 1062 bytes take at 200 Gbit/s

/** \return hosts with a port of 200 Gbit/s to each of two switches: nodes HOSTS and HOSTS + 1 */
Topology
TwoSwitches()
{
    Topology topology;
    topology.nodes.resize(HOSTS + 2);
    for (uint32_t i = 0; i < 2 * HOSTS; i++)
    {
        topology.links.emplace_back();
        topology.links[i].a = i / 2;
        topology.links[i].b = HOSTS + i % 2;
        topology.links[i].rate = DataRate("200Gbps");
        topology.links[i].delay = MicroSeconds(1);
    }
    topology.nodes[HOSTS].kind = topology.nodes[HOSTS + 1].kind = TopologyNodeKind::SWITCH;
    return topology;
}

/** \param perPacket choose a port for every packet \param engine event engine \return options */
RoceTestOptions
Options(bool perPacket = false, const std::string& engine = "fabric")
{
    RoceTestOptions options;
    options.engine = engine;
    options.fingerprint = true;
    options.configure = [perPacket](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(6)); // 262 us
        helper.SetNicAttribute("PortPerPacket", BooleanValue(perPacket));
        if (perPacket)
        {
            helper.SetNicAttribute("PortBalancer", StringValue("ns3::SprayLoadBalancer"));
        }
    };
    return options;
}

/** \ingroup tests \brief TwoSwitches() with links that change. */
class PortsUnderTest
{
  public:
    /** \param options what the network is like \param spread whether receivers tolerate reordering */
    explicit PortsUnderTest(const RoceTestOptions& options = Options(), bool spread = false)
        : m_defaults(spread ? Tolerate() : nullptr),
          network(TwoSwitches(), options),
          player({TwoSwitches(),
                  network.fabric.channels,
                  {network.fabric.switches.begin(), network.fabric.switches.end()},
                  [this](const auto& routes) { network.fabric.SetNicRoutes(routes); }})
    {
    }

    /** \param us microseconds \param host a host \param port of it \param change what happens */
    void Add(int64_t us, uint32_t host, uint32_t port, LinkChange change)
    {
        m_events.push_back({MicroSeconds(us), change, DataRate("1bps"), {2 * host + port}});
    }

    /** Gives the player its events. */
    void Start()
    {
        std::stable_sort(m_events.begin(), m_events.end(), [](const auto& x, const auto& y) {
            return x.when < y.when;
        });
        player.Start(m_events);
    }

    /** \param host a host \param port of it \return data frames that it has sent there */
    uint64_t GetSent(uint32_t host, uint32_t port)
    {
        return network.fabric.nics[host]->GetPort(port).GetCounters().packets[0];
    }

  private:
    /** \return defaults with a receiver that tolerates reordering */
    static std::unique_ptr<ScopedDefaults> Tolerate()
    {
        auto defaults = std::make_unique<ScopedDefaults>();
        defaults->Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
        return defaults;
    }

    std::unique_ptr<ScopedDefaults> m_defaults; //!< while the network lives
    std::vector<LinkEvent> m_events;            //!< what happens

  public:
    RoceTestNetwork network; //!< the network
    LinkEventPlayer player;  //!< changes its links
};

/** \param network a network \return time of the last arrival, us */
double
LastArrival(const RoceTestNetwork& network)
{
    return network.GetLastReceived().GetSeconds() * 1e6;
}

} // namespace

TEST(RocePorts, H06OneQueuePairOfATwoPortNicHasTheRateOfOnePort)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 100000000);
    bench.network.Run();
    EXPECT_GE(LastArrival(bench.network), 4248);
    EXPECT_LT(LastArrival(bench.network), 4258);
    EXPECT_EQ(std::max(bench.GetSent(0, 0), bench.GetSent(0, 1)), 100000U);
    EXPECT_EQ(std::min(bench.GetSent(0, 0), bench.GetSent(0, 1)), 0U);
}

TEST(RocePorts, H06TwoQueuePairsPinnedToTwoPortsHaveTheRateOfBoth)
{
    PortsUnderTest bench;
    for (uint32_t channel = 0; channel < 2; channel++)
    {
        bench.network.transport->PinChannel(channel, channel);
        bench.network.Send(0, 1, 50000000, channel);
    }
    bench.network.Run();
    EXPECT_GE(LastArrival(bench.network), 2124);
    EXPECT_LT(LastArrival(bench.network), 2134);
    EXPECT_EQ(bench.GetSent(0, 0), 50000U);
    EXPECT_EQ(bench.GetSent(0, 1), 50000U);
}

TEST(RocePorts, H06OneQueuePairSpreadOverTwoPortsHasTheRateOfBoth)
{
    PortsUnderTest bench(Options(true), true);
    bench.network.Send(0, 1, 100000000);
    bench.network.Run(); // which checks that nothing is faster than its ideal time
    EXPECT_GE(LastArrival(bench.network), 2124);
    EXPECT_LT(LastArrival(bench.network), 2134);
    EXPECT_EQ(bench.GetSent(0, 0), 50000U);
    EXPECT_EQ(bench.GetSent(0, 1), 50000U);
    EXPECT_EQ(bench.network.Counters().retransmittedPackets, 0U);
}

TEST(RocePorts, BalancersChooseThePortsOfQueuePairs)
{
    RoceTestOptions options = Options();
    const auto configure = options.configure;
    options.configure = [&](RoceHelper& helper) {
        configure(helper);
        helper.SetNicAttribute("PortBalancer", StringValue("ns3::SprayLoadBalancer"));
    };
    PortsUnderTest turns(options);
    for (uint32_t channel = 0; channel < 10; channel++)
    {
        turns.network.Send(0, 1, 100000, channel);
    }
    turns.network.Run();
    EXPECT_EQ(turns.GetSent(0, 0), 500U) << "queue pairs take the ports in turn";
    EXPECT_EQ(turns.GetSent(0, 1), 500U);
}

TEST(RocePorts, HashesSpreadQueuePairsLikeALinkAggregationGroup)
{
    PortsUnderTest bench;
    for (uint32_t channel = 0; channel < 400; channel++)
    {
        bench.network.Send(0, 1, 1000, channel);
    }
    bench.network.Run();
    EXPECT_NEAR(bench.GetSent(0, 0), 200, 50) << "binomial, five standard deviations";
}

TEST(RocePorts, APacedRateBelowTwoPortsIsKeptWhenSpread)
{
    RoceTestOptions options = Options(true);
    options.congestionControl = "ns3::FixedRateCongestionControl";
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedRateCongestionControl::Rate", StringValue("300Gbps"));
    PortsUnderTest bench(options, true);
    bench.network.Send(0, 1, 10000000);
    bench.network.Run();
    EXPECT_NEAR(LastArrival(bench.network), 10000 * PACKET * 2 / 3 + 2, 0.2);
    EXPECT_NEAR(bench.GetSent(0, 0), 5000, 1);
}

TEST(RocePorts, AQueuePairLeavesADeadPortAndComesHome)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 100000000);
    uint32_t home = 2;
    std::vector<std::vector<uint64_t>> sent;
    const auto note = [&] { sent.push_back({bench.GetSent(0, home), bench.GetSent(0, 1 - home)}); };
    home = bench.network.fabric.nics[0]->GetQueuePair(0).port;
    bench.Add(1000, 0, home, LinkChange::DOWN);
    bench.Add(2000, 0, home, LinkChange::UP);
    bench.Start();
    for (const int64_t us : {1010, 1990, 2010, 3000})
    {
        Simulator::Schedule(MicroSeconds(us), note);
    }
    bench.network.Run();
    EXPECT_EQ(sent[1][0], sent[0][0]) << "nothing more goes by the dead port";
    EXPECT_GT(sent[1][1], 10000U) << "all goes by the other one";
    EXPECT_EQ(sent[3][1], sent[2][1]) << "and comes home";
    EXPECT_GT(sent[3][0], sent[2][0] + 10000);
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
    EXPECT_GT(bench.network.Counters().retransmittedPackets, 0U);
    const double undisturbed = 4248 + PACKET + 2;
    EXPECT_LT(LastArrival(bench.network), undisturbed + 2 * 300) << "a timeout each way at most";
}

TEST(RocePorts, APinnedQueuePairWaitsForItsPort)
{
    PortsUnderTest bench;
    bench.network.transport->PinChannel(0, 1);
    bench.network.Send(0, 1, 1000000);
    bench.Add(10, 0, 1, LinkChange::DOWN);
    bench.Add(700, 0, 1, LinkChange::UP);
    bench.Start();
    bench.network.Run();
    EXPECT_EQ(bench.GetSent(0, 0), 0U);
    EXPECT_GT(bench.network.GetLastReceived(), MicroSeconds(700));
}

TEST(RocePorts, TheOtherEndOfADeadLinkIsAvoidedToo)
{
    // The receiver's port dies: the switch behind the sender's has no path to it any more.
    PortsUnderTest bench;
    bench.network.Send(0, 1, 10000000);
    const uint32_t home = bench.network.fabric.nics[0]->GetQueuePair(0).port;
    bench.Add(100, 1, home, LinkChange::DOWN);
    bench.Start();
    bench.network.Run();
    EXPECT_NEAR(bench.GetSent(0, home), 100 / PACKET, 30);
    EXPECT_LT(LastArrival(bench.network), 424.8 + 350);
}

TEST(RocePorts, WithoutAnyPortItGivesUpAndSaysSo)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 10000000);
    bench.Add(50, 0, 0, LinkChange::DOWN);
    bench.Add(60, 0, 1, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const std::vector<std::string>& failures = bench.network.transport->GetFailures();
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_NE(failures[0].find("rank 0 gave up sending to rank 1"), std::string::npos);
    EXPECT_NE(failures[0].find("no port of its NIC leads there"), std::string::npos);
    EXPECT_EQ(bench.network.transport->DescribePending().size(), 2U);
    EXPECT_EQ(bench.network.context->pool.GetInUse(), 0U);
}

TEST(RocePorts, APinnedQueuePairGivesUpAndNamesItsPort)
{
    PortsUnderTest bench;
    bench.network.transport->PinChannel(0, 1);
    bench.network.Send(0, 1, 10000000);
    bench.Add(50, 0, 1, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const std::vector<std::string>& failures = bench.network.transport->GetFailures();
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_NE(failures[0].find("port 1 of its NIC is down"), std::string::npos) << failures[0];
}

TEST(RocePorts, APauseOfOnePortLeavesTheOtherAlone)
{
    // Port 0 is paused for 167 us from 10 us on.
    for (const bool spread : {false, true})
    {
        SCOPED_TRACE(spread);
        PortsUnderTest bench(Options(spread), spread);
        for (uint32_t channel = 0; channel < 2; channel++)
        {
            if (!spread)
            {
                bench.network.transport->PinChannel(channel, channel);
            }
            bench.network.Send(0, 1, 10000000, channel);
        }
        Simulator::Schedule(MicroSeconds(10), [&] {
            Pfc::Send(bench.network.fabric.switches[HOSTS]->GetPort(0), 3, 65535);
        });
        std::vector<uint64_t> sent;
        for (const int64_t us : {20, 120})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                sent.push_back(bench.GetSent(0, 0));
                sent.push_back(bench.GetSent(0, 1));
            });
        }
        bench.network.Run();
        EXPECT_EQ(sent[2], sent[0]);
        EXPECT_NEAR(sent[3] - sent[1], 100 / PACKET, 3) << "the other port is never idle";
        const double pause = 65535 * 512 / 200e3;
        EXPECT_NEAR(LastArrival(bench.network),
                    10000 * PACKET + PACKET + 2 + (spread ? pause / 2 : pause),
                    spread ? 0.5 : 0.2);
    }
}

TEST(RocePorts, APacketThatIsHashedToAPausedPortTakesAnother)
{
    RoceTestOptions options = Options(true);
    const auto configure = options.configure;
    options.configure = [&](RoceHelper& helper) {
        configure(helper);
        helper.SetNicAttribute("PortBalancer", StringValue("ns3::EcmpLoadBalancer"));
    };
    PortsUnderTest bench(options, true);
    bench.network.Send(0, 1, 10000000);
    const uint32_t home = bench.network.fabric.nics[0]->GetQueuePair(0).parameters.port;
    Simulator::Schedule(MicroSeconds(10), [&] {
        Pfc::Send(bench.network.fabric.switches[HOSTS + home]->GetPort(0), 3, 65535);
    });
    std::vector<uint64_t> other;
    for (const int64_t us : {20, 120, 200})
    {
        Simulator::Schedule(MicroSeconds(us),
                            [&] { other.push_back(bench.GetSent(0, 1 - home)); });
    }
    bench.network.Run();
    EXPECT_NEAR(other[1] - other[0], 100 / PACKET, 3);
    EXPECT_EQ(bench.GetSent(0, 1 - home), other[2]) << "the hash holds again after the pause";
}

TEST(RocePorts, PacketsWaitWhileAllPortsArePaused)
{
    PortsUnderTest bench(Options(true), true);
    bench.network.Send(0, 1, 10000000);
    bench.network.Send(0, 1, 10000000, 1);
    for (uint32_t port = 0; port < 2; port++)
    {
        Simulator::Schedule(MicroSeconds(10), [&bench, port] {
            Pfc::Send(bench.network.fabric.switches[HOSTS + port]->GetPort(0), 3, 65535);
        });
    }
    std::vector<uint64_t> sent;
    for (const int64_t us : {20, 170})
    {
        Simulator::Schedule(MicroSeconds(us), [&] {
            sent.push_back(bench.GetSent(0, 0) + bench.GetSent(0, 1));
        });
    }
    bench.network.Run();
    EXPECT_EQ(sent[1], sent[0]);
    const double pause = 65535 * 512 / 200e3;
    EXPECT_NEAR(LastArrival(bench.network), 10000 * PACKET + PACKET + 2 + pause, 0.5);
}

TEST(RocePorts, APacketLeavesAPausedPortWhenAnotherCanBeUsedAgain)
{
    // The packet waits at port 0, paused until 179 us, as port 1 cannot be used until 50 us.
    for (const bool dead : {false, true})
    {
        SCOPED_TRACE(dead);
        PortsUnderTest bench(Options(true), true);
        bench.network.Send(0, 1, 10000000);
        const auto pause = [&](uint32_t port, uint32_t quanta) {
            Pfc::Send(bench.network.fabric.switches[HOSTS + port]->GetPort(0), 3, quanta);
        };
        if (dead)
        {
            bench.Add(10, 0, 1, LinkChange::DOWN);
            bench.Add(50, 0, 1, LinkChange::UP);
        }
        else
        {
            Simulator::Schedule(MicroSeconds(10), [&] { pause(1, 65535); });
            Simulator::Schedule(MicroSeconds(50), [&] { pause(1, 0); });
        }
        bench.Start();
        Simulator::Schedule(MicroSeconds(12), [&] { pause(0, 65535); });
        std::vector<uint64_t> sent;
        for (const int64_t us : {20, 49, 60, 160})
        {
            Simulator::Schedule(MicroSeconds(us), [&] { sent.push_back(bench.GetSent(0, 1)); });
        }
        bench.network.Run();
        EXPECT_EQ(sent[1], sent[0]);
        EXPECT_NEAR(sent[3] - sent[2], 100 / PACKET, 3);
    }
}

TEST(RocePorts, ADatagramTakesAPortThatLeadsToItsDestination)
{
    constexpr uint32_t BYTES = 1000;
    constexpr uint32_t DATAGRAMS = 20; // to each of hosts 1 and 2
    for (const uint32_t cut : {0, 1})
    {
        SCOPED_TRACE(cut); // the host whose port 0 dies
        PortsUnderTest bench;
        std::vector<RoceQueuePair*> qps;
        for (const Ptr<RoceNicDevice>& nic : bench.network.fabric.nics)
        {
            nic->SetListener(nullptr);
            RoceQueuePairParameters parameters;
            parameters.port = RoceQueuePairParameters::ANY_PORT;
            qps.push_back(&nic->CreateDatagramQueuePair(parameters));
            for (uint32_t i = 0; i < DATAGRAMS; i++)
            {
                qps.back()->PostReceive(i);
            }
        }
        bench.Add(10, cut, 0, LinkChange::DOWN);
        bench.Start();
        Simulator::Schedule(MicroSeconds(20), [&] {
            for (uint32_t i = 0; i < 2 * DATAGRAMS; i++)
            {
                RoceWorkRequest request;
                request.verb = RoceVerb::SEND;
                request.bytes = BYTES;
                qps[0]->Post(request, {1 + i % 2, qps[1 + i % 2]->number});
            }
        });
        Simulator::Run();
        EXPECT_EQ(qps[1]->receivedBytes, DATAGRAMS * BYTES);
        EXPECT_EQ(qps[2]->receivedBytes, DATAGRAMS * BYTES);
        EXPECT_EQ(bench.network.context->pool.GetInUse(), 0U);
    }
}

TEST(RocePorts, DatagramsThatWaitLeaveADeadPort)
{
    constexpr uint32_t DATAGRAMS = 1000; // 42 us
    PortsUnderTest bench;
    std::vector<RoceQueuePair*> qps;
    for (const Ptr<RoceNicDevice>& nic : bench.network.fabric.nics)
    {
        nic->SetListener(nullptr);
        RoceQueuePairParameters parameters;
        parameters.port = RoceQueuePairParameters::ANY_PORT;
        qps.push_back(&nic->CreateDatagramQueuePair(parameters));
    }
    for (uint32_t i = 0; i < DATAGRAMS; i++)
    {
        RoceWorkRequest request;
        request.verb = RoceVerb::SEND;
        request.bytes = 1000;
        qps[1]->PostReceive(i);
        qps[0]->Post(request, {1, qps[1]->number});
    }
    bench.Add(10, 0, qps[0]->port, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const uint64_t lost = bench.network.Counters().linkLosses;
    EXPECT_NEAR(static_cast<double>(lost), 1 / PACKET, 3) << "what was on the link";
    EXPECT_EQ(qps[1]->receivedBytes, (DATAGRAMS - lost) * 1000);
}

TEST(RocePorts, NothingIsLostByAnyScheduleOnAnyEngine)
{
    const auto play = [](uint32_t seed, bool spread, const std::string& engine) {
        std::mt19937 random(seed);
        PortsUnderTest bench(Options(spread, engine), spread);
        for (uint32_t i = 0; i < 6; i++)
        {
            const uint32_t host = random() % HOSTS;
            const uint32_t port = random() % 2;
            const int64_t when = random() % 60;
            bench.Add(when, host, port, LinkChange::DOWN);
            bench.Add(when + 1 + random() % 100, host, port, LinkChange::UP);
        }
        bench.Start();
        for (uint32_t i = 0; i < 24; i++)
        {
            bench.network.Send(i % HOSTS, (i % HOSTS + 1 + i % 3) % HOSTS, 100000, i);
        }
        bench.network.Run(); // which checks bytes, frames and pauses
        return bench.network.context->GetFingerprint();
    };
    for (uint32_t seed = 0; seed < 12; seed++)
    {
        SCOPED_TRACE(seed);
        for (const bool spread : {false, true})
        {
            const uint64_t fingerprint = play(seed, spread, "fabric");
            EXPECT_EQ(play(seed, spread, "fabric"), fingerprint);
            EXPECT_EQ(play(seed, spread, "default"), fingerprint);
        }
    }
}

TEST(RocePorts, TwoGpusThatShareANicEachGetHalfOfIt)
{
    // GPUs 0 and 1 share a NIC of 100 Gbit/s, as do 2 and 3.
    RoceTestNetwork network(
        LoadTopology("star:gpus=4,gpusPerServer=2,gpusPerNic=2,nicRate=100Gbps,delay=1us"));
    EXPECT_EQ(network.fabric.nics[0], network.fabric.nics[1]);
    EXPECT_EQ(network.fabric.GetNics().size(), 2U);
    network.Send(0, 2, 1000000);
    network.Send(1, 3, 1000000);
    std::vector<uint64_t> received;
    Simulator::Schedule(MicroSeconds(102), [&] {
        received = {network.GetReceivedBytes(0, 2), network.GetReceivedBytes(1, 3)};
    });
    network.Run();
    EXPECT_NEAR(static_cast<double>(received[0]), 100e6 * 0.5 * 12.5 / 1062, 2000);
    EXPECT_NEAR(static_cast<double>(received[1]), static_cast<double>(received[0]), 2000);
    EXPECT_NEAR(LastArrival(network), 2000 * 0.08496 + 0.08496 + 2, 0.001);
    const FabricPortCounters counters = network.fabric.nics[0]->GetPort(0).GetCounters();
    EXPECT_EQ(counters.packets[0], 2000U);
    EXPECT_EQ(counters.wireBytes[0], 2000U * 1062);
    EXPECT_EQ(network.fabric.nics[0]->GetPortCount(), 1U);
}

TEST(RocePorts, GpusOfOneNicShareByQueuePairsAndReachEachOther)
{
    RoceTestNetwork network(
        LoadTopology("star:gpus=4,gpusPerServer=2,gpusPerNic=2,nicRate=100Gbps,delay=1us"));
    for (uint32_t channel = 0; channel < 3; channel++)
    {
        network.Send(0, 2, 1000000, channel);
    }
    network.Send(1, 3, 1000000);
    network.Run();
    // One of four queue pairs: all end together, so that GPU 0 had three quarters.
    EXPECT_NEAR(network.flows[3].received.GetSeconds() * 1e6, 4000 * 0.08496 + 2.1, 0.5);
    network.Send(0, 1, 1000000);
    network.Send(1, 0, 1000000);
    network.Run(); // by way of the switch, and not faster than the ideal time
    EXPECT_EQ(network.fabric.nics[2]->GetPort(0).GetCounters().packets[0], 0U);
    EXPECT_EQ(network.fabric.nics[0]->GetPort(0).GetCounters().packets[0], 6000U);
}

TEST(RocePorts, ASharedNicMayHaveSeveralPorts)
{
    RoceTestNetwork network(LoadTopology(
        "star:gpus=4,gpusPerServer=2,gpusPerNic=2,portsPerNic=2,nicRate=400Gbps,delay=1us"));
    for (uint32_t i = 0; i < 40; i++)
    {
        network.Send(i % 2, i % 4 < 2 ? 2 : 1 - i % 2, 10000, i);
    }
    network.Run();
    for (uint32_t port = 0; port < 2; port++)
    {
        const uint64_t packets = network.fabric.nics[0]->GetPort(port).GetCounters().packets[0];
        EXPECT_NEAR(static_cast<double>(packets), 200, 160) << "binomial, five deviations";
    }
}

TEST(RocePorts, SpreadingWithoutToleranceIsWarnedOf)
{
    EXPECT_EQ(PortsUnderTest(Options(true)).network.fabric.GetWarnings().size(), 1U);
    EXPECT_EQ(PortsUnderTest(Options(true), true).network.fabric.GetWarnings().size(), 0U);
    EXPECT_EQ(PortsUnderTest(Options(false)).network.fabric.GetWarnings().size(), 0U);
}
