/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACKET_AUDIT_H
#define PACKET_AUDIT_H

#include "packet-network.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Compares the frames that were created with those that arrived, were dropped or lost, or are
 * under way still, by the counters of every port.
 */
class PacketAudit
{
  public:
    /** \param network whose frames */
    explicit PacketAudit(const PacketNetwork& network);

    /** \return what does not agree, empty if all does */
    std::string FindLost() const;

  private:
    /** Frames that came to their end behind some ports. */
    struct FrameVolume
    {
        uint64_t frames{0};    //!< at most
        uint64_t uncertain{0}; //!< of them: PFC frames that may have been lost
    };

    /** \param device a device \return frames that ended at the far ends of its ports */
    FrameVolume CountEnded(const FabricDevice& device) const;

    const PacketNetwork& m_network; //!< whose frames
};

} // namespace ns3

#endif /* PACKET_AUDIT_H */
