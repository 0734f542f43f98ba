/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_FRAME_H
#define NVLINK_FRAME_H

#include "ns3/fabric-port.h"
#include "ns3/message-transport.h"

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
 * tag of the message, stamp for the time at which the message was given to the device. Of a message
 * of a team, qp is the team and aeth the lane; its pieces are marked with FabricPacket::offload on
 * their way to the switch.
 */
enum class NvlinkOpcode : uint8_t
{
    DATA = 0,          //!< a piece of a message
    CREDIT_STOP = 1,   //!< the receiver's buffer is used up: send no more data
    CREDIT_RESUME = 2, //!< there is room again
    MULTICAST = 3,     //!< a piece of a message that switches copy to a team
    COMBINE = 4,       //!< a piece of a message that switches add to those of a team, or of the sum
};

/** \ingroup nvlink \brief The one traffic class of data on an NVLink. */
constexpr uint32_t NVLINK_DATA_CLASS = 0;

/** \ingroup nvlink \brief End of a stop that only CREDIT_RESUME ends, ticks. */
constexpr uint64_t NVLINK_FOREVER = ~uint64_t{0};

/**
 * \ingroup nvlink
 * \param kind what the network does with a message
 * \return opcode of its frames
 */
inline NvlinkOpcode
GetNvlinkOpcode(MessageKind kind)
{
    switch (kind)
    {
    case MessageKind::MULTICAST:
        return NvlinkOpcode::MULTICAST;
    case MessageKind::COMBINE:
        return NvlinkOpcode::COMBINE;
    default:
        return NvlinkOpcode::DATA;
    }
}

/**
 * \ingroup nvlink
 * \param packet a data frame
 * \return what the network does with its message
 */
inline MessageKind
GetNvlinkMessageKind(const FabricPacket& packet)
{
    switch (static_cast<NvlinkOpcode>(packet.opcode))
    {
    case NvlinkOpcode::MULTICAST:
        return MessageKind::MULTICAST;
    case NvlinkOpcode::COMBINE:
        return MessageKind::COMBINE;
    default:
        return MessageKind::UNICAST;
    }
}

/** \ingroup nvlink \param packet a frame of a team's message \return its lane */
inline uint32_t
GetNvlinkLane(const FabricPacket& packet)
{
    return packet.aeth;
}

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
