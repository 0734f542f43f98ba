/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "engine-under-test.h"

#include "ns3/simple-ref-count.h"

#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

/** \ingroup tests \brief An argument of events that counts its living instances. */
class Counted : public SimpleRefCount<Counted>
{
  public:
    Counted()
    {
        g_alive++;
    }

    ~Counted()
    {
        g_alive--;
    }

    static int g_alive; //!< living instances
};

int Counted::g_alive = 0;

/** Does nothing but hold a reference. \param counted the object */
void
Hold(Ptr<Counted> counted)
{
}

/**
 * \ingroup tests
 * \brief Events that schedule, cancel, remove and ask at random, and write down what they see.
 *
 * Two engines that agree on everything write the same log.
 */
class RandomProgram
{
  public:
    /** \param seed of the decisions */
    explicit RandomProgram(uint32_t seed)
        : m_random(seed)
    {
    }

    /** \param engine "fabric" or "default" \return the log */
    std::string Run(const std::string& engine)
    {
        EngineUnderTest scope(engine);
        for (int i = 0; i < 20; i++)
        {
            Schedule();
        }
        for (int lap = 0; lap < 3; lap++)
        {
            Simulator::Stop(TimeStep(4000));
            Simulator::Run();
            m_log << "stopped " << Simulator::Now().GetTimeStep() << "\n";
            Schedule();
            AskAbout(Pick());
        }
        m_limit = m_count; // no further successors
        Simulator::Schedule(TimeStep(1000000), &RandomProgram::End, this);
        Simulator::Run();
        return m_log.str();
    }

  private:
    /** \return some event scheduled before, perhaps long gone */
    const EventId& Pick()
    {
        return m_ids[m_random() % m_ids.size()];
    }

    /** Schedules one more event in one of the possible ways. */
    void Schedule()
    {
        const int number = m_count++;
        const uint64_t delays[] =
            {0, 0, 1, m_random() % 100, m_random() % 3000, m_random() % 200000};
        const Time delay = TimeStep(delays[m_random() % 6]);
        switch (m_random() % 4)
        {
        case 0:
            Simulator::ScheduleWithContext(m_random() % 7,
                                           delay,
                                           &RandomProgram::Act,
                                           this,
                                           number);
            return;
        case 1:
            m_ids.push_back(Simulator::ScheduleNow(&RandomProgram::Act, this, number));
            return;
        default:
            m_ids.push_back(Simulator::Schedule(delay, &RandomProgram::Act, this, number));
        }
    }

    /** \param id an event whose state is logged */
    void AskAbout(const EventId& id)
    {
        m_log << " expired " << id.IsExpired() << Simulator::IsExpired(id) << " left "
              << Simulator::GetDelayLeft(id).GetTimeStep() << "\n";
    }

    /** An event. \param number its number */
    void Act(int number)
    {
        m_log << number << " at " << Simulator::Now().GetTimeStep() << " in "
              << Simulator::GetContext() << "\n";
        const uint32_t successors = m_count < m_limit ? m_random() % 3 : 0;
        for (uint32_t i = 0; i < successors; i++)
        {
            Schedule();
        }
        if (m_ids.empty())
        {
            return;
        }
        const EventId id = Pick();
        AskAbout(id);
        if (m_random() % 4 == 0)
        {
            Simulator::Cancel(id);
            AskAbout(id);
        }
        else if (m_random() % 8 == 0)
        {
            Simulator::Remove(Pick());
        }
        else if (m_random() % 300 == 0)
        {
            Simulator::Stop();
        }
    }

    /** The last event. */
    void End()
    {
        m_log << "end at " << Simulator::Now().GetTimeStep() << "\n";
    }

    std::mt19937 m_random;      //!< decisions
    std::ostringstream m_log;   //!< what was seen
    std::vector<EventId> m_ids; //!< events that may be cancelled
    int m_count{0};             //!< events scheduled
    int m_limit{3000};          //!< events that have successors
};

TEST(FabricSimulatorImpl, AgreesWithDefaultEngineOnRandomPrograms)
{
    size_t length = 0;
    for (uint32_t seed = 1; seed <= 60; seed++)
    {
        const std::string expected = RandomProgram(seed).Run("default");
        ASSERT_EQ(RandomProgram(seed).Run("fabric"), expected) << "seed " << seed;
        length += expected.size();
    }
    EXPECT_GT(length, 60U * 1000) << "the programs do too little";
}

