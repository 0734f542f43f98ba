/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "patched-timely-congestion-control.h"

#include "ns3/abort.h"
#include "ns3/double.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PatchedTimelyCongestionControl);

TypeId
PatchedTimelyCongestionControl::GetTypeId()
{
    using Self = PatchedTimelyCongestionControl;
    static TypeId tid = AddCommonAttributes(
        TypeId("ns3::PatchedTimelyCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<PatchedTimelyCongestionControl>()
            .AddAttribute("Beta",
                          "Multiplicative decrease beta (CoNEXT'16, section 4.3: 0.008).",
                          DoubleValue(0.008),
                          MakeDoubleAccessor(&Self::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("RttReference",
                          "Round trip time RTT_ref to which the queue is regulated, 0 = TLow "
                          "(CoNEXT'16, section 4.3).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&Self::m_rttReference),
                          MakeTimeChecker(Time(0))));
    return tid;
}

Ptr<RoceCongestionControl>
PatchedTimelyCongestionControl::Fork() const
{
    return CopyObject(Ptr<const PatchedTimelyCongestionControl>(this));
}

void
PatchedTimelyCongestionControl::Start(const CongestionControlStart& start)
{
    RttGradientCongestionControl::Start(start);
    m_referenceTicks =
        m_rttReference.IsZero() ? GetLowTicks() : static_cast<double>(m_rttReference.GetTimeStep());
    NS_ABORT_MSG_IF(m_referenceTicks <= 0,
                    "PatchedTimelyCongestionControl: TLow is 0, so RttReference must be set");
}

double
PatchedTimelyCongestionControl::FollowGradient(double rtt)
{
    const double weight = std::max(0.0, std::min(1.0, 2 * GetGradient() + 0.5));
    const double error = (rtt - m_referenceTicks) / m_referenceTicks;
    return GetStep() * (1 - weight) + GetRate() * (1 - m_beta * weight * error);
}

} // namespace ns3
