/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-read-arrivals.h"

#include <algorithm>

namespace ns3
{

RoceReadArrivals::RoceReadArrivals(Ptr<LossRecovery> recovery)
    : m_recovery(recovery)
{
}

Arrival
RoceReadArrivals::Accept(uint64_t psn, uint64_t expected)
{
    return m_recovery->Accept(psn, false, expected);
}

std::vector<PsnRange>
RoceReadArrivals::LostAfter(const Arrival& arrival, uint64_t psn, uint64_t next)
{
    if (arrival.answer == ArrivalAnswer::NAK)
    {
        return {{arrival.expected, next}};
    }
    const uint64_t from = std::max(arrival.expected, m_askedEnd);
    const uint64_t window = m_recovery->GetReorderWindow();
    if (arrival.answer != ArrivalAnswer::SELECTIVE || psn < from + window)
    {
        return {};
    }
    return Missing(from, psn - window);
}

std::vector<PsnRange>
RoceReadArrivals::Missing(uint64_t expected, uint64_t next)
{
    std::vector<PsnRange> missing;
    const PsnSet& received = m_recovery->GetReceived();
    for (uint64_t from = expected; from < next; from++)
    {
        if (received.Contains(from))
        {
            continue;
        }
        const uint64_t member = received.FirstFrom(from);
        const uint64_t end = member > from ? std::min(member, next) : next;
        missing.push_back({from, end});
        from = end;
    }
    m_askedEnd = std::max(m_askedEnd, next);
    return missing;
}

} // namespace ns3
