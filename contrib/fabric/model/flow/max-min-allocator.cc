/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "max-min-allocator.h"

#include "ns3/abort.h"
#include "ns3/assert.h"

#include <algorithm>
#include <functional>

namespace ns3
{

uint32_t
MaxMinAllocator::AddResource(uint64_t capacityBps)
{
    NS_ABORT_MSG_UNLESS(capacityBps > 0 && capacityBps <= MAX_BPS,
                        "a link of " << capacityBps << " bit/s cannot be shared");
    Resource resource;
    resource.capacity = capacityBps * BPS;
    resource.available = resource.capacity;
    m_resources.push_back(std::move(resource));
    return static_cast<uint32_t>(m_resources.size() - 1);
}

void
MaxMinAllocator::JoinDirections(uint32_t a, uint32_t b, double ackShare)
{
    NS_ABORT_MSG_UNLESS(ackShare >= 0 && ackShare < 1,
                        "acknowledgements take " << ackShare << " of what they acknowledge");
    const auto share = static_cast<uint32_t>(ackShare * 4294967296.0);
    if (share > 0)
    {
        m_resources[a].reverse = b;
        m_resources[b].reverse = a;
        m_resources[a].ackShare = share;
        m_resources[b].ackShare = share;
    }
}

uint32_t
MaxMinAllocator::AddFlow(const std::vector<Use>& uses)
{
    NS_ASSERT_MSG(!uses.empty(), "a flow that uses nothing");
    Flow flow;
    flow.first = static_cast<uint32_t>(m_members.size());
    flow.count = static_cast<uint32_t>(uses.size());
    flow.bound = UINT64_MAX;
    for (const Use& use : uses)
    {
        m_members.push_back({use.resource, use.weight, 0});
        flow.undivided &= use.weight == FULL;
        flow.acknowledged |= m_resources[use.resource].reverse != NONE;
        const uint64_t alone = static_cast<uint64_t>(
            static_cast<unsigned __int128>(m_resources[use.resource].capacity) * FULL / use.weight);
        if (alone < flow.bound)
        {
            flow.bound = alone;
            flow.narrowest = use.resource;
        }
    }
    m_flows.push_back(flow);
    return static_cast<uint32_t>(m_flows.size() - 1);
}

void
MaxMinAllocator::MarkDirty(uint32_t resource)
{
    if (!m_resources[resource].dirty)
    {
        m_resources[resource].dirty = true;
        m_dirty.push_back(resource);
    }
}

void
MaxMinAllocator::MarkShifted(uint32_t resource)
{
    if (!m_resources[resource].shifted)
    {
        m_resources[resource].shifted = true;
        m_shifted.push_back(resource);
    }
}

uint64_t
MaxMinAllocator::ExpectLoad(const Resource& resource)
{
    if (resource.load > 0 || resource.tenants.empty())
    {
        return resource.load;
    }
    // Flows that begin: as if they were to fill it, and others its reverse.
    return static_cast<uint64_t>((static_cast<unsigned __int128>(resource.capacity) << 32) /
                                 ((1ULL << 32) + resource.ackShare));
}

void
MaxMinAllocator::Activate(uint32_t number)
{
    Flow& flow = m_flows[number];
    NS_ASSERT_MSG(!flow.active, "a flow begins twice");
    flow.active = true;
    flow.by = NONE;
    bool waits = false;
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        Member& member = m_members[i];
        Resource& resource = m_resources[member.resource];
        member.place = static_cast<uint32_t>(resource.tenants.size());
        resource.tenants.push_back({i, number});
        resource.wanted += Scale(flow.bound, member.weight);
        if (IsTight(resource))
        {
            waits = true;
            MarkDirty(member.resource);
        }
        if (resource.reverse != NONE)
        {
            waits = true; // for the loads that flows that begin now find in either direction
            MarkDirty(member.resource);
            MarkShifted(member.resource);
            MarkShifted(resource.reverse);
        }
    }
    if (!waits)
    {
        SetRate(number, flow.bound);
    }
}

