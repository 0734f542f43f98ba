/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "traffic-pattern.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TrafficPattern);

TypeId
TrafficPattern::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TrafficPattern").SetParent<Object>().SetGroupName("Roce");
    return tid;
}

TrafficPattern::TrafficPattern()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

double
TrafficPattern::GetFlowsPerArrival(uint32_t) const
{
    return 1;
}

int64_t
TrafficPattern::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint32_t
TrafficPattern::DrawOne(uint32_t count)
{
    return m_random->GetInteger(0, count - 1);
}

uint32_t
TrafficPattern::DrawOther(uint32_t count, uint32_t other)
{
    const uint32_t drawn = DrawOne(count - 1);
    return drawn < other ? drawn : drawn + 1;
}

} // namespace ns3
