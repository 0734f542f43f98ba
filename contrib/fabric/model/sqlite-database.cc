/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "sqlite-database.h"

#include "config-error.h"

#include <sqlite3.h>

namespace ns3
{

namespace
{

/**
 * \param database the database's name
 * \param sql the SQL that failed, may be empty
 * \param reason SQLite's message
 */
[[noreturn]] void
Fail(const std::string& database, const std::string& sql, const std::string& reason)
{
    throw ConfigError(database, sql, reason, "an SQLite database that accepts this");
}

} // namespace

void
SqliteStatement::Finalizer::operator()(sqlite3_stmt* statement) const
{
    sqlite3_finalize(statement);
}

SqliteStatement::SqliteStatement(sqlite3_stmt* statement, const std::string& database)
    : m_statement(statement),
      m_database(database)
{
}

SqliteStatement::~SqliteStatement() = default;

void
SqliteStatement::Check(int code) const
{
    if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
    {
        Fail(m_database,
             sqlite3_sql(m_statement.get()),
             sqlite3_errmsg(sqlite3_db_handle(m_statement.get())));
    }
}

void
SqliteStatement::FailRange(uint64_t value) const
{
    throw ConfigError(m_database,
                      sqlite3_sql(m_statement.get()),
                      std::to_string(value),
                      "an integer below 2^63");
}

void
SqliteStatement::BindInteger(int index, int64_t value)
{
    Check(sqlite3_bind_int64(m_statement.get(), index, value));
}

void
SqliteStatement::Bind(int index, double value)
{
    Check(sqlite3_bind_double(m_statement.get(), index, value));
}

void
SqliteStatement::Bind(int index, const std::string& value)
{
    Check(sqlite3_bind_text64(m_statement.get(),
                              index,
                              value.data(),
                              value.size(),
                              SQLITE_TRANSIENT,
                              SQLITE_UTF8));
}

void
SqliteStatement::Bind(int index, const char* value)
{
    Bind(index, std::string(value));
}

void
SqliteStatement::Bind(int index, std::nullptr_t)
{
    Check(sqlite3_bind_null(m_statement.get(), index));
}

bool
SqliteStatement::Step()
{
    int code = sqlite3_step(m_statement.get());
    Check(code);
    return code == SQLITE_ROW;
}

void
SqliteStatement::Reset()
{
    sqlite3_reset(m_statement.get()); // repeats the error of the last step, which was thrown there
}

void
SqliteStatement::RunToEnd(int bound)
{
    int wanted = sqlite3_bind_parameter_count(m_statement.get());
    if (bound != wanted)
    {
        throw ConfigError(m_database,
                          sqlite3_sql(m_statement.get()),
                          std::to_string(bound) + " values",
                          std::to_string(wanted) + " values, one for each parameter");
    }
    int code = sqlite3_step(m_statement.get());
    while (code == SQLITE_ROW)
    {
        code = sqlite3_step(m_statement.get());
    }
    Check(sqlite3_reset(m_statement.get())); // returns the error of the last step, if any
}

int
SqliteStatement::GetColumnCount() const
{
    return sqlite3_column_count(m_statement.get());
}

bool
SqliteStatement::IsNull(int column) const
{
    return sqlite3_column_type(m_statement.get(), column) == SQLITE_NULL;
}

int64_t
SqliteStatement::GetInteger(int column) const
{
    return sqlite3_column_int64(m_statement.get(), column);
}

double
SqliteStatement::GetReal(int column) const
{
    return sqlite3_column_double(m_statement.get(), column);
}

std::string
SqliteStatement::GetText(int column) const
{
    const auto* text = sqlite3_column_text(m_statement.get(), column);
    if (!text)
    {
        return {};
    }
    return {reinterpret_cast<const char*>(text),
            static_cast<std::size_t>(sqlite3_column_bytes(m_statement.get(), column))};
}

void
SqliteDatabase::Closer::operator()(sqlite3* connection) const
{
    sqlite3_close_v2(connection);
}

SqliteDatabase::SqliteDatabase(const std::string& path, Mode mode)
    : m_path(path)
{
    int flags = SQLITE_OPEN_READWRITE;
    if (mode == Mode::READ)
    {
        flags = SQLITE_OPEN_READONLY;
    }
    else if (mode == Mode::CREATE)
    {
        flags |= SQLITE_OPEN_CREATE;
    }
    sqlite3* connection = nullptr;
    int code = sqlite3_open_v2(path.c_str(), &connection, flags, nullptr);
    m_connection.reset(connection);
    if (code != SQLITE_OK)
    {
        Fail(m_path, "", connection ? sqlite3_errmsg(connection) : "out of memory");
    }
    // SQLite reads a file lazily: touch it, so that what is no database is refused here.
    Prepare("SELECT name FROM sqlite_master").Step();
}

SqliteDatabase::~SqliteDatabase() = default;

const std::string&
SqliteDatabase::GetPath() const
{
    return m_path;
}

void
SqliteDatabase::Execute(const std::string& sql)
{
    char* reason = nullptr;
    if (sqlite3_exec(m_connection.get(), sql.c_str(), nullptr, nullptr, &reason) != SQLITE_OK)
    {
        std::string text = reason ? reason : "out of memory";
        sqlite3_free(reason);
        Fail(m_path, sql, text);
    }
}

SqliteStatement
SqliteDatabase::Prepare(const std::string& sql) const
{
    sqlite3_stmt* statement = nullptr;
    int code = sqlite3_prepare_v2(m_connection.get(),
                                  sql.c_str(),
                                  static_cast<int>(sql.size()),
                                  &statement,
                                  nullptr);
    if (code != SQLITE_OK || !statement)
    {
        Fail(m_path, sql, sqlite3_errmsg(m_connection.get()));
    }
    return {statement, m_path};
}

bool
SqliteDatabase::HasTable(const std::string& table) const
{
    auto select = Prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?");
    select.Bind(1, table);
    return select.Step();
}

SqliteTransaction::SqliteTransaction(SqliteDatabase& database)
    : m_database(database)
{
    m_database.Execute("BEGIN IMMEDIATE");
}

SqliteTransaction::~SqliteTransaction()
{
    if (m_open)
    {
        try
        {
            m_database.Execute("ROLLBACK");
        }
        catch (const std::exception&)
        {
            // SQLite has already rolled back by itself, for example on a full disk
        }
    }
}

void
SqliteTransaction::Commit()
{
    m_database.Execute("COMMIT");
    m_open = false;
}

} // namespace ns3