void
MaxMinAllocator::Deactivate(uint32_t number)
{
    Flow& flow = m_flows[number];
    NS_ASSERT_MSG(flow.active, "a flow ends that has not begun");
    SetRate(number, 0);
    flow.active = false;
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        const Member& member = m_members[i];
        Resource& resource = m_resources[member.resource];
        const bool wasTight = IsTight(resource);
        resource.wanted -= Scale(flow.bound, member.weight);
        if (resource.tenants.size() > 1)
        {
            resource.tenants[member.place] = resource.tenants.back();
            m_members[resource.tenants[member.place].member].place = member.place;
        }
        resource.tenants.pop_back();
        if (wasTight && !resource.tenants.empty())
        {
            MarkDirty(member.resource);
        }
    }
}

void
MaxMinAllocator::ShiftLoads(uint32_t number, uint64_t rate)
{
    const Flow& flow = m_flows[number];
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        const Member& member = m_members[i];
        Resource& resource = m_resources[member.resource];
        if (resource.reverse == NONE)
        {
            continue;
        }
        resource.load += Scale(rate, member.weight) - Scale(flow.rate, member.weight);
        MarkShifted(member.resource);
    }
}

void
MaxMinAllocator::CheckReverses()
{
    constexpr uint64_t STEPS = 16;
    for (const uint32_t number : m_shifted)
    {
        Resource& shifted = m_resources[number];
        shifted.shifted = false;
        Resource& reverse = m_resources[shifted.reverse];
        const uint64_t load = ExpectLoad(shifted);
        const uint64_t change =
            load > reverse.seenLoad ? load - reverse.seenLoad : reverse.seenLoad - load;
        if (change == 0 || reverse.tenants.empty() ||
            (change < reverse.capacity / STEPS && load != 0))
        {
            continue;
        }
        const bool wasTight = IsTight(reverse);
        reverse.seenLoad = load;
        reverse.available =
            reverse.capacity -
            static_cast<uint64_t>(static_cast<unsigned __int128>(load) * reverse.ackShare >> 32);
        if (wasTight || IsTight(reverse))
        {
            MarkDirty(shifted.reverse);
        }
    }
    m_shifted.clear();
}

const std::vector<uint32_t>&
MaxMinAllocator::Update()
{
    m_changed.clear();
    if (IsDirty())
    {
        m_lastChanged = m_mostChanged;
        m_mostChanged = 0;
    }
    while (IsDirty())
    {
        CheckReverses();
        m_round++;
        m_work.swap(m_dirty);
        for (const uint32_t resource : m_work)
        {
            m_resources[resource].dirty = false;
        }
        std::size_t next = 0;
        while (next < m_work.size() && Solve(m_work[next]))
        {
            next++;
        }
        if (next < m_work.size())
        {
            Sweep(next);
        }
        m_work.clear();
    }
    return m_changed;
}

bool
MaxMinAllocator::Solve(uint32_t number)
{
    if (m_resources[number].visit == m_round)
    {
        return true;
    }
    m_computed.clear();
    const std::size_t most = m_mostFilled > 0 ? std::max(m_mostFilled, 2 * m_lastChanged) : 0;
    if (!Gather(number, most))
    {
        return false;
    }
    Fill();
    Apply();
    return true;
}

bool
MaxMinAllocator::Gather(uint32_t number, std::size_t most)
{
    m_fillResources.clear();
    m_bound.clear();
    for (const Tenant& tenant : m_resources[number].tenants)
    {
        Visit(tenant.flow);
    }
    for (std::size_t i = 0; i < m_fillResources.size() && m_computed.size() <= most; i++)
    {
        Resource& resource = m_resources[m_fillResources[i]];
        for (const Tenant& tenant : resource.tenants)
        {
            resource.leftWeight += m_members[tenant.member].weight;
            Visit(tenant.flow);
        }
    }
    return m_computed.size() <= most;
}

