/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/ecmp-hash.h"
#include "ns3/ecmp-load-balancer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/spray-load-balancer.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

const std::vector<uint16_t> g_ports = {2, 3, 5, 7, 11, 13, 17, 19}; //!< equal-cost ports

/** \param count number of ports \return the first so many of g_ports */
PortSpan
Ports(uint32_t count)
{
    return {g_ports.data(), count, 7};
}

/** \param flow entropy \return a frame from end point 4 to 9, valid until the next call */
FabricPacket&
Frame(uint32_t flow)
{
    static FabricPacket packet{};
    packet.src = 4;
    packet.dst = 9;
    packet.flow = flow;
    return packet;
}

TEST(FabricEcmpLoadBalancer, KeepsAFlowAndSpreadsFlowsEvenly)
{
    auto balancer = CreateObject<EcmpLoadBalancer>();
    balancer->Start({77, EcmpLoadBalancer::GetSalt(77), nullptr});
    for (const uint32_t count : {2, 3, 8})
    {
        std::vector<int> hits(count);
        for (uint32_t flow = 0; flow < 8000; flow++)
        {
            const uint32_t choice = balancer->Choose(Frame(flow), Ports(count));
            ASSERT_LT(choice, count);
            ASSERT_EQ(balancer->Choose(Frame(flow), Ports(count)), choice);
            hits[choice]++;
        }
        const double mean = 8000.0 / count;
        for (const int hit : hits)
        {
            EXPECT_NEAR(hit, mean, 5 * std::sqrt(mean));
        }
    }
}

TEST(FabricEcmpLoadBalancer, NodesAndSeedsDecideIndependently)
{
    // Two tiers with the same hash would agree on all flows; independent ones agree on half.
    auto first = CreateObject<EcmpLoadBalancer>();
    auto second = CreateObject<EcmpLoadBalancer>();
    auto otherRun = CreateObject<EcmpLoadBalancer>();
    first->Start({1, EcmpLoadBalancer::GetSalt(1), nullptr});
    second->Start({2, EcmpLoadBalancer::GetSalt(2), nullptr});
    const uint64_t run = RngSeedManager::GetRun();
    RngSeedManager::SetRun(run + 1);
    otherRun->Start({1, EcmpLoadBalancer::GetSalt(1), nullptr});
    RngSeedManager::SetRun(run);
    int nodesAgree = 0;
    int runsAgree = 0;
    for (uint32_t flow = 0; flow < 10000; flow++)
    {
        const uint32_t choice = first->Choose(Frame(flow), Ports(2));
        nodesAgree += choice == second->Choose(Frame(flow), Ports(2));
        runsAgree += choice == otherRun->Choose(Frame(flow), Ports(2));
    }
    EXPECT_NEAR(nodesAgree, 5000, 250);
    EXPECT_NEAR(runsAgree, 5000, 250);
    std::set<uint64_t> salts;
    for (uint32_t node = 0; node < 10000; node++)
    {
        salts.insert(EcmpLoadBalancer::GetSalt(node));
    }
    EXPECT_EQ(salts.size(), 10000U);
}

TEST(FabricSprayLoadBalancer, EverySetOfPortsHasItsTurn)
{
    auto balancer = CreateObject<SprayLoadBalancer>();
    balancer->Start({5, EcmpLoadBalancer::GetSalt(5), nullptr});
    const std::vector<uint16_t> others = {1, 2, 3};
    std::vector<int> hits(8);
    std::vector<int> otherHits(3);
    for (uint32_t i = 0; i < 8 * 30; i++)
    {
        hits[balancer->Choose(Frame(i % 3), Ports(8))]++;
        if (i % 8 < 3)
        {
            otherHits[balancer->Choose(Frame(0), {others.data(), 3, 8})]++;
        }
    }
    EXPECT_EQ(hits, std::vector<int>(8, 30));
    EXPECT_EQ(otherHits, std::vector<int>(3, 30));
}

TEST(FabricSprayLoadBalancer, SetsAreKnownByTheirIdWhereverTheyLie)
{
    auto balancer = CreateObject<SprayLoadBalancer>();
    balancer->Start({0, 0, nullptr});
    const std::vector<uint16_t> copy = {2, 3, 5};
    EXPECT_EQ(balancer->Choose(Frame(0), {g_ports.data(), 3, 7}), 0U);
    EXPECT_EQ(balancer->Choose(Frame(0), {copy.data(), 3, 7}), 1U);
    EXPECT_EQ(balancer->Choose(Frame(0), {copy.data(), 3, 8}), 0U);
    EXPECT_EQ(balancer->Choose(Frame(0), {g_ports.data(), 3, 7}), 2U);
}

} // namespace
