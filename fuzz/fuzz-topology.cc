/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/text-scanner.h"
#include "ns3/topology-file-reader.h"
#include "ns3/topology-validator.h"

/** Topology files of SimAI, HPCC and ns3-datacenter. */
void
ns3::FuzzOne(const std::string& input)
{
    const Topology topology = ReadTopologyFile(TextFile::FromString("input", input));
    if (topology.nodes.size() < 1000)
    {
        ValidateTopology(topology);
    }
}
