/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_FRAME_H
#define PFC_FRAME_H

#include "ns3/fabric-packet.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief A frame of priority-based flow control (IEEE 802.1Qbb; IEEE 802.3, annex 31D).
 *
 * Destination 01:80:c2:00:00:01, MAC control (0x8808), opcode 0x0101, a vector that says which
 * classes are meant, a timer for each of the eight classes in quanta of 512 bit times (0 = may
 * send again), zeros up to the minimum frame.
 *
 * A FabricPacket record holds one as follows: priority 8 (MAC control), the class vector in
 * aeth, the timers of classes 0 to 3 in stamp and of classes 4 to 7 in messageBytes, 16 bits
 * each, the lower class in the lower bits; src numbers the sending device.
 */
struct PfcFrame
{
    static constexpr uint32_t CLASSES = 8;        //!< traffic classes
    static constexpr uint8_t RECORD_PRIORITY = 8; //!< priority of records of MAC control
    static constexpr uint32_t QUANTUM_BITS = 512; //!< bit times per quantum

    uint32_t device{0};                     //!< number of the sending device
    uint8_t classVector{0};                 //!< bit c: class c is meant
    std::array<uint16_t, CLASSES> quanta{}; //!< pause of each class

    /** \param packet a record \return whether it is a frame of MAC control */
    static bool IsRecord(const FabricPacket& packet)
    {
        return packet.priority == RECORD_PRIORITY;
    }

    /** \param packet a record of MAC control \return the frame it stands for */
    static PfcFrame FromRecord(const FabricPacket& packet);

    /** \param [out] packet a record with every field zero */
    void ToRecord(FabricPacket& packet) const;

    /** \return the frame's 64 bytes, check sequence included */
    std::vector<uint8_t> Serialize() const;

    /**
     * \param bytes a frame, check sequence included
     * \param size its size, bytes
     * \param [out] frame what it holds; right if and only if true is returned
     * \return whether it is an undamaged PFC frame of a RoceAddress device
     */
    static bool Parse(const uint8_t* bytes, std::size_t size, PfcFrame& frame);
};

} // namespace ns3

#endif /* PFC_FRAME_H */
