/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/config-error.h"
#include "ns3/conga-load-balancer.h"
#include "ns3/link-event-player.h"
#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * CONGA against the closed form of the example of its paper's figure 2: traffic of 100 Gbit/s from
 * one leaf to another by two spines, three links of 80 Gbit/s and one, from the second spine
 * downwards, of 40. Equal use of both paths, x / 80 = (100 - x) / 40, gives x = 66.7 Gbit/s to the
 * first. Metrics are told apart in steps of 1/8, so that x / 80 and (100 - x) / 40 may differ by
 * so much: x is within 63.3 and 70. Each of 100 flows sends at 2 Gbit/s for one of every two
 * milliseconds; the gap makes its next message a flowlet, which may take another path.
 */

using namespace ns3;

namespace
{

constexpr uint32_t HOSTS = 10;          //!< of each leaf
constexpr uint32_t LEAF = 2 * HOSTS;    //!< node of the first leaf
constexpr uint32_t SPINE = LEAF + 2;    //!< node of the first spine
constexpr uint32_t FLOWS = 100;         //!< from the first leaf to the second
constexpr uint32_t ROUNDS = 8;          //!< messages of each flow, one every 2 ms
constexpr uint32_t PACKETS = 235;       //!< of each message: 0.998 ms at 2 Gbit/s
constexpr double OPTIMAL = 2.0 / 3;     //!< share of the first spine
constexpr double STEP = 1.0 / 30;       //!< by which the share may miss it

/** \param slowGbps rate from the second spine to the second leaf, Gbit/s \return the network */
Topology
TwoPaths(uint32_t slowGbps)
{
    Topology topology = LeafPairTopology(HOSTS, 2, "100Gbps", MicroSeconds(1));
    for (uint32_t i = 2 * HOSTS; i < topology.links.size(); i++)
    {
        topology.links[i].rate = DataRate("80Gbps");
    }
    topology.links.back().rate = DataRate(std::to_string(slowGbps) + "Gbps");
    return topology;
}

/** \ingroup tests \brief A leaf that sends 100 Gbit/s to another one. */
class CongaUnderTest
{
  public:
    /**
     * \param balancer TypeId name
     * \param slowGbps see TwoPaths()
     * \param flowletTimeout of CONGA
     */
    CongaUnderTest(const std::string& balancer,
                   uint32_t slowGbps,
                   const std::string& flowletTimeout = "500us")
        : m_defaults(flowletTimeout),
          network(TwoPaths(slowGbps), Options(balancer))
    {
        for (uint32_t i = 0; i < ROUNDS * FLOWS; i++)
        {
            Simulator::Schedule(MicroSeconds(20 * i), [this, i] {
                network.Send(i % HOSTS, HOSTS + i % HOSTS, PACKETS * 1000, i % FLOWS / HOSTS);
            });
        }
        for (const int64_t ms : {4, 8, 11, 16})
        {
            Simulator::Schedule(MilliSeconds(ms), [this] {
                sent.emplace_back(GetSent(0), GetSent(1));
            });
        }
    }

    /** \param spine number of a spine \return data frames that the first leaf has sent to it */
    double GetSent(uint32_t spine)
    {
        const FabricPort& port = network.fabric.switches[LEAF]->GetPort(HOSTS + spine);
        return static_cast<double>(port.GetCounters().packets[0]);
    }

    /** \param from index into `sent` \param to another \return share of the first spine meanwhile */
    double GetShare(std::size_t from, std::size_t to) const
    {
        const double first = sent.at(to).first - sent.at(from).first;
        return first / (first + sent.at(to).second - sent.at(from).second);
    }

    /** \return longest time of a message, us */
    double GetLongest()
    {
        return network.GetLastReceived().GetSeconds() * 1e6;
    }

    /** \param node of a switch \return its balancer */
    Ptr<CongaLoadBalancer> GetConga(uint32_t node)
    {
        return DynamicCast<CongaLoadBalancer>(network.fabric.switches[node]->GetLoadBalancer());
    }

  private:
    /** \ingroup tests \brief Flows of 2 Gbit/s whose packets may overtake each other. */
    struct Defaults : public ScopedDefaults
    {
        /** \param flowletTimeout of CONGA */
        explicit Defaults(const std::string& flowletTimeout)
        {
            Set("ns3::FixedRateCongestionControl::Rate", StringValue("2Gbps"));
            Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
            Set("ns3::CongaLoadBalancer::FlowletTimeout", StringValue(flowletTimeout));
        }
    };

    /** \param balancer TypeId name \return options of the network */
    static RoceTestOptions Options(const std::string& balancer)
    {
        RoceTestOptions options;
        options.loadBalancer = balancer;
        options.congestionControl = "ns3::FixedRateCongestionControl";
        options.configure = [](RoceHelper& helper) {
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(16000000));
        };
        return options;
    }

    Defaults m_defaults; //!< while the network lives

  public:
    RoceTestNetwork network; //!< the network
    std::vector<std::pair<double, double>> sent; //!< by both spines at 4, 8, 11 and 16 ms
};

