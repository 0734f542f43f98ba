/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "contribution-table.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/**
 * SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
 * \param state the state, advanced
 * \return the next number
 */
uint64_t
NextHash(uint64_t& state)
{
    state += 0x9e3779b97f4a7c15U;
    uint64_t hash = state;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebU;
    return hash ^ (hash >> 31);
}

} // namespace

ContributionTable::ContributionTable(uint32_t ranks)
{
    Sum all{Counts(ranks, 1), 0};
    uint64_t state = 0;
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        Sum one{Counts(ranks, 0), NextHash(state)};
        one.counts[rank] = 1;
        all.hash += one.hash;
        Find(std::move(one));
    }
    m_all = Find(std::move(all));
}

uint32_t
ContributionTable::Find(Sum sum)
{
    const auto [begin, end] = m_numbers.equal_range(sum.hash);
    for (auto known = begin; known != end; known++)
    {
        if (m_sums[known->second].counts == sum.counts)
        {
            return known->second;
        }
    }
    const auto number = static_cast<uint32_t>(m_sums.size());
    m_numbers.emplace(sum.hash, number);
    m_sums.push_back(std::move(sum));
    return number;
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
    Sum sum = m_sums[a];
    sum.hash += m_sums[b].hash;
    for (std::size_t rank = 0; rank < sum.counts.size(); rank++)
    {
        const uint32_t count = static_cast<uint32_t>(sum.counts[rank]) + m_sums[b].counts[rank];
        sum.counts[rank] = static_cast<uint16_t>(std::min<uint32_t>(count, UINT16_MAX));
    }
    const uint32_t number = Find(std::move(sum));
    m_results.emplace(both, number);
    return number;
}

} // namespace ns3
