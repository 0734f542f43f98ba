/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "wire-frame.h"

#include "pfc-frame.h"
#include "roce-address.h"
#include "roce-crc.h"
#include "roce-frame.h"
#include "wire-bytes.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/**
 * Marks an IPv4 packet CE, as a switch does. Its checksum follows, unless it is left out (0).
 * \param bytes of its frame
 */
void
MarkIpv4(std::vector<uint8_t>& bytes)
{
    constexpr uint32_t ETHERTYPE = 12;
    constexpr uint32_t TOS = RoceWire::ETHERNET_HEADER + 1;
    constexpr uint32_t CHECKSUM = RoceWire::ETHERNET_HEADER + 10;
    constexpr uint8_t CE = static_cast<uint8_t>(EcnCodepoint::CE);
    if (ReadWire(&bytes[ETHERTYPE], 2) != 0x0800)
    {
        return;
    }
    const uint8_t added = CE & ~bytes[TOS];
    bytes[TOS] |= CE;
    const auto checksum = static_cast<uint32_t>(ReadWire(&bytes[CHECKSUM], 2));
    if (checksum)
    {
        // RFC 1624, equation 4, where the word of the TOS grew by `added`
        const uint32_t less = checksum + 0xffff - added;
        const uint32_t folded = (less & 0xffff) + (less >> 16);
        bytes[CHECKSUM] = static_cast<uint8_t>(folded >> 8);
        bytes[CHECKSUM + 1] = static_cast<uint8_t>(folded);
    }
}

/** \param record of an Ethernet frame without check sequence \return its bytes with it */
std::vector<uint8_t>
MakeForeignFrame(const FabricPacket& record)
{
    constexpr uint32_t minBytes = RoceWire::MIN_FRAME - RoceWire::FCS;
    const Packet& packet = *record.foreign;
    const uint32_t size = packet.GetSize();
    WireWriter writer(std::max(size, minBytes) + RoceWire::FCS);
    std::vector<uint8_t>& bytes = writer.Bytes();
    bytes.resize(std::max(size, minBytes));
    packet.CopyData(bytes.data(), size);
    if (record.ecn == static_cast<uint8_t>(EcnCodepoint::CE))
    {
        MarkIpv4(bytes);
    }
    writer.PutLittleEndian(EthernetFcs(bytes.data(), bytes.size()));
    return std::move(bytes);
}

} // namespace

std::vector<uint8_t>
MakeWireFrame(const FabricPacket& packet)
{
    if (packet.foreign)
    {
        return MakeForeignFrame(packet);
    }
    if (PfcFrame::IsRecord(packet))
    {
        return PfcFrame::FromRecord(packet).Serialize();
    }
    return RoceFrame::FromRecord(packet).Serialize();
}

Ptr<Packet>
MakePacket(const FabricPacket& packet)
{
    const std::vector<uint8_t> bytes = MakeWireFrame(packet);
    return Create<Packet>(bytes.data(), bytes.size() - RoceWire::FCS);
}

bool
ReadWireFrame(const uint8_t* bytes, std::size_t size, FabricPacket& packet)
{
    PfcFrame pfc;
    if (PfcFrame::Parse(bytes, size, pfc))
    {
        pfc.ToRecord(packet);
        return true;
    }
    RoceFrame roce;
    if (RoceFrame::Parse(bytes, size, roce) != RoceFrameStatus::OK ||
        !RoceAddress::IsRank(roce.srcIp) || !RoceAddress::IsRank(roce.dstIp))
    {
        return false;
    }
    roce.ToRecord(packet);
    return true;
}

} // namespace ns3
