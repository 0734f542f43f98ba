/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_VERB_H
#define ROCE_VERB_H

#include "ns3/roce-wire.h"

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief Operations that carry a message. */
enum class RoceVerb : uint8_t
{
    SEND,  //!< to a receive buffer that the peer posted
    WRITE, //!< to memory of the peer; the first packet carries a RETH
    READ,  //!< from memory of the peer
};

/** \ingroup roce \brief AETH syndrome of an ACK with unlimited credits (IBA 9.3.5). */
constexpr uint8_t AETH_ACK = 0x1f;
/** \ingroup roce \brief AETH syndrome of a NAK for a packet sequence error (IBA 9.3.5). */
constexpr uint8_t AETH_NAK_SEQUENCE = 0x60;
/** \ingroup roce \brief AETH syndrome of an RNR NAK; the low 5 bits are its timer (IBA 9.3.5). */
constexpr uint8_t AETH_RNR_NAK = 0x20;

/** \ingroup roce \brief Longest READ, bytes (IBA 9.7.2: a message has 2^31 bytes at most). */
constexpr uint64_t MAX_READ_BYTES = uint64_t{1} << 31;
/** \ingroup roce \brief Packets that READs under way may have: numbers must not be mistaken. */
constexpr uint64_t MAX_READ_PACKETS = uint64_t{1} << 22;

/** \ingroup roce \param syndrome AETH syndrome \return whether it is an RNR NAK */
constexpr bool
IsRnrNak(uint8_t syndrome)
{
    return syndrome >> 5 == AETH_RNR_NAK >> 5;
}

/** \ingroup roce \param syndrome 8 bits \param msn 24 bits \return an AETH */
constexpr uint32_t
MakeAeth(uint8_t syndrome, uint32_t msn)
{
    return static_cast<uint32_t>(syndrome) << 24 | msn;
}

/**
 * \ingroup roce
 * \param verb SEND or WRITE
 * \param first whether the packet is the first of its message
 * \param last whether it is the last
 * \param immediate whether the message carries immediate data
 * \return its opcode
 */
constexpr RoceOpcode
RequestOpcode(RoceVerb verb, bool first, bool last, bool immediate = false)
{
    if (last && immediate)
    {
        const RoceOpcode send =
            first ? RoceOpcode::SEND_ONLY_WITH_IMMEDIATE : RoceOpcode::SEND_LAST_WITH_IMMEDIATE;
        const RoceOpcode write =
            first ? RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE : RoceOpcode::WRITE_LAST_WITH_IMMEDIATE;
        return verb == RoceVerb::WRITE ? write : send;
    }
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

/**
 * \ingroup roce
 * \param opcode opcode of a SEND or WRITE packet
 * \return whether the responder must have a receive posted to take it (IBA 9.7.7)
 */
constexpr bool
NeedsReceive(RoceOpcode opcode)
{
    return opcode == RoceOpcode::SEND_FIRST || opcode == RoceOpcode::SEND_ONLY ||
           opcode == RoceOpcode::SEND_ONLY_WITH_IMMEDIATE ||
           opcode == RoceOpcode::WRITE_LAST_WITH_IMMEDIATE ||
           opcode == RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE;
}

/**
 * \ingroup roce
 * \param opcode opcode of the last packet of a SEND or WRITE
 * \return whether the message uses a receive up
 */
constexpr bool
UsesReceive(RoceOpcode opcode)
{
    return opcode <= RoceOpcode::SEND_ONLY_WITH_IMMEDIATE || RoceWire::HasImmediate(opcode);
}

/**
 * \ingroup roce
 * \param first whether the packet is the first of its response
 * \param last whether it is the last
 * \return opcode of a packet of a READ response
 */
constexpr RoceOpcode
ReadResponseOpcode(bool first, bool last)
{
    if (first)
    {
        return last ? RoceOpcode::READ_RESPONSE_ONLY : RoceOpcode::READ_RESPONSE_FIRST;
    }
    return last ? RoceOpcode::READ_RESPONSE_LAST : RoceOpcode::READ_RESPONSE_MIDDLE;
}

/**
 * \ingroup roce
 * \param bytes length of a message
 * \param mtuBytes payload of a full packet
 * \return packets that it takes, at least 1
 */
constexpr uint64_t
PacketsOf(uint64_t bytes, uint32_t mtuBytes)
{
    return bytes == 0 ? 1 : (bytes - 1) / mtuBytes + 1;
}

} // namespace ns3

#endif /* ROCE_VERB_H */
