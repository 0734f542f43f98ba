/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_H
#define PFC_H

#include "ns3/fabric-port.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Frames of priority flow control (IEEE 802.1Qbb, now in 802.1Q clause 36).
 *
 * A PAUSE frame names a class and a time in quanta of 512 bit times; it is refreshed while the
 * pause lasts and ended by a frame with time 0. Each frame here carries one class.
 */
class Pfc
{
  public:
    /**
     * Sends a frame out of a port, before everything that has not started.
     * \param port where it leaves
     * \param priority the class
     * \param quanta pause time, 0 = resume
     */
    static void Send(FabricPort& port, uint32_t priority, uint16_t quanta);

    /**
     * Obeys a frame.
     * \param packet a PFC frame
     * \param port where it arrived
     * \param now ticks
     * \param deaf a bit per class whose pauses are counted and not obeyed
     */
    static void Obey(const FabricPacket& packet, FabricPort& port, uint64_t now, uint32_t deaf = 0);

    /**
     * \param port a port
     * \param quanta pause time
     * \return the same in ticks, at the port's rate
     */
    static uint64_t GetTicks(const FabricPort& port, uint16_t quanta);

    /**
     * Headroom that a lossless class needs so that nothing is lost after a pause:
     * 2 r d + r t + L_rev + 84 k + L_fwd, with r the rate, d the delay, t the time that a frame
     * takes through the device before it is charged, L_rev the frame that our PAUSE waits for, 84 k
     * the PAUSE itself behind one of every other of the k lossless classes, L_fwd the frame that
     * the peer cannot abort. The peer obeys at once when the frame has arrived: no response time is
     * added (IEEE 802.1Qbb annex on buffer requirements; SONiC's headroom formula adds it for
     * hardware).
     * \param port ingress port
     * \param maxFrameBytes largest frame on the link, without preamble and gap
     * \param classes lossless classes of the port, at least 1
     * \param latency t, ticks
     * \return bytes
     */
    static uint64_t GetHeadroomBytes(const FabricPort& port,
                                     uint32_t maxFrameBytes,
                                     uint32_t classes = 1,
                                     uint64_t latency = 0);
};

} // namespace ns3

#endif /* PFC_H */
