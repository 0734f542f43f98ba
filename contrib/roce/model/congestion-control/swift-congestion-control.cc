/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "swift-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SwiftCongestionControl);

TypeId
SwiftCongestionControl::GetTypeId()
{
    using Self = SwiftCongestionControl;
    static TypeId tid =
        TypeId("ns3::SwiftCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<SwiftCongestionControl>()
            .AddAttribute("BaseTarget",
                          "Base target delay (SIGCOMM'20, section 3.5; value: htsim, 20 us).",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&Self::m_baseTarget),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("HopScale",
                          "Target delay h added per switch on the way (SIGCOMM'20, section 3.5; "
                          "value: htsim, 20 us / 6.55).",
                          TimeValue(PicoSeconds(3053435)),
                          MakeTimeAccessor(&Self::m_hopScale),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleRange",
                          "Most that flow scaling adds to the target, fs_range, 0 = off "
                          "(SIGCOMM'20, section 3.5; value: htsim, 5 base targets).",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&Self::m_fsRange),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowScaleMinWindow",
                          "Window below which flow scaling adds all of its range, fs_min_cwnd, "
                          "packets (SIGCOMM'20, section 3.5; value: htsim).",
                          DoubleValue(0.1),
                          MakeDoubleAccessor(&Self::m_fsMinWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("FlowScaleMaxWindow",
                          "Window above which flow scaling adds nothing, fs_max_cwnd, packets "
                          "(SIGCOMM'20, section 3.5; value: htsim).",
                          DoubleValue(100),
                          MakeDoubleAccessor(&Self::m_fsMaxWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute(
                "IncreasePackets",
                "Step ai per round trip, packets (SIGCOMM'20, algorithm 1; value: htsim).",
                DoubleValue(1),
                MakeDoubleAccessor(&Self::m_increase),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("Beta",
                          "Multiplicative decrease beta (SIGCOMM'20, algorithm 1; value: htsim).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Self::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute(
                "MaxDecrease",
                "Largest part of the window taken at once, max_mdf (SIGCOMM'20, algorithm "
                "1; value: htsim).",
                DoubleValue(0.5),
                MakeDoubleAccessor(&Self::m_maxDecrease),
                MakeDoubleChecker<double>(0.0, 0.999))
            .AddAttribute("MinWindow",
                          "Smallest window, packets (SIGCOMM'20, algorithm 1: min_cwnd; value: "
                          "htsim's 10 bytes).",
                          DoubleValue(0.01),
                          MakeDoubleAccessor(&Self::m_minWindow),
                          MakeDoubleChecker<double>(1e-6))
            .AddAttribute("MaxWindow",
                          "Largest window, packets (SIGCOMM'20, algorithm 1: max_cwnd); 0 is line "
                          "rate times the largest target delay.",
                          DoubleValue(0),
                          MakeDoubleAccessor(&Self::m_maxWindow),
                          MakeDoubleChecker<double>(0.0))
            .AddAttribute(
                "InitialWindow",
                "First window, packets (not in the paper); 0 is what fills the idle path.",
                DoubleValue(0),
                MakeDoubleAccessor(&Self::m_initialWindow),
                MakeDoubleChecker<double>(0.0))
            .AddAttribute("RetransmitResetThreshold",
                          "Timeouts in a row that make the window the smallest (SIGCOMM'20, "
                          "algorithm 1: RETX_RESET_THRESHOLD; value: htsim).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_resetThreshold),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

Ptr<RoceCongestionControl>
SwiftCongestionControl::Fork() const
{
    return CopyObject(Ptr<const SwiftCongestionControl>(this));
}

CongestionControlNeeds
SwiftCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ackEveryBytes = 1;
    return needs;
}

void
SwiftCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0, "Swift was started with a line rate of 0");
    NS_ABORT_MSG_IF(m_fsMinWindow >= m_fsMaxWindow,
                    "Swift's FlowScaleMinWindow " << m_fsMinWindow
                                                  << " is not below its FlowScaleMaxWindow "
                                                  << m_fsMaxWindow);
    m_lineRateBps = start.lineRateBps;
    m_packetBytes = start.mtuBytes;
    m_packetBits = 8.0 * start.packetWireBytes * static_cast<double>(start.ticksPerSecond);
    m_fixedTarget = static_cast<double>(m_baseTarget.GetTimeStep()) +
                    start.switchCount * static_cast<double>(m_hopScale.GetTimeStep());
    m_rangeTicks = static_cast<double>(m_fsRange.GetTimeStep());
    m_fsAlpha = m_rangeTicks / (1 / std::sqrt(m_fsMinWindow) - 1 / std::sqrt(m_fsMaxWindow));
    m_fsBeta = -m_fsAlpha / std::sqrt(m_fsMaxWindow);
    m_ceiling = ComputeCeiling();
    m_rtt = start.baseRtt;
    const double path =
        static_cast<double>(m_lineRateBps) / m_packetBits * static_cast<double>(start.baseRtt);
    NS_ABORT_MSG_IF(m_initialWindow == 0 && path == 0,
                    "the base round trip time is unknown: set Swift's InitialWindow");
    SetWindow(start.now, m_initialWindow > 0 ? m_initialWindow : path);
}

double
SwiftCongestionControl::ComputeCeiling() const
{
    const double packetsPerTick = static_cast<double>(m_lineRateBps) / m_packetBits;
    return m_maxWindow > 0 ? m_maxWindow
                           : std::max(1.0, packetsPerTick * (m_fixedTarget + m_rangeTicks));
}

void
SwiftCongestionControl::OnLineRate(const LineRateEvent& event)
{
    m_lineRateBps = event.lineRateBps;
    const double before = m_ceiling;
    m_ceiling = ComputeCeiling();
    m_window = Follow(m_window, before, m_ceiling); // no decrease by the law
    Publish(event.now);
}

double
SwiftCongestionControl::GetTargetDelay() const
{
    const double scaled = m_fsAlpha / std::sqrt(m_window) + m_fsBeta;
    return m_fixedTarget + std::max(0.0, std::min(scaled, m_rangeTicks));
}

bool
SwiftCongestionControl::CanDecrease(uint64_t now) const
{
    return !m_decreased || now - m_lastDecrease >= m_rtt;
}

void
SwiftCongestionControl::OnAck(const AckEvent& event)
{
    m_timeouts = 0;
    if (event.rtt == 0)
    {
        return;
    }
    m_rtt = event.rtt;
    const auto delay = static_cast<double>(event.rtt);
    const double target = GetTargetDelay();
    double window = m_window;
    if (delay < target)
    {
        const double acked = static_cast<double>(event.ackedBytes) / m_packetBytes;
        window += m_increase * acked / std::max(1.0, m_window);
    }
    else if (CanDecrease(event.now))
    {
        window *= std::max(1 - m_beta * (delay - target) / delay, 1 - m_maxDecrease);
    }
    SetWindow(event.now, window);
}

void
SwiftCongestionControl::OnLoss(const LossEvent& event)
{
    m_timeouts = event.timeout ? m_timeouts + 1 : 0;
    if (m_timeouts >= m_resetThreshold)
    {
        SetWindow(event.now, m_minWindow);
    }
    else if (CanDecrease(event.now))
    {
        SetWindow(event.now, m_window * (1 - m_maxDecrease));
    }
}

void
SwiftCongestionControl::SetWindow(uint64_t now, double window)
{
    window = std::max(m_minWindow, std::min(window, m_ceiling));
    if (window < m_window)
    {
        m_lastDecrease = now;
        m_decreased = true;
    }
    m_window = window;
    Publish(now);
}

void
SwiftCongestionControl::Publish(uint64_t now)
{
    const auto windowBytes = static_cast<uint64_t>(std::max(1.0, m_window) * m_packetBytes);
    if (windowBytes != m_windowBytes)
    {
        m_windowBytes = windowBytes;
        m_windowTrace(now, m_windowBytes);
    }
    uint64_t rateBps = m_lineRateBps;
    if (m_window < 1 && m_rtt > 0)
    {
        const double paced = m_window * m_packetBits / static_cast<double>(m_rtt);
        rateBps = std::max<uint64_t>(1, std::min(rateBps, static_cast<uint64_t>(paced)));
    }
    if (rateBps != m_rateBps)
    {
        m_rateBps = rateBps;
        m_rateTrace(now, m_rateBps);
    }
}

uint64_t
SwiftCongestionControl::GetRateBps(uint64_t)
{
    return m_rateBps;
}

uint64_t
SwiftCongestionControl::GetWindowBytes() const
{
    return m_windowBytes;
}

} // namespace ns3
