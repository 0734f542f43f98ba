/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "no-congestion-control.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NoCongestionControl);

TypeId
NoCongestionControl::GetTypeId()
{
    static TypeId tid = TypeId("ns3::NoCongestionControl")
                            .SetParent<RoceCongestionControl>()
                            .SetGroupName("Roce")
                            .AddConstructor<NoCongestionControl>();
    return tid;
}

Ptr<RoceCongestionControl>
NoCongestionControl::Fork() const
{
    return CopyObject(Ptr<const NoCongestionControl>(this));
}

CongestionControlNeeds
NoCongestionControl::GetNeeds() const
{
    return {};
}

void
NoCongestionControl::Start(const CongestionControlStart& start)
{
    m_lineRateBps = start.lineRateBps;
    m_rateTrace(start.now, m_lineRateBps);
}

void
NoCongestionControl::OnLineRate(const LineRateEvent& event)
{
    m_lineRateBps = event.lineRateBps;
    m_rateTrace(event.now, m_lineRateBps);
}

uint64_t
NoCongestionControl::GetRateBps(uint64_t)
{
    return m_lineRateBps;
}

} // namespace ns3
