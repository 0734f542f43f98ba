/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-database-writer.h"

#include "ns3/result-format.h"

namespace ns3
{

namespace
{

/** What makes the bytes of the file reproducible, and writing fast: a broken file is thrown away.
 */
const char* const SETTINGS = "PRAGMA page_size = 4096;"
                             "PRAGMA encoding = 'UTF-8';"
                             "PRAGMA auto_vacuum = NONE;"
                             "PRAGMA secure_delete = ON;"
                             "PRAGMA journal_mode = OFF;"
                             "PRAGMA synchronous = OFF;"
                             "PRAGMA locking_mode = EXCLUSIVE;"
                             "PRAGMA cache_size = -4096;";

/** Binds a ResultValue to a parameter. */
struct ValueBinder
{
    SqliteStatement& statement; //!< the statement
    int index;                  //!< the parameter

    /** NULL. */
    void operator()(std::monostate) const
    {
        statement.Bind(index, nullptr);
    }

    /** \param value a whole number */
    void operator()(int64_t value) const
    {
        statement.Bind(index, value);
    }

    /** \param value an instant or a duration, exact to the picosecond below 4,500 seconds */
    void operator()(const Time& value) const
    {
        statement.Bind(index, static_cast<double>(value.GetPicoSeconds()) / 1000.0);
    }

    /** \param value a number */
    void operator()(double value) const
    {
        statement.Bind(index, RequireFinite(value));
    }

    /** \param value a text */
    void operator()(std::string_view value) const
    {
        statement.Bind(index, std::string(value));
    }
};

/** \param type a column type \return SQLite's name for it */
const char*
GetSqlType(ResultColumnType type)
{
    switch (type)
    {
    case ResultColumnType::INTEGER:
        return "INTEGER";
    case ResultColumnType::TEXT:
        return "TEXT";
    default:
        return "REAL";
    }
}

} // namespace

ResultDatabaseWriter::ResultDatabaseWriter(const std::string& path)
    : m_database(path, SqliteDatabase::Mode::CREATE)
{
    m_database.Execute(SETTINGS);
    m_database.Execute("PRAGMA application_id = " + std::to_string(APPLICATION_ID));
    m_database.Execute("PRAGMA user_version = " + std::to_string(SCHEMA_VERSION));
    m_database.Execute("BEGIN");
    for (const ResultTable& table : GetResultTables())
    {
        CreateTable(table);
    }
    WriteColumnTable();
}

void
ResultDatabaseWriter::CreateTable(const ResultTable& table)
{
    std::string columns;
    std::string parameters;
    for (const ResultColumn& column : table.columns)
    {
        const char* separator = columns.empty() ? "" : ", ";
        columns += separator + column.name + " " + GetSqlType(column.type);
        parameters += std::string(separator) + "?";
    }
    m_database.Execute("CREATE TABLE " + table.name + " (" + columns + ")");
    m_inserts.push_back(
        m_database.Prepare("INSERT INTO " + table.name + " VALUES (" + parameters + ")"));
}

void
ResultDatabaseWriter::Close()
{
    m_database.Execute("COMMIT");
    m_inserts.clear();
}

void
ResultDatabaseWriter::WriteRow(std::size_t table, const ResultRow& row)
{
    SqliteStatement& insert = m_inserts[table];
    for (std::size_t i = 0; i < row.size(); i++)
    {
        std::visit(ValueBinder{insert, static_cast<int>(i) + 1}, row[i]);
    }
    insert.Step();
    insert.Reset();
}

} // namespace ns3
