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

void
RoceReadArrivals::NoteRequest(const PsnRange& range, uint64_t departed)
{
    const auto overlaps = [&range](const Part& part) {
        return part.range.psn < range.end && range.psn < part.range.end;
    };
    const auto again = std::remove_if(m_parts.begin(), m_parts.end(), overlaps);
    const bool repeated = range.psn < m_notedEnd;
    m_parts.erase(again, m_parts.end());
    m_notedEnd = std::max(m_notedEnd, range.end);
    if (!repeated)
    {
        m_parts.push_back({range, departed});
    }
}

uint64_t
RoceReadArrivals::GetRoundTrip(uint64_t psn, uint64_t expected, uint64_t now, uint64_t packetTicks)
{
    while (!m_parts.empty() && m_parts.front().range.end <= expected)
    {
        m_parts.pop_front();
    }
    const auto part = std::find_if(m_parts.begin(), m_parts.end(), [psn](const Part& candidate) {
        return psn < candidate.range.end;
    });
    if (part == m_parts.end() || psn < part->range.psn)
    {
        return 0;
    }
    const uint64_t before = (psn - part->range.psn) * packetTicks;
    const uint64_t passed = now - part->departed;
    return passed > before ? passed - before : 1;
}

} // namespace ns3
