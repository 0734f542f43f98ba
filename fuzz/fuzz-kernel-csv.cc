/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fuzz-target.h"

#include "ns3/kernel-table-csv.h"
#include "ns3/kernel-table-data.h"

/** CSV files of the kernel table: GPUs, sources, kernels, derivations. */
void
ns3::FuzzOne(const std::string& input)
{
    KernelTableData data;
    GpuSpec gpu;
    gpu.name = "A100";
    data.AddGpu(gpu, {"input", "line 1"}); // else the shipped GPUs are read for every input
    ReadKernelTableCsv(WriteFuzzFile(input, "table.csv"), data);
}
