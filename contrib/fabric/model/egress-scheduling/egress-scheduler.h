/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef EGRESS_SCHEDULER_H
#define EGRESS_SCHEDULER_H

#include "ns3/fabric-packet-list.h"
#include "ns3/object.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Decides which traffic class of a port sends next. One object per port.
 *
 * A decision is made for every frame, at the time at which the link is free for it, and depends on
 * nothing but the decisions before it, the classes that could send at that time and their first
 * frames. The port makes decisions ahead of time and takes them back, last ones first, when a frame
 * or a pause comes that they did not know of: so what they leave behind must be undone exactly.
 *
 * Classes are numbered as in FabricPacket::priority; the last one, FabricPort::CONTROL, is MAC
 * control, which goes before every other.
 */
class EgressScheduler : public Object
{
  public:
    static constexpr uint32_t CLASSES = 9;   //!< classes, MAC control included
    static constexpr uint32_t MAX_UNDO = 16; //!< decisions that can be taken back

    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Reads the attributes; a ConfigError tells what is wrong with them.
     * \param device name of the device, for errors
     */
    virtual void Configure(const std::string& device) = 0;

    /** \return whether every decision is for the highest class: ports then need no scheduler */
    virtual bool IsStrictPriority() const;

    /**
     * Decides.
     * \param ready classes that have a frame and are not paused, a bit each; at least one
     * \param queues frames of every class
     * \param gapBytes preamble and gap of every frame
     * \return the class whose first frame is sent
     */
    virtual uint32_t Select(uint32_t ready,
                            const FabricPacketList* queues,
                            uint32_t gapBytes) = 0;

    /** \param count decisions that are taken back, at most MAX_UNDO and no more than were made */
    virtual void Undo(uint32_t count) = 0;

    /**
     * \param earlier a class for which it was decided while `later` could not send
     * \param later another class, or the same
     * \return whether it would have been decided so if `later` could have sent
     */
    virtual bool Precedes(uint32_t earlier, uint32_t later) const = 0;
};

} // namespace ns3

#endif /* EGRESS_SCHEDULER_H */
