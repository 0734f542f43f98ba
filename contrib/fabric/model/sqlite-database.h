/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SQLITE_DATABASE_H
#define SQLITE_DATABASE_H

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>

struct sqlite3;
struct sqlite3_stmt;

namespace ns3
{

class SqliteDatabase;

/**
 * \ingroup fabric
 * \brief A prepared statement; finalised with the object.
 *
 * The statement must not outlive its SqliteDatabase. Parameters count from 1 as in SQLite's API,
 * columns from 0. Every error throws ConfigError naming the database, the SQL and SQLite's reason.
 *
 * \code
 *   auto insert = database.Prepare("INSERT INTO flow VALUES (?, ?, ?)");
 *   insert.Execute(id, name, seconds);                   // once per row
 *   auto select = database.Prepare("SELECT id, name FROM flow ORDER BY id");
 *   while (select.Step()) { Use(select.GetInteger(0), select.GetText(1)); }
 * \endcode
 */
class SqliteStatement
{
  public:
    SqliteStatement(SqliteStatement&&) noexcept = default;
    SqliteStatement& operator=(SqliteStatement&&) noexcept = default;
    ~SqliteStatement();

    /**
     * Bind an integer.
     * \param index parameter, from 1
     * \param value the value; unsigned values above 2^63-1 throw ConfigError
     */
    template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
    void Bind(int index, T value)
    {
        if constexpr (std::is_unsigned_v<T> && sizeof(T) == sizeof(uint64_t))
        {
            if (value > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
            {
                FailRange(value);
            }
        }
        BindInteger(index, static_cast<int64_t>(value));
    }

    /**
     * Bind a floating-point number.
     * \param index parameter, from 1
     * \param value the value
     */
    void Bind(int index, double value);

    /**
     * Bind a text; it is copied.
     * \param index parameter, from 1
     * \param value the text, UTF-8
     */
    void Bind(int index, const std::string& value);

    /** \copydoc Bind(int,const std::string&) */
    void Bind(int index, const char* value);

    /**
     * Bind NULL.
     * \param index parameter, from 1
     */
    void Bind(int index, std::nullptr_t);

    /**
     * Run up to the next row.
     * \return true if a row can be read, false at the end
     */
    bool Step();

    /** Make the statement ready to run again; parameters keep their values. */
    void Reset();

    /**
     * Bind all parameters in order, run to the end and reset: the call for INSERT.
     * \param values one value per parameter
     */
    template <typename... Values>
    void Execute(const Values&... values)
    {
        int index = 0;
        (Bind(++index, values), ...);
        RunToEnd(index);
    }

    /** \return the number of columns of a row */
    int GetColumnCount() const;

    /**
     * \param column column, from 0
     * \return true if the current row holds NULL there
     */
    bool IsNull(int column) const;

    /**
     * \param column column, from 0
     * \return the value as an integer (0 for NULL)
     */
    int64_t GetInteger(int column) const;

    /**
     * \param column column, from 0
     * \return the value as a floating-point number (0 for NULL)
     */
    double GetReal(int column) const;

    /**
     * \param column column, from 0
     * \return the value as text (empty for NULL)
     */
    std::string GetText(int column) const;

  private:
    friend class SqliteDatabase;

    /** Finalises a statement. */
    struct Finalizer
    {
        /** \param statement the statement to finalise */
        void operator()(sqlite3_stmt* statement) const;
    };

    /**
     * \param statement the prepared statement, owned from here on
     * \param database the database's name for error messages
     */
    SqliteStatement(sqlite3_stmt* statement, const std::string& database);

    /**
     * \param index parameter, from 1
     * \param value the value
     */
    void BindInteger(int index, int64_t value);

    /**
     * Step until done and reset.
     * \param bound how many parameters were bound; must be all of them
     */
    void RunToEnd(int bound);

    /**
     * Throw ConfigError if \p code is an error.
     * \param code SQLite's result code
     */
    void Check(int code) const;

    /**
     * Throw ConfigError for a number that SQLite cannot hold.
     * \param value the number
     */
    [[noreturn]] void FailRange(uint64_t value) const;

    std::unique_ptr<sqlite3_stmt, Finalizer> m_statement; //!< the statement
    std::string m_database;                               //!< database name, for messages
};

/**
 * \ingroup fabric
 * \brief A connection to an SQLite database; closed with the object.
 *
 * Every error (file missing, not a database, SQL refused, constraint, disk full) throws ConfigError
 * that names the file, the SQL and SQLite's reason. Written databases depend on what was written
 * alone: no time stamps, so the same inserts give the same bytes.
 */
class SqliteDatabase
{
  public:
    /** \brief How a database is opened. */
    enum class Mode
    {
        READ,  //!< must exist, read only
        WRITE, //!< must exist, read and write
        CREATE //!< read and write, made if it does not exist
    };

    /**
     * \param path the file, or ":memory:" (with CREATE) for a database that is never on disk
     * \param mode how to open
     */
    SqliteDatabase(const std::string& path, Mode mode);
    ~SqliteDatabase();
    SqliteDatabase(SqliteDatabase&&) noexcept = default;
    SqliteDatabase& operator=(SqliteDatabase&&) noexcept = default;

    /** \return the path as given */
    const std::string& GetPath() const;

    /**
     * Run one or several statements that return no rows.
     * \param sql the statements, separated by semicolons
     */
    void Execute(const std::string& sql);

    /**
     * \param sql one statement, with ? for parameters
     * \return the prepared statement
     */
    SqliteStatement Prepare(const std::string& sql) const;

    /**
     * \param table a table's name
     * \return true if the database has that table
     */
    bool HasTable(const std::string& table) const;

  private:
    /** Closes a connection. */
    struct Closer
    {
        /** \param connection the connection to close */
        void operator()(sqlite3* connection) const;
    };

    std::string m_path;                            //!< as given
    std::unique_ptr<sqlite3, Closer> m_connection; //!< the connection
};

/**
 * \ingroup fabric
 * \brief A transaction: begun with the object, rolled back with it unless Commit() was called.
 */
class SqliteTransaction
{
  public:
    /** \param database the database, must outlive the transaction */
    explicit SqliteTransaction(SqliteDatabase& database);
    ~SqliteTransaction();
    SqliteTransaction(const SqliteTransaction&) = delete;
    SqliteTransaction& operator=(const SqliteTransaction&) = delete;

    /** Make what was written since the beginning permanent. */
    void Commit();

  private:
    SqliteDatabase& m_database; //!< the database
    bool m_open{true};          //!< neither committed nor rolled back
};

} // namespace ns3

#endif /* SQLITE_DATABASE_H */
