/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nccl-environment.h"

#include <array>

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
    return name.find("CCL_") != std::string::npos && NcclEnvironment().Has(name);
}

void
NcclEnvironment::Add(const std::string& name, const std::string& value)
{
    std::string program;
    std::string argument = "--" + name + "=" + value;
    std::array<char*, 2> arguments{program.data(), argument.data()};
    Parse(arguments.size(), arguments.data());
}

void
NcclEnvironment::Apply(ScopedDefaults& defaults) const
{
    ApplyCollectives(defaults);
}

} // namespace ns3
