/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ENGINE_UNDER_TEST_H
#define ENGINE_UNDER_TEST_H

#include "ns3/fabric-engine.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3
{

/**
 * \ingroup tests
 * \brief One simulation: chooses the engine, and ends with the simulator's state.
 */
class EngineUnderTest
{
  public:
    /** \param name "fabric" or "default" */
    explicit EngineUnderTest(const std::string& name = "fabric")
    {
        Simulator::Destroy();
        FabricEngine::Select(name);
    }

    EngineUnderTest(const EngineUnderTest&) = delete;
    EngineUnderTest& operator=(const EngineUnderTest&) = delete;

    ~EngineUnderTest()
    {
        Simulator::Destroy();
    }

    /** \return present time, ticks */
    static uint64_t Now()
    {
        return Simulator::Now().GetTimeStep();
    }

    /**
     * \tparam F a callable without arguments
     * \param ts when, ticks
     * \param action runs then
     */
    template <typename F>
    static void At(uint64_t ts, F action)
    {
        Simulator::Schedule(TimeStep(ts - Now()), action);
    }
};

} // namespace ns3

#endif /* ENGINE_UNDER_TEST_H */
