/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/hardware-table.h"
#include "ns3/nccl-topology.h"
#include "ns3/topology-loader.h"
#include "ns3/topology-validator.h"

/** Topologies that NCCL wrote (XML), built as one server if they can be read. */
void
ns3::FuzzOne(const std::string& input)
{
    static const HardwareTable table = HardwareTable::Load();
    ReadNcclTopology(TextFile::FromString("topology.xml", input), table);
    ValidateTopology(LoadTopology(WriteFuzzFile(input, "topology.xml")));
}
