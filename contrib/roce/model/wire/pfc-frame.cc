/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-frame.h"

#include "roce-address.h"
#include "roce-crc.h"
#include "roce-wire.h"
#include "wire-bytes.h"

#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t DESTINATION = 0x0180c2000001; //!< MAC control multicast, never forwarded
constexpr uint16_t TYPE_MAC_CONTROL = 0x8808;    //!< Ethernet type
constexpr uint16_t OPCODE_PFC = 0x0101;          //!< MAC control opcode
constexpr uint32_t TIMERS_PER_WORD = 4;          //!< timers in each word of a record
constexpr std::size_t VECTOR_OFFSET = 16;        //!< of the class vector
constexpr std::size_t TIMERS_OFFSET = 18;        //!< of the first timer

} // namespace

PfcFrame
PfcFrame::FromRecord(const FabricPacket& packet)
{
    PfcFrame frame;
    frame.device = packet.src;
    frame.classVector = packet.aeth & 0xff;
    for (uint32_t i = 0; i < TIMERS_PER_WORD; i++)
    {
        frame.quanta[i] = packet.stamp >> (16 * i) & 0xffff;
        frame.quanta[TIMERS_PER_WORD + i] = packet.messageBytes >> (16 * i) & 0xffff;
    }
    return frame;
}

void
PfcFrame::ToRecord(FabricPacket& packet) const
{
    packet.frameBytes = RoceWire::PFC_FRAME;
    packet.src = device;
    packet.priority = RECORD_PRIORITY;
    packet.frameClass = static_cast<uint8_t>(FrameClass::CONTROL);
    packet.aeth = classVector;
    packet.stamp = 0;
    packet.messageBytes = 0;
    for (uint32_t i = 0; i < TIMERS_PER_WORD; i++)
    {
        packet.stamp |= static_cast<uint64_t>(quanta[i]) << (16 * i);
        packet.messageBytes |= static_cast<uint64_t>(quanta[TIMERS_PER_WORD + i]) << (16 * i);
    }
}

std::vector<uint8_t>
PfcFrame::Serialize() const
{
    WireWriter writer(RoceWire::PFC_FRAME);
    writer.Put(DESTINATION, 6);
    writer.Put(RoceAddress::MacOfDevice(device), 6);
    writer.Put(TYPE_MAC_CONTROL, 2);
    writer.Put(OPCODE_PFC, 2);
    writer.Put(classVector, 2);
    for (uint16_t timer : quanta)
    {
        writer.Put(timer, 2);
    }
    std::vector<uint8_t>& bytes = writer.Bytes();
    writer.PutZeros(RoceWire::PFC_FRAME - RoceWire::FCS - bytes.size());
    writer.PutLittleEndian(EthernetFcs(bytes.data(), bytes.size()));
    return std::move(bytes);
}

bool
PfcFrame::Parse(const uint8_t* bytes, std::size_t size, PfcFrame& frame)
{
    constexpr std::size_t checked = RoceWire::PFC_FRAME - RoceWire::FCS;
    if (size != RoceWire::PFC_FRAME || ReadWire(bytes, 6) != DESTINATION ||
        ReadWire(bytes + 6, 2) != RoceAddress::DEVICE_MAC >> 32 ||
        ReadWire(bytes + 12, 2) != TYPE_MAC_CONTROL || ReadWire(bytes + 14, 2) != OPCODE_PFC ||
        EthernetFcs(bytes, checked) != ReadWireLittleEndian(bytes + checked))
    {
        return false;
    }
    frame.device = ReadWire(bytes + 8, 4);
    frame.classVector = bytes[VECTOR_OFFSET + 1];
    for (uint32_t i = 0; i < CLASSES; i++)
    {
        frame.quanta[i] = ReadWire(bytes + TIMERS_OFFSET + 2 * i, 2);
    }
    return true;
}

} // namespace ns3
