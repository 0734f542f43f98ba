/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "timely-congestion-control.h"

#include "ns3/double.h"
#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TimelyCongestionControl);

TypeId
TimelyCongestionControl::GetTypeId()
{
    using Self = TimelyCongestionControl;
    static TypeId tid = AddCommonAttributes(
        TypeId("ns3::TimelyCongestionControl")
            .SetParent<RoceCongestionControl>()
            .SetGroupName("Roce")
            .AddConstructor<TimelyCongestionControl>()
            .AddAttribute("Beta",
                          "Multiplicative decrease beta (SIGCOMM'15, section 6: 0.8).",
                          DoubleValue(0.8),
                          MakeDoubleAccessor(&Self::m_beta),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("HaiEvents",
                          "Events in a row without a rising gradient that start hyper active "
                          "increase, the event itself included (SIGCOMM'15, section 4.4: 5).",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_haiEvents),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HaiFactor",
                          "Steps per event of hyper active increase (SIGCOMM'15, section 4.4: 5); "
                          "1 turns it off.",
                          UintegerValue(5),
                          MakeUintegerAccessor(&Self::m_haiFactor),
                          MakeUintegerChecker<uint32_t>(1)));
    return tid;
}

Ptr<RoceCongestionControl>
TimelyCongestionControl::Fork() const
{
    return CopyObject(Ptr<const TimelyCongestionControl>(this));
}

double
TimelyCongestionControl::FollowGradient(double)
{
    const double gradient = GetGradient();
    if (gradient > 0)
    {
        m_fallingEvents = 0;
        return GetRate() * (1 - m_beta * gradient);
    }
    m_fallingEvents++;
    const uint32_t steps = m_fallingEvents >= m_haiEvents ? m_haiFactor : 1;
    return GetRate() + steps * GetStep();
}

void
TimelyCongestionControl::LeaveBand()
{
    m_fallingEvents = 0;
}

} // namespace ns3
