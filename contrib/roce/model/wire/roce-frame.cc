/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-frame.h"

#include "roce-address.h"
#include "roce-crc.h"
#include "sack-record.h"
#include "telemetry-wire.h"
#include "wire-bytes.h"

#include "ns3/abort.h"
#include "ns3/dscp-map.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint32_t MAC_BYTES = 6;            //!< of a MAC address
constexpr uint16_t TYPE_IPV4 = 0x0800;       //!< Ethernet type
constexpr uint8_t VERSION_AND_LENGTH = 0x45; //!< IPv4, header of 20 bytes
constexpr uint16_t DONT_FRAGMENT = 0x4000;   //!< IPv4 flags and fragment offset
constexpr uint8_t PROTOCOL_UDP = 17;         //!< IPv4 protocol
constexpr uint32_t QP_MASK = 0xffffff;       //!< queue pair and sequence numbers have 24 bits
constexpr uint8_t TELEMETRY_MASK = 0x3f;     //!< reserved bits that tell the space of telemetry

constexpr std::size_t IP_OFFSET = RoceWire::ETHERNET_HEADER;          //!< of IPv4
constexpr std::size_t UDP_OFFSET = IP_OFFSET + RoceWire::IPV4_HEADER; //!< of UDP
constexpr std::size_t BTH_OFFSET = UDP_OFFSET + RoceWire::UDP_HEADER; //!< of the BTH
constexpr std::size_t EXTENSION_OFFSET = BTH_OFFSET + RoceWire::BTH;  //!< behind the BTH

/** \param frame a frame \return bytes from its UDP header to its ICRC, both included */
uint32_t
GetUdpLength(const RoceFrame& frame)
{
    return RoceWire::UDP_HEADER + RoceWire::BTH + RoceWire::ExtensionBytes(frame.opcode) +
           frame.GetTelemetryBytes() + frame.payloadBytes +
           RoceWire::PadBytes(frame.payloadBytes) + RoceWire::ICRC;
}

/**
 * \param frame a frame
 * \param writer gets its Ethernet, IPv4 and UDP headers
 */
void
PutNetworkHeaders(const RoceFrame& frame, WireWriter& writer)
{
    const uint32_t udpLength = GetUdpLength(frame);
    const uint32_t ipLength = RoceWire::IPV4_HEADER + udpLength;
    NS_ABORT_MSG_IF(ipLength > std::numeric_limits<uint16_t>::max(),
                    "A payload of " << frame.payloadBytes << " bytes fits no IPv4 packet");
    writer.Put(frame.dstMac, MAC_BYTES);
    writer.Put(frame.srcMac, MAC_BYTES);
    writer.Put(TYPE_IPV4, 2);

    writer.Put(VERSION_AND_LENGTH, 1);
    writer.Put(frame.dscp << 2 | static_cast<uint8_t>(frame.ecn), 1);
    writer.Put(ipLength, 2);
    writer.Put(frame.identification, 2);
    writer.Put(DONT_FRAGMENT, 2);
    writer.Put(frame.ttl, 1);
    writer.Put(PROTOCOL_UDP, 1);
    writer.Put(0, 2);
    writer.Put(frame.srcIp, 4);
    writer.Put(frame.dstIp, 4);
    uint8_t* header = writer.Bytes().data() + IP_OFFSET;
    const uint16_t checksum = Ipv4HeaderChecksum(header);
    header[10] = checksum >> 8;
    header[11] = checksum & 0xff;

    writer.Put(frame.srcPort, 2);
    writer.Put(RoceWire::UDP_PORT, 2);
    writer.Put(udpLength, 2);
    writer.Put(0, 2);
}

/**
 * \param frame a frame
 * \param writer gets its BTH and what follows up to the payload
 */
