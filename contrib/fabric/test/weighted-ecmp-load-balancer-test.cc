/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "balancer-under-test.h"

#include "ns3/ecmp-hash.h"
#include "ns3/ecmp-load-balancer.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/**
 * \param gbps rates of ports, Gbit/s
 * \param flows number of flows
 * \return flows by port
 */
std::vector<uint32_t>
Spread(const std::vector<uint64_t>& gbps, uint32_t flows)
{
    BalancerUnderTest bench("ns3::WeightedEcmpLoadBalancer", gbps);
    std::vector<uint32_t> hits(gbps.size());
    for (uint32_t flow = 0; flow < flows; flow++)
    {
        const uint32_t choice = bench.Choose(flow);
        EXPECT_EQ(bench.Choose(flow), choice) << "a flow keeps its port";
        hits[choice]++;
    }
    return hits;
}

} // namespace

TEST(FabricWeightedEcmpLoadBalancer, SharesByRateOfTheLinks)
{
    constexpr uint32_t FLOWS = 110000;
    const auto two = Spread({10, 100}, FLOWS);
    EXPECT_NEAR(two[0], FLOWS / 11.0, 5 * std::sqrt(FLOWS / 11.0 * 10 / 11));
    const auto three = Spread({400, 100, 50}, FLOWS);
    EXPECT_NEAR(three[0], FLOWS * 400 / 550.0, 5 * std::sqrt(FLOWS * 0.2));
    EXPECT_NEAR(three[1], FLOWS * 100 / 550.0, 5 * std::sqrt(FLOWS * 0.15));
    EXPECT_EQ(three[0] + three[1] + three[2], FLOWS);
}

TEST(FabricWeightedEcmpLoadBalancer, LimitsAreExact)
{
    // 10 of 110: port 0 takes the hashes below ceil(2^32 / 11) = 390451573.
    BalancerUnderTest bench("ns3::WeightedEcmpLoadBalancer", {10, 100});
    for (uint32_t flow = 0; flow < 2000; flow++)
    {
        const uint32_t hash = EcmpHash(4, 9, flow, 0x1234567);
        EXPECT_EQ(bench.Choose(flow), hash < 390451573U ? 0U : 1U);
    }
}

TEST(FabricWeightedEcmpLoadBalancer, DecidesAsEcmpWhenRatesAreEqual)
{
    for (const uint32_t count : {2U, 3U, 7U, 64U})
    {
        const std::vector<uint64_t> gbps(count, 400);
        BalancerUnderTest bench("ns3::WeightedEcmpLoadBalancer", gbps);
        for (uint32_t flow = 0; flow < 2000; flow++)
        {
            const uint32_t hash = EcmpHash(4, 9, flow, 0x1234567);
            ASSERT_EQ(bench.Choose(flow), EcmpChoice(hash, count)) << count;
        }
    }
}

TEST(FabricWeightedEcmpLoadBalancer, SetsOfPortsHaveTheirOwnWeights)
{
    BalancerUnderTest bench("ns3::WeightedEcmpLoadBalancer", {100, 100, 800});
    uint32_t last = 0;
    uint32_t second = 0;
    for (uint32_t flow = 0; flow < 10000; flow++)
    {
        last += bench.Choose(flow, 3) == 2;
        second += bench.Choose(flow, 2) == 1;
    }
    EXPECT_NEAR(last, 8000, 200);
    EXPECT_NEAR(second, 5000, 250);
}
