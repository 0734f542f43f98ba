/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dctcp-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DctcpCongestionControl);

TypeId
DctcpCongestionControl::GetTypeId()
{
    using Self = DctcpCongestionControl;
    static TypeId tid =
        TypeId("ns3::DctcpCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<DctcpCongestionControl>()
            .AddAttribute("AlphaGain",
                          "Gain g of alpha (SIGCOMM'10, section 3.4: 1/16).",
                          DoubleValue(1.0 / 16),
                          MakeDoubleAccessor(&Self::m_gain),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("InitialAlpha",
                          "Alpha of a new queue pair (RFC 8257, section 4.2: 1).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_initialAlpha),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "InitialWindow",
                "Window of a new queue pair, payload bytes; 0 is what fills the idle path "
                "at line rate (HPCC's authors' simulator).",
                UintegerValue(0),
                MakeUintegerAccessor(&Self::m_initialWindow),
                MakeUintegerChecker<uint64_t>())
            .AddAttribute("IncreasePackets",
                          "Growth of the window per round trip, full packets (SIGCOMM'10, section "
                          "3.1: 1).",
                          DoubleValue(1),
                          MakeDoubleAccessor(&Self::m_increasePackets),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute(
                "MinWindow",
                "Smallest window, full packets (RFC 8257, section 3.4 with RFC 5681: one).",
                DoubleValue(1),
                MakeDoubleAccessor(&Self::m_minPackets),
                MakeDoubleChecker<double>(0.01));
    return tid;
}

Ptr<RoceCongestionControl>
DctcpCongestionControl::Fork() const
{
    return CopyObject(Ptr<const DctcpCongestionControl>(this));
}

CongestionControlNeeds
DctcpCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ecn = true;
    needs.ackEveryBytes = 1;
    return needs;
}

void
DctcpCongestionControl::Start(const CongestionControlStart& start)
{
    m_lineRateBps = start.lineRateBps;
    m_packetBytes = start.mtuBytes;
    m_alpha = m_initialAlpha;
    m_alphaTrace(start.now, m_alpha);
    const uint64_t window = m_initialWindow > 0 ? m_initialWindow : start.GetPathPayloadBytes();
    NS_ABORT_MSG_IF(window == 0,
                    "the base round trip time is unknown: set InitialWindow of "
                    "DctcpCongestionControl");
    SetWindow(start.now, static_cast<double>(window));
}

void
DctcpCongestionControl::OnAck(const AckEvent& event)
{
    m_nextPsn = std::max(m_nextPsn, event.nextPsn);
    CountMarks(event);
    if (event.psn < m_cutEnd)
    {
        return;
    }
    if (event.markedBytes > 0)
    {
        SetWindow(event.now, m_window * (1 - m_alpha / 2));
        m_cutEnd = m_nextPsn;
        return;
    }
    const auto acked = static_cast<double>(event.ackedBytes);
    const double left = static_cast<double>(m_nextPsn - event.psn - 1) * m_packetBytes;
    if (left + acked + m_packetBytes > m_window)
    {
        SetWindow(event.now, m_window + m_increasePackets * m_packetBytes * acked / m_window);
    }
}

void
DctcpCongestionControl::OnLoss(const LossEvent& event)
{
    if (event.psn >= m_cutEnd)
    {
        SetWindow(event.now, m_window / 2);
        m_cutEnd = std::max(m_nextPsn, event.psn + 1);
    }
}

void
DctcpCongestionControl::CountMarks(const AckEvent& event)
{
    m_ackedBytes += event.ackedBytes;
    m_markedBytes += event.markedBytes;
    if (event.psn < m_windowEnd || m_ackedBytes == 0)
    {
        return;
    }
    const double marked =
        std::min(1.0, static_cast<double>(m_markedBytes) / static_cast<double>(m_ackedBytes));
    m_alpha = (1 - m_gain) * m_alpha + m_gain * marked;
    m_alphaTrace(event.now, m_alpha);
    m_ackedBytes = 0;
    m_markedBytes = 0;
    m_windowEnd = m_nextPsn;
}

void
DctcpCongestionControl::SetWindow(uint64_t now, double window)
{
    m_window = std::max(m_minPackets * m_packetBytes, window);
    const auto bytes = std::max<uint64_t>(1, static_cast<uint64_t>(m_window));
    if (bytes != m_windowBytes)
    {
        m_windowBytes = bytes;
        m_windowTrace(now, bytes);
    }
}

void
DctcpCongestionControl::OnLineRate(const LineRateEvent& event)
{
    m_lineRateBps = event.lineRateBps;
}

uint64_t
DctcpCongestionControl::GetRateBps(uint64_t)
{
    return m_lineRateBps;
}

uint64_t
DctcpCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