/** \param spec a topology \return what CONGA says against it, empty if nothing */
std::string
ErrorOf(const std::string& spec)
{
    try
    {
        RoceTestOptions options;
        options.loadBalancer = "ns3::CongaLoadBalancer";
        RoceTestNetwork network(LoadTopology(spec), options);
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(RoceConga, EstimatorsFollowTheFormula)
{
    // 1000 bytes every 80 ns: 100 Gbit/s for 100 intervals of 16 us, then nothing.
    constexpr uint64_t INTERVAL = 16000000;
    constexpr double ALPHA = 0.1;
    DiscountingRateEstimator estimator;
    for (uint64_t i = 0; i < 100 * INTERVAL / 80000; i++)
    {
        estimator.Add(i * 80000, 1000, INTERVAL, ALPHA);
    }
    const double full = 100e9 / 8 * 160e-6; // R tau
    const uint64_t end = 100 * INTERVAL;
    EXPECT_NEAR(estimator.GetBytes(end - 1, INTERVAL, ALPHA),
                full * (1 - std::pow(0.9, 100)),
                1e-6 * full);
    for (uint32_t k = 0; k < 50; k++)
    {
        EXPECT_NEAR(estimator.GetBytes(end + k * INTERVAL, INTERVAL, ALPHA),
                    full * (1 - std::pow(0.9, 100)) * std::pow(0.9, k + 1),
                    1e-6 * full);
    }
    EXPECT_EQ(estimator.GetBytes(end * 1000000, INTERVAL, ALPHA), 0);
}

TEST(RoceConga, SplitsUnequalPathsAsItsPaperSays)
{
    CongaUnderTest conga("ns3::CongaLoadBalancer", 40);
    conga.network.Run();
    EXPECT_NEAR(conga.GetShare(0, 3), OPTIMAL, STEP);
    CongaUnderTest ecmp("ns3::EcmpLoadBalancer", 40);
    ecmp.network.Run();
    const double share = ecmp.GetShare(0, 3);
    EXPECT_NEAR(share, 0.5, 0.15);
    // What the slow path gets beyond its 40 Gbit/s in 16 ms waits at the end.
    EXPECT_GT(ecmp.GetLongest(), 998 + 0.9 * ((1 - share) * 99.8 / 40 - 1) * 16000);
    EXPECT_LT(conga.GetLongest() - 998, (ecmp.GetLongest() - 998) / 2);
}

TEST(RoceConga, SplitsEqualPathsEqually)
{
    CongaUnderTest conga("ns3::CongaLoadBalancer", 80);
    conga.network.Run();
    EXPECT_NEAR(conga.GetShare(0, 3), 0.5, 80.0 / 8 / 2 / 100) << "a step of 1/8 of 80 Gbit/s";
}

TEST(RoceConga, FollowsALinkThatIsDegraded)
{
    CongaUnderTest conga("ns3::CongaLoadBalancer", 80);
    const Topology topology = TwoPaths(80);
    const auto& switches = conga.network.fabric.switches;
    LinkEventPlayer player(
        {topology, conga.network.fabric.channels, {switches.begin(), switches.end()}});
    player.Start({{MilliSeconds(8),
                   LinkChange::RATE,
                   DataRate("40Gbps"),
                   FindEthernetLinks(topology, LEAF + 1, SPINE + 1)}});
    conga.network.Run();
    EXPECT_NEAR(conga.GetShare(0, 1), 0.5, 0.05);
    EXPECT_NEAR(conga.GetShare(2, 3), OPTIMAL, STEP) << "one flowlet of every flow later";
}

TEST(RoceConga, LeavesTellEachOtherAndForget)
{
    CongaUnderTest conga("ns3::CongaLoadBalancer", 40);
    Simulator::Schedule(MilliSeconds(12), [&] {
        const auto leaf = conga.GetConga(LEAF);
        const auto spine = conga.GetConga(SPINE + 1);
        const uint64_t now = Simulator::Now().GetTimeStep();
        // A third of 100 Gbit/s fills 83 % of 40 Gbit/s and 42 % of 80: steps 6 and 3.
        EXPECT_NEAR(spine->GetLocalMetric(1, now), 6, 1);
        EXPECT_NEAR(leaf->GetLocalMetric(HOSTS + 1, now), 3, 1);
        EXPECT_NEAR(leaf->GetRemoteMetric(LEAF + 1, HOSTS + 1, now), 6, 1);
        EXPECT_NEAR(leaf->GetRemoteMetric(LEAF + 1, HOSTS, now), 6, 1);
    });
    conga.network.Run();
    const auto leaf = conga.GetConga(LEAF);
    const uint64_t ms = MilliSeconds(1).GetTimeStep();
    const uint64_t end = Simulator::Now().GetTimeStep();
    const uint32_t told = leaf->GetRemoteMetric(LEAF + 1, HOSTS, end);
    EXPECT_GE(told, 1U);
    EXPECT_EQ(leaf->GetRemoteMetric(LEAF + 1, HOSTS, end + 8 * ms), told);
    EXPECT_LE(leaf->GetRemoteMetric(LEAF + 1, HOSTS, end + 16 * ms), told / 2);
    EXPECT_EQ(leaf->GetRemoteMetric(LEAF + 1, HOSTS, end + 20 * ms), 0U);
    EXPECT_EQ(leaf->GetLocalMetric(HOSTS, end + 5 * ms), 0U);
}

TEST(RoceConga, AFlowWithoutGapsKeepsItsPath)
{
    CongaUnderTest conga("ns3::CongaLoadBalancer", 40, "1500us");
    conga.network.Run();
    const double flows = conga.GetSent(0) / (ROUNDS * PACKETS);
    EXPECT_EQ(flows, std::floor(flows)) << "whole flows only";
}

TEST(RoceConga, RefusesOtherNetworks)
{
    EXPECT_EQ(ErrorOf("leaf-spine:gpus=8,leaves=2,spines=2"), "");
    EXPECT_NE(ErrorOf("fat-tree:k=4").find("a spine that is joined to another one"),
              std::string::npos);
    EXPECT_NE(ErrorOf("star:gpus=2,portsPerNic=2").find("attached to several switches"),
              std::string::npos);
}
