/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-instance.h"

#include "collective-group.h"

namespace ns3
{

bool
CollectiveInstance::IsEmpty() const
{
    return algorithm.empty();
}

Time
CollectiveInstance::GetDuration() const
{
    return IsEmpty() ? Time(0) : end - firstJoin;
}

double
CollectiveInstance::GetAlgbwGBps() const
{
    const double seconds = GetDuration().GetSeconds();
    return seconds > 0 ? static_cast<double>(call.bytes) / seconds / 1e9 : 0;
}

double
CollectiveInstance::GetBusbwGBps() const
{
    return GetAlgbwGBps() * GetBusbwFactor(call.kind, static_cast<uint32_t>(group->ranks.size()));
}

} // namespace ns3
