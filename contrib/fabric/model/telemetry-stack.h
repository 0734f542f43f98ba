/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TELEMETRY_STACK_H
#define TELEMETRY_STACK_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief What a switch writes into a packet that leaves it: state of the egress port at that moment.
 */
struct TelemetryHop
{
    uint64_t when{0};       //!< departure of the packet's first bit, ticks
    uint64_t sentBytes{0};  //!< wire bytes that the port ever sent before this packet
    uint64_t queueBytes{0}; //!< bytes left in the packet's egress queue
    uint64_t rateBps{0};    //!< rate of the port, bit/s
    uint64_t port{0};       //!< which port: node in the upper, number in the lower half
};

/**
 * \ingroup fabric
 * \brief In-band telemetry of one packet: a record per switch that it left, first to last.
 *
 * The values are exact, at any rate and over any number of hops. The fixed-width fields of a header
 * on the wire (HPCC, SIGCOMM 2019, figure 7) would round them to 1 ns, 128 bytes and 80 bytes.
 */
struct TelemetryStack
{
    std::vector<TelemetryHop> hops; //!< first switch first
    TelemetryStack* next{nullptr};  //!< link of the pool's free list
};

} // namespace ns3

#endif /* TELEMETRY_STACK_H */
