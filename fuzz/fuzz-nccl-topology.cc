/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/topology-loader.h"
#include "ns3/topology-validator.h"

/** Topologies that NCCL wrote (XML), built as one server. */
void
ns3::FuzzOne(const std::string& input)
{
    ValidateTopology(LoadTopology(WriteFuzzFile(input, "topology.xml")));
}
