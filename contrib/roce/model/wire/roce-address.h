/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_ADDRESS_H
#define ROCE_ADDRESS_H

#include "ns3/abort.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Addresses of end points, computed from ranks, so that frames need no address tables.
 *
 * A NIC of a GPU with several has the addresses of its end point's number (RouteTable), r below.
 *
 * - IPv4 address of rank r: 10.0.0.1 + r, within 10.0.0.0/8 (16,777,213 ranks);
 * - MAC address of rank r: 02:00 and the four bytes of r;
 * - MAC address of a device that sends MAC control frames as number d: 02:01 and the bytes of d.
 *
 * The first byte 02 marks locally administered addresses.
 */
struct RoceAddress
{
    static constexpr uint32_t FIRST_IPV4 = 0x0a000001;            //!< 10.0.0.1
    static constexpr uint32_t MAX_RANK = 0x0afffffe - FIRST_IPV4; //!< 10.255.255.254
    static constexpr uint64_t RANK_MAC = 0x020000000000;          //!< of rank 0
    static constexpr uint64_t DEVICE_MAC = 0x020100000000;        //!< of device 0

    /** \param rank a rank \return its IPv4 address */
    static uint32_t Ipv4OfRank(uint32_t rank)
    {
        NS_ABORT_MSG_IF(rank > MAX_RANK, "No IPv4 address for rank " << rank);
        return FIRST_IPV4 + rank;
    }

    /** \param ipv4 an address \return whether some rank has it */
    static constexpr bool IsRank(uint32_t ipv4)
    {
        return ipv4 - FIRST_IPV4 <= MAX_RANK;
    }

    /** \param ipv4 address of a rank \return the rank */
    static constexpr uint32_t RankOfIpv4(uint32_t ipv4)
    {
        return ipv4 - FIRST_IPV4;
    }

    /** \param rank a rank \return its MAC address, 48 bits */
    static constexpr uint64_t MacOfRank(uint32_t rank)
    {
        return RANK_MAC | rank;
    }

    /** \param device number of a device \return its MAC address for MAC control, 48 bits */
    static constexpr uint64_t MacOfDevice(uint32_t device)
    {
        return DEVICE_MAC | device;
    }
};

} // namespace ns3

#endif /* ROCE_ADDRESS_H */
