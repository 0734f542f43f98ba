/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-file-writer.h"

#include "ns3/config-error.h"

#include <fstream>
#include <ostream>

namespace ns3
{

std::string
FormatDecimalSeconds(Time time)
{
    const int64_t second = Seconds(1).GetTimeStep();
    const int64_t ticks = time.GetTimeStep();
    std::string fraction = std::to_string(ticks % second);
    const std::size_t digits = std::to_string(second).size() - 1;
    fraction.insert(0, digits - fraction.size(), '0');
    fraction.erase(fraction.find_last_not_of('0') + 1);
    return std::to_string(ticks / second) + (fraction.empty() ? "" : "." + fraction);
}

void
WriteFlowFile(std::ostream& out, const FlowFile& flows)
{
    out << flows.flows.size() << "\n";
    for (const FlowEntry& flow : flows.flows)
    {
        out << flow.src << " " << flow.dst << " " << static_cast<uint32_t>(flow.priority) << " "
            << flow.dstPort << " " << flow.bytes << " " << FormatDecimalSeconds(flow.start) << "\n";
    }
}

void
WriteFlowFile(const std::string& path, const FlowFile& flows)
{
    std::ofstream out(path, std::ios::binary);
    WriteFlowFile(out, flows);
    out.close();
    if (!out)
    {
        throw ConfigError(path, "", "cannot be written", "a file that can be written");
    }
}

} // namespace ns3
