/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_CRC_H
#define ROCE_CRC_H

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Ethernet's frame check sequence (IEEE 802.3, 3.2.9).
 * \param frame the frame from its destination address on
 * \param size its bytes, without the check sequence
 * \return the check sequence; goes out low byte first
 */
uint32_t EthernetFcs(const uint8_t* frame, std::size_t size);

/**
 * \ingroup roce
 * \brief RoCEv2's invariant check (IBA annex A17, section 3.3): CRC-32 over what no hop changes.
 *
 * Eight bytes of ones stand for the InfiniBand header that is not there. What hops may change
 * counts as ones: type of service, time to live and header checksum of IPv4, the UDP checksum,
 * and the byte of the BTH that holds FECN, BECN and reserved bits.
 *
 * \param ip the packet from its IPv4 header (without options) on
 * \param size its bytes up to, not including, the check
 * \return the check; goes out low byte first
 */
uint32_t RoceIcrc(const uint8_t* ip, std::size_t size);

/**
 * \ingroup roce
 * \brief The checksum of an IPv4 header (RFC 791).
 * \param header 20 bytes; with the checksum field zero the result is what belongs there, with a
 * right checksum in place it is 0
 * \return the checksum
 */
uint16_t Ipv4HeaderChecksum(const uint8_t* header);

} // namespace ns3

#endif /* ROCE_CRC_H */