void
PutTransportHeaders(const RoceFrame& frame, WireWriter& writer)
{
    writer.Put(static_cast<uint8_t>(frame.opcode), 1);
    writer.Put(frame.solicited << 7 | frame.migrated << 6 |
                   RoceWire::PadBytes(frame.payloadBytes) << 4,
               1);
    writer.Put(frame.pkey, 2);
    writer.Put(frame.fecn << 7 | frame.becn << 6 | (frame.telemetrySpace & TELEMETRY_MASK), 1);
    writer.Put(frame.dstQp, 3);
    writer.Put(frame.ackRequest << 7, 1);
    writer.Put(frame.psn, 3);
    if (RoceWire::HasDeth(frame.opcode))
    {
        writer.Put(frame.qkey, 4);
        writer.Put(frame.srcQp & QP_MASK, 4);
    }
    if (RoceWire::HasReth(frame.opcode))
    {
        writer.Put(frame.virtualAddress, 8);
        writer.Put(frame.remoteKey, 4);
        writer.Put(frame.dmaLength, 4);
    }
    if (RoceWire::HasAeth(frame.opcode))
    {
        writer.Put(frame.aeth, RoceWire::AETH);
    }
    if (RoceWire::HasImmediate(frame.opcode))
    {
        writer.Put(frame.immediate, RoceWire::IMMEDIATE);
    }
    if (frame.opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE)
    {
        writer.Put(frame.sackPsn & QP_MASK, 4);
        writer.Put(frame.sackBits, 8);
    }
    if (frame.opcode == RoceOpcode::CNP)
    {
        writer.PutZeros(RoceWire::CNP_RESERVED);
    }
    if (frame.telemetrySpace > 0)
    {
        const size_t written = std::min<size_t>(frame.telemetry.size(), frame.telemetrySpace);
        writer.Put(written, RoceWire::TELEMETRY_COUNT);
        for (size_t i = 0; i < written; i++)
        {
            writer.Put(frame.telemetry[i], RoceWire::TELEMETRY_HOP);
        }
        writer.PutZeros((frame.telemetrySpace - written) * RoceWire::TELEMETRY_HOP);
    }
}

/**
 * \param ip IPv4 header
 * \param size bytes from there to the end of the frame, check sequence included
 * \return whether IPv4, UDP and BTH are what this module reads, and complete
 */
RoceFrameStatus
CheckNetworkHeaders(const uint8_t* ip, std::size_t size)
{
    if (ip[0] != VERSION_AND_LENGTH || ip[9] != PROTOCOL_UDP ||
        ReadWire(ip + RoceWire::IPV4_HEADER + 2, 2) != RoceWire::UDP_PORT)
    {
        return RoceFrameStatus::NOT_ROCE;
    }
    if (Ipv4HeaderChecksum(ip) != 0)
    {
        return RoceFrameStatus::BAD_CHECKSUM;
    }
    const std::size_t length = ReadWire(ip + 2, 2);
    return length + RoceWire::FCS > size ? RoceFrameStatus::TRUNCATED : RoceFrameStatus::OK;
}

/**
 * \param bytes a frame
 * \param [out] frame gets the fields up to the BTH
 */
void
ReadFixedHeaders(const uint8_t* bytes, RoceFrame& frame)
{
    frame.dstMac = ReadWire(bytes, MAC_BYTES);
    frame.srcMac = ReadWire(bytes + MAC_BYTES, MAC_BYTES);
    const uint8_t* ip = bytes + IP_OFFSET;
    frame.dscp = ip[1] >> 2;
    frame.ecn = static_cast<EcnCodepoint>(ip[1] & 3);
    frame.identification = ReadWire(ip + 4, 2);
    frame.ttl = ip[8];
    frame.srcIp = ReadWire(ip + 12, 4);
    frame.dstIp = ReadWire(ip + 16, 4);
    frame.srcPort = ReadWire(bytes + UDP_OFFSET, 2);
    const uint8_t* bth = bytes + BTH_OFFSET;
    frame.opcode = static_cast<RoceOpcode>(bth[0]);
    frame.solicited = bth[1] >> 7;
    frame.migrated = bth[1] >> 6 & 1;
    frame.pkey = ReadWire(bth + 2, 2);
    frame.fecn = bth[4] >> 7;
    frame.becn = bth[4] >> 6 & 1;
    frame.telemetrySpace = bth[4] & TELEMETRY_MASK;
    frame.dstQp = ReadWire(bth + 5, 3);
    frame.ackRequest = bth[8] >> 7;
    frame.psn = ReadWire(bth + 9, 3);
}