/** \ingroup tests \brief Tests that hold on both engines. */
class FabricSimulatorBoth : public testing::TestWithParam<const char*>
{
  protected:
    EngineUnderTest m_engine{GetParam()}; //!< the engine
};

INSTANTIATE_TEST_SUITE_P(Engines, FabricSimulatorBoth, testing::Values("fabric", "default"));

TEST_P(FabricSimulatorBoth, SelectedEngineRuns)
{
    EXPECT_EQ(FabricEngine().GetName(),
              std::string(GetParam()) == "fabric" ? "fabric" : "ns3::DefaultSimulatorImpl");
    EXPECT_EQ(FabricEngine::GetTicksPerSecond(), 1000000000000U);
}

TEST_P(FabricSimulatorBoth, SameTimeEventsRunInOrderWhateverTheirKind)
{
    struct Intrusive : FabricEvent
    {
        std::vector<int>* log;
        int number;
    };

    const FabricEngine engine;
    std::vector<int> log;
    std::deque<Intrusive> events;
    for (int i = 0; i < 200; i++)
    {
        if (i % 3 == 0)
        {
            Simulator::Schedule(TimeStep(500), [&log, i] { log.push_back(i); });
            continue;
        }
        events.emplace_back();
        events.back().log = &log;
        events.back().number = i;
        events.back().context = 7;
        events.back().handler = [](FabricEvent* event) {
            auto* self = static_cast<Intrusive*>(event);
            EXPECT_EQ(Simulator::GetContext(), 7U);
            self->log->push_back(self->number);
        };
        engine.ScheduleAt(&events.back(), 500);
    }
    Simulator::Run();
    ASSERT_EQ(log.size(), 200U);
    EXPECT_TRUE(std::is_sorted(log.begin(), log.end()));
}

TEST_P(FabricSimulatorBoth, DestroyEventsRunOnceInOrder)
{
    std::string log;
    Simulator::ScheduleDestroy([&] { log += "a"; });
    const EventId cancelled = Simulator::ScheduleDestroy([&] { log += "b"; });
    const EventId removed = Simulator::ScheduleDestroy([&] { log += "c"; });
    const EventId last = Simulator::ScheduleDestroy([&] {
        log += "d";
        Simulator::ScheduleDestroy([&] { log += "e"; });
    });
    EXPECT_FALSE(last.IsExpired());
    cancelled.PeekEventImpl(); // kept alive by the id
    Simulator::Cancel(cancelled);
    Simulator::Remove(removed);
    EXPECT_TRUE(cancelled.IsExpired());
    EXPECT_TRUE(removed.IsExpired());
    Simulator::Schedule(TimeStep(10), [] {});
    Simulator::Run();
    EXPECT_EQ(log, "");
    EXPECT_FALSE(last.IsExpired());
    Simulator::Destroy();
    EXPECT_EQ(log, "ade");
    Simulator::Destroy();
    EXPECT_EQ(log, "ade");
}

TEST_P(FabricSimulatorBoth, StopAfterADelayIsAnEventAmongOthers)
{
    std::vector<uint64_t> times;
    for (uint64_t ts : {5, 10, 15})
    {
        Simulator::Schedule(TimeStep(ts), [&] { times.push_back(EngineUnderTest::Now()); });
    }
    Simulator::Stop(TimeStep(10));
    Simulator::Run();
    EXPECT_EQ(times, (std::vector<uint64_t>{5, 10})) << "the event at 10 was scheduled first";
    EXPECT_EQ(EngineUnderTest::Now(), 10U);
    EXPECT_TRUE(Simulator::IsFinished()) << "stopped counts as finished";
    Simulator::Stop(TimeStep(2));
    Simulator::Run();
    EXPECT_EQ(EngineUnderTest::Now(), 12U);
    Simulator::Run();
    EXPECT_EQ(times, (std::vector<uint64_t>{5, 10, 15}));
    EXPECT_EQ(EngineUnderTest::Now(), 15U);
    EXPECT_TRUE(Simulator::IsFinished());
}

