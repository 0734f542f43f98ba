/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Events per second: intrusive events on the fabric engine, ns-3 events on both engines, at several
// numbers of pending events (hold model: every event schedules its successor).

#include "ns3/fabric-engine.h"

#include "ns3/simulator.h"

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t EVENTS = 2000000;
uint64_t g_left;         // events still to be scheduled
std::mt19937_64 g_random; // delays

/** \return a delay of up to 2 us, ticks */
uint64_t
Delay()
{
    return 1 + (g_random() & 0x1fffff);
}

/** An intrusive event that schedules itself again. */
struct Hold : FabricEvent
{
    const FabricEngine* engine{nullptr}; //!< where

    Hold()
    {
        handler = [](FabricEvent* event) {
            if (g_left > 0)
            {
                g_left--;
                static_cast<Hold*>(event)->engine->ScheduleAt(event, event->ts + Delay());
            }
        };
    }
};

/** An ordinary ns-3 event that schedules its successor. */
void
Ordinary()
{
    if (g_left > 0)
    {
        g_left--;
        Simulator::Schedule(TimeStep(Delay()), &Ordinary);
    }
}

/** \param state benchmark state \param engine engine \param intrusive kind of event */
void
Measure(benchmark::State& state, const std::string& engine, bool intrusive)
{
    for (auto _ : state)
    {
        state.PauseTiming();
        FabricEngine::Select(engine);
        FabricEngine scheduler;
        std::vector<Hold> holds(state.range(0));
        g_left = EVENTS;
        g_random.seed(1);
        for (Hold& hold : holds)
        {
            hold.engine = &scheduler;
            if (intrusive)
            {
                scheduler.ScheduleAt(&hold, Delay());
            }
            else
            {
                Simulator::Schedule(TimeStep(Delay()), &Ordinary);
            }
        }
        state.ResumeTiming();
        Simulator::Run();
        state.PauseTiming();
        Simulator::Destroy();
        state.ResumeTiming();
    }
    state.SetItemsProcessed(state.iterations() * (EVENTS + state.range(0)));
}

BENCHMARK_CAPTURE(Measure, fabricIntrusive, "fabric", true)->Arg(64)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(Measure, fabricOrdinary, "fabric", false)->Arg(64)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(Measure, defaultOrdinary, "default", false)->Arg(64)->Arg(1000)->Arg(100000);
BENCHMARK_CAPTURE(Measure, defaultIntrusive, "default", true)->Arg(64)->Arg(1000)->Arg(100000);

} // namespace

BENCHMARK_MAIN();
