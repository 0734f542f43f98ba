/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-crc.h"

#include "roce-wire.h"
#include "wire-bytes.h"

#include "ns3/crc32.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace ns3
{

namespace
{

constexpr std::size_t LRH_DUMMY = 8; //!< bytes of ones in front of the IPv4 header

/** Offsets, from the IPv4 header on, of the bytes that count as ones. */
constexpr std::size_t MASKED[] = {
    1,                                                // type of service
    8,                                                // time to live
    10,                                               // header checksum
    11,                                               //
    RoceWire::IPV4_HEADER + 6,                        // UDP checksum
    RoceWire::IPV4_HEADER + 7,                        //
    RoceWire::IPV4_HEADER + RoceWire::UDP_HEADER + 4, // FECN, BECN, reserved
};

} // namespace

uint32_t
EthernetFcs(const uint8_t* frame, std::size_t size)
{
    return CRC32Calculate(frame, static_cast<int>(size));
}

uint32_t
RoceIcrc(const uint8_t* ip, std::size_t size)
{
    std::vector<uint8_t> masked(LRH_DUMMY + size, 0xff);
    std::copy(ip, ip + size, masked.begin() + LRH_DUMMY);
    for (std::size_t offset : MASKED)
    {
        masked[LRH_DUMMY + offset] = 0xff;
    }
    return CRC32Calculate(masked.data(), static_cast<int>(masked.size()));
}

uint16_t
Ipv4HeaderChecksum(const uint8_t* header)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < RoceWire::IPV4_HEADER; i += 2)
    {
        sum += ReadWire(header + i, 2);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<uint16_t>(~sum);
}

} // namespace ns3
