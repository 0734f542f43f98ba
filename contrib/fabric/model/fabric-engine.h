/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_ENGINE_H
#define FABRIC_ENGINE_H

#include "fabric-simulator-impl.h"

#include "ns3/ptr.h"
#include "ns3/simulator.h"

#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Schedules FabricEvents on whichever engine ns-3 runs.
 *
 * On FabricSimulatorImpl an event goes straight into the wheel; on any other engine (default,
 * distributed, real-time) it becomes an ordinary ns-3 event. The order is the same.
 */
class FabricEngine
{
  public:
    /** Binds to the engine in use, which is created if there is none yet. */
    FabricEngine();

    /**
     * Chooses the engine and the time resolution for the simulation to come.
     * \param name "fabric" (the timing wheel) or "default" (ns-3's own)
     *
     * Must be called before any other use of the Simulator or of Time objects that live on. An
     * unknown name throws ConfigError.
     */
    static void Select(const std::string& name);

    /** \return present time, ticks */
    uint64_t Now() const
    {
        return m_wheel ? m_wheel->NowTicks() : Simulator::Now().GetTimeStep();
    }

    /**
     * \param event not pending; its context must be set
     * \param ts due time, ticks, not before now
     */
    void ScheduleAt(FabricEvent* event, uint64_t ts) const
    {
        if (m_wheel)
        {
            m_wheel->ScheduleAt(event, ts);
        }
        else
        {
            ScheduleOrdinary(event, ts);
        }
    }

    /**
     * A pending event has nothing to do any more, or has again. FabricSimulatorImpl does not wait
     * for such events when nothing else is left; other engines do.
     * \param more whether one more pending event has nothing to do, or one less
     */
    void CountIdle(bool more) const
    {
        if (m_wheel)
        {
            m_wheel->CountIdle(more);
        }
    }

    /** \return ticks in one second, at the resolution in use */
    static uint64_t GetTicksPerSecond();

    /** \return "fabric" or the TypeId name of another engine */
    std::string GetName() const;

  private:
    /**
     * \param event the event
     * \param ts due time, ticks
     */
    void ScheduleOrdinary(FabricEvent* event, uint64_t ts) const;

    FabricSimulatorImpl* m_wheel; //!< the fast engine, or nullptr
};

} // namespace ns3

#endif /* FABRIC_ENGINE_H */
