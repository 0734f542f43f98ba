/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WIRE_FRAME_H
#define WIRE_FRAME_H

#include "ns3/fabric-packet.h"
#include "ns3/packet.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief The bytes that a record would have on a real link.
 *
 * A foreign frame is what its ns-3 packet holds (an Ethernet frame without check sequence), padded
 * to the minimum, with the mark that an IPv4 packet got on its way; MAC control is a PfcFrame;
 * everything else a RoceFrame.
 *
 * \param packet a record
 * \return its frame, check sequence included
 */
std::vector<uint8_t> MakeWireFrame(const FabricPacket& packet);

/**
 * \ingroup roce
 * \param packet a record
 * \return its frame as an ns-3 packet, without check sequence, as ns-3's devices exchange them
 */
Ptr<Packet> MakePacket(const FabricPacket& packet);

/**
 * \ingroup roce
 * \brief The way back: a frame that came from outside becomes a record.
 * \param bytes a frame, check sequence included
 * \param size its size, bytes
 * \param [out] packet a record with every field zero
 * \return false if it is neither RoCEv2 between ranks nor PFC, or damaged; the record is as it was
 */
bool ReadWireFrame(const uint8_t* bytes, std::size_t size, FabricPacket& packet);

} // namespace ns3

#endif /* WIRE_FRAME_H */
