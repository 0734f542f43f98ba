/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-under-test.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t DELAY = 1000000; //!< of the link, ticks
constexpr uint64_t FRAME = 81600;   //!< 1020 bytes on the wire at 100 Gbit/s, ticks

/** \param bench a link \param ts ticks \param up whether it carries frames from then on */
void
SetUpAt(PortUnderTest& bench, uint64_t ts, bool up)
{
    EngineUnderTest::At(ts, [&bench, ts, up] { bench.Port().SetUp(up, ts); });
}

/** \param bench a link \param ts ticks \param rateBps its rate from then on */
void
SetRateAt(PortUnderTest& bench, uint64_t ts, uint64_t rateBps)
{
    EngineUnderTest::At(ts, [&bench, ts, rateBps] { bench.Port().SetRate(rateBps, ts); });
}

/** \ingroup tests \brief Tests on both engines. */
class FabricLinkState : public testing::TestWithParam<const char*>
{
  protected:
    /** \param tracked whether departures are events \return what a link is like */
    static PortOptions Options(bool tracked = false)
    {
        PortOptions options;
        options.engine = GetParam();
        options.tracked = tracked;
        return options;
    }
};

} // namespace

TEST_P(FabricLinkState, ACutLosesWhatIsOnTheWay)
{
    for (const bool tracked : {false, true})
    {
        // The first frame is on the fibre, the second on its way out, the third waits until then.
        PortUnderTest bench(Options(tracked));
        for (const uint64_t id : {1, 2, 3})
        {
            bench.SendAt(0, id, 1000);
        }
        SetUpAt(bench, 100000, false);
        SetUpAt(bench, 2 * FRAME, true);
        bench.Run();
        EXPECT_EQ(bench.GetArrivals(), (std::map<uint64_t, uint64_t>{{3, 3 * FRAME + DELAY}}));
        EXPECT_EQ(bench.Port().GetCounters().lost, 2U);
        EXPECT_EQ(bench.Context().counters.linkLosses, 2U);
    }
}

TEST_P(FabricLinkState, WhatLeavesADeadPortIsLostEvenIfItIsMendedBeforeArrival)
{
    PortUnderTest bench(Options());
    SetUpAt(bench, 10, false);
    bench.SendAt(20, 1, 1000);
    SetUpAt(bench, 30, true);
    bench.SendAt(40, 2, 1000);
    bench.Run();
    EXPECT_EQ(bench.GetArrivals(), (std::map<uint64_t, uint64_t>{{2, 20 + 2 * FRAME + DELAY}}));
}

TEST_P(FabricLinkState, AFrameThatArrivedBeforeTheCutStays)
{
    PortUnderTest bench(Options());
    bench.SendAt(0, 1, 1000);
    SetUpAt(bench, FRAME + DELAY + 1, false);
    bench.Run();
    EXPECT_EQ(bench.GetArrivals().size(), 1U);
    EXPECT_FALSE(bench.Port().IsUp());
}

TEST_P(FabricLinkState, ACutEndsPauses)
{
    PortUnderTest bench(Options());
    bench.PauseAt(0, 3, 1000 * DELAY);
    bench.SendAt(10, 1, 1000);
    SetUpAt(bench, 500, false);
    SetUpAt(bench, 1000000, true);
    bench.SendAt(1000000, 2, 1000);
    bench.Run();
    EXPECT_EQ(bench.GetArrivals(), (std::map<uint64_t, uint64_t>{{2, 1000000 + FRAME + DELAY}}));
    EXPECT_EQ(bench.Port().GetCounters().pausedTicks, 500U);
    EXPECT_EQ(bench.Port().GetCounters().lost, 1U) << "the queue went on, into nothing";
}

TEST_P(FabricLinkState, ANewRateHoldsFromTheNextFrame)
{
    for (const bool tracked : {false, true})
    {
        PortUnderTest bench(Options(tracked));
        for (const uint64_t id : {1, 2, 3, 4, 5})
        {
            bench.SendAt(0, id, 1000);
        }
        SetRateAt(bench, 100000, 10000000000);            // the second frame is on the wire
        SetRateAt(bench, 12 * FRAME + 100, 100000000000); // the fourth one is
        bench.Run();
        EXPECT_EQ(bench.GetArrivals(),
                  (std::map<uint64_t, uint64_t>{{1, FRAME + DELAY},
                                                {2, 2 * FRAME + DELAY},
                                                {3, 12 * FRAME + DELAY},
                                                {4, 22 * FRAME + DELAY},
                                                {5, 23 * FRAME + DELAY}}));
        EXPECT_EQ(bench.Port().GetRateBps(), 100000000000U);
    }
}

TEST_P(FabricLinkState, ALongQueueFollowsTheRate)
{
    // 100 frames, more than a port commits ahead: half of them at a tenth of the rate.
    PortUnderTest bench(Options());
    for (uint64_t id = 0; id < 100; id++)
    {
        bench.SendAt(0, id, 1000);
    }
    SetRateAt(bench, 50 * FRAME, 10000000000); // the 51st leaves at this tick, with the old rate
    bench.Run();
    const auto arrivals = bench.GetArrivals();
    ASSERT_EQ(arrivals.size(), 100U);
    const uint64_t last = arrivals.at(99) - DELAY;
    EXPECT_TRUE(last == 51 * FRAME + 490 * FRAME || last == 50 * FRAME + 500 * FRAME) << last;
    EXPECT_EQ(arrivals.at(98) + 10 * FRAME, arrivals.at(99));
}

TEST_P(FabricLinkState, LossesAndBitErrorsMaySetInAndEnd)
{
    // A third of the frames meets neither, a third losses, a third bit errors.
    constexpr uint64_t COUNT = 10000;
    for (const bool early : {false, true})
    {
        PortOptions options = Options();
        options.lossRate = early ? 1e-12 : 0; // the link draws from the start
        options.bitErrorRate = early ? 1e-18 : 0;
        PortUnderTest bench(options);
        for (uint64_t id = 0; id < 3 * COUNT; id++)
        {
            bench.SendAt(id * FRAME, id, 1000);
        }
        EngineUnderTest::At(COUNT * FRAME + DELAY, [&] { bench.Port().SetLossRate(0.1); });
        EngineUnderTest::At(2 * COUNT * FRAME + DELAY, [&] {
            bench.Port().SetLossRate(0);
            bench.Port().SetBitErrorRate(1e-5);
        });
        bench.Run();
        const FabricPortCounters counters = bench.Port().GetCounters();
        const double lost = 0.1 * COUNT;
        const double corrupted = (1 - std::pow(1 - 1e-5, 8000)) * COUNT;
        EXPECT_NEAR(counters.lost - counters.corrupted, lost, 5 * std::sqrt(lost));
        EXPECT_NEAR(counters.corrupted, corrupted, 5 * std::sqrt(corrupted));
        uint64_t first = 0; // of those that do not arrive
        const auto arrivals = bench.GetArrivals();
        while (arrivals.count(first))
        {
            first++;
        }
        EXPECT_GE(first, COUNT - 1);
        EXPECT_EQ(bench.Port().GetLink().lossRate, options.lossRate) << "as configured";
    }
}

INSTANTIATE_TEST_SUITE_P(Engines, FabricLinkState, testing::Values("fabric", "default"));
