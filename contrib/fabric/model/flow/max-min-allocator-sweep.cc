/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The sweeps of MaxMinAllocator.
//
// Filling comes to flows by rate, and at a rate to those at their bounds, then to those of the
// resource with the lowest number: by Key. Of each flow the key is known, from the last time. All
// that follows from a change has a key that is not lower. So a sweep goes through keys upwards. It
// takes the keys of flows for given as long as nothing contradicts them, and finds for each
// resource that a changed flow uses when it is full (Reckon). Flows that it then holds back no more
// are open; flows that it holds back earlier, or that were open, get the lowest such key, which is
// final, and the resources that they use are looked at again.

#include "max-min-allocator.h"

#include "ns3/abort.h"

#include <algorithm>
#include <functional>

namespace ns3
{

void
MaxMinAllocator::Sweep(std::size_t first)
{
    m_round++;
    m_computed.clear();
    m_heap.clear();
    m_bound.clear();
    for (std::size_t i = first; i < m_work.size(); i++)
    {
        Reopen(m_work[i]);
    }
    while (true)
    {
        while (!m_stale.empty())
        {
            const uint32_t resource = m_stale.back();
            m_stale.pop_back();
            Reckon(resource);
        }
        if (!m_bound.empty() && (m_heap.empty() || m_bound.front().first <= m_heap.front().first))
        {
            std::pop_heap(m_bound.begin(), m_bound.end(), std::greater<>());
            const auto [bound, flow] = m_bound.back();
            m_bound.pop_back();
            if (m_flows[flow].found == 0)
            {
                Settle(flow, bound, NONE);
            }
        }
        else if (!m_heap.empty())
        {
            std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
            const auto [level, resource] = m_heap.back();
            m_heap.pop_back();
            if (m_resources[resource].level == level)
            {
                Saturate(resource, level);
            }
        }
        else
        {
            break;
        }
    }
    Apply();
}

void
MaxMinAllocator::Reopen(uint32_t number)
{
    const bool isTight = IsTight(m_resources[number]);
    for (const Tenant& tenant : m_resources[number].tenants)
    {
        const Flow& flow = m_flows[tenant.flow];
        const uint64_t rate = GetPresent(flow);
        const bool isNarrowest = flow.narrowest == number;
        // A bound holds back only where the resource that sets it does not.
        const bool stays = isTight ? flow.by != NONE || !isNarrowest
                                   : flow.by == NONE ||
                                         (flow.by != number && (!isNarrowest || rate < flow.bound));
        if (rate == 0 || !stays)
        {
            Release(tenant.flow, number);
        }
    }
    MarkStale(number);
}

void
MaxMinAllocator::MarkStale(uint32_t number)
{
    Resource& resource = m_resources[number];
    if (!resource.stale && IsTight(resource))
    {
        resource.stale = true;
        m_stale.push_back(number);
    }
}

void
MaxMinAllocator::Touch(uint32_t number, uint32_t but)
{
    const Flow& flow = m_flows[number];
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        if (m_members[i].resource != but)
        {
            MarkStale(m_members[i].resource);
        }
    }
}

void
MaxMinAllocator::Release(uint32_t number, uint32_t by)
{
    Flow& flow = m_flows[number];
    if (flow.visit == m_round)
    {
        NS_ABORT_MSG_UNLESS(flow.found == 0, "a rate that was final");
        return;
    }
    flow.visit = m_round;
    flow.found = 0;
    m_computed.push_back(number);
    if (!IsTight(m_resources[flow.narrowest]))
    {
        m_bound.emplace_back(flow.bound, number);
        std::push_heap(m_bound.begin(), m_bound.end(), std::greater<>());
    }
    Touch(number, by);
}

void
MaxMinAllocator::Settle(uint32_t number, uint64_t rate, uint32_t by)
{
    Flow& flow = m_flows[number];
    if (flow.visit != m_round)
    {
        flow.visit = m_round;
        m_computed.push_back(number);
    }
    flow.found = rate;
    flow.by = by;
    Touch(number, by);
}

uint64_t
MaxMinAllocator::FindLevel(uint32_t number, uint64_t weight)
{
    uint64_t left = m_resources[number].available;
    for (const Guest& guest : m_guests)
    {
        weight += guest.weight;
    }
    while (weight > 0)
    {
        const Key key{GetLevel(left, weight), number + 1};
        const std::size_t before = m_guests.size();
        for (std::size_t i = 0; i < m_guests.size();)
        {
            if (m_guests[i].key < key)
            {
                left -= std::min(left, Scale(m_guests[i].key.first, m_guests[i].weight));
                weight -= m_guests[i].weight;
                m_guests[i] = m_guests.back();
                m_guests.pop_back();
                continue;
            }
            i++;
        }
        if (m_guests.size() == before)
        {
            return key.first;
        }
    }
    return 0;
}

void
MaxMinAllocator::Reckon(uint32_t number)
{
    Resource& resource = m_resources[number];
    resource.stale = false;
    uint64_t weight = 0;
    uint64_t before = 0; // rate at which it has held flows back so far
    bool hasOpen = false;
    m_guests.clear();
    for (const Tenant& tenant : resource.tenants)
    {
        const Flow& flow = m_flows[tenant.flow];
        const uint64_t rate = GetPresent(flow);
        const uint32_t share = flow.undivided ? FULL : m_members[tenant.member].weight;
        if (rate > 0 && flow.by != number)
        {
            m_guests.push_back({{rate, flow.by + 1}, share}); // NONE is the lowest then
            continue;
        }
        weight += share;
        before = std::max(before, rate);
        hasOpen = hasOpen || rate == 0;
    }
    const uint64_t level = FindLevel(number, weight);
    const bool same = !hasOpen && m_guests.empty() && (level == before);
    resource.level = same ? 0 : level;
    if (resource.level == 0)
    {
        return;
    }
    m_heap.emplace_back(level, number);
    std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    if (before < level)
    {
        for (const Tenant& tenant : resource.tenants)
        {
            const Flow& flow = m_flows[tenant.flow];
            if (flow.by == number && GetPresent(flow) != 0)
            {
                Release(tenant.flow, number);
            }
        }
    }
}

void
MaxMinAllocator::Saturate(uint32_t number, uint64_t level)
{
    m_resources[number].level = 0;
    const Key key{level, number + 1};
    for (const Tenant& tenant : m_resources[number].tenants)
    {
        const Flow& flow = m_flows[tenant.flow];
        const uint64_t rate = GetPresent(flow);
        if (rate == 0 || key < Key(rate, flow.by + 1))
        {
            Settle(tenant.flow, level, number);
        }
    }
}

} // namespace ns3
