/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/workload-reader.h"

/** Workload files: SimAI's and those of Railyard (JSON), for 8 GPUs in servers of 4. */
void
ns3::FuzzOne(const std::string& input)
{
    WorkloadCluster cluster;
    cluster.gpus = 8;
    cluster.gpusPerServer = 4;
    WorkloadReader::ReadFile(WriteFuzzFile(input, "workload.txt"), cluster);
}