/**
 * \param extension what follows the BTH
 * \param [out] frame gets the fields of the extended headers that its opcode has
 */
void
ReadExtendedHeaders(const uint8_t* extension, RoceFrame& frame)
{
    if (RoceWire::HasDeth(frame.opcode))
    {
        frame.qkey = ReadWire(extension, 4);
        frame.srcQp = ReadWire(extension + 5, 3);
        extension += RoceWire::DETH;
    }
    if (RoceWire::HasReth(frame.opcode))
    {
        frame.virtualAddress = ReadWire(extension, 8);
        frame.remoteKey = ReadWire(extension + 8, 4);
        frame.dmaLength = ReadWire(extension + 12, 4);
        extension += RoceWire::RETH;
    }
    if (RoceWire::HasAeth(frame.opcode))
    {
        frame.aeth = ReadWire(extension, RoceWire::AETH);
        extension += RoceWire::AETH;
    }
    if (frame.opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE)
    {
        frame.sackPsn = ReadWire(extension + 1, 3);
        frame.sackBits = ReadWire(extension + 4, 8);
    }
    if (RoceWire::HasImmediate(frame.opcode))
    {
        frame.immediate = ReadWire(extension, RoceWire::IMMEDIATE);
        extension += RoceWire::IMMEDIATE;
    }
    if (frame.telemetrySpace > 0)
    {
        const size_t written = std::min<size_t>(ReadWire(extension, RoceWire::TELEMETRY_COUNT),
                                                frame.telemetrySpace);
        extension += RoceWire::TELEMETRY_COUNT;
        for (size_t i = 0; i < written; i++)
        {
            frame.telemetry.push_back(ReadWire(extension, RoceWire::TELEMETRY_HOP));
            extension += RoceWire::TELEMETRY_HOP;
        }
    }
}

} // namespace

RoceFrame
RoceFrame::FromRecord(const FabricPacket& packet)
{
    RoceFrame frame;
    frame.opcode = static_cast<RoceOpcode>(packet.opcode);
    NS_ABORT_MSG_UNLESS(RoceWire::IsKnown(frame.opcode),
                        "Not a RoCE opcode: " << static_cast<uint32_t>(packet.opcode));
    const bool isCnp = frame.opcode == RoceOpcode::CNP;
    frame.dstMac = RoceAddress::MacOfRank(packet.dst);
    frame.srcMac = RoceAddress::MacOfRank(packet.src);
    frame.dscp = packet.dscp;
    frame.ecn = static_cast<EcnCodepoint>(packet.ecn);
    frame.identification = packet.psn & 0xffff;
    frame.srcIp = RoceAddress::Ipv4OfRank(packet.src);
    frame.dstIp = RoceAddress::Ipv4OfRank(packet.dst);
    frame.srcPort = packet.flow & 0xffff;
    frame.solicited = packet.solicited;
    frame.migrated = !isCnp;
    frame.becn = isCnp || packet.ecnEcho;
    frame.dstQp = packet.qp & QP_MASK;
    frame.ackRequest = packet.ackRequest;
    frame.psn = packet.psn & QP_MASK;
    frame.dmaLength = std::min<uint64_t>(packet.messageBytes, std::numeric_limits<uint32_t>::max());
    frame.aeth = packet.aeth;
    frame.srcQp = packet.aeth & QP_MASK; // of datagrams
    frame.immediate = packet.immediate;
    if (frame.opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE)
    {
        frame.sackPsn = SackRecord::GetPsn(packet);
        frame.sackBits = SackRecord::GetBits(packet);
    }
    frame.payloadBytes = packet.payloadBytes;
    if (packet.instrumented)
    {
        frame.telemetrySpace =
            (GetTelemetryBytes(packet) - RoceWire::TELEMETRY_COUNT) / RoceWire::TELEMETRY_HOP;
        for (const TelemetryHop& hop : packet.telemetry->hops)
        {
            frame.telemetry.push_back(EncodeTelemetryHop(hop));
        }
    }
    return frame;
}

