/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "drill-load-balancer.h"

#include "ns3/fabric-device.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DrillLoadBalancer);

TypeId
DrillLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DrillLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Fabric")
            .AddConstructor<DrillLoadBalancer>()
            .AddAttribute("Samples",
                          "d: ports drawn for every frame (paper: 2).",
                          UintegerValue(2),
                          MakeUintegerAccessor(&DrillLoadBalancer::m_samples),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("Memory",
                          "m: least loaded ports remembered from frame to frame (paper: 1).",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DrillLoadBalancer::m_memory),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

DrillLoadBalancer::DrillLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
DrillLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_device = start.device;
}

int64_t
DrillLoadBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

DrillLoadBalancer::Set
DrillLoadBalancer::MakeSet(uint32_t count)
{
    Set set;
    set.order.resize(count);
    std::iota(set.order.begin(), set.order.end(), 0);
    return set;
}

uint32_t
DrillLoadBalancer::Draw(std::vector<uint32_t>& order)
{
    const auto count = static_cast<uint32_t>(order.size());
    const uint32_t drawn = std::min(m_samples, count);
    for (uint32_t i = 0; i < drawn; i++)
    {
        std::swap(order[i], order[m_random->GetInteger(i, count - 1)]);
    }
    return drawn;
}

void
DrillLoadBalancer::AddCandidate(uint32_t index, FabricPort& port, uint64_t now)
{
    const auto rank = static_cast<uint32_t>(m_candidates.size());
    m_candidates.push_back({PortLoad::Of(port, now), rank, index});
}

void
DrillLoadBalancer::RoutesChanged()
{
    m_sets.Clear();
}

uint32_t
DrillLoadBalancer::Choose(FabricPacket&, PortSpan ports)
{
    const uint64_t now = m_device->GetFabric()->engine.Now();
    Set& set = m_sets.Find(ports, [&] { return MakeSet(ports.count); });
    const auto drawnEnd = set.order.begin() + Draw(set.order);
    m_candidates.clear();
    for (auto drawn = set.order.begin(); drawn != drawnEnd; ++drawn)
    {
        AddCandidate(*drawn, m_device->GetPort(ports[*drawn]), now);
    }
    for (const uint32_t index : set.remembered)
    {
        if (std::find(set.order.begin(), drawnEnd, index) == drawnEnd)
        {
            AddCandidate(index, m_device->GetPort(ports[index]), now);
        }
    }
    std::sort(m_candidates.begin(), m_candidates.end());
    set.remembered.clear();
    for (std::size_t i = 0; i < m_candidates.size() && i < m_memory; i++)
    {
        set.remembered.push_back(m_candidates[i].index);
    }
    return m_candidates.front().index;
}

} // namespace ns3
