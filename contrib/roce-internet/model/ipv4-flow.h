/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef IPV4_FLOW_H
#define IPV4_FLOW_H

#include "ns3/ipv4-address.h"
#include "ns3/packet.h"

#include <cstdint>
#include <optional>

namespace ns3
{

/**
 * \ingroup roce-internet
 * \brief What NICs and switches read of an IPv4 packet.
 */
struct Ipv4Flow
{
    uint8_t tos{0};      //!< type of service: DSCP in the upper 6 bits, ECN below (RFC 3168)
    Ipv4Address dst;     //!< destination
    uint32_t entropy{0}; //!< hash of addresses, protocol and ports

    /**
     * Reads the headers. The ports of TCP and UDP are part of the entropy unless the packet is a
     * fragment, the later ones of which carry none: all take one way.
     * \param packet bytes that begin with an IPv4 header
     * \return what they say, nothing if they are no IPv4 header
     */
    static std::optional<Ipv4Flow> Read(const Packet& packet);
};

} // namespace ns3

#endif /* IPV4_FLOW_H */
