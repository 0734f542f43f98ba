/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/load-balancer.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** \return names of all load balancers that can be created, in order */
std::vector<std::string>
FindLoadBalancers()
{
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId tid = TypeId::GetRegistered(i);
        if (tid.IsChildOf(LoadBalancer::GetTypeId()) && tid.HasConstructor())
        {
            names.push_back(tid.GetName());
        }
    }
    std::sort(names.begin(), names.end());
    return names;
}

/** What a run gave. */
struct Outcome
{
    uint64_t fingerprint{0};          //!< of all arrivals
    std::vector<uint64_t> upwards;    //!< data frames that a leaf sent to each spine
    uint64_t retransmittedPackets{0}; //!< sent again
};

/**
 * \param balancer TypeId name
 * \param engine event engine
 * \return what becomes of 128 flows from leaf to leaf
 */
Outcome
Play(const std::string& balancer, const std::string& engine = "fabric")
{
    constexpr uint32_t HOSTS = 4;
    constexpr uint32_t SPINES = 4;
    RoceTestOptions options;
    options.loadBalancer = balancer;
    options.engine = engine;
    options.fingerprint = true;
    RoceTestNetwork network(LeafPairTopology(HOSTS, SPINES, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t src = 0; src < HOSTS; src++)
    {
        for (uint32_t channel = 0; channel < 32; channel++)
        {
            network.Send(src, HOSTS + (src + channel) % HOSTS, 20000, channel);
        }
    }
    network.Run();
    Outcome outcome;
    outcome.fingerprint = network.context->GetFingerprint();
    outcome.retransmittedPackets = network.Counters().retransmittedPackets;
    const FabricDevice& leaf = *network.fabric.switches[2 * HOSTS];
    for (uint32_t port = HOSTS; port < HOSTS + SPINES; port++)
    {
        outcome.upwards.push_back(leaf.GetPort(port).GetCounters().packets[0]);
    }
    return outcome;
}

} // namespace

TEST(RoceLoadBalancerCatalogue, HoldsTheShippedOnes)
{
    const std::vector<std::string> names = FindLoadBalancers();
    for (const char* name : {"ns3::AdaptiveLoadBalancer",
                             "ns3::CongaLoadBalancer",
                             "ns3::DrillLoadBalancer",
                             "ns3::EcmpLoadBalancer",
                             "ns3::FlowletLoadBalancer",
                             "ns3::LeastLoadedLoadBalancer",
                             "ns3::SprayLoadBalancer",
                             "ns3::WeightedEcmpLoadBalancer"})
    {
        EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
    }
}

TEST(RoceLoadBalancerCatalogue, EveryOneDeliversUsesAllPortsAndRepeats)
{
    for (const std::string& name : FindLoadBalancers())
    {
        SCOPED_TRACE(name);
        const Outcome outcome = Play(name); // which checks that all arrives, once
        uint64_t frames = 0;
        for (const uint64_t spine : outcome.upwards)
        {
            EXPECT_GT(spine, 0U);
            frames += spine;
        }
        EXPECT_EQ(frames, 4U * 32 * 20 + outcome.retransmittedPackets);
        EXPECT_EQ(Play(name).fingerprint, outcome.fingerprint);
        EXPECT_EQ(Play(name, "default").fingerprint, outcome.fingerprint) << "on another engine";
    }
}
