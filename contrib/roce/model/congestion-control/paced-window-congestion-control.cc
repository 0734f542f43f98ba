/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "paced-window-congestion-control.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{

TypeId
PacedWindowCongestionControl::AddCommonAttributes(TypeId tid)
{
    using Self = PacedWindowCongestionControl;
    return tid
        .AddAttribute("BaseRtt",
                      "Base round trip time T; 0 is that of a full packet in the idle path. The "
                      "papers use one T for the whole network, the largest (HPCC, section 5.1: "
                      "13 us).",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&Self::m_baseRtt),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("MinRate",
                      "Floor of the rate (not in the papers).",
                      DataRateValue(DataRate(1000000)),
                      MakeDataRateAccessor(&Self::m_minRate),
                      MakeDataRateChecker());
}

void
PacedWindowCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0,
                    GetInstanceTypeId().GetName() << " was started with a line rate of 0");
    m_baseRttTicks =
        static_cast<double>(m_baseRtt.IsZero() ? start.baseRtt : m_baseRtt.GetTimeStep());
    NS_ABORT_MSG_IF(m_baseRttTicks <= 0,
                    "the base round trip time is unknown: set BaseRtt of "
                        << GetInstanceTypeId().GetName());
    m_bytesPerRttAndBps = m_baseRttTicks / 8 / static_cast<double>(start.ticksPerSecond);
    SetLineRate(start.lineRateBps);
    m_payloadShare = static_cast<double>(start.mtuBytes) / start.packetWireBytes;
    SetWindow(start.now, BytesPerRtt(m_lineRate));
}

void
PacedWindowCongestionControl::SetLineRate(uint64_t lineRateBps)
{
    m_lineRate = static_cast<double>(lineRateBps);
    m_floor = std::min(m_lineRate, std::max(1.0, static_cast<double>(m_minRate.GetBitRate())));
}

void
PacedWindowCongestionControl::OnLineRate(const LineRateEvent& event)
{
    const double before = GetLineWindow();
    SetLineRate(event.lineRateBps);
    m_window = std::max(BytesPerRtt(m_floor), Follow(m_window, before, GetLineWindow()));
    Publish(event.now);
}

void
PacedWindowCongestionControl::SetWindow(uint64_t now, double window)
{
    window = std::max(BytesPerRtt(m_floor), std::min(window, GetCeiling()));
    if (window == m_window)
    {
        return;
    }
    m_window = window;
    Publish(now);
}

void
PacedWindowCongestionControl::Publish(uint64_t now)
{
    const double rate = std::min(m_lineRate, m_window / m_bytesPerRttAndBps);
    const auto rateBps = std::max<uint64_t>(1, static_cast<uint64_t>(rate));
    const auto windowBytes =
        std::max<uint64_t>(1, static_cast<uint64_t>(m_window * m_payloadShare));
    if (windowBytes != m_windowBytes)
    {
        m_windowBytes = windowBytes;
        m_windowTrace(now, m_windowBytes);
    }
    if (rateBps != m_rateBps)
    {
        m_rateBps = rateBps;
        m_rateTrace(now, m_rateBps);
    }
}

uint64_t
PacedWindowCongestionControl::GetRateBps(uint64_t)
{
    return m_rateBps;
}

uint64_t
PacedWindowCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
