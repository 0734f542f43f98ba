/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "balancer-under-test.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

/**
 * \param gap between frames of one flow, ticks
 * \param frames how many
 * \return ports that they take, of 16, with a timeout of 10 us
 */
std::vector<uint32_t>
Walk(uint64_t gap, uint32_t frames)
{
    BalancerUnderTest bench("ns3::FlowletLoadBalancer",
                            std::vector<uint64_t>(16, 100),
                            {{"Timeout", "10us"}});
    std::vector<uint32_t> choices;
    for (uint32_t i = 0; i < frames; i++)
    {
        bench.At(US + i * gap, [&] { choices.push_back(bench.Choose(77)); });
    }
    bench.Run();
    return choices;
}

} // namespace

TEST(FabricFlowletLoadBalancer, AFlowMovesOnlyAfterTheGap)
{
    const auto together = Walk(10 * US, 200);
    EXPECT_EQ(std::set<uint32_t>(together.begin(), together.end()).size(), 1U)
        << "a gap of the timeout is none";
    const auto apart = Walk(10 * US + 1, 200);
    uint32_t moves = 0;
    for (std::size_t i = 1; i < apart.size(); i++)
    {
        moves += apart[i] != apart[i - 1];
    }
    EXPECT_NEAR(moves, 199 * 15 / 16.0, 5 * std::sqrt(199 * 15 / 256.0)) << "a new draw each time";
}

TEST(FabricFlowletLoadBalancer, TheGapIsFromFrameToFrame)
{
    // Ten frames at gaps of 6 us last longer than the timeout; the eleventh comes after 11 us.
    BalancerUnderTest bench("ns3::FlowletLoadBalancer",
                            std::vector<uint64_t>(1000, 100),
                            {{"Timeout", "10us"}});
    std::set<uint32_t> first;
    std::set<uint32_t> second;
    for (uint32_t i = 0; i < 10; i++)
    {
        bench.At(i * 6 * US, [&] { first.insert(bench.Choose(1)); });
        bench.At(65 * US + i * 6 * US, [&] { second.insert(bench.Choose(1)); });
    }
    bench.Run();
    EXPECT_EQ(first.size(), 1U);
    EXPECT_EQ(second.size(), 1U);
    EXPECT_NE(first, second);
}

TEST(FabricFlowletLoadBalancer, DrawsPortsEvenly)
{
    BalancerUnderTest bench("ns3::FlowletLoadBalancer", std::vector<uint64_t>(8, 100));
    std::vector<uint32_t> hits(8);
    for (uint32_t flow = 0; flow < 4000; flow++)
    {
        hits[bench.Choose(flow)]++;
    }
    for (const uint32_t hit : hits)
    {
        EXPECT_NEAR(hit, 500, 5 * std::sqrt(500.0));
    }
}

TEST(FabricFlowletLoadBalancer, FlowsOnOneEntryGoTogether)
{
    const std::vector<uint64_t> gbps(16, 100);
    BalancerUnderTest one("ns3::FlowletLoadBalancer", gbps, {{"Entries", "1"}});
    std::set<uint32_t> ports;
    for (uint32_t flow = 0; flow < 100; flow++)
    {
        ports.insert(one.Choose(flow));
    }
    EXPECT_EQ(ports.size(), 1U);
}

TEST(FabricFlowletLoadBalancer, AnEntryIsNeverUsedForPortsThatDoNotHoldIt)
{
    BalancerUnderTest bench("ns3::FlowletLoadBalancer",
                            std::vector<uint64_t>(16, 100),
                            {{"Entries", "1"}});
    for (uint32_t i = 0; i < 200; i++)
    {
        const uint32_t wide = bench.Choose(1, 16);
        const uint32_t narrow = bench.Choose(2, 2); // which is checked to be below 2
        EXPECT_TRUE(wide >= 2 || narrow == wide);
    }
}
