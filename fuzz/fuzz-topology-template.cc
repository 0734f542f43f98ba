/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/topology-template.h"

/** Topology templates (JSON), built with their own defaults. */
void
ns3::FuzzOne(const std::string& input)
{
    const std::string path = WriteFuzzFile(input, "template.json");
    TopologyTemplate::Read(path).Build(path);
}
