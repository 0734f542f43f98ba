/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "contribution-table.h"

#include <algorithm>

namespace ns3
{

ContributionTable::ContributionTable(uint32_t ranks)
{
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        Counts counts(ranks, 0);
        counts[rank] = 1;
        Find(counts);
    }
    m_all = Find(Counts(ranks, 1));
}

uint32_t
ContributionTable::Find(const Counts& counts)
{
    const auto added = m_numbers.emplace(counts, static_cast<uint32_t>(m_sums.size()));
    if (added.second)
    {
        m_sums.push_back(&added.first->first);
    }
    return added.first->second;
}

uint32_t
ContributionTable::Add(uint32_t a, uint32_t b)
{
    const uint64_t both = static_cast<uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
    const auto known = m_results.find(both);
    if (known != m_results.end())
    {
        return known->second;
    }
    Counts counts = *m_sums[a];
    for (uint32_t rank = 0; rank < counts.size(); rank++)
    {
        counts[rank] += (*m_sums[b])[rank];
    }
    const uint32_t sum = Find(counts);
    m_results.emplace(both, sum);
    return sum;
}

} // namespace ns3
