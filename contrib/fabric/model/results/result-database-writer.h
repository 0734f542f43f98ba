/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_DATABASE_WRITER_H
#define RESULT_DATABASE_WRITER_H

#include "result-writer.h"

#include "ns3/sqlite-database.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Writes every result table into one SQLite database.
 *
 * All rows go into one transaction; SQLite moves what does not fit its page cache to the file, so
 * the memory needed does not grow with the run. The file's bytes depend on the rows, their order
 * and the version of SQLite alone: page size, encoding and journal are fixed here, pages are
 * cleared, nothing is ever deleted, and no row holds a date.
 */
class ResultDatabaseWriter final : public ResultRowWriter
{
  public:
    /** PRAGMA application_id of the file: "RYRD". */
    static constexpr int32_t APPLICATION_ID = 0x52595244;
    /** PRAGMA user_version of the file: version of the schema. */
    static constexpr int32_t SCHEMA_VERSION = 4;

    /** \param path the database, which must not exist */
    explicit ResultDatabaseWriter(const std::string& path);

    void Close() override;

  private:
    void WriteRow(std::size_t table, const ResultRow& row) override;

    /**
     * Makes a table.
     * \param table its description
     */
    void CreateTable(const ResultTable& table);

    SqliteDatabase m_database;              //!< the database
    std::vector<SqliteStatement> m_inserts; //!< INSERT statement, by table
};

} // namespace ns3

#endif /* RESULT_DATABASE_WRITER_H */
