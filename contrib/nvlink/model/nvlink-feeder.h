/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_FEEDER_H
#define NVLINK_FEEDER_H

#include "ns3/fabric-port.h"

#include <deque>
#include <vector>

namespace ns3
{

class NvlinkDevice;

/**
 * \ingroup nvlink
 * \brief Keeps one link of a GPU busy: takes the next packet when the last one has left.
 *
 * Flows with work take turns, one packet each (round robin): who has sent one waits behind all
 * others, also behind those that came while it was sent. While the peer has stopped the link
 * nothing is taken, so that other links may.
 */
class NvlinkFeeder
{
  public:
    /**
     * \param device the GPU's interface
     * \param port the link
     */
    NvlinkFeeder(NvlinkDevice* device, FabricPort& port);

    /** \param flow a flow with work that may use this link */
    void Offer(uint32_t flow);

    /** Sends a packet if the link is free and not stopped. */
    void Pull();

  private:
    /** The last bit of the packet has left. */
    void PacketLeft();

    NvlinkDevice* m_device;                                      //!< the GPU's interface
    FabricPort& m_port;                                          //!< the link
    bool m_busy{false};                                          //!< a packet is being sent
    uint32_t m_flow{0};                                          //!< flow of that packet
    uint32_t m_sequence{0};                                      //!< message of that packet
    std::deque<uint32_t> m_turn;                                 //!< flows offered, next first
    std::vector<bool> m_offered;                                 //!< by flow: waits or is sent
    FabricTimer<NvlinkFeeder, &NvlinkFeeder::PacketLeft> m_free; //!< end of the packet
};

} // namespace ns3

#endif /* NVLINK_FEEDER_H */
