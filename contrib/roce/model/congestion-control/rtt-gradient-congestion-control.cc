/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rtt-gradient-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

TypeId
RttGradientCongestionControl::AddCommonAttributes(TypeId tid)
{
    using Self = RttGradientCongestionControl;
    return tid
        .AddAttribute("SegmentBytes",
                      "Payload bytes per completion event (SIGCOMM'15, section 4.2: 16 to 64 "
                      "KB; CoNEXT'16: 16 KB).",
                      UintegerValue(16000),
                      MakeUintegerAccessor(&Self::m_segmentBytes),
                      MakeUintegerChecker<uint32_t>(1))
        .AddAttribute("BurstPacing",
                      "Segments leave as bursts at line rate (SIGCOMM'15, section 4.2), or "
                      "every packet is paced.",
                      BooleanValue(true),
                      MakeBooleanAccessor(&Self::m_burstPacing),
                      MakeBooleanChecker())
        .AddAttribute("TLow",
                      "Round trip time below which the rate always rises (CoNEXT'16).",
                      TimeValue(MicroSeconds(50)),
                      MakeTimeAccessor(&Self::m_tLow),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("THigh",
                      "Round trip time above which the rate always falls (CoNEXT'16).",
                      TimeValue(MicroSeconds(500)),
                      MakeTimeAccessor(&Self::m_tHigh),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("MinRtt",
                      "D_minRTT, which normalises the gradient (CoNEXT'16).",
                      TimeValue(MicroSeconds(20)),
                      MakeTimeAccessor(&Self::m_minRtt),
                      MakeTimeChecker(NanoSeconds(1)))
        .AddAttribute("AdditiveIncrease",
                      "Step delta of the rate (SIGCOMM'15, section 6: 10 Mb/s).",
                      DataRateValue(DataRate(10000000)),
                      MakeDataRateAccessor(&Self::m_additiveIncrease),
                      MakeDataRateChecker())
        .AddAttribute("EwmaWeight",
                      "Weight alpha of the newest difference of round trip times (CoNEXT'16).",
                      DoubleValue(0.875),
                      MakeDoubleAccessor(&Self::m_ewmaWeight),
                      MakeDoubleChecker<double>(0.0, 1.0))
        .AddAttribute("InitialRate",
                      "First rate; 0 is the line rate divided by the queue pairs that send on "
                      "the NIC (CoNEXT'16).",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&Self::m_initialRate),
                      MakeDataRateChecker())
        .AddAttribute("MinRate",
                      "Floor of the rate (not in the paper).",
                      DataRateValue(DataRate(1000000)),
                      MakeDataRateAccessor(&Self::m_minRate),
                      MakeDataRateChecker());
}

CongestionControlNeeds
RttGradientCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.ackEveryBytes = m_segmentBytes;
    needs.burstBytes = m_burstPacing ? m_segmentBytes : 0;
    return needs;
}

void
RttGradientCongestionControl::Start(const CongestionControlStart& start)
{
    NS_ABORT_MSG_IF(start.lineRateBps == 0,
                    GetInstanceTypeId().GetName() << " was started with a line rate of 0");
    NS_ABORT_MSG_IF(m_tLow > m_tHigh,
                    GetInstanceTypeId().GetName()
                        << ": TLow " << m_tLow << " is above THigh " << m_tHigh);
    NS_ABORT_MSG_IF(m_minRtt.IsZero(),
                    GetInstanceTypeId().GetName() << ": MinRtt must last one tick at least");
    m_lowTicks = static_cast<double>(m_tLow.GetTimeStep());
    m_highTicks = static_cast<double>(m_tHigh.GetTimeStep());
    m_minRttTicks = static_cast<double>(m_minRtt.GetTimeStep());
    m_step = static_cast<double>(m_additiveIncrease.GetBitRate());
    m_packetBitTicks =
        static_cast<double>(start.packetWireBytes) * 8 * static_cast<double>(start.ticksPerSecond);
    SetLineRate(start.lineRateBps);
    const uint32_t mtu = std::max<uint32_t>(1, start.mtuBytes);
    m_eventBytes = std::max(1U, m_segmentBytes / mtu) * mtu;
    const auto initial = static_cast<double>(m_initialRate.GetBitRate());
    const double share = m_lineRate / std::max<uint32_t>(1, start.activeQps);
    SetRate(start.now, initial > 0 ? initial : share);
}

void
RttGradientCongestionControl::OnLineRate(const LineRateEvent& event)
{
    const double before = m_lineRate;
    SetLineRate(event.lineRateBps);
    SetRate(event.now, Follow(m_rate, before, m_lineRate));
}

void
RttGradientCongestionControl::SetLineRate(uint64_t lineRateBps)
{
    m_lineRate = static_cast<double>(lineRateBps);
    m_floor = std::min(m_lineRate, std::max(1.0, static_cast<double>(m_minRate.GetBitRate())));
    m_packetTicks = static_cast<uint64_t>(m_packetBitTicks / m_lineRate);
}

void
RttGradientCongestionControl::OnAck(const AckEvent& event)
{
    m_ackedBytes += event.ackedBytes;
    if (event.rtt == 0 || m_ackedBytes < m_eventBytes)
    {
        return;
    }
    m_ackedBytes = 0;
    Complete(event.now,
             static_cast<double>(event.rtt > m_packetTicks ? event.rtt - m_packetTicks : 0));
}

uint64_t
RttGradientCongestionControl::GetRateBps(uint64_t)
{
    return m_rateBps;
}

double
RttGradientCongestionControl::GetRate() const
{
    return m_rate;
}

double
RttGradientCongestionControl::GetGradient() const
{
    return m_difference / m_minRttTicks;
}

void
RttGradientCongestionControl::Complete(uint64_t now, double rtt)
{
    const double difference = m_hasPrevious ? rtt - m_previousRtt : 0.0;
    m_difference = (1 - m_ewmaWeight) * m_difference + m_ewmaWeight * difference;
    m_previousRtt = rtt;
    m_hasPrevious = true;

    double rate = m_rate;
    if (rtt < m_lowTicks)
    {
        LeaveBand();
        rate += m_step;
    }
    else if (rtt > m_highTicks)
    {
        LeaveBand();
        rate *= 1 - m_beta * (1 - m_highTicks / rtt);
    }
    else
    {
        rate = FollowGradient(rtt);
    }
    SetRate(now, rate);
}

void
RttGradientCongestionControl::SetRate(uint64_t now, double rate)
{
    rate = std::max(m_floor, std::min(m_lineRate, rate));
    if (rate != m_rate)
    {
        m_rate = rate;
        m_rateBps = static_cast<uint64_t>(rate);
        m_rateTrace(now, m_rateBps);
    }
}

void
RttGradientCongestionControl::LeaveBand()
{
}

} // namespace ns3
