/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/rng-seed-manager.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** What became of a run. */
struct Outcome
{
    double microseconds{0};           //!< until the last message had arrived
    std::vector<uint64_t> packets;    //!< data frames by spine, or by parallel link
    uint64_t retransmittedPackets{0}; //!< sent again
    uint64_t deepestQueueBytes{0};    //!< of the ports that were chosen among
};

/**
 * \param network after its run
 * \param leaf switch whose ports were chosen among
 * \param first first of these ports
 * \param count how many
 * \return what became of it
 */
Outcome
Collect(RoceTestNetwork& network, uint32_t leaf, uint32_t first, uint32_t count)
{
    Outcome outcome;
    outcome.microseconds = network.GetLastReceived().GetSeconds() * 1e6;
    outcome.retransmittedPackets = network.Counters().retransmittedPackets;
    for (uint32_t port = first; port < first + count; port++)
    {
        const FabricPortCounters counters =
            network.fabric.switches[leaf]->GetPort(port).GetCounters();
        outcome.packets.push_back(counters.packets[0]);
        outcome.deepestQueueBytes = std::max(outcome.deepestQueueBytes, counters.maxQueueBytes);
    }
    return outcome;
}

/**
 * Case H05 (b): eight hosts send to one each across eight spines, every message by a queue pair of
 * its own.
 * \param balancer TypeId name
 * \param run run number of the random streams
 * \param messages messages of each host
 * \param bytes of each message
 * \return what becomes of it
 */
Outcome
EightFlows(const std::string& balancer, uint64_t run, uint32_t messages, uint64_t bytes)
{
    const uint64_t before = RngSeedManager::GetRun();
    RngSeedManager::SetRun(run);
    RoceTestOptions options;
    options.loadBalancer = balancer;
    RoceTestNetwork network(LeafPairTopology(8, 8, "100Gbps", MicroSeconds(1)), options);
    for (uint32_t i = 0; i < 8 * messages; i++)
    {
        network.Send(i % 8, 8 + i % 8, bytes, i / 8);
    }
    network.Run();
    RngSeedManager::SetRun(before);
    return Collect(network, 16, 8, 8);
}

/**
 * Two switches joined by a link of 10 and one of 100 Gbit/s; four hosts on each send to one each.
 * \param balancer TypeId name
 * \return what becomes of 1100 flows of one packet
 */
Outcome
UnequalLinks(const std::string& balancer)
{
    Topology topology = LeafPairTopology(4, 0, "100Gbps", MicroSeconds(1));
    for (const char* rate : {"10Gbps", "100Gbps"})
    {
        topology.links.emplace_back(topology.links[0]);
        topology.links.back().a = 8;
        topology.links.back().b = 9;
        topology.links.back().rate = DataRate(rate);
    }
    RoceTestOptions options;
    options.loadBalancer = balancer;
    RoceTestNetwork network(topology, options);
    for (uint32_t i = 0; i < 1100; i++)
    {
        network.Send(i % 4, 4 + i % 4, 1000, i / 4);
    }
    network.Run();
    return Collect(network, 8, 4, 2);
}

} // namespace

TEST(RoceLoadBalancerBehaviour, H05AdaptiveRoutingBeatsEcmpWhereFlowsCollide)
{
    // 500 packets of 1062 bytes over each link: 500 x 84.96 ns, three more hops of 84.96 ns and
    // four links of 1 us. With k flows on a link the first term is k times as large.
    const double alone = 500 * 0.08496 + 3 * 0.08496 + 4;
    for (uint64_t run = 1; run <= 5; run++)
    {
        SCOPED_TRACE(run);
        const Outcome ecmp = EightFlows("ns3::EcmpLoadBalancer", run, 1, 500000);
        const uint64_t most = *std::max_element(ecmp.packets.begin(), ecmp.packets.end());
        EXPECT_NEAR(ecmp.microseconds, alone + (most / 500.0 - 1) * 42.48, 0.001);
        EXPECT_GE(most, 1000U) << "some flows collide in these runs";
        const Outcome adaptive = EightFlows("ns3::AdaptiveLoadBalancer", run, 1, 500000);
        EXPECT_NEAR(adaptive.microseconds, alone, 0.001);
        EXPECT_LE(adaptive.deepestQueueBytes, 1062U) << "the frame that is queued";
    }
}

TEST(RoceLoadBalancerBehaviour, DrillKeepsQueuesShortWhereHashesDoNot)
{
    for (uint64_t run = 1; run <= 3; run++)
    {
        SCOPED_TRACE(run);
        const Outcome ecmp = EightFlows("ns3::EcmpLoadBalancer", run, 300, 1000);
        const Outcome drill = EightFlows("ns3::DrillLoadBalancer", run, 300, 1000);
        EXPECT_LE(drill.deepestQueueBytes, 6 * 1062U);
        EXPECT_GE(ecmp.deepestQueueBytes, 20 * 1062U);
        EXPECT_LT(drill.microseconds, ecmp.microseconds);
        EXPECT_EQ(drill.retransmittedPackets, 0U) << "one packet cannot overtake itself";
    }
}

TEST(RoceLoadBalancerBehaviour, WeightsSplitUnequalParallelLinksByRate)
{
    const Outcome weighted = UnequalLinks("ns3::WeightedEcmpLoadBalancer");
    EXPECT_EQ(weighted.packets[0] + weighted.packets[1], 1100U);
    EXPECT_NEAR(weighted.packets[0], 100, 5 * std::sqrt(1100 * 10 / 121.0));
    const Outcome equal = UnequalLinks("ns3::EcmpLoadBalancer");
    EXPECT_NEAR(equal.packets[0], 550, 5 * std::sqrt(1100 / 4.0));
    EXPECT_LT(weighted.microseconds, equal.microseconds / 3);
}
