/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_WIRE_H
#define ROCE_WIRE_H

#include <algorithm>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Opcodes of the base transport header (InfiniBand Architecture Specification, volume 1,
 * section 9.2.1; CNP: annex A17, RoCEv2). Reliable connection and unreliable datagram; atomics are
 * left out.
 */
enum class RoceOpcode : uint8_t
{
    SEND_FIRST = 0x00,
    SEND_MIDDLE = 0x01,
    SEND_LAST = 0x02,
    SEND_LAST_WITH_IMMEDIATE = 0x03,
    SEND_ONLY = 0x04,
    SEND_ONLY_WITH_IMMEDIATE = 0x05,
    WRITE_FIRST = 0x06,
    WRITE_MIDDLE = 0x07,
    WRITE_LAST = 0x08,
    WRITE_LAST_WITH_IMMEDIATE = 0x09,
    WRITE_ONLY = 0x0a,
    WRITE_ONLY_WITH_IMMEDIATE = 0x0b,
    READ_REQUEST = 0x0c,
    READ_RESPONSE_FIRST = 0x0d,
    READ_RESPONSE_MIDDLE = 0x0e,
    READ_RESPONSE_LAST = 0x0f,
    READ_RESPONSE_ONLY = 0x10,
    ACKNOWLEDGE = 0x11,
    UD_SEND_ONLY = 0x64,
    UD_SEND_ONLY_WITH_IMMEDIATE = 0x65,
    CNP = 0x81, //!< congestion notification packet
    SELECTIVE_ACKNOWLEDGE = 0xd1, //!< with a bitmap; 0xc0 to 0xff are the manufacturer's (9.2.1)
};

/**
 * \ingroup roce
 * \brief Sizes of RoCEv2 over IPv4 on Ethernet, in bytes.
 *
 * A packet is Ethernet, IPv4, UDP, BTH, extended headers, payload padded to a multiple of 4, ICRC,
 * and the frame's check sequence. The frame is what buffers hold; on the wire it is followed by
 * preamble and gap.
 */
struct RoceWire
{
    static constexpr uint32_t PREAMBLE = 8; //!< with start delimiter, IEEE 802.3, 3.1.1
    static constexpr uint32_t GAP = 12;     //!< least gap between packets, IEEE 802.3, 4.4.2
    static constexpr uint32_t OVERHEAD = PREAMBLE + GAP; //!< what the wire adds to a frame
    static constexpr uint32_t MIN_FRAME = 64;            //!< IEEE 802.3, 4.4.2
    static constexpr uint32_t ETHERNET_HEADER = 14;      //!< IEEE 802.3, 3.1.1; without a VLAN tag
    static constexpr uint32_t FCS = 4;           //!< frame check sequence, IEEE 802.3, 3.2.9
    static constexpr uint32_t IPV4_HEADER = 20;  //!< RFC 791, without options
    static constexpr uint32_t UDP_HEADER = 8;    //!< RFC 768
    static constexpr uint32_t BTH = 12;          //!< base transport header, IBA 9.2
    static constexpr uint32_t DETH = 8;          //!< datagram extended header, IBA 9.3.2
    static constexpr uint32_t RETH = 16;         //!< RDMA extended header, IBA 9.3.3
    static constexpr uint32_t AETH = 4;          //!< ACK extended header, IBA 9.3.5
    static constexpr uint32_t IMMEDIATE = 4;     //!< immediate data, IBA 9.3.6
    static constexpr uint32_t SACK = 12;         //!< extension of a selective acknowledgement
    static constexpr uint32_t CNP_RESERVED = 16; //!< reserved bytes of a CNP, IBA annex A17
    static constexpr uint32_t ICRC = 4;          //!< invariant check, IBA 7.8
    static constexpr uint32_t PFC_FRAME = 64;    //!< IEEE 802.1Qbb: MAC control, minimum size

    static constexpr uint16_t UDP_PORT = 4791;       //!< RoCEv2's destination port (IANA)
    static constexpr uint16_t DEFAULT_PKEY = 0xffff; //!< default partition, IBA 10.9.1
    /** Q_Key of datagrams; any without the top bit is free for users (IBA 10.2.5). */
    static constexpr uint32_t DEFAULT_QKEY = 0x11111111;

    static constexpr uint32_t TELEMETRY_COUNT = 2;     //!< telemetry, HPCC, SIGCOMM'19, figure 7
    static constexpr uint32_t TELEMETRY_HOP = 8;       //!< telemetry of a switch, the same
    static constexpr uint32_t TELEMETRY_MIN_HOPS = 5;  //!< space for so many at least, the same
    static constexpr uint32_t TELEMETRY_MAX_HOPS = 63; //!< what the header's length can say

    /** What every packet carries around extended headers and payload. */
    static constexpr uint32_t BASE = ETHERNET_HEADER + IPV4_HEADER + UDP_HEADER + BTH + ICRC + FCS;

    /** \param opcode an opcode \return whether a RETH follows the BTH */
    static constexpr bool HasReth(RoceOpcode opcode)
    {
        return opcode == RoceOpcode::WRITE_FIRST || opcode == RoceOpcode::WRITE_ONLY ||
               opcode == RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE ||
               opcode == RoceOpcode::READ_REQUEST;
    }

