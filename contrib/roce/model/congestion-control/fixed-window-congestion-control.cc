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
    m_lineRateBps = start.lineRateBps;
    m_windowBytes = m_attribute > 0 ? m_attribute : start.GetPathPayloadBytes();
    NS_ABORT_MSG_IF(
        m_windowBytes == 0,
        "the base round trip time is unknown: set FixedWindowCongestionControl's Window");
    m_windowTrace(start.now, m_windowBytes);
}

uint64_t
FixedWindowCongestionControl::GetRateBps(uint64_t)
{
    return m_lineRateBps;
}

uint64_t
FixedWindowCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
