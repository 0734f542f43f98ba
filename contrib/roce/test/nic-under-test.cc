/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FixedCongestionControl);

TypeId
FixedCongestionControl::GetTypeId()
{
    using Self = FixedCongestionControl;
    static TypeId tid = TypeId("ns3::FixedCongestionControl")
                            .SetParent<RoceCongestionControl>()
                            .SetGroupName("Tests")
                            .AddConstructor<FixedCongestionControl>()
                            .AddAttribute("Rate",
                                          "Rate, bit/s; 0 = line rate.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_rateBps),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("Window",
                                          "Payload bytes that may be outstanding.",
                                          UintegerValue(UNLIMITED),
                                          MakeUintegerAccessor(&Self::m_windowBytes),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("WindowAfterAck",
                                          "The same from the first ACK on; 0 = no change.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_windowAfterAck),
                                          MakeUintegerChecker<uint64_t>())
                            .AddAttribute("BurstBytes",
                                          "Bursts at line rate; 0 = every packet is paced.",
                                          UintegerValue(0),
                                          MakeUintegerAccessor(&Self::m_burstBytes),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

Ptr<RoceCongestionControl>
FixedCongestionControl::Fork() const
{
    return CopyObject(Ptr<const FixedCongestionControl>(this));
}

CongestionControlNeeds
FixedCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.burstBytes = m_burstBytes;
    return needs;
}

void
FixedCongestionControl::Start(const CongestionControlStart& start)
{
    m_lineRate = start.lineRateBps;
}

void
FixedCongestionControl::OnAck(const AckEvent& event)
{
    m_windowBytes = m_windowAfterAck ? m_windowAfterAck : m_windowBytes;
}

void
FixedCongestionControl::OnLineRate(const LineRateEvent& event)
{
    m_lineRate = event.lineRateBps;
}

uint64_t
FixedCongestionControl::GetRateBps(uint64_t)
{
    return m_rateBps ? m_rateBps : m_lineRate;
}

uint64_t
FixedCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