void
MaxMinAllocator::Visit(uint32_t number)
{
    Flow& flow = m_flows[number];
    if (flow.visit == m_round)
    {
        return;
    }
    flow.visit = m_round;
    flow.found = 0;
    m_computed.push_back(number);
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        Resource& resource = m_resources[m_members[i].resource];
        if (IsTight(resource) && resource.visit != m_round)
        {
            resource.visit = m_round;
            resource.left = resource.available;
            resource.leftWeight = 0;
            m_fillResources.push_back(m_members[i].resource);
        }
    }
    if (!IsTight(m_resources[flow.narrowest]))
    {
        m_bound.emplace_back(flow.bound, number);
    }
}

uint64_t
MaxMinAllocator::GetLevel(uint64_t left, uint64_t weight)
{
    static_assert((FULL & (FULL - 1)) == 0, "a power of two");
    const uint64_t level =
        weight % FULL == 0
            ? left / (weight / FULL)
            : static_cast<uint64_t>(static_cast<unsigned __int128>(left) * FULL / weight);
    return std::max<uint64_t>(level, 1);
}

bool
MaxMinAllocator::Freeze(uint32_t number, uint64_t rate, uint32_t by)
{
    Flow& flow = m_flows[number];
    if (flow.found != 0)
    {
        return false;
    }
    flow.found = rate;
    flow.by = by;
    for (uint32_t i = flow.first; i < flow.first + flow.count; i++)
    {
        const Member& member = m_members[i];
        Resource& resource = m_resources[member.resource];
        resource.left -= std::min(resource.left, Scale(rate, member.weight));
        resource.leftWeight -= member.weight; // of no meaning where it is not tight
    }
    return true;
}

void
MaxMinAllocator::SinkFront()
{
    const std::size_t size = m_heap.size();
    for (std::size_t place = 0, child = 1; child < size; child = 2 * place + 1)
    {
        child += child + 1 < size && m_heap[child + 1] < m_heap[child];
        if (m_heap[place] < m_heap[child])
        {
            return;
        }
        std::swap(m_heap[place], m_heap[child]);
        place = child;
    }
}

MaxMinAllocator::Level
MaxMinAllocator::FindFullest()
{
    // A level only rises while flows are frozen below it: one that has risen sinks.
    while (!m_heap.empty())
    {
        const auto [level, number] = m_heap.front();
        const Resource& resource = m_resources[number];
        if (resource.leftWeight == 0)
        {
            m_heap.front() = m_heap.back();
            m_heap.pop_back();
        }
        else
        {
            const uint64_t present = GetLevel(resource);
            if (present == level)
            {
                return m_heap.front();
            }
            m_heap.front().first = present;
        }
        SinkFront();
    }
    return {UINT64_MAX, NONE};
}

void
MaxMinAllocator::Fill()
{
    m_heap.clear();
    for (const uint32_t number : m_fillResources)
    {
        m_heap.emplace_back(GetLevel(m_resources[number]), number);
    }
    std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
    std::sort(m_bound.begin(), m_bound.end());
    std::size_t bound = 0;
    std::size_t left = m_computed.size();
    while (left > 0)
    {
        const auto [level, number] = FindFullest();
        if (bound < m_bound.size() && m_bound[bound].first <= level)
        {
            left -= Freeze(m_bound[bound].second, m_bound[bound].first, NONE);
            bound++;
            continue;
        }
        NS_ASSERT_MSG(number != NONE, "flows that nothing holds back");
        for (const Tenant& tenant : m_resources[number].tenants)
        {
            left -= Freeze(tenant.flow, level, number);
        }
    }
}

void
MaxMinAllocator::Apply()
{
    m_computedCount += m_computed.size();
    const std::size_t before = m_changed.size();
    for (const uint32_t flow : m_computed)
    {
        if (m_flows[flow].found != m_flows[flow].rate)
        {
            SetRate(flow, m_flows[flow].found);
            m_changed.push_back(flow);
        }
    }
    m_mostChanged = std::max(m_mostChanged, m_changed.size() - before);
}

} // namespace ns3
