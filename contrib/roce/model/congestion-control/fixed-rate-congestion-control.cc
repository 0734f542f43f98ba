/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fixed-rate-congestion-control.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FixedRateCongestionControl);

TypeId
FixedRateCongestionControl::GetTypeId()
{
    using Self = FixedRateCongestionControl;
    static TypeId tid =
        TypeId("ns3::FixedRateCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<FixedRateCongestionControl>()
            .AddAttribute("Rate",
                          "Rate of every queue pair, wire bytes; 0, or more than the line rate, is "
                          "the line rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_rate),
                          MakeDataRateChecker());
    return tid;
}

Ptr<RoceCongestionControl>
FixedRateCongestionControl::Fork() const
{
    return CopyObject(Ptr<const FixedRateCongestionControl>(this));
}

CongestionControlNeeds
FixedRateCongestionControl::GetNeeds() const
{
    return {};
}

void
FixedRateCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0, "a fixed rate was started with a line rate of 0");
    SetRate(start.now, start.lineRateBps);
}

void
FixedRateCongestionControl::OnLineRate(const LineRateEvent& event)
{
    SetRate(event.now, event.lineRateBps);
}

void
FixedRateCongestionControl::SetRate(uint64_t now, uint64_t lineRateBps)
{
    const uint64_t wanted = m_rate.GetBitRate();
    const uint64_t rateBps = wanted == 0 ? lineRateBps : std::min(wanted, lineRateBps);
    if (rateBps != m_rateBps)
    {
        m_rateBps = rateBps;
        m_rateTrace(now, m_rateBps);
    }
}

uint64_t
FixedRateCongestionControl::GetRateBps(uint64_t)
{
    return m_rateBps;
}

} // namespace ns3
