/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TELEMETRY_WIRE_H
#define TELEMETRY_WIRE_H

#include "ns3/telemetry-stack.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * What a switch writes into HPCC's header (SIGCOMM 2019, figure 7), high bits first: the port's
 * rate (4 bits: 1 to 9 are 10, 25, 40, 50, 100, 200, 400, 800, 1600 Gb/s, 0 any other), the time
 * (24 bits, ns), the bytes sent (20 bits, of 128) and the queue (16 bits, of 80, the largest value
 * for more). For pcap files: the simulation keeps exact values.
 * \param hop what a switch wrote
 * \return its eight bytes on the wire
 */
uint64_t EncodeTelemetryHop(const TelemetryHop& hop);

} // namespace ns3

#endif /* TELEMETRY_WIRE_H */
