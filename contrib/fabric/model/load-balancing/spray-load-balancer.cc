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
SprayLoadBalancer::SetNode(uint32_t node)
{
    m_node = node;
}

uint32_t
SprayLoadBalancer::Choose(const FabricPacket&, PortSpan ports)
{
    for (Turn& turn : m_turns)
    {
        if (turn.ports == ports.begin())
        {
            const uint32_t choice = turn.next;
            turn.next = choice + 1 == ports.count ? 0 : choice + 1;
            return choice;
        }
    }
    m_turns.push_back({ports.begin(), m_node % ports.count});
    return Choose({}, ports);
}

} // namespace ns3
