/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/scoped-defaults.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What a run is like besides its network. */
struct Reordering
{
    std::string balancer;       //!< TypeId name
    uint64_t window{0};         //!< ReorderWindow, packets
    std::string flowlet{"0us"}; //!< longest gap in a flowlet, of balancers that know them
    uint32_t spines{2};         //!< that share what the hosts send
    double lossRate{0};         //!< of the links
};

/**
 * Seven hosts send to one each of another leaf, over spines of which the last is farther away.
 * \param setting what the run is like
 * \param [out] counters of the run
 * \return its warnings
 */
std::vector<std::string>
Warn(const Reordering& setting, FabricCounters& counters)
{
    auto defaults = std::make_unique<ScopedDefaults>();
    defaults->Set("ns3::LossRecovery::ReorderWindow", UintegerValue(setting.window));
    for (const std::string attribute : {"AdaptiveLoadBalancer::FlowletTimeout",
                                        "CongaLoadBalancer::FlowletTimeout",
                                        "FlowletLoadBalancer::Timeout"})
    {
        defaults->Set("ns3::" + attribute, StringValue(setting.flowlet));
    }
    RoceTestOptions options;
    options.loadBalancer = setting.balancer;
    Topology topology = LeafPairTopology(8, setting.spines, "100Gbps", MicroSeconds(1));
    for (TopologyLink& link : topology.links)
    {
        link.lossRate = setting.lossRate;
        // Those of the last spine are longer, so that packets overtake each other.
        const bool isFar = setting.spines > 1 && link.b + 1 == topology.nodes.size();
        link.delay += MicroSeconds(isFar ? 3 : 0);
    }
    RoceTestNetwork network(topology, options);
    EXPECT_TRUE(network.fabric.GetWarnings().empty()) << "nothing has happened yet";
    // An odd number, so that Spray gives no host a spine of its own. The first NIC has no part.
    for (uint32_t i = 1; i < 8; i++)
    {
        network.Send(i, 8 + i, 100000);
    }
    network.Run();
    counters = network.Counters();
    defaults.reset(); // queue pairs keep what held when they were made
    return network.fabric.GetWarnings();
}

} // namespace

TEST(RoceReorderingCheck, WarnsOfBalancersPerPacketThatMadeSendersRepeat)
{
    for (const std::string name :
         {"Spray", "Drill", "Adaptive", "LeastLoaded", "Flowlet"}) // without flowlets
    {
        SCOPED_TRACE(name);
        const std::string type = "ns3::" + name + "LoadBalancer";
        FabricCounters counters;
        const std::vector<std::string> lines = Warn({type}, counters);
        ASSERT_GT(counters.retransmittedPackets, 0U);
        ASSERT_EQ(lines.size(), 1U);
        EXPECT_EQ(lines[0],
                  "switches choose a port for every packet (attribute "
                  "ns3::RoceSwitchDevice::LoadBalancer, " +
                      type +
                      "), but receivers take reordering for loss "
                      "(ns3::LossRecovery::ReorderWindow is 0): of " +
                      std::to_string(700 + counters.retransmittedPackets) + " data frames " +
                      std::to_string(counters.retransmittedPackets) +
                      " were sent again, 0 were lost");
    }
}

TEST(RoceReorderingCheck, SaysNothingWhereNothingIsAmiss)
{
    FabricCounters counters;
    const std::string spray = "ns3::SprayLoadBalancer";
    const std::string adaptive = "ns3::AdaptiveLoadBalancer";
    EXPECT_TRUE(Warn({"ns3::EcmpLoadBalancer"}, counters).empty());
    for (const std::string flowlets : {"Flowlet", "Conga"})
    {
        EXPECT_TRUE(Warn({"ns3::" + flowlets + "LoadBalancer", 0, "100us"}, counters).empty())
            << flowlets;
    }
    EXPECT_TRUE(Warn({adaptive, 0, "100us"}, counters).empty()) << "flows keep their ports";
    EXPECT_TRUE(Warn({spray, 4096}, counters).empty()) << "receivers tolerate any order";
    EXPECT_TRUE(Warn({spray, 0, "0us", 1}, counters).empty()) << "there is one way";
    EXPECT_EQ(counters.retransmittedPackets, 0U);
}

TEST(RoceReorderingCheck, LossesAreNotTakenForReordering)
{
    const double loss = 0.01;
    FabricCounters counters;
    for (const std::string name : {"Ecmp", "WeightedEcmp", "Flowlet", "Conga", "Adaptive"})
    {
        const std::string type = "ns3::" + name + "LoadBalancer";
        EXPECT_TRUE(Warn({type, 0, "100us", 2, loss}, counters).empty()) << name;
        EXPECT_GT(counters.retransmittedPackets, 0U) << name;
    }
    EXPECT_TRUE(Warn({"ns3::SprayLoadBalancer", 4096, "0us", 2, loss}, counters).empty());
    EXPECT_GT(counters.retransmittedPackets, 0U) << "what was lost, behind a window that suffices";
    EXPECT_TRUE(Warn({"ns3::SprayLoadBalancer", 0, "0us", 1, loss}, counters).empty());
    EXPECT_GT(counters.retransmittedPackets, 0U) << "what was lost where there is one way";
    EXPECT_EQ(Warn({"ns3::SprayLoadBalancer", 0, "0us", 2, loss}, counters).size(), 1U);
    EXPECT_GT(counters.linkLosses, 0U);
    // Without flowlets, which may go another way with every packet:
    EXPECT_EQ(Warn({"ns3::CongaLoadBalancer", 0, "0us", 2, loss}, counters).size(), 1U);
}

TEST(RoceReorderingCheck, AWindowThatIsTooSmallIsNamed)
{
    FabricCounters counters;
    const std::vector<std::string> lines = Warn({"ns3::SprayLoadBalancer", 1}, counters);
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines[0].find("ReorderWindow is 1)"), std::string::npos) << lines[0];
}
