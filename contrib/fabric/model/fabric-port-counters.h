/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_PORT_COUNTERS_H
#define FABRIC_PORT_COUNTERS_H

#include <array>
#include <cstdint>

namespace ns3
{

/** \ingroup fabric \brief What a port sent, counted when it arrives at the far end. */
struct FabricSentCounters
{
    std::array<uint64_t, 3> packets{};   //!< frames by FrameClass
    std::array<uint64_t, 3> wireBytes{}; //!< bytes on the wire with gaps, by FrameClass
    uint64_t payloadBytes{0};            //!< payload of data frames
};

/** \ingroup fabric \brief What a port sent, and what became of the rest. */
struct FabricPortCounters : FabricSentCounters
{
    uint64_t lost{0};                    //!< frames lost on the link, corrupted ones included
    uint64_t corrupted{0};               //!< of these, frames that arrived with wrong bits
    uint64_t marks{0};                   //!< frames marked CE by this port
    uint64_t drops{0};                   //!< frames refused by the buffer before this port
    uint64_t pauses{0};                  //!< times that a traffic class was paused
    uint64_t pausedTicks{0};             //!< time during which at least one class was paused
    uint64_t maxQueueBytes{0};           //!< largest backlog seen when a frame was queued
};

/** \ingroup fabric \brief What became of one traffic class of a port. */
struct FabricPriorityCounters
{
    uint64_t pausesSent{0};        //!< frames that told the peer to pause, refreshes included
    uint64_t resumesSent{0};       //!< frames that told the peer to resume
    uint64_t pausesReceived{0};    //!< frames of the peer that said to pause, refreshes included
    uint64_t resumesReceived{0};   //!< frames of the peer that said to resume
    uint64_t pausedTicks{0};       //!< time during which the class was paused
    uint64_t longestPauseTicks{0}; //!< the longest of the pauses that make it up
    bool paused{false};            //!< it is paused now
    uint64_t pausedSince{0};       //!< if so, since when without a break, ticks
    uint64_t maxQueueBytes{0};     //!< deepest queue; a frame that leaves at once is none
    uint64_t marks{0};             //!< frames marked CE by this port
    uint64_t drops{0};             //!< frames refused by the buffer before this port
    uint64_t watchdogDiscards{0};  //!< frames thrown away because the class was stuck
};

} // namespace ns3

#endif /* FABRIC_PORT_COUNTERS_H */
