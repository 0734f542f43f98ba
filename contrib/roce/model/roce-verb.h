/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERB_H
#define ROCE_VERB_H

#include "ns3/roce-wire.h"

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief Operations of a reliable connection that carry a message. */
enum class RoceVerb : uint8_t
{
    SEND,  //!< to a receive buffer that the peer posted
    WRITE, //!< to memory of the peer; the first packet carries a RETH
};

/** \ingroup roce \brief AETH syndrome of an ACK with unlimited credits (IBA 9.3.5). */
constexpr uint8_t AETH_ACK = 0x1f;
/** \ingroup roce \brief AETH syndrome of a NAK for a packet sequence error (IBA 9.3.5). */
constexpr uint8_t AETH_NAK_SEQUENCE = 0x60;

/**
 * \ingroup roce
 * \param verb operation
 * \param first whether the packet is the first of its message
 * \param last whether it is the last
 * \return its opcode
 */
constexpr RoceOpcode
RequestOpcode(RoceVerb verb, bool first, bool last)
{
    const bool write = verb == RoceVerb::WRITE;
    if (first)
    {
        return last ? (write ? RoceOpcode::WRITE_ONLY : RoceOpcode::SEND_ONLY)
                    : (write ? RoceOpcode::WRITE_FIRST : RoceOpcode::SEND_FIRST);
    }
    return last ? (write ? RoceOpcode::WRITE_LAST : RoceOpcode::SEND_LAST)
                : (write ? RoceOpcode::WRITE_MIDDLE : RoceOpcode::SEND_MIDDLE);
}

/**
 * \ingroup roce
 * \param opcode opcode of a SEND or WRITE packet
 * \return whether it ends a message
 */
constexpr bool
IsLastOfMessage(RoceOpcode opcode)
{
    return opcode != RoceOpcode::SEND_FIRST && opcode != RoceOpcode::SEND_MIDDLE &&
           opcode != RoceOpcode::WRITE_FIRST && opcode != RoceOpcode::WRITE_MIDDLE;
}

} // namespace ns3

#endif /* ROCE_VERB_H */
