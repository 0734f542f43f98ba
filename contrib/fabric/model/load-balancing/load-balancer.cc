/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "load-balancer.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LoadBalancer);

TypeId
LoadBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::LoadBalancer").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

int64_t
LoadBalancer::AssignStreams(int64_t)
{
    return 0;
}

void
LoadBalancer::RoutesChanged()
{
}

bool
LoadBalancer::KeepsFlowsTogether() const
{
    return false;
}

bool
LoadBalancer::KeepsOrder() const
{
    return KeepsFlowsTogether();
}

bool
LoadBalancer::WatchesFrames() const
{
    return false;
}

void
LoadBalancer::Arrived(FabricPacket&, FabricPort&)
{
}

void
LoadBalancer::Departed(FabricPacket&, FabricPort&)
{
}

} // namespace ns3
