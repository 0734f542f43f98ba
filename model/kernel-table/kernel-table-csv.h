/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TABLE_CSV_H
#define KERNEL_TABLE_CSV_H

#include "kernel-table-data.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Add what CSV files say to a kernel table.
 *
 * The format is documented in doc/formats/kernel-table.md. What a file holds is told by its
 * header: `memory_bytes_per_s` GPUs, `kind` sources, `from_op` derivations, `time_ns` kernels.
 * Within a folder the files are read in that order, and by name. If neither \p data nor the files
 * name a GPU, those of the shipped table are taken.
 *
 * \param path a CSV file, or a folder of which every *.csv is read
 * \param data the table to fill; unspecified after a ConfigError
 */
void ReadKernelTableCsv(const std::string& path, KernelTableData& data);

/** \ingroup railyard \return the folder of the CSV files that Railyard ships */
std::string GetShippedKernelTablePath();

} // namespace ns3

#endif /* KERNEL_TABLE_CSV_H */
