/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/link-clock.h"

#include <gtest/gtest.h>
#include <random>
#include <tuple>

using namespace ns3;

namespace
{

/** \ingroup tests \brief Rate, bit/s, and ticks per second. */
class FabricLinkClock : public testing::TestWithParam<std::tuple<uint64_t, uint64_t>>
{
  protected:
    using Wide = unsigned __int128; //!< holds bits times ticks

    const uint64_t m_rate = std::get<0>(GetParam());      //!< bit/s
    const uint64_t m_ticks = std::get<1>(GetParam());     //!< per second
    const LinkClock m_clock = LinkClock(m_rate, m_ticks); //!< on test
};

INSTANTIATE_TEST_SUITE_P(
    OddRates,
    FabricLinkClock,
    testing::Combine(testing::Values(123456789ULL,
                                     100000000000ULL,
                                     400000000000ULL,
                                     1600000000000ULL,
                                     2880000000000ULL,
                                     3600000000000ULL,
                                     999999999989ULL),
                     testing::Values(1000000000ULL, 1000000000000ULL, 1000000000000000ULL)));

TEST_P(FabricLinkClock, BusyLinkHasNoRateError)
{
    std::mt19937 random(1);
    uint64_t remainder = 0;
    uint64_t ticks = 0;
    uint64_t bytes = 0;
    for (int i = 0; i < 1000000; i++)
    {
        const uint64_t size = i % 2 ? 64 + random() % 9000 : 1106;
        ticks += m_clock.Serialise(size, remainder);
        bytes += size;
        // floor(bytes * 8 * ticks per second / rate), at every single frame.
        if (ticks != static_cast<uint64_t>(Wide{bytes} * 8 * m_ticks / m_rate))
        {
            FAIL() << "frame " << i;
        }
    }
    EXPECT_EQ(m_clock.TicksFor(bytes),
              static_cast<uint64_t>((Wide{bytes} * 8 * m_ticks + m_rate - 1) / m_rate));
}

TEST_P(FabricLinkClock, RemainderBeforeInverts)
{
    std::mt19937 random(2);
    uint64_t remainder = 0;
    for (int i = 0; i < 100000; i++)
    {
        const uint64_t before = remainder;
        uint64_t bytes = 0;
        for (uint32_t frames = 1 + random() % 16; frames > 0; frames--)
        {
            const uint64_t size = 64 + random() % 9000;
            m_clock.Serialise(size, remainder);
            bytes += size;
        }
        ASSERT_EQ(m_clock.RemainderBefore(bytes, remainder), before);
    }
}

TEST_P(FabricLinkClock, LargestFrameDoesNotOverflow)
{
    uint64_t remainder = 0;
    uint64_t ticks = 0;
    for (uint64_t i = 1; i <= 4; i++)
    {
        ticks += m_clock.Serialise(LinkClock::MAX_FRAME_BYTES, remainder);
        const Wide total = Wide{i} * LinkClock::MAX_FRAME_BYTES * 8 * m_ticks;
        EXPECT_EQ(ticks, static_cast<uint64_t>(total / m_rate));
    }
}

TEST(FabricLinkClocks, LinksTooSlowForTheResolutionAreRefused)
{
    constexpr uint64_t FEMTOSECONDS = 1000000000000000;
    uint64_t remainder = 0;
    const LinkClock slow(2000, FEMTOSECONDS);
    EXPECT_EQ(slow.Serialise(LinkClock::MAX_FRAME_BYTES, remainder), 4000000000000U << 21);
    EXPECT_DEATH(LinkClock(1000, FEMTOSECONDS), "a link of 1000 bit/s");
}

} // namespace
