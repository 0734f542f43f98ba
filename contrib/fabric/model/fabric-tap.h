/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_TAP_H
#define FABRIC_TAP_H

#include <cstdint>

namespace ns3
{

struct FabricPacket;

/** \ingroup fabric \brief Who wants to see what passes a port (pcap, time series). */
class FabricTap
{
  public:
    virtual ~FabricTap() = default;
    /**
     * \return whether FrameSent() is to be called at the very time of the departure, which makes
     * an event of every one, and QueueChanged() at all
     */
    virtual bool WantsEvents() const
    {
        return true;
    }

    /**
     * A frame's first bit leaves; called at that very time, or for a frame that is cut through when
     * its last bit has come, which may be later. Without WantsEvents() it is called when somebody
     * next looks at the port, in the order of departures and before anything else is queued.
     * \param packet the frame
     * \param when ticks
     */
    virtual void FrameSent(const FabricPacket& packet, uint64_t when) = 0;
    /**
     * A frame arrived undamaged.
     * \param packet the frame
     * \param when ticks
     */
    virtual void FrameReceived(const FabricPacket& packet, uint64_t when) = 0;

    /**
     * A frame was queued, or the queue was thrown away; for departures see FrameSent().
     * \param when ticks
     */
    virtual void QueueChanged(uint64_t when)
    {
    }

    /**
     * The peer paused a class, or the pause ended.
     * \param priority the class
     * \param paused whether it is paused from now on
     * \param when ticks
     */
    virtual void PauseChanged(uint32_t priority, bool paused, uint64_t when)
    {
    }
};

} // namespace ns3

#endif /* FABRIC_TAP_H */
