/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CONGESTION_CONTROL_TEST_HELPER_H
#define CONGESTION_CONTROL_TEST_HELPER_H

#include "ns3/nstime.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/telemetry-stack.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <cstdint>
#include <vector>

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

/**
 * \ingroup tests
 * \return all congestion controls that can be created, by name, but for those of tests (group Tests),
 * which live in the same process
 */
inline std::vector<TypeId>
FindCongestionControls()
{
    std::vector<TypeId> types = TypeCatalogue(RoceCongestionControl::GetTypeId()).GetTypes();
    const auto ofTests = [](TypeId type) { return type.GetGroupName() == "Tests"; };
    types.erase(std::remove_if(types.begin(), types.end(), ofTests), types.end());
    return types;
}

/**
 * \ingroup tests
 * Tells a congestion control of a packet that leaves, and of its acknowledgement, with round trips and
 * queues that come and go, a mark on every seventh and a CNP after every fiftieth.
 * \param control the congestion control
 * \param psn number of the packet
 * \param now ticks
 * \param hopRateBps rate of the one hop that telemetry tells of, bit/s
 */
inline void
PlayPacket(RoceCongestionControl& control, uint64_t psn, uint64_t now, uint64_t hopRateBps)
{
    control.OnSend({now, psn, 1106, 1024});
    TelemetryStack stack;
    stack.hops.push_back({now, psn * 40000, psn % 13 * 9000, hopRateBps, 1});
    AckEvent ack;
    ack.now = now;
    ack.psn = psn;
    ack.nextPsn = psn + 1;
    ack.ackedBytes = 1024;
    ack.rtt = UsTicks(10 + psn % 100);
    ack.markedBytes = psn % 7 == 0 ? 1024 : 0;
    ack.markedPackets = psn % 7 == 0;
    ack.telemetry = control.GetNeeds().telemetry ? &stack : nullptr;
    control.OnAck(ack);
    if (psn % 50 == 49)
    {
        control.OnCnp({now});
    }
}

} // namespace ns3

#endif /* CONGESTION_CONTROL_TEST_HELPER_H */
