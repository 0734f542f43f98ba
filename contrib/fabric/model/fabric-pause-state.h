/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_PAUSE_STATE_H
#define FABRIC_PAUSE_STATE_H

#include "fabric-port-counters.h"

#include <array>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief When the pauses of a port's traffic classes end, and how long they have lasted.
 *
 * The port keeps the set of paused classes, a bit each, and tells it to every method.
 */
class FabricPauseState
{
  public:
    static constexpr uint32_t PRIORITIES = 8; //!< classes that can be paused
    static constexpr uint64_t NEVER = ~0ULL;  //!< no pause ends

    /** \param priority a class \param until when its pause ends, ticks */
    void SetEnd(uint32_t priority, uint64_t until)
    {
        m_until[priority] = until;
    }

    /** \param priority a paused class \return when its pause ends, ticks */
    uint64_t GetEnd(uint32_t priority) const
    {
        return m_until[priority];
    }

    /** \param mask classes that are paused \return when the first pause ends, ticks, or NEVER */
    uint64_t GetFirstEnd(uint32_t mask) const;

    /**
     * Counts the pauses that end and starts to count those that begin.
     * \param before classes that were paused so far
     * \param after classes that are paused from now on
     * \param now ticks
     */
    void Change(uint32_t before, uint32_t after, uint64_t now);

    /**
     * \param mask classes that are paused
     * \param now ticks
     * \return time during which at least one class was paused, ticks
     */
    uint64_t GetPausedTicks(uint32_t mask, uint64_t now) const
    {
        return m_pausedTicks + (mask ? now - m_pausedSince : 0);
    }

    /**
     * Fills in how long a class was paused; a pause that still lasts is included.
     * \param counters of the class
     * \param priority the class
     * \param paused whether it is paused
     * \param now ticks
     */
    void FillCounters(FabricPriorityCounters& counters,
                      uint32_t priority,
                      bool paused,
                      uint64_t now) const;

  private:
    /** What became of the pauses of a class that have ended. */
    struct Ended
    {
        uint64_t ticks{0};   //!< their duration
        uint64_t longest{0}; //!< the longest of them
    };

    std::array<uint64_t, PRIORITIES> m_until{}; //!< end of each pause, ticks
    std::array<uint64_t, PRIORITIES> m_since{}; //!< since when each class is paused, ticks
    std::array<Ended, PRIORITIES> m_ended{};    //!< by class
    uint64_t m_pausedTicks{0};                  //!< time that some class was paused, until now
    uint64_t m_pausedSince{0};                  //!< since when some class is paused, ticks
};

} // namespace ns3

#endif /* FABRIC_PAUSE_STATE_H */
