/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "least-loaded-load-balancer.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeastLoadedLoadBalancer);

TypeId
LeastLoadedLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LeastLoadedLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Fabric")
                            .AddConstructor<LeastLoadedLoadBalancer>();
    return tid;
}

void
LeastLoadedLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_device = start.device;
}

uint64_t
LeastLoadedLoadBalancer::GetFreeTime(FabricPort& port, uint64_t now)
{
    port.Advance(now);
    const uint64_t queueBytes = port.GetTotalQueueBytes();
    const uint64_t committed = port.GetFreeTime();
    return queueBytes ? std::max(committed, now + port.GetClock().TicksFor(queueBytes)) : committed;
}

uint32_t
LeastLoadedLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    constexpr uint64_t ROUNDING = 2; // ticks by which whole ticks may differ from exact times
    const uint64_t now = m_device->GetFabric()->engine.Now();
    const FabricPort* sender = m_device->GetPort(packet.inPort).GetPeer();
    const uint64_t head = now + ROUNDING - sender->GetClock().TicksFor(packet.frameBytes);
    uint32_t inTime = ports.count;
    uint64_t latestFree = 0;
    uint32_t soonest = 0;
    uint64_t firstEnd = ~uint64_t{0};
    for (uint32_t i = 0; i < ports.count; i++)
    {
        FabricPort& port = m_device->GetPort(ports[i]);
        const uint64_t free = GetFreeTime(port, now);
        const uint64_t end = free + port.GetClock().TicksFor(packet.frameBytes);
        if (free <= head && (inTime == ports.count || free > latestFree))
        {
            inTime = i;
            latestFree = free;
        }
        if (end < firstEnd)
        {
            soonest = i;
            firstEnd = end;
        }
    }
    return inTime < ports.count ? inTime : soonest;
}

} // namespace ns3
