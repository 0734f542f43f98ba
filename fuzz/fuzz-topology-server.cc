/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/hardware-table.h"
#include "ns3/topology-server.h"

/** Descriptions of servers (JSON). */
void
ns3::FuzzOne(const std::string& input)
{
    static const HardwareTable table = HardwareTable::Load();
    TopologyServer::Read(WriteFuzzFile(input, "server.json"), table);
}
