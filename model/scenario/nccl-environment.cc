/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-environment.h"

namespace ns3
{

NcclEnvironment::NcclEnvironment()
    : CollectiveOptions("Variables of NCCL.", "", "")
{
    AddCollectives();
}

bool
NcclEnvironment::Knows(const std::string& name)
{
    return IsVariable(name);
}

void
NcclEnvironment::Add(const std::string& name, const TextValue& value)
{
    Set(name, value);
}

void
NcclEnvironment::Apply(ScopedDefaults& defaults) const
{
    ApplyCollectives(defaults);
}

} // namespace ns3
