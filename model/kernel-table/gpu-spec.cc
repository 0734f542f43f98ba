/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpu-spec.h"

#include "ns3/assert.h"
#include "ns3/comma-list.h"

namespace ns3
{

bool
GpuSpec::Supports(const std::string& type) const
{
    return peakFlops.count(type) > 0;
}

double
GpuSpec::GetPeakFlops(const std::string& type) const
{
    auto it = peakFlops.find(type);
    NS_ASSERT_MSG(it != peakFlops.end(), name << " has no peak for " << type);
    return it->second;
}

std::string
GpuSpec::GetTypeNames() const
{
    std::string names;
    for (const auto& [type, flops] : peakFlops)
    {
        AppendToList(names, type);
    }
    return names;
}

} // namespace ns3
