/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-breakdown.h"

namespace ns3
{

const char*
GetWorkloadPartName(WorkloadPart part)
{
    static constexpr std::array<const char*, WORKLOAD_PART_COUNT> names =
        {"compute", "tp", "dp", "ep", "dp_ep", "pp", "bubble"};
    return names[static_cast<std::size_t>(part)];
}

Time
WorkloadBreakdown::Get(WorkloadPart part) const
{
    return m_parts[static_cast<std::size_t>(part)];
}

Time
WorkloadBreakdown::GetCommunication(WorkloadPart part) const
{
    return m_communication[static_cast<std::size_t>(part)];
}

Time
WorkloadBreakdown::GetHidden(WorkloadPart part) const
{
    return GetCommunication(part) - Get(part);
}

Time
WorkloadBreakdown::GetStretch() const
{
    return m_stretch;
}

Time
WorkloadBreakdown::GetExposed() const
{
    return GetTotal() - Get(WorkloadPart::COMPUTE) - Get(WorkloadPart::BUBBLE);
}

Time
WorkloadBreakdown::GetTotal() const
{
    Time total;
    for (const Time& part : m_parts)
    {
        total += part;
    }
    return total;
}

void
WorkloadBreakdown::Add(WorkloadPart part, Time duration)
{
    m_parts[static_cast<std::size_t>(part)] += duration;
}

void
WorkloadBreakdown::AddCommunication(WorkloadPart part, Time duration)
{
    m_communication[static_cast<std::size_t>(part)] += duration;
}

void
WorkloadBreakdown::AddStretch(Time longer)
{
    m_stretch += longer;
}

void
WorkloadBreakdown::Add(const WorkloadBreakdown& other)
{
    m_stretch += other.m_stretch;
    for (std::size_t i = 0; i < WORKLOAD_PART_COUNT; i++)
    {
        m_parts[i] += other.m_parts[i];
        m_communication[i] += other.m_communication[i];
    }
}

} // namespace ns3
