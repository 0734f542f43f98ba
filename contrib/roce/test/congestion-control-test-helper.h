/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CONGESTION_CONTROL_TEST_HELPER_H
#define CONGESTION_CONTROL_TEST_HELPER_H

#include "ns3/nstime.h"
#include "ns3/roce-congestion-control.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup tests
 * \param microseconds a duration, µs
 * \return it in ticks of the resolution that the tests run at
 */
inline uint64_t
UsTicks(uint64_t microseconds)
{
    return MicroSeconds(microseconds).GetTimeStep();
}

/**
 * \ingroup tests
 * \param lineRateBps rate of the NIC port, bit/s
 * \param activeQps queue pairs that send on the NIC
 * \return what a NIC with packets of 1024 bytes says at time 0
 */
inline CongestionControlStart
MakeStart(uint64_t lineRateBps, uint32_t activeQps = 1)
{
    CongestionControlStart start;
    start.ticksPerSecond = Time::FromInteger(1, Time::S).GetTimeStep();
    start.lineRateBps = lineRateBps;
    start.mtuBytes = 1024;
    start.packetWireBytes = 1106;
    start.baseRtt = UsTicks(8);
    start.activeQps = activeQps;
    return start;
}

} // namespace ns3

#endif /* CONGESTION_CONTROL_TEST_HELPER_H */
