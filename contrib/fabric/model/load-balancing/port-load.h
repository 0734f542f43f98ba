/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PORT_LOAD_H
#define PORT_LOAD_H

#include "ns3/fabric-port.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief How loaded a port is, exactly, at one time: what waits, then what is on the wire.
 *
 * A frame counts as waiting until its first bit leaves. Of ports with as much waiting, the one
 * whose line is free sooner is less loaded.
 */
struct PortLoad
{
    uint64_t queueBytes{0}; //!< bytes that wait in all classes
    uint64_t busyTicks{0};  //!< time until the frame that is being sent has left, 0 if none is

    /**
     * \param port a port, brought up to date
     * \param now ticks
     * \return its load
     */
    static PortLoad Of(FabricPort& port, uint64_t now)
    {
        port.Advance(now);
        return {port.GetTotalQueueBytes(), std::max(port.GetSendingEnd(), now) - now};
    }

    /** \return whether nothing waits and nothing is being sent */
    bool IsIdle() const
    {
        return queueBytes == 0 && busyTicks == 0;
    }

    /** \param other load of another port \return whether this port is less loaded */
    bool operator<(const PortLoad& other) const
    {
        return queueBytes != other.queueBytes ? queueBytes < other.queueBytes
                                              : busyTicks < other.busyTicks;
    }
};

} // namespace ns3

#endif /* PORT_LOAD_H */
