/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// MaxMinAllocator::Arrange(): the order in which filling anew changes rates. It is that of a search
// from the roots of a round through what is joined to them. Loads that the round before has changed
// have made these roots, in the order of its flows.

#include "max-min-allocator.h"

#include "ns3/assert.h"

#include <algorithm>
#include <iterator>

namespace ns3
{

std::pair<std::size_t, std::size_t>
MaxMinAllocator::GetChanged(std::size_t number) const
{
    const bool isLast = number + 1 == m_rounds.size();
    return {m_rounds[number].firstChanged,
            isLast ? m_changed.size() : m_rounds[number + 1].firstChanged};
}

std::size_t
MaxMinAllocator::FindRound(const std::vector<uint32_t>& flows)
{
    for (const uint32_t flow : flows)
    {
        m_flows[flow].wanted = true;
    }
    std::size_t missing = flows.size();
    std::size_t next = 0;
    for (; missing > 0; next++)
    {
        NS_ASSERT_MSG(next < m_changed.size(), "a flow that has not changed");
        bool& wanted = m_flows[m_changed[next]].wanted;
        missing -= wanted;
        wanted = false;
    }
    std::size_t number = 0;
    while (GetChanged(number).second < next)
    {
        number++;
    }
    return number;
}

void
MaxMinAllocator::Arrange(std::vector<uint32_t>& flows)
{
    if (flows.empty())
    {
        return;
    }
    const std::size_t last = FindRound(flows);
    for (const uint32_t flow : flows)
    {
        m_flows[flow].wanted = true;
    }
    flows.clear();
    for (std::size_t number = 0; number <= last; number++)
    {
        if (number > 0)
        {
            ArrangeRoots(number);
        }
        Search(number, number < last);
        for (const uint32_t flow : m_found)
        {
            if (m_flows[flow].wanted)
            {
                m_flows[flow].wanted = false;
                flows.push_back(flow);
            }
        }
    }
}

void
MaxMinAllocator::ArrangeRoots(std::size_t number)
{
    const auto begin = m_roots.begin() + m_rounds[number].firstRoot;
    const auto end = number + 1 < m_rounds.size()
                         ? m_roots.begin() + m_rounds[number + 1].firstRoot
                         : m_roots.end();
    for (auto root = begin; root != end; root++)
    {
        m_resources[*root].stale = true;
    }
    auto next = begin;
    for (std::size_t i = 0; i < m_found.size() && next != end; i++)
    {
        const Flow& flow = m_flows[m_found[i]];
        for (uint32_t member = flow.first; member < flow.first + flow.count; member++)
        {
            const uint32_t reverse = m_resources[m_members[member].resource].reverse;
            if (reverse != NONE && m_resources[reverse].stale)
            {
                m_resources[reverse].stale = false;
                *next++ = reverse;
            }
        }
    }
    NS_ASSERT_MSG(next == end, "a capacity has changed without a load");
}

void
MaxMinAllocator::Search(std::size_t number, bool all)
{
    const Round& round = m_rounds[number];
    m_found.clear();
    std::size_t missing = 0;
    for (auto [i, end] = GetChanged(number); i < end; i++)
    {
        Flow& flow = m_flows[m_changed[i]];
        flow.sought = all || flow.wanted;
        missing += flow.sought;
    }
    // With the capacities of that time.
    const auto exchange = [this](auto& change) {
        std::swap(m_resources[change.first].available, change.second);
    };
    const auto later = m_capacities.begin() + round.laterCapacity;
    std::for_each(m_capacities.rbegin(), std::make_reverse_iterator(later), exchange);
    m_round++;
    m_fillFlows.clear();
    std::size_t next = 0;
    for (std::size_t root = round.firstRoot; missing > 0; root++)
    {
        NS_ASSERT_MSG(root < m_roots.size(), "a flow has changed that nothing has reached");
        if (m_resources[m_roots[root]].visit != m_round)
        {
            Gather(m_roots[root], m_flows.size());
        }
        for (; next < m_fillFlows.size(); next++)
        {
            Flow& flow = m_flows[m_fillFlows[next]];
            if (flow.sought)
            {
                flow.sought = false;
                m_found.push_back(m_fillFlows[next]);
                missing--;
            }
        }
    }
    std::for_each(later, m_capacities.end(), exchange);
}

} // namespace ns3
