/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/event-wheel.h"

#include <gtest/gtest.h>
#include <memory>
#include <queue>
#include <random>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

/** \ingroup tests \brief A wheel beside std::priority_queue: both are given the same events. */
class WheelUnderTest
{
  public:
    /**
     * \param slotShift log2 of the ticks of a slot
     * \param slotBits log2 of the number of slots
     */
    WheelUnderTest(uint32_t slotShift, uint32_t slotBits)
        : m_wheel(slotShift, slotBits)
    {
    }

    /** \param ts due time of one more event, ticks */
    void Insert(uint64_t ts)
    {
        FabricEvent* event = m_free.empty() ? NewEvent() : m_free.back();
        m_free.pop_back();
        event->ts = ts;
        event->sequence = m_sequence++;
        m_wheel.Insert(event);
        m_reference.push({ts, event->sequence});
    }

    /** Pops one event from both and compares. \return its time, ticks */
    uint64_t Pop()
    {
        EXPECT_EQ(m_wheel.GetSize(), m_reference.size());
        FabricEvent* event = m_wheel.Pop();
        EXPECT_EQ(std::make_tuple(event->ts, event->sequence), m_reference.top());
        m_reference.pop();
        m_free.push_back(event);
        return event->ts;
    }

    /** Pops until nothing is left. \return number of events popped */
    size_t Drain()
    {
        size_t count = 0;
        for (; !m_wheel.IsEmpty() && !testing::Test::HasFailure(); count++)
        {
            Pop();
        }
        EXPECT_EQ(m_reference.size(), 0U);
        return count;
    }

    /** \return number of events */
    size_t GetSize() const
    {
        return m_wheel.GetSize();
    }

  private:
    /** \return a new event, put into the free list as well */
    FabricEvent* NewEvent()
    {
        m_events.push_back(std::make_unique<FabricEvent>());
        m_free.push_back(m_events.back().get());
        return m_free.back();
    }

    using Key = std::tuple<uint64_t, uint64_t>; //!< time and sequence

    EventWheel m_wheel;                                                     //!< on test
    std::priority_queue<Key, std::vector<Key>, std::greater<>> m_reference; //!< the truth
    std::vector<std::unique_ptr<FabricEvent>> m_events;                     //!< memory
    std::vector<FabricEvent*> m_free;                                       //!< not in use
    uint64_t m_sequence{0};                                                 //!< next one
};

/** \ingroup tests \brief Shift and bits of the wheel. */
class FabricEventWheelRandom : public testing::TestWithParam<std::tuple<uint32_t, uint32_t>>
{
};

TEST_P(FabricEventWheelRandom, PopsInOrderUnderRandomHolds)
{
    const auto [shift, bits] = GetParam();
    const uint64_t slot = 1ULL << shift;
    const uint64_t horizon = slot << bits;
    // Upper ends of delays: none, within a slot, some slots, the horizon and just beyond, far.
    const std::vector<uint64_t> spans =
        {1, slot, 40 * slot, horizon, horizon + 3 * slot, 9 * horizon};
    std::mt19937_64 random(17 * shift + bits);
    WheelUnderTest wheel(shift, bits);
    const auto delay = [&]() { return random() % spans[random() % spans.size()]; };
    for (int i = 0; i < 500; i++)
    {
        wheel.Insert(delay());
    }
    uint64_t lastTs = 0;
    for (int i = 0; i < 100000 && !HasFailure(); i++)
    {
        const uint64_t now = wheel.Pop();
        ASSERT_GE(now, lastTs);
        lastTs = now;
        // One successor on average; the population drifts between 100 and 2000.
        const uint64_t successors = wheel.GetSize() < 100    ? 2
                                    : wheel.GetSize() > 2000 ? 0
                                                             : random() % 3;
        for (uint64_t k = 0; k < successors; k++)
        {
            wheel.Insert(now + delay());
        }
    }
    wheel.Drain();
}

INSTANTIATE_TEST_SUITE_P(Geometry,
                         FabricEventWheelRandom,
                         testing::Combine(testing::Values(0U, 1U, 10U, 20U, 31U),
                                          testing::Values(12U, 13U, 16U)));

TEST(FabricEventWheel, EqualTimesPopInOrderOfInsertion)
{
    WheelUnderTest wheel(10, 12);
    for (int i = 0; i < 10000; i++)
    {
        wheel.Insert(i % 3 == 0 ? 5000000000 : 5000); // far and near, all equal
    }
    EXPECT_EQ(wheel.Drain(), 10000U);
}

