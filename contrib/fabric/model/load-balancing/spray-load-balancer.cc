/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "spray-load-balancer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SprayLoadBalancer);

TypeId
SprayLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SprayLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SprayLoadBalancer>();
    return tid;
}

void
SprayLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_node = start.node;
}

void
SprayLoadBalancer::RoutesChanged()
{
    m_turns.Clear();
}

uint32_t
SprayLoadBalancer::Choose(FabricPacket&, PortSpan ports)
{
    uint32_t& next = m_turns.Find(ports, [&] { return m_node % ports.count; });
    const uint32_t choice = next;
    next = choice + 1 == ports.count ? 0 : choice + 1;
    return choice;
}

} // namespace ns3
