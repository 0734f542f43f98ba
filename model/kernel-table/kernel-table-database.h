/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef KERNEL_TABLE_DATABASE_H
#define KERNEL_TABLE_DATABASE_H

#include "kernel-table-data.h"

#include <string>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Read a kernel table from an SQLite database.
 *
 * The schema is documented in doc/formats/kernel-table.md.
 *
 * \param path the database
 * \return its content, checked as if it came from CSV
 */
KernelTableData ReadKernelTableDatabase(const std::string& path);

/**
 * \ingroup railyard
 * \brief Write a kernel table as an SQLite database.
 *
 * The database is written beside \p path and then renamed: \p path holds the old content or the
 * new, never a part. Same content, same bytes.
 *
 * \param data the table
 * \param path the database, replaced if it exists
 */
void WriteKernelTableDatabase(const KernelTableData& data, const std::string& path);

/**
 * \ingroup railyard
 * \brief Add CSV files to a database.
 *
 * A key that the database has already is an error, and nothing is changed. A database that does
 * not exist is made, with the GPUs of the shipped table unless the CSV files bring their own.
 *
 * \param csvPath a CSV file or a folder of them, as in ReadKernelTableCsv()
 * \param databasePath the database
 * \return the number of kernels added
 */
std::size_t ImportKernelTable(const std::string& csvPath, const std::string& databasePath);

} // namespace ns3

#endif /* KERNEL_TABLE_DATABASE_H */
