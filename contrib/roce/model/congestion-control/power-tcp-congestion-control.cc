/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "power-tcp-congestion-control.h"

#include "ns3/boolean.h"
#include "ns3/double.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PowerTcpCongestionControl);

TypeId
PowerTcpCongestionControl::GetTypeId()
{
    using Self = PowerTcpCongestionControl;
    static TypeId tid = AddCommonAttributes(
        TypeId("ns3::PowerTcpCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<PowerTcpCongestionControl>()
            .AddAttribute("Telemetry",
                          "Power from in-band telemetry (PowerTCP, NSDI'22, algorithm 1), or from "
                          "the round trip time (theta-PowerTCP, algorithm 2).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&Self::m_telemetry),
                          MakeBooleanChecker())
            .AddAttribute("Gamma",
                          "Weight gamma of the new window (NSDI'22, section 3.3: 0.9).",
                          DoubleValue(0.9),
                          MakeDoubleAccessor(&Self::m_gamma),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("WholeGainPerAck",
                          "With telemetry, every acknowledgement moves the window by Gamma, as the "
                          "letter of NSDI'22, algorithm 1, has it, or by its share of a base round "
                          "trip time.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&Self::m_wholeGain),
                          MakeBooleanChecker())
            .AddAttribute("ExpectedFlows",
                          "N in the additive increase beta = line rate x tau / N (NSDI'22, section "
                          "3.3: the flows expected to share the line; authors' simulator: 10).",
                          DoubleValue(10),
                          MakeDoubleAccessor(&Self::m_expectedFlows),
                          MakeDoubleChecker<double>(1.0))
            .AddAttribute(
                "MinPower",
                "Floor of the smoothed power: a window grows by 1 / MinPower at most in a "
                "round trip (not in the paper; authors' simulator: 0.5).",
                DoubleValue(0.5),
                MakeDoubleAccessor(&Self::m_minPower),
                MakeDoubleChecker<double>(0.001, 1.0)));
    return tid;
}

Ptr<RoceCongestionControl>
PowerTcpCongestionControl::Fork() const
{
    return CopyObject(Ptr<const PowerTcpCongestionControl>(this));
}

CongestionControlNeeds
PowerTcpCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.telemetry = m_telemetry;
    needs.ackEveryBytes = 1;
    return needs;
}

void
PowerTcpCongestionControl::Start(const CongestionControlStart& start)
{
    PacedWindowCongestionControl::Start(start);
    m_ticksPerSecond = static_cast<double>(start.ticksPerSecond);
    m_old = m_next = GetWireWindow();
    m_lastUpdate = start.now;
}

void
PowerTcpCongestionControl::OnLineRate(const LineRateEvent& event)
{
    const double before = GetLineWindow();
    PacedWindowCongestionControl::OnLineRate(event);
    m_old = Follow(m_old, before, GetLineWindow());
    m_next = Follow(m_next, before, GetLineWindow());
}

double
PowerTcpCongestionControl::GetAdditiveIncrease() const
{
    return GetLineWindow() / m_expectedFlows;
}

double
PowerTcpCongestionControl::GetCeiling() const
{
    return GetLineWindow() + GetAdditiveIncrease();
}

void
PowerTcpCongestionControl::OnAck(const AckEvent& event)
{
    const bool news = m_telemetry ? MeasureTelemetry(event) : MeasureDelay(event);
    const bool isNew = event.psn >= m_roundTripEnd;
    const bool roundTrip = isNew || (!m_telemetry && event.psn + 1 == m_roundTripEnd);
    if (isNew)
    {
        m_old = m_next; // what is acknowledged from now on was sent with windows from then on
    }
    if (news && (m_telemetry || roundTrip))
    {
        const auto passed = static_cast<double>(event.now - m_lastUpdate);
        const bool spread = m_telemetry && !m_wholeGain;
        const double gain = spread ? m_gamma * std::min(1.0, passed / GetBaseRttTicks()) : m_gamma;
        m_lastUpdate = event.now;
        SetWindow(event.now,
                  gain * (m_old / m_power + GetAdditiveIncrease()) +
                      (1 - gain) * GetWireWindow());
    }
    if (roundTrip)
    {
        m_old = m_next;
        m_next = GetWireWindow();
        m_roundTripEnd = event.nextPsn;
    }
}

bool
PowerTcpCongestionControl::MeasureTelemetry(const AckEvent& event)
{
    if (!event.telemetry)
    {
        return false;
    }
    const TelemetryStack& stack = *event.telemetry;
    const bool comparable = m_history.IsComparable(stack);
    double most = -1;
    double interval = 0;
    for (size_t i = 0; comparable && i < stack.hops.size(); i++)
    {
        const TelemetryHop& hop = stack.hops[i];
        const TelemetryHop& before = m_history.GetHop(i);
        const auto ticks = static_cast<double>(hop.when - before.when);
        const auto sent = static_cast<double>(hop.sentBytes - before.sentBytes);
        const double grown =
            static_cast<double>(hop.queueBytes) - static_cast<double>(before.queueBytes);
        const auto rate = static_cast<double>(hop.rateBps);
        const double current = (grown + sent) * 8 * m_ticksPerSecond / ticks / rate;
        const double voltage = static_cast<double>(hop.queueBytes) / BytesPerRtt(rate) + 1;
        if (current * voltage > most)
        {
            most = current * voltage;
            interval = ticks;
        }
    }
    m_history.Keep(stack);
    if (comparable)
    {
        Smooth(most, interval);
    }
    return comparable;
}

bool
PowerTcpCongestionControl::MeasureDelay(const AckEvent& event)
{
    if (event.rtt == 0)
    {
        return false;
    }
    const bool comparable = m_measured && event.now > m_previousTime;
    if (comparable)
    {
        const auto ticks = static_cast<double>(event.now - m_previousTime);
        const double slope =
            (static_cast<double>(event.rtt) - static_cast<double>(m_previousRtt)) / ticks;
        Smooth((slope + 1) * static_cast<double>(event.rtt) / GetBaseRttTicks(), ticks);
    }
    m_measured = true;
    m_previousRtt = event.rtt;
    m_previousTime = event.now;
    return comparable;
}

void
PowerTcpCongestionControl::Smooth(double power, double ticks)
{
    const double weight = std::min(ticks / GetBaseRttTicks(), 1.0);
    m_power = std::max(m_minPower, m_power * (1 - weight) + power * weight);
}

} // namespace ns3