TEST_P(FabricSimulatorBoth, ContextIsThatOfTheEvent)
{
    std::vector<uint32_t> contexts;
    const auto note = [&] { contexts.push_back(Simulator::GetContext()); };
    EXPECT_EQ(Simulator::GetContext(), uint32_t{Simulator::NO_CONTEXT});
    Simulator::Schedule(TimeStep(1), note);
    Simulator::ScheduleWithContext(3, TimeStep(2), [&] {
        note();
        Simulator::Schedule(TimeStep(1), note); // inherits
        Simulator::ScheduleNow(note);           // inherits
        Simulator::ScheduleWithContext(4, TimeStep(0), note);
    });
    Simulator::Run();
    EXPECT_EQ(contexts, (std::vector<uint32_t>{Simulator::NO_CONTEXT, 3, 3, 4, 3}));
}

TEST_P(FabricSimulatorBoth, AnEventIsExpiredWhileItRuns)
{
    EventId self;
    EventId twin;
    self = Simulator::Schedule(TimeStep(3), [&] {
        EXPECT_TRUE(self.IsExpired());
        EXPECT_FALSE(twin.IsExpired()) << "due at the same time, but later in order";
        EXPECT_EQ(Simulator::GetDelayLeft(twin), Time(0));
        Simulator::Cancel(self); // without effect
        Simulator::Cancel(twin);
        EXPECT_TRUE(twin.IsExpired());
    });
    bool ran = false;
    twin = Simulator::Schedule(TimeStep(3), [&] { ran = true; });
    EXPECT_EQ(Simulator::GetDelayLeft(self), TimeStep(3));
    Simulator::Run();
    EXPECT_FALSE(ran);
    EXPECT_TRUE(EventId().IsExpired());
    Simulator::Cancel(EventId());
    Simulator::Remove(EventId());
}

TEST_P(FabricSimulatorBoth, StartsAfreshAfterDestroy)
{
    for (int lap = 0; lap < 3; lap++)
    {
        EXPECT_EQ(EngineUnderTest::Now(), 0U);
        EXPECT_EQ(Simulator::GetEventCount(), 0U);
        bool ran = false;
        Simulator::Schedule(TimeStep(7), [&] { ran = true; });
        Simulator::Schedule(Seconds(100), [] { FAIL() << "was left over at Destroy"; });
        Simulator::Stop(Seconds(1));
        Simulator::Run();
        EXPECT_TRUE(ran);
        EXPECT_EQ(Simulator::GetEventCount(), 2U);
        Simulator::Destroy();
    }
}

TEST_P(FabricSimulatorBoth, EventsReleaseWhatTheyHold)
{
    ASSERT_EQ(Counted::g_alive, 0);
    {
        EventId cancelled = Simulator::Schedule(TimeStep(2), &Hold, Create<Counted>());
        EventId removed = Simulator::Schedule(TimeStep(3), &Hold, Create<Counted>());
        EventId kept = Simulator::Schedule(TimeStep(4), &Hold, Create<Counted>());
        Simulator::ScheduleWithContext(1, TimeStep(5), &Hold, Create<Counted>());
        Simulator::ScheduleNow(&Hold, Create<Counted>());
        Simulator::ScheduleDestroy(&Hold, Create<Counted>());
        const EventId notDestroyed = Simulator::ScheduleDestroy(&Hold, Create<Counted>());
        Simulator::Cancel(cancelled);
        Simulator::Remove(removed);
        Simulator::Remove(notDestroyed);
        EXPECT_EQ(Counted::g_alive, 7);
    }
    // The destroy event is gone. The other removed one is freed at once, or when it would be due.
    EXPECT_EQ(Counted::g_alive, GetParam() == std::string("default") ? 5 : 6);
    // Near, within the wheel, beyond its horizon: all left over.
    for (const uint64_t ts : {1000ULL, 100000000ULL, 1000000000000ULL})
    {
        Simulator::Schedule(TimeStep(ts), &Hold, Create<Counted>());
    }
    Simulator::Stop(TimeStep(100));
    Simulator::Run();
    EXPECT_EQ(Counted::g_alive, 4);
    Simulator::Destroy();
    EXPECT_EQ(Counted::g_alive, 0);
}

TEST_P(FabricSimulatorBoth, EventsOfDestroyEventsNeverRunAndAreReleased)
{
    Simulator::ScheduleDestroy([] {
        Simulator::Schedule(TimeStep(1), &Hold, Create<Counted>());
        Simulator::Schedule(Seconds(1), [] { FAIL(); });
    });
    Simulator::Schedule(Seconds(3), [] { FAIL(); });
    Simulator::Stop(TimeStep(5));
    Simulator::Run();
    Simulator::Destroy();
    EXPECT_EQ(Counted::g_alive, 0);
}

