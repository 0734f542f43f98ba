/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FABRIC_TAP_H
#define FABRIC_TAP_H

#include <cstdint>

namespace ns3
{

struct FabricPacket;

/** \ingroup fabric \brief Who wants to see every frame that passes a port (pcap, traces). */
class FabricTap
{
  public:
    virtual ~FabricTap() = default;
    /**
     * A frame's first bit leaves; called at that very time, or for a frame that is cut through when
     * its last bit has come, which may be later.
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
};

} // namespace ns3

#endif /* FABRIC_TAP_H */
