/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "adaptive-load-balancer.h"

#include "ns3/fabric-device.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AdaptiveLoadBalancer);

TypeId
AdaptiveLoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::AdaptiveLoadBalancer")
            .SetParent<LoadBalancer>()
            .SetGroupName("Fabric")
            .AddConstructor<AdaptiveLoadBalancer>()
            .AddAttribute("Levels",
                          "Grades that a port can have, idle included (assumed).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&AdaptiveLoadBalancer::m_levels),
                          MakeUintegerChecker<uint32_t>(2))
            .AddAttribute("LevelBytes",
                          "Queued bytes from one grade to the next (assumed: two frames of 4 KiB).",
                          UintegerValue(8192),
                          MakeUintegerAccessor(&AdaptiveLoadBalancer::m_levelBytes),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("FlowletTimeout",
                          "Longest gap between two frames that must take the same port; 0: every "
                          "frame chooses.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&AdaptiveLoadBalancer::m_flowletTimeout),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("FlowletEntries",
                          "Size of the flowlet table of a switch (assumed).",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&AdaptiveLoadBalancer::m_flowletEntries),
                          MakeUintegerChecker<uint32_t>(1, FlowletTable::MAX_ENTRIES));
    return tid;
}

AdaptiveLoadBalancer::AdaptiveLoadBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
AdaptiveLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_device = start.device;
    m_flowlets.Configure(m_flowletEntries, m_flowletTimeout, start.seed);
}

int64_t
AdaptiveLoadBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

bool
AdaptiveLoadBalancer::KeepsOrder() const
{
    return m_flowletTimeout.IsStrictlyPositive();
}

uint32_t
AdaptiveLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    const uint64_t now = m_device->GetFabric()->engine.Now();
    if (m_flowletTimeout.IsZero())
    {
        return FindLowest(ports, now);
    }
    return m_flowlets.Choose(packet, ports, now, [&] { return FindLowest(ports, now); });
}

uint64_t
AdaptiveLoadBalancer::GetGrade(FabricPort& port, uint64_t now) const
{
    const PortLoad load = PortLoad::Of(port, now);
    const uint64_t level = 1 + load.queueBytes / m_levelBytes;
    return load.IsIdle() ? 0 : std::min<uint64_t>(level, m_levels - 1);
}

uint32_t
AdaptiveLoadBalancer::FindLowest(PortSpan ports, uint64_t now)
{
    uint32_t index = m_random->GetInteger(0, ports.count - 1);
    uint32_t lowest = index;
    uint64_t lowestGrade = ~uint64_t{0};
    for (uint32_t i = 0; i < ports.count && lowestGrade > 0; i++)
    {
        const uint64_t grade = GetGrade(m_device->GetPort(ports[index]), now);
        if (grade < lowestGrade)
        {
            lowest = index;
            lowestGrade = grade;
        }
        index = index + 1 == ports.count ? 0 : index + 1;
    }
    return lowest;
}

} // namespace ns3
