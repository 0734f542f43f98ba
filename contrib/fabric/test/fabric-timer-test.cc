/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "engine-under-test.h"

#include "ns3/fabric-timer.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3;

namespace
{

/** \ingroup tests \brief Somebody with a timer. */
class TimerOwner
{
  public:
    TimerOwner()
        : timer(this)
    {
        timer.Bind(&m_engine, 5);
    }

    /** The timer expired. */
    void Expired()
    {
        EXPECT_EQ(Simulator::GetContext(), 5U);
        expiries.push_back(EngineUnderTest::Now());
    }

  private:
    FabricEngine m_engine; //!< the engine in use

  public:
    std::vector<uint64_t> expiries;                      //!< when it expired, ticks
    FabricTimer<TimerOwner, &TimerOwner::Expired> timer; //!< on test
};

/** \ingroup tests \brief Timers on both engines. */
class FabricTimers : public testing::TestWithParam<const char*>
{
  protected:
    /** Drops what is pending, as long as timers are there. */
    void TearDown() override
    {
        Simulator::Destroy();
    }

    EngineUnderTest m_scope{GetParam()}; //!< the engine
    TimerOwner m_owner;                  //!< who has the timer
};

INSTANTIATE_TEST_SUITE_P(Engines, FabricTimers, testing::Values("fabric", "default"));

TEST_P(FabricTimers, LatestSettingCounts)
{
    auto& timer = m_owner.timer;
    EXPECT_EQ(timer.GetDue(), timer.NEVER);
    timer.Set(100);
    timer.Set(300); // later
    timer.Set(200); // earlier than that, later than the event that waits
    EXPECT_EQ(timer.GetDue(), 200U);
    EngineUnderTest::At(150, [&] { timer.Set(170); }); // earlier than any event that waits
    Simulator::Run();
    EXPECT_EQ(m_owner.expiries, (std::vector<uint64_t>{170}));
    EXPECT_EQ(timer.GetDue(), timer.NEVER);
}

TEST_P(FabricTimers, ClearedTimerIsSilentUntilSetAgain)
{
    auto& timer = m_owner.timer;
    timer.Set(100);
    timer.Clear();
    EXPECT_EQ(timer.GetDue(), timer.NEVER);
    EngineUnderTest::At(200, [&] { timer.Set(200); });
    EngineUnderTest::At(300, [&] {
        timer.Set(400);
        timer.Clear();
        timer.Set(350);
    });
    Simulator::Run();
    EXPECT_EQ(m_owner.expiries, (std::vector<uint64_t>{200, 350}));
}

TEST_P(FabricTimers, RandomSettingsExpireExactly)
{
    // Reference: the last Set() before its own expiry wins; a Set() at the very tick of the expiry
    // comes first here, because it was scheduled first.
    std::mt19937 random(9);
    std::vector<uint64_t> expected;
    uint64_t due = ~0ULL;
    uint64_t now = 0;
    auto& timer = m_owner.timer;
    for (int i = 0; i < 5000; i++)
    {
        now += random() % 50;
        if (due < now)
        {
            expected.push_back(due);
            due = ~0ULL;
        }
        if (random() % 5 == 0)
        {
            due = ~0ULL;
            EngineUnderTest::At(now, [&timer] { timer.Clear(); });
        }
        else
        {
            due = now + random() % 200;
            EngineUnderTest::At(now, [&timer, due] { timer.Set(due); });
        }
    }
    if (due != ~0ULL)
    {
        expected.push_back(due);
    }
    Simulator::Run();
    EXPECT_EQ(m_owner.expiries, expected);
    EXPECT_GT(expected.size(), 300U);
}

TEST_P(FabricTimers, MovesToEarlierTimesMayBeMany)
{
    constexpr uint64_t MOVES = 100000;
    for (uint64_t i = 0; i < MOVES; i++)
    {
        m_owner.timer.Set(2 * MOVES - i);
    }
    Simulator::Run();
    EXPECT_EQ(m_owner.expiries, (std::vector<uint64_t>{MOVES + 1}));
    m_owner.timer.Set(3 * MOVES);
    m_owner.timer.Set(3 * MOVES - 1);
    Simulator::Run();
    EXPECT_EQ(m_owner.expiries.back(), 3 * MOVES - 1);
}

TEST(FabricTimers, StoppedAndMovedTimersLeaveNothingToWaitFor)
{
    EngineUnderTest scope;
    TimerOwner stopped;
    TimerOwner moved;
    TimerOwner again;
    for (int lap = 0; lap < 2; lap++)
    {
        const uint64_t now = EngineUnderTest::Now();
        stopped.timer.Set(now + 1000000);
        moved.timer.Set(now + 1000000);
        again.timer.Set(now + 1000000);
        EngineUnderTest::At(now + 10, [&] {
            stopped.timer.Clear();
            stopped.timer.Clear();
            moved.timer.Set(now + 20);
            again.timer.Clear();
            again.timer.Set(now + 5000); // its first event comes too late, stopped or not
        });
        EngineUnderTest::At(now + 30, [&] {
            moved.timer.Set(now + 40);
            moved.timer.Clear();
            moved.timer.Set(now + 50);
        });
        Simulator::Run();
        EXPECT_EQ(EngineUnderTest::Now(), now + 5000);
        EXPECT_TRUE(Simulator::IsFinished());
        EXPECT_EQ(again.expiries.back(), now + 5000);
        EXPECT_EQ(moved.expiries.back(), now + 50);
    }
    EXPECT_TRUE(stopped.expiries.empty());
    stopped.timer.Set(2000000); // behind the event that it left
    Simulator::Run();
    EXPECT_EQ(stopped.expiries, (std::vector<uint64_t>{2000000}));
    EXPECT_EQ(EngineUnderTest::Now(), 2000000U);
}

} // namespace
