/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-congestion-control.h"

#include "ns3/trace-source-accessor.h"

namespace ns3
{

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
                            "ns3::RoceCongestionControl::RateTracedCallback");
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

uint64_t
RoceCongestionControl::GetWindowBytes() const
{
    return UNLIMITED;
}

} // namespace ns3
