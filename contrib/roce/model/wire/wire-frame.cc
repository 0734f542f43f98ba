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

/** \param packet an Ethernet frame without check sequence \return its bytes with it */
std::vector<uint8_t>
MakeForeignFrame(const Packet& packet)
{
    constexpr uint32_t minBytes = RoceWire::MIN_FRAME - RoceWire::FCS;
    const uint32_t size = packet.GetSize();
    WireWriter writer(std::max(size, minBytes) + RoceWire::FCS);
    std::vector<uint8_t>& bytes = writer.Bytes();
    bytes.resize(std::max(size, minBytes));
    packet.CopyData(bytes.data(), size);
    writer.PutLittleEndian(EthernetFcs(bytes.data(), bytes.size()));
    return std::move(bytes);
}

} // namespace

std::vector<uint8_t>
MakeWireFrame(const FabricPacket& packet)
{
    if (packet.foreign)
    {
        return MakeForeignFrame(*packet.foreign);
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
