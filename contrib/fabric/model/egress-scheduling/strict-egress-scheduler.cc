/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "strict-egress-scheduler.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StrictEgressScheduler);

TypeId
StrictEgressScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StrictEgressScheduler")
                            .SetParent<EgressScheduler>()
                            .SetGroupName("Fabric")
                            .AddConstructor<StrictEgressScheduler>();
    return tid;
}

void
StrictEgressScheduler::Configure(const std::string&)
{
}

bool
StrictEgressScheduler::IsStrictPriority() const
{
    return true;
}

uint32_t
StrictEgressScheduler::Select(uint32_t ready, const FabricPacketList*, uint32_t)
{
    return 31 - __builtin_clz(ready);
}

void
StrictEgressScheduler::Undo(uint32_t)
{
}

bool
StrictEgressScheduler::Precedes(uint32_t earlier, uint32_t later) const
{
    return earlier >= later;
}

} // namespace ns3
