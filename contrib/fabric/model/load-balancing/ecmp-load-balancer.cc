/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ecmp-load-balancer.h"

#include "ns3/ecmp-hash.h"
#include "ns3/rng-seed-manager.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EcmpLoadBalancer);

TypeId
EcmpLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::EcmpLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Fabric")
                            .AddConstructor<EcmpLoadBalancer>();
    return tid;
}

uint64_t
EcmpLoadBalancer::GetSalt(uint32_t node)
{
    const uint64_t seed = RngSeedManager::GetSeed();
    const uint64_t run = RngSeedManager::GetRun();
    const uint64_t high = EcmpHash(node, 0x5eed, static_cast<uint32_t>(run), seed);
    const uint64_t low = EcmpHash(node, 0x5a17, static_cast<uint32_t>(run >> 32), seed ^ run);
    return high << 32 | low;
}

void
EcmpLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_salt = start.seed;
}

bool
EcmpLoadBalancer::KeepsFlowsTogether() const
{
    return true;
}

uint32_t
EcmpLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    return EcmpChoice(EcmpHash(packet.src, packet.dst, packet.flow, m_salt), ports.count);
}

} // namespace ns3
