/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fixed-window-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FixedWindowCongestionControl);

TypeId
FixedWindowCongestionControl::GetTypeId()
{
    using Self = FixedWindowCongestionControl;
    static TypeId tid =
        TypeId("ns3::FixedWindowCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<FixedWindowCongestionControl>()
            .AddAttribute("Window",
                          "Payload bytes that a queue pair may have outstanding; 0 is what fills "
                          "the idle path: line rate times base round trip time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&Self::m_attribute),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

Ptr<RoceCongestionControl>
FixedWindowCongestionControl::Fork() const
{
    return CopyObject(Ptr<const FixedWindowCongestionControl>(this));
}

CongestionControlNeeds
FixedWindowCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ackEveryBytes = 1;
    return needs;
}

void
FixedWindowCongestionControl::Start(const CongestionControlStart& start)
{
    m_start = start;
    NS_ABORT_MSG_IF(
        m_attribute == 0 && start.GetPathPayloadBytes() == 0,
        "the base round trip time is unknown: set FixedWindowCongestionControl's Window");
    SetWindow(start.now);
}

void
FixedWindowCongestionControl::OnLineRate(const LineRateEvent& event)
{
    m_start.lineRateBps = event.lineRateBps;
    SetWindow(event.now);
}

void
FixedWindowCongestionControl::SetWindow(uint64_t now)
{
    const uint64_t windowBytes = m_attribute > 0 ? m_attribute : m_start.GetPathPayloadBytes();
    if (windowBytes != m_windowBytes)
    {
        m_windowBytes = windowBytes;
        m_windowTrace(now, m_windowBytes);
    }
}

uint64_t
FixedWindowCongestionControl::GetRateBps(uint64_t)
{
    return m_start.lineRateBps;
}

uint64_t
FixedWindowCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
