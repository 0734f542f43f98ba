/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hpcc-congestion-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HpccCongestionControl);

namespace
{

constexpr double LEAST = 1e-12; //!< utilisation of an idle path, not 0

} // namespace

TypeId
HpccCongestionControl::GetTypeId()
{
    using Self = HpccCongestionControl;
    static TypeId tid = AddCommonAttributes(
        TypeId("ns3::HpccCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<HpccCongestionControl>()
            .AddAttribute(
                "TargetUtilization",
                "Utilisation eta that queue pairs aim at (SIGCOMM'19, section 5.1: 0.95).",
                DoubleValue(0.95),
                MakeDoubleAccessor(&Self::m_target),
                MakeDoubleChecker<double>(0.01, 1.0))
            .AddAttribute(
                "MaxStage",
                "Additive steps in a row before a multiplicative one (SIGCOMM'19, section "
                "5.1: 5).",
                UintegerValue(5),
                MakeUintegerAccessor(&Self::m_maxStage),
                MakeUintegerChecker<uint32_t>())
            .AddAttribute("AdditiveIncrease",
                          "Step W_AI of the window as the rate W_AI / T; 0 is 1/2000 of the line "
                          "rate (SIGCOMM'19, section 5.1: 80 bytes at 100 Gb/s and T = 13 us, 49 "
                          "Mb/s). N queue pairs leave no standing queue while N of them stay "
                          "below (1 - eta) of the link's rate.",
                          DataRateValue(DataRate(0)),
                          MakeDataRateAccessor(&Self::m_additiveIncrease),
                          MakeDataRateChecker()));
    return tid;
}

Ptr<RoceCongestionControl>
HpccCongestionControl::Fork() const
{
    return CopyObject(Ptr<const HpccCongestionControl>(this));
}

CongestionControlNeeds
HpccCongestionControl::GetNeeds() const
{
    CongestionControlNeeds needs;
    needs.telemetry = true;
    needs.ackEveryBytes = 1;
    return needs;
}

void
HpccCongestionControl::Start(const CongestionControlStart& start)
{
    PacedWindowCongestionControl::Start(start);
    m_ticksPerSecond = static_cast<double>(start.ticksPerSecond);
    m_reference = GetWireWindow();
    SetStep(start.lineRateBps);
}

void
HpccCongestionControl::OnLineRate(const LineRateEvent& event)
{
    const double before = GetLineWindow();
    PacedWindowCongestionControl::OnLineRate(event);
    m_reference = Follow(m_reference, before, GetLineWindow());
    SetStep(event.lineRateBps);
}

void
HpccCongestionControl::SetStep(uint64_t lineRateBps)
{
    const uint64_t rate = m_additiveIncrease.GetBitRate();
    m_step = BytesPerRtt(static_cast<double>(rate ? rate : lineRateBps / 2000));
}

double
HpccCongestionControl::GetCeiling() const
{
    return GetLineWindow();
}

void
HpccCongestionControl::OnAck(const AckEvent& event)
{
    if (!event.telemetry)
    {
        return;
    }
    const bool comparable = m_history.IsComparable(*event.telemetry);
    if (comparable)
    {
        MeasureInflight(*event.telemetry);
    }
    m_history.Keep(*event.telemetry);
    if (!m_measured)
    {
        m_measured = true;
        m_lastUpdateNext = event.nextPsn;
    }
    if (!comparable)
    {
        return;
    }
    const bool update = event.psn >= m_lastUpdateNext;
    const bool multiply = m_utilization >= m_target || m_stage >= m_maxStage;
    const double base =
        multiply ? m_reference * m_target / std::max(m_utilization, LEAST) : m_reference;
    SetWindow(event.now, base + m_step);
    if (update)
    {
        m_reference = GetWireWindow();
        m_stage = multiply ? 0 : m_stage + 1;
        m_lastUpdateNext = event.nextPsn;
    }
}

void
HpccCongestionControl::MeasureInflight(const TelemetryStack& stack)
{
    double most = -1;
    double interval = 0;
    for (size_t i = 0; i < stack.hops.size(); i++)
    {
        const TelemetryHop& hop = stack.hops[i];
        const TelemetryHop& before = m_history.GetHop(i);
        const auto ticks = static_cast<double>(hop.when - before.when);
        const auto bytes = static_cast<double>(hop.sentBytes - before.sentBytes);
        const auto rate = static_cast<double>(hop.rateBps);
        const auto queue = static_cast<double>(std::min(hop.queueBytes, before.queueBytes));
        const double used = queue / BytesPerRtt(rate) + bytes * 8 * m_ticksPerSecond / ticks / rate;
        if (used > most)
        {
            most = used;
            interval = ticks;
        }
    }
    const double weight = std::min(interval / GetBaseRttTicks(), 1.0);
    m_utilization = (1 - weight) * m_utilization + weight * most;
}

} // namespace ns3
