/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "balancer-under-test.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

constexpr auto FRAME_TICKS = BalancerUnderTest::FRAME_TICKS; //!< at 100 Gbit/s
constexpr uint64_t US = 1000000;                             //!< ticks

/** \param bench a balancer \return ports that it chooses in 300 frames of different flows */
std::set<uint32_t>
Chosen(BalancerUnderTest& bench)
{
    std::set<uint32_t> ports;
    for (uint32_t flow = 0; flow < 300; flow++)
    {
        ports.insert(bench.Choose(flow));
    }
    return ports;
}

} // namespace

TEST(FabricAdaptiveLoadBalancer, TakesPortsOfTheLowestGradeAndOnlyThese)
{
    // Levels of 2000 bytes, grades up to 3. The first frame queued is on the wire, not in a queue.
    BalancerUnderTest bench("ns3::AdaptiveLoadBalancer",
                            std::vector<uint64_t>(6, 100),
                            {{"Levels", "4"}, {"LevelBytes", "2000"}});
    EXPECT_EQ(Chosen(bench).size(), 6U) << "all idle";
    const std::vector<uint32_t> frames = {9, 3, 2, 1, 20, 5}; // grades 3 2 1 1 3 3
    for (uint32_t port = 0; port < 6; port++)
    {
        bench.Queue(port, frames[port]);
    }
    EXPECT_EQ(Chosen(bench), (std::set<uint32_t>{2, 3})) << "0 and 1000 bytes wait";
    bench.Queue(2, 1);
    bench.Queue(3, 2);
    EXPECT_EQ(Chosen(bench), (std::set<uint32_t>{1, 2, 3})) << "2000 bytes wait: grade 2";
    for (uint32_t port = 1; port < 4; port++)
    {
        bench.Queue(port, 10);
    }
    EXPECT_EQ(Chosen(bench).size(), 6U) << "the highest grade has no end";
    bench.Run();
}

TEST(FabricAdaptiveLoadBalancer, PrefersAnIdlePortAsSoonAsItIs)
{
    BalancerUnderTest bench("ns3::AdaptiveLoadBalancer", {100, 100, 100});
    for (const uint32_t port : {0, 1, 2})
    {
        bench.Queue(port, port == 1 ? 1 : 2);
    }
    bench.At(FRAME_TICKS - 1, [&] { EXPECT_EQ(Chosen(bench).size(), 3U); });
    bench.At(FRAME_TICKS, [&] { EXPECT_EQ(Chosen(bench), std::set<uint32_t>{1}); });
    bench.At(2 * FRAME_TICKS, [&] { EXPECT_EQ(Chosen(bench).size(), 3U); });
    bench.Run();
}

TEST(FabricAdaptiveLoadBalancer, EqualPortsGetEqualShares)
{
    BalancerUnderTest bench("ns3::AdaptiveLoadBalancer", std::vector<uint64_t>(8, 100));
    std::vector<uint32_t> hits(8);
    for (uint32_t i = 0; i < 8000; i++)
    {
        hits[bench.Choose(1)]++;
    }
    for (const uint32_t hit : hits)
    {
        EXPECT_NEAR(hit, 1000, 160);
    }
}

TEST(FabricAdaptiveLoadBalancer, AFlowletStaysThoughItsQueueGrows)
{
    BalancerUnderTest bench("ns3::AdaptiveLoadBalancer",
                            std::vector<uint64_t>(4, 100),
                            {{"FlowletTimeout", "10us"}});
    uint32_t first = 0;
    bench.At(0, [&] {
        first = bench.Choose(7);
        bench.Queue(first, 400); // 32 us
    });
    bench.At(10 * US, [&] { EXPECT_EQ(bench.Choose(7), first); });
    bench.At(20 * US, [&] { EXPECT_EQ(bench.Choose(7), first); });
    bench.At(30 * US + 1, [&] { EXPECT_NE(bench.Choose(7), first) << "a new flowlet"; });
    bench.Run();
}