void
RoceFrame::ToRecord(FabricPacket& packet) const
{
    packet.frameBytes = RoceWire::FrameBytes(opcode, payloadBytes, GetTelemetryBytes());
    packet.payloadBytes = payloadBytes;
    packet.src = RoceAddress::RankOfIpv4(srcIp);
    packet.dst = RoceAddress::RankOfIpv4(dstIp);
    packet.flow = srcPort;
    packet.qp = dstQp;
    packet.psn = psn;
    packet.opcode = static_cast<uint8_t>(opcode);
    packet.dscp = dscp;
    packet.priority = DscpMap().GetClass(dscp);
    const FrameClass frameClass = RoceWire::IsAck(opcode)     ? FrameClass::ACK
                                  : opcode != RoceOpcode::CNP ? FrameClass::DATA
                                                              : FrameClass::CONTROL;
    packet.frameClass = static_cast<uint8_t>(frameClass);
    packet.ecn = static_cast<uint8_t>(ecn);
    packet.ackRequest = ackRequest;
    packet.solicited = solicited;
    packet.ecnEcho = becn && frameClass == FrameClass::ACK;
    packet.messageBytes = RoceWire::HasReth(opcode) ? dmaLength : 0;
    packet.aeth = RoceWire::HasAeth(opcode) ? aeth : RoceWire::HasDeth(opcode) ? srcQp : 0;
    packet.immediate = RoceWire::HasImmediate(opcode) ? immediate : 0;
    if (opcode == RoceOpcode::SELECTIVE_ACKNOWLEDGE)
    {
        SackRecord::Set(packet, sackPsn, sackBits);
    }
}

std::vector<uint8_t>
RoceFrame::Serialize() const
{
    const uint32_t frameBytes =
        RoceWire::FrameBytes(opcode, payloadBytes, GetTelemetryBytes());
    WireWriter writer(frameBytes);
    PutNetworkHeaders(*this, writer);
    PutTransportHeaders(*this, writer);
    writer.PutZeros(payloadBytes + RoceWire::PadBytes(payloadBytes));
    std::vector<uint8_t>& bytes = writer.Bytes();
    writer.PutLittleEndian(RoceIcrc(bytes.data() + IP_OFFSET, bytes.size() - IP_OFFSET));
    writer.PutZeros(frameBytes - RoceWire::FCS - bytes.size());
    writer.PutLittleEndian(EthernetFcs(bytes.data(), bytes.size()));
    return std::move(bytes);
}

RoceFrameStatus
RoceFrame::Parse(const uint8_t* bytes, std::size_t size, RoceFrame& frame)
{
    if (size < RoceWire::MIN_FRAME)
    {
        return RoceFrameStatus::TRUNCATED;
    }
    if (EthernetFcs(bytes, size - RoceWire::FCS) !=
        ReadWireLittleEndian(bytes + size - RoceWire::FCS))
    {
        return RoceFrameStatus::BAD_FCS;
    }
    const uint8_t* ip = bytes + IP_OFFSET;
    if (ReadWire(bytes + 2 * MAC_BYTES, 2) != TYPE_IPV4)
    {
        return RoceFrameStatus::NOT_ROCE;
    }
    const RoceFrameStatus status = CheckNetworkHeaders(ip, size - IP_OFFSET);
    if (status != RoceFrameStatus::OK)
    {
        return status;
    }
    ReadFixedHeaders(bytes, frame);
    if (!RoceWire::IsKnown(frame.opcode))
    {
        return RoceFrameStatus::NOT_ROCE;
    }
    const std::size_t icrcOffset = ReadWire(ip + 2, 2) - RoceWire::ICRC;
    const std::size_t payloadOffset =
        EXTENSION_OFFSET - IP_OFFSET + RoceWire::ExtensionBytes(frame.opcode) +
        frame.GetTelemetryBytes();
    const uint32_t pad = bytes[BTH_OFFSET + 1] >> 4 & 3;
    if (icrcOffset < payloadOffset + pad)
    {
        return RoceFrameStatus::TRUNCATED;
    }
    ReadExtendedHeaders(bytes + EXTENSION_OFFSET, frame);
    frame.payloadBytes = icrcOffset - payloadOffset - pad;
    return RoceIcrc(ip, icrcOffset) == ReadWireLittleEndian(ip + icrcOffset)
               ? RoceFrameStatus::OK
               : RoceFrameStatus::BAD_ICRC;
}

} // namespace ns3
