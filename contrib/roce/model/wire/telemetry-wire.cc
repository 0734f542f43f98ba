/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "telemetry-wire.h"

#include "ns3/nstime.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

namespace
{

constexpr uint64_t RATES_GBPS[] = {10, 25, 40, 50, 100, 200, 400, 800, 1600}; //!< codes 1 to 9
constexpr uint64_t GIGA = 1000000000;                                         //!< bit/s
constexpr uint32_t TIME_BITS = 24;                                            //!< of ns
constexpr uint32_t BYTES_BITS = 20;                                           //!< of 128 bytes
constexpr uint32_t QUEUE_BITS = 16;                                           //!< of 80 bytes

/** \param bits how many \return a number with that many ones */
constexpr uint64_t
Ones(uint32_t bits)
{
    return (uint64_t{1} << bits) - 1;
}

/** \param rateBps of a port, bit/s \return its code */
uint64_t
EncodeRate(uint64_t rateBps)
{
    const auto* found = std::find(std::begin(RATES_GBPS), std::end(RATES_GBPS), rateBps / GIGA);
    const bool known = found != std::end(RATES_GBPS) && rateBps % GIGA == 0;
    return known ? found - std::begin(RATES_GBPS) + 1 : 0;
}

} // namespace

uint64_t
EncodeTelemetryHop(const TelemetryHop& hop)
{
    uint64_t word = EncodeRate(hop.rateBps);
    word = word << TIME_BITS | (TimeStep(hop.when).GetNanoSeconds() & Ones(TIME_BITS));
    word = word << BYTES_BITS | (hop.sentBytes / 128 & Ones(BYTES_BITS));
    return word << QUEUE_BITS | std::min(hop.queueBytes / 80, Ones(QUEUE_BITS));
}

} // namespace ns3
