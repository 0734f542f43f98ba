/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_FRAME_LISTENER_H
#define ROCE_FRAME_LISTENER_H

#include <cstdint>

namespace ns3
{

class FabricPort;
struct FabricPacket;

/**
 * \ingroup roce
 * \brief Who handles the frames of other protocols that a NIC sends and receives beside RoCE: its
 * Ethernet interface; or those of reductions: RoceReductionTransport.
 */
class RoceFrameListener
{
  public:
    virtual ~RoceFrameListener() = default;

    /**
     * A frame arrived.
     * \param frame the frame, released by the caller
     * \param port where it arrived
     */
    virtual void FrameArrived(const FabricPacket& frame, FabricPort& port) = 0;

    /**
     * A frame that was given to RoceNicDevice::SendFrame() had its turn and is at the port. Called
     * in the midst of scheduling: nothing may be sent before this returns.
     * \param frameBytes its size
     */
    virtual void FrameTaken(uint32_t frameBytes) = 0;
};

} // namespace ns3

#endif /* ROCE_FRAME_LISTENER_H */
