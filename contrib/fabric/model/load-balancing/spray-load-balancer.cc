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

uint32_t
SprayLoadBalancer::Choose(FabricPacket&, PortSpan ports)
{
    Turn& turn = FindTurn(ports);
    const uint32_t choice = turn.next;
    turn.next = choice + 1 == ports.count ? 0 : choice + 1;
    return choice;
}

SprayLoadBalancer::Turn&
SprayLoadBalancer::FindTurn(PortSpan ports)
{
    for (Turn& turn : m_turns)
    {
        if (turn.set == ports.id)
        {
            return turn;
        }
    }
    m_turns.push_back({ports.id, m_node % ports.count});
    return m_turns.back();
}

} // namespace ns3
