/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-control.h"

#include "ns3/trace-source-accessor.h"

#include <cmath>

namespace ns3
{

uint64_t
CongestionControlStart::GetPathPayloadBytes() const
{
    const double wireBytes = static_cast<double>(lineRateBps) / 8 * static_cast<double>(baseRtt) /
                             static_cast<double>(ticksPerSecond);
    return static_cast<uint64_t>(std::ceil(wireBytes * mtuBytes / packetWireBytes));
}

NS_OBJECT_ENSURE_REGISTERED(RoceCongestionControl);

TypeId
RoceCongestionControl::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceCongestionControl")
            .SetParent<Object>()
            .SetGroupName("Roce")
            .AddTraceSource("Rate",
                            "The rate changed: time of the change (ticks) and new rate (bit/s).",
                            MakeTraceSourceAccessor(&RoceCongestionControl::m_rateTrace),
                            "ns3::RoceCongestionControl::RateTracedCallback")
            .AddTraceSource("Window",
                            "The window changed: time of the change (ticks) and new window "
                            "(payload bytes).",
                            MakeTraceSourceAccessor(&RoceCongestionControl::m_windowTrace),
                            "ns3::RoceCongestionControl::WindowTracedCallback")
            .AddTraceSource("Alpha",
                            "The estimate of the share of marks changed: time of the change "
                            "(ticks) and new value; of those that have one.",
                            MakeTraceSourceAccessor(&RoceCongestionControl::m_alphaTrace),
                            "ns3::RoceCongestionControl::AlphaTracedCallback")
            .AddTraceSource("Rtt",
                            "An acknowledgement with news arrived: time (ticks) and round trip of "
                            "the packet that it answers (ticks).",
                            MakeTraceSourceAccessor(&RoceCongestionControl::m_rttTrace),
                            "ns3::RoceCongestionControl::RttTracedCallback");
    return tid;
}

void
RoceCongestionControl::OnSend(const SendEvent&)
{
}

void
RoceCongestionControl::OnAck(const AckEvent&)
{
}

void
RoceCongestionControl::OnCnp(const CnpEvent&)
{
}

void
RoceCongestionControl::OnLoss(const LossEvent&)
{
}

uint64_t
RoceCongestionControl::GetNextChange(uint64_t)
{
    return NEVER;
}

void
RoceCongestionControl::CatchUp(uint64_t)
{
}

uint64_t
RoceCongestionControl::GetWindowBytes() const
{
    return UNLIMITED;
}

} // namespace ns3