TEST(FabricEventWheel, CrowdedSlotIsSortedWhateverTheOrderOfInsertion)
{
    std::mt19937_64 random(3);
    for (const size_t count : {2, 15, 16, 17, 18, 1000})
    {
        for (const int order : {-1, 0, 1}) // descending, random, ascending
        {
            WheelUnderTest wheel(10, 12);
            for (size_t i = 0; i < count; i++)
            {
                const uint64_t offset = order == 0 ? random() % 1024 : order > 0 ? i : count - i;
                wheel.Insert(50 * 1024 + offset);
            }
            EXPECT_EQ(wheel.Drain(), count);
        }
    }
}

TEST(FabricEventWheel, OpenSlotTakesMoreEvents)
{
    std::mt19937_64 random(4);
    WheelUnderTest wheel(16, 12);
    const uint64_t begin = 7ULL << 16;
    for (int i = 0; i < 200; i++)
    {
        wheel.Insert(begin + random() % 65536);
    }
    for (int i = 0; i < 5000 && !HasFailure(); i++)
    {
        const uint64_t now = wheel.Pop();
        const uint64_t left = begin + 65535 - std::min(now, begin + 65535);
        wheel.Insert(left > 0 ? now + random() % std::min<uint64_t>(left + 1, 64) : now);
    }
    EXPECT_EQ(wheel.Drain(), 200U);
}

TEST(FabricEventWheel, HorizonWraps)
{
    // One event per lap at the last slot within the horizon, at the first beyond it, and between.
    constexpr uint64_t SLOTS = 1ULL << 12;
    WheelUnderTest wheel(4, 12);
    uint64_t slot = 0;
    wheel.Insert(0);
    for (int lap = 0; lap < 300 && !HasFailure(); lap++)
    {
        const uint64_t now = wheel.Pop();
        slot = now >> 4;
        wheel.Insert((slot + SLOTS - 1) << 4);
        wheel.Insert((slot + SLOTS) << 4);
        wheel.Insert(((slot + SLOTS) << 4) + 15);
        wheel.Insert((slot + SLOTS + 1) << 4);
        wheel.Insert((slot + 63 + lap % 3) << 4); // word ends of the bit maps
        while (wheel.GetSize() > 6)
        {
            wheel.Pop();
        }
    }
    wheel.Drain();
}

TEST(FabricEventWheel, LoneEventsFarApart)
{
    // The wheel is empty but for one event, near or far: the bit maps are searched in full.
    std::mt19937_64 random(5);
    for (const uint32_t bits : {12U, 16U})
    {
        WheelUnderTest wheel(3, bits);
        uint64_t now = 0;
        for (int i = 0; i < 3000 && !HasFailure(); i++)
        {
            wheel.Insert(now + (random() % (16ULL << bits)));
            now = wheel.Pop();
        }
        EXPECT_EQ(wheel.GetSize(), 0U);
    }
}

TEST(FabricEventWheel, MemoryIsFetchedInStagesAheadOfTheEvent)
{
    struct Fetched : FabricEvent
    {
        mutable std::vector<uint32_t> stages; //!< of its fetcher, in the order of the calls
    };

    constexpr size_t COUNT = 40;
    std::vector<Fetched> events(COUNT);
    EventWheel wheel(10, 16);
    for (size_t i = 0; i < COUNT; i++)
    {
        events[i].ts = 5000; // one slot
        events[i].sequence = i;
        events[i].fetch = [](const FabricEvent* event, uint32_t stage) {
            static_cast<const Fetched*>(event)->stages.push_back(stage);
        };
        wheel.Insert(&events[i]);
    }
    for (size_t i = 0; i < COUNT; i++)
    {
        ASSERT_EQ(wheel.Pop(), &events[i]);
        if (i > 10) // those before it had no time for all stages
        {
            EXPECT_EQ(events[i].stages, (std::vector<uint32_t>{0, 1, 2})) << i;
        }
        wheel.Prefetch();
    }
}

TEST(FabricEventWheel, LatestTimesFit)
{
    WheelUnderTest wheel(10, 16);
    for (const uint64_t ts : {0x7fffffffffffffffULL, 0x7ffffffffffffffeULL, 5ULL})
    {
        wheel.Insert(ts);
    }
    EXPECT_EQ(wheel.Drain(), 3U);
}

} // namespace