    /** \param opcode an opcode \return whether a DETH follows the BTH: unreliable datagrams */
    static constexpr bool HasDeth(RoceOpcode opcode)
    {
        return opcode == RoceOpcode::UD_SEND_ONLY ||
               opcode == RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE;
    }

    /** \param opcode an opcode \return whether it is an acknowledgement */
    static constexpr bool IsAck(RoceOpcode opcode)
    {
        return opcode == RoceOpcode::ACKNOWLEDGE || opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE;
    }

    /** \param opcode an opcode \return whether an AETH follows the BTH */
    static constexpr bool HasAeth(RoceOpcode opcode)
    {
        return IsAck(opcode) || opcode == RoceOpcode::READ_RESPONSE_FIRST ||
               opcode == RoceOpcode::READ_RESPONSE_LAST || opcode == RoceOpcode::READ_RESPONSE_ONLY;
    }

    /** \param opcode an opcode \return whether immediate data precedes the payload */
    static constexpr bool HasImmediate(RoceOpcode opcode)
    {
        return opcode == RoceOpcode::SEND_LAST_WITH_IMMEDIATE ||
               opcode == RoceOpcode::SEND_ONLY_WITH_IMMEDIATE ||
               opcode == RoceOpcode::WRITE_LAST_WITH_IMMEDIATE ||
               opcode == RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE ||
               opcode == RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE;
    }

    /** \param opcode an opcode \return whether it is a packet of a READ response */
    static constexpr bool IsReadResponse(RoceOpcode opcode)
    {
        return opcode >= RoceOpcode::READ_RESPONSE_FIRST &&
               opcode <= RoceOpcode::READ_RESPONSE_ONLY;
    }

    /** \param opcode an opcode \return whether RoceOpcode names it */
    static constexpr bool IsKnown(RoceOpcode opcode)
    {
        return opcode <= RoceOpcode::ACKNOWLEDGE || HasDeth(opcode) ||
               opcode == RoceOpcode::CNP || opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE;
    }

    /** \param opcode an opcode \return bytes between BTH and payload */
    static constexpr uint32_t ExtensionBytes(RoceOpcode opcode)
    {
        return (HasDeth(opcode) ? DETH : 0) + (HasReth(opcode) ? RETH : 0) +
               (HasAeth(opcode) ? AETH : 0) + (HasImmediate(opcode) ? IMMEDIATE : 0) +
               (opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE ? SACK : 0) +
               (opcode == RoceOpcode::CNP ? CNP_RESERVED : 0);
    }

    /** \param payloadBytes payload \return bytes that pad it to a multiple of 4 */
    static constexpr uint32_t PadBytes(uint32_t payloadBytes)
    {
        return (4 - payloadBytes % 4) % 4;
    }

    /**
     * Its size is fixed by the sender, so that no frame grows on its way.
     * \param switches on the way
     * \return bytes of the header of in-band telemetry, between extended headers and payload
     */
    static constexpr uint32_t TelemetryBytes(uint32_t switches)
    {
        const uint32_t hops = std::max(TELEMETRY_MIN_HOPS, switches);
        return TELEMETRY_COUNT + TELEMETRY_HOP * std::min(hops, TELEMETRY_MAX_HOPS);
    }

    /**
     * \param opcode an opcode
     * \param payloadBytes payload
     * \param telemetryBytes header of in-band telemetry, 0 = none
     * \return size of the frame with its check sequence, at least 64
     */
    static constexpr uint32_t FrameBytes(RoceOpcode opcode,
                                         uint32_t payloadBytes,
                                         uint32_t telemetryBytes = 0)
    {
        return std::max(MIN_FRAME,
                        BASE + ExtensionBytes(opcode) + telemetryBytes + payloadBytes +
                            PadBytes(payloadBytes));
    }

    /**
     * What rates, windows and round trips are computed with; packets that begin or end a message
     * may have some bytes more.
     * \param mtuBytes payload of a full packet
     * \param telemetryBytes header of in-band telemetry, 0 = none
     * \return size of a full packet's frame with its check sequence
     */
    static constexpr uint32_t FullFrameBytes(uint32_t mtuBytes, uint32_t telemetryBytes = 0)
    {
        return FrameBytes(RoceOpcode::SEND_MIDDLE, mtuBytes, telemetryBytes);
    }

    /**
     * \param opcode an opcode
     * \param payloadBytes payload
     * \return the frame's size with preamble and gap
     */
    static constexpr uint32_t WireBytes(RoceOpcode opcode, uint32_t payloadBytes)
    {
        return FrameBytes(opcode, payloadBytes) + OVERHEAD;
    }

    /**
     * \param entropy any number, such as a hash of the queue pair
     * \return a UDP source port from the range that NICs use (0xc000 to 0xffff)
     */
    static constexpr uint16_t SourcePort(uint32_t entropy)
    {
        return 0xc000 | ((entropy ^ entropy >> 14 ^ entropy >> 28) & 0x3fff);
    }
};

} // namespace ns3

#endif /* ROCE_WIRE_H */
