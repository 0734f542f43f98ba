/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_FRAME_H
#define NVLINK_FRAME_H

#include "ns3/fabric-port.h"

#include <cstdint>

namespace ns3
{

/**
 * \defgroup nvlink NVLink
 * The network inside a server: GPUs joined by NVSwitches or by direct links.
 */

/**
 * \ingroup nvlink
 * \brief What a frame on an NVLink is: FabricPacket::opcode.
 *
 * A data frame uses flow for the channel, immediate for the number of its message within (source,
 * destination, channel), psn for its number at the sender, messageBytes and cookie for length and
 * tag of the message, stamp for the time at which the message was given to the device.
 */
enum class NvlinkOpcode : uint8_t
{
    DATA = 0,          //!< a piece of a message
    CREDIT_STOP = 1,   //!< the receiver's buffer is used up: send no more data
    CREDIT_RESUME = 2, //!< there is room again
};

/** \ingroup nvlink \brief The one traffic class of data on an NVLink. */
constexpr uint32_t NVLINK_DATA_CLASS = 0;

/** \ingroup nvlink \brief End of a stop that only CREDIT_RESUME ends, ticks. */
constexpr uint64_t NVLINK_FOREVER = ~uint64_t{0};

/**
 * \ingroup nvlink
 * \brief A credit frame arrived: stops or starts the data class of the port.
 * \param packet the credit frame
 * \param port where it arrived
 * \param now ticks
 */
inline void
ApplyNvlinkCredit(const FabricPacket& packet, FabricPort& port, uint64_t now)
{
    const bool stop = packet.opcode == static_cast<uint8_t>(NvlinkOpcode::CREDIT_STOP);
    port.Pause(NVLINK_DATA_CLASS, stop ? NVLINK_FOREVER : now, now);
}

} // namespace ns3

#endif /* NVLINK_FRAME_H */
