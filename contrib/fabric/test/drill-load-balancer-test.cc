/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "balancer-under-test.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

constexpr auto FRAME = BalancerUnderTest::FRAME;             //!< bytes
constexpr auto FRAME_TICKS = BalancerUnderTest::FRAME_TICKS; //!< at 100 Gbit/s

/**
 * A burst that comes at once, every frame to where the balancer says.
 * \param ports number of ports
 * \param frames number of frames
 * \param samples d
 * \param memory m
 * \return deepest less shallowest queue, bytes
 */
uint64_t
Imbalance(uint32_t ports, uint32_t frames, const std::string& samples, const std::string& memory)
{
    BalancerUnderTest bench("ns3::DrillLoadBalancer",
                            std::vector<uint64_t>(ports, 100),
                            {{"Samples", samples}, {"Memory", memory}});
    for (uint32_t i = 0; i < frames; i++)
    {
        bench.Queue(bench.Choose(i), 1);
    }
    uint64_t least = ~uint64_t{0};
    uint64_t most = 0;
    for (uint32_t port = 0; port < ports; port++)
    {
        least = std::min(least, bench.GetQueueBytes(port));
        most = std::max(most, bench.GetQueueBytes(port));
    }
    bench.Run();
    return most - least;
}

} // namespace

TEST(FabricDrillLoadBalancer, SpreadsWithinOneFrameWhenAllPortsAreDrawn)
{
    for (const uint32_t frames : {8U, 13U, 100U, 1001U})
    {
        EXPECT_EQ(Imbalance(8, frames, "8", "0"), frames % 8 ? FRAME : 0U) << frames;
        EXPECT_EQ(Imbalance(8, frames, "20", "3"), frames % 8 ? FRAME : 0U) << frames;
    }
}

TEST(FabricDrillLoadBalancer, TwoChoicesAndAMemoryComeCloseAndOneChoiceDoesNot)
{
    // Balls into bins: one choice is off by about sqrt(2 n/k ln k) = 65 frames and more.
    EXPECT_LE(Imbalance(8, 8000, "2", "1"), 4 * FRAME);
    EXPECT_LE(Imbalance(8, 8000, "2", "0"), 8 * FRAME);
    EXPECT_GE(Imbalance(8, 8000, "1", "0"), 30 * FRAME);
}

TEST(FabricDrillLoadBalancer, RemembersTheLeastLoadedPort)
{
    // Seven of eight ports have a long queue; d = 1, m = 1. Once the empty one is drawn it is kept.
    BalancerUnderTest bench("ns3::DrillLoadBalancer",
                            std::vector<uint64_t>(8, 100),
                            {{"Samples", "1"}, {"Memory", "1"}});
    for (uint32_t port = 0; port < 8; port++)
    {
        bench.Queue(port, port == 5 ? 0 : 10);
    }
    bool found = false;
    for (uint32_t i = 0; i < 200; i++)
    {
        const uint32_t choice = bench.Choose(i);
        EXPECT_TRUE(!found || choice == 5) << "frame " << i;
        found = found || choice == 5;
    }
    EXPECT_TRUE(found);
    bench.Run();
}

TEST(FabricDrillLoadBalancer, LooksAtQueuesAsTheyAreNow)
{
    // Nobody has noted departures when the balancer looks. Port 0 gets 5 frames at 0, of which 4
    // wait; port 1 gets 4 one tick before the second leaves port 0, of which 3 wait.
    BalancerUnderTest bench("ns3::DrillLoadBalancer",
                            {100, 100},
                            {{"Samples", "2"}, {"Memory", "0"}});
    bench.At(0, [&] { bench.Queue(0, 5); });
    bench.At(FRAME_TICKS - 1, [&] {
        bench.Queue(1, 4);
        EXPECT_EQ(bench.Choose(0), 1U) << "4 wait against 3";
    });
    bench.At(FRAME_TICKS, [&] {
        EXPECT_EQ(bench.Choose(0), 1U) << "3 each, on the wire for 80000 and 79999 ticks";
        bench.Queue(1, 1);
        EXPECT_EQ(bench.Choose(0), 0U) << "3 wait against 4";
    });
    bench.At(2 * FRAME_TICKS - 1, [&] {
        EXPECT_EQ(bench.Choose(0), 0U) << "3 each, on the wire for 1 and 80000 ticks";
    });
    bench.Run();
}

TEST(FabricDrillLoadBalancer, DrawsDifferentPorts)
{
    // With 7 of 8 drawn and only two empty ports, at least one of them is always seen.
    BalancerUnderTest bench("ns3::DrillLoadBalancer",
                            std::vector<uint64_t>(8, 100),
                            {{"Samples", "7"}, {"Memory", "0"}});
    for (uint32_t port = 2; port < 8; port++)
    {
        bench.Queue(port, 5);
    }
    std::set<uint32_t> chosen;
    for (uint32_t i = 0; i < 500; i++)
    {
        chosen.insert(bench.Choose(i));
    }
    EXPECT_EQ(chosen, (std::set<uint32_t>{0, 1}));
    bench.Run();
}
