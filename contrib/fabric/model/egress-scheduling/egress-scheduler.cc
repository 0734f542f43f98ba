/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "egress-scheduler.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(EgressScheduler);

TypeId
EgressScheduler::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::EgressScheduler").SetParent<Object>().SetGroupName("Fabric");
    return tid;
}

bool
EgressScheduler::IsStrictPriority() const
{
    return false;
}

} // namespace ns3