/** \ingroup tests \brief The engine with a choice of the next sequence number. */
class EngineNearWrap : public FabricSimulatorImpl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::EngineNearWrap")
                                .SetParent<FabricSimulatorImpl>()
                                .AddConstructor<EngineNearWrap>();
        return tid;
    }

    using FabricSimulatorImpl::SkipSequences;
};

/** \ingroup tests \brief Makes the simulator run an EngineNearWrap. */
class FabricSequenceWrap : public testing::Test
{
  protected:
    FabricSequenceWrap()
    {
        auto engine = CreateObject<EngineNearWrap>();
        m_engine = PeekPointer(engine);
        Simulator::SetImplementation(engine);
    }

    EngineUnderTest m_scope;           //!< cleans up
    EngineNearWrap* m_engine{nullptr}; //!< the engine
};

TEST_F(FabricSequenceWrap, OrderAndReservedUidsAcrossTheWrap)
{
    m_engine->SkipSequences((1ULL << 32) - 10);
    std::vector<int> log;
    std::vector<EventId> ids;
    for (int i = 0; i < 30; i++)
    {
        ids.push_back(Simulator::Schedule(TimeStep(8), [&log, i] { log.push_back(i); }));
        EXPECT_GE(ids.back().GetUid(), uint32_t{EventId::UID::VALID});
    }
    ids[0] = Simulator::Schedule(TimeStep(1), [&] {
        for (int i = 1; i < 30; i++)
        {
            EXPECT_FALSE(ids[i].IsExpired()) << i;
        }
    });
    Simulator::Schedule(TimeStep(8), [&] {
        for (int i = 1; i < 30; i++)
        {
            EXPECT_TRUE(ids[i].IsExpired()) << i;
        }
    });
    Simulator::Run();
    ASSERT_EQ(log.size(), 30U);
    EXPECT_TRUE(std::is_sorted(log.begin(), log.end()));
}

TEST_F(FabricSequenceWrap, AnEventScheduledLongBeforeItsTwinsKnowsThem)
{
    // The running event is 3 * 2^30 sequence numbers older than another one due at the same time.
    bool ran = false;
    EventId twin;
    EventId self = Simulator::Schedule(TimeStep(5), [&] {
        EXPECT_TRUE(self.IsExpired());
        EXPECT_FALSE(twin.IsExpired());
        Simulator::Cancel(twin);
    });
    m_engine->SkipSequences(3ULL << 30);
    twin = Simulator::Schedule(TimeStep(5), [&] { ran = true; });
    Simulator::Run();
    EXPECT_FALSE(ran) << "it was cancelled by an event at the same time";
}

TEST_F(FabricSequenceWrap, AnEventLongGoneStaysExpiredWithinItsTick)
{
    EventId old = Simulator::Schedule(TimeStep(5), [] {});
    m_engine->SkipSequences(3ULL << 30);
    Simulator::Schedule(TimeStep(5), [&] {
        EXPECT_TRUE(old.IsExpired());
        EXPECT_EQ(Simulator::GetDelayLeft(old), Time(0));
    });
    Simulator::Run();
}

TEST(FabricSimulatorImpl, PollHookIsCalledNowAndThen)
{
    EngineUnderTest scope;
    const FabricEngine engine;
    auto* impl = dynamic_cast<FabricSimulatorImpl*>(PeekPointer(Simulator::GetImplementation()));
    ASSERT_TRUE(impl);
    int calls = 0;
    impl->SetPollHook([&] { calls++; });

    struct Repeat : FabricEvent
    {
        const FabricEngine* engine;
        uint64_t left{(1U << 20) + 100};
    } repeat;

    repeat.engine = &engine;
    repeat.handler = [](FabricEvent* event) {
        auto* self = static_cast<Repeat*>(event);
        if (--self->left)
        {
            self->engine->ScheduleAt(self, self->ts + 1);
        }
    };
    engine.ScheduleAt(&repeat, 0);
    Simulator::Run();
    EXPECT_EQ(calls, 1);
}

TEST(FabricEngine, UnknownEngineIsRefused)
{
    EXPECT_ANY_THROW(FabricEngine::Select("turbo"));
}

} // namespace
