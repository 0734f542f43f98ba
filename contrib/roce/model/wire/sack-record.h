/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SACK_RECORD_H
#define SACK_RECORD_H

#include "ns3/fabric-packet.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Where the record of a selective acknowledgement has its bitmap: the bits in cookie, the
 * number that they end with in the high bits of messageBytes, whose low bits count marked bytes.
 */
struct SackRecord
{
    static constexpr uint32_t PSN_SHIFT = 40; //!< of the number in messageBytes
    static constexpr uint64_t LOW_MASK = (uint64_t{1} << PSN_SHIFT) - 1; //!< what is below it

    /**
     * \param [out] ack gets a bitmap
     * \param psn the number that it ends with
     * \param bits bit i: number psn - 63 + i has arrived
     */
    static void Set(FabricPacket& ack, uint64_t psn, uint64_t bits)
    {
        ack.messageBytes = (ack.messageBytes & LOW_MASK) | psn << PSN_SHIFT;
        ack.cookie = bits;
    }

    /** \param ack a selective acknowledgement \return the number its bitmap ends with, 24 bit */
    static uint32_t GetPsn(const FabricPacket& ack)
    {
        return ack.messageBytes >> PSN_SHIFT;
    }

    /** \param ack a selective acknowledgement \return its bitmap */
    static uint64_t GetBits(const FabricPacket& ack)
    {
        return ack.cookie;
    }
};

} // namespace ns3

#endif /* SACK_RECORD_H */
