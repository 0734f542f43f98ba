/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "weighted-ecmp-load-balancer.h"

#include "ns3/ecmp-hash.h"
#include "ns3/fabric-device.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(WeightedEcmpLoadBalancer);

TypeId
WeightedEcmpLoadBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WeightedEcmpLoadBalancer")
                            .SetParent<LoadBalancer>()
                            .SetGroupName("Fabric")
                            .AddConstructor<WeightedEcmpLoadBalancer>();
    return tid;
}

void
WeightedEcmpLoadBalancer::Start(const LoadBalancerStart& start)
{
    m_salt = start.seed;
    m_device = start.device;
}

WeightedEcmpLoadBalancer::Limits
WeightedEcmpLoadBalancer::MakeLimits(PortSpan ports) const
{
    uint64_t total = 0;
    for (const uint16_t port : ports)
    {
        total += m_device->GetPort(port).GetRateBps();
    }
    Limits limits;
    uint64_t sum = 0;
    for (const uint16_t port : ports)
    {
        sum += m_device->GetPort(port).GetRateBps();
        const unsigned __int128 scaled = static_cast<unsigned __int128>(sum) << 32;
        limits.push_back(static_cast<uint64_t>((scaled + total - 1) / total));
    }
    return limits;
}

void
WeightedEcmpLoadBalancer::RoutesChanged()
{
    m_sets.Clear();
}

bool
WeightedEcmpLoadBalancer::KeepsFlowsTogether() const
{
    return true;
}

uint32_t
WeightedEcmpLoadBalancer::Choose(FabricPacket& packet, PortSpan ports)
{
    const Limits& limits = m_sets.Find(ports, [&] { return MakeLimits(ports); });
    const uint64_t hash = EcmpHash(packet.src, packet.dst, packet.flow, m_salt);
    return std::upper_bound(limits.begin(), limits.end(), hash) - limits.begin();
}

} // namespace ns3
