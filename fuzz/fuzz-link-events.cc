/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/link-event-file.h"
#include "ns3/text-scanner.h"

/** Files of link events, for a triangle of switches with a parallel link. */
void
ns3::FuzzOne(const std::string& input)
{
    Topology topology;
    topology.nodes.resize(3);
    for (const auto& [a, b] : {std::pair<uint32_t, uint32_t>{0, 1}, {1, 2}, {2, 0}, {0, 1}})
    {
        topology.links.emplace_back();
        topology.links.back().a = a;
        topology.links.back().b = b;
        topology.links.back().rate = DataRate("100Gbps");
    }
    ReadLinkEvents(TextFile::FromString("input", input), topology);
}
