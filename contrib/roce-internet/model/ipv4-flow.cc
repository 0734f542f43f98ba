/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ipv4-flow.h"

#include "ns3/ecmp-hash.h"
#include "ns3/wire-bytes.h"

#include <array>

namespace ns3
{

namespace
{

constexpr uint32_t MIN_HEADER = 20;     //!< RFC 791, without options
constexpr uint32_t MAX_HEADER = 60;     //!< RFC 791, with options
constexpr uint32_t PORTS = 4;           //!< source and destination port of TCP and UDP
constexpr uint32_t FRAGMENTED = 0x3fff; //!< more fragments, fragment offset
constexpr uint8_t TCP = 6;              //!< IANA protocol number
constexpr uint8_t UDP = 17;             //!< IANA protocol number

} // namespace

std::optional<Ipv4Flow>
Ipv4Flow::Read(const Packet& packet)
{
    std::array<uint8_t, MAX_HEADER + PORTS> bytes;
    const uint32_t size = packet.CopyData(bytes.data(), bytes.size());
    const uint32_t headerBytes = size ? 4 * (bytes[0] & 0xf) : 0;
    if (size < MIN_HEADER || bytes[0] >> 4 != 4 || headerBytes < MIN_HEADER || headerBytes > size)
    {
        return {};
    }
    const bool whole = (ReadWire(&bytes[6], 2) & FRAGMENTED) == 0;
    const uint8_t protocol = bytes[9];
    const auto dst = static_cast<uint32_t>(ReadWire(&bytes[16], 4));
    uint64_t ports = 0;
    if (whole && (protocol == TCP || protocol == UDP) && headerBytes + PORTS <= size)
    {
        ports = ReadWire(&bytes[headerBytes], PORTS);
    }
    Ipv4Flow flow;
    flow.tos = bytes[1];
    flow.dst = Ipv4Address(dst);
    flow.entropy = EcmpHash(static_cast<uint32_t>(ReadWire(&bytes[12], 4)), dst, protocol, ports);
    return flow;
}

} // namespace ns3
