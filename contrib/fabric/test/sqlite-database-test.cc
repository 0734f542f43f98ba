/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/sqlite-database.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>

using namespace ns3;

namespace
{

/** \brief A file name in the temporary folder, removed at the end. */
class TemporaryFile
{
  public:
    /** \param name last part of the file name */
    explicit TemporaryFile(const std::string& name)
        : path(testing::TempDir() + "railyard-sqlite-" + name)
    {
        std::filesystem::remove(path);
    }

    ~TemporaryFile()
    {
        std::filesystem::remove(path);
    }

    const std::string path; //!< the file
};

/** \param path a file \return its bytes */
std::string
ReadFile(const std::string& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/** \param path where to write a small database */
void
WriteSample(const std::string& path)
{
    SqliteDatabase database(path, SqliteDatabase::Mode::CREATE);
    SqliteTransaction transaction(database);
    database.Execute("CREATE TABLE t (a INTEGER, b REAL, c TEXT)");
    auto insert = database.Prepare("INSERT INTO t VALUES (?, ?, ?)");
    insert.Execute(uint64_t{5'000'000'000}, 1.5, "x");
    insert.Execute(-1, 0.25, std::string("it's"));
    insert.Execute(nullptr, nullptr, nullptr);
    transaction.Commit();
}

} // namespace

TEST(FabricSqliteDatabase, RoundTrip)
{
    TemporaryFile file("round.db");
    WriteSample(file.path);
    SqliteDatabase database(file.path, SqliteDatabase::Mode::READ);
    EXPECT_TRUE(database.HasTable("t"));
    EXPECT_FALSE(database.HasTable("u"));
    auto select = database.Prepare("SELECT a, b, c FROM t ORDER BY rowid");
    ASSERT_TRUE(select.Step());
    EXPECT_EQ(select.GetColumnCount(), 3);
    EXPECT_EQ(select.GetInteger(0), 5'000'000'000);
    EXPECT_EQ(select.GetReal(1), 1.5);
    EXPECT_EQ(select.GetText(2), "x");
    ASSERT_TRUE(select.Step());
    EXPECT_EQ(select.GetInteger(0), -1);
    EXPECT_EQ(select.GetText(2), "it's");
    ASSERT_TRUE(select.Step());
    EXPECT_TRUE(select.IsNull(0));
    EXPECT_EQ(select.GetText(2), "");
    EXPECT_FALSE(select.Step());
}

TEST(FabricSqliteDatabase, SameInsertsSameBytes)
{
    TemporaryFile one("one.db");
    TemporaryFile two("two.db");
    WriteSample(one.path);
    WriteSample(two.path);
    EXPECT_FALSE(ReadFile(one.path).empty());
    EXPECT_EQ(ReadFile(one.path), ReadFile(two.path));
}

TEST(FabricSqliteDatabase, TransactionRollsBack)
{
    SqliteDatabase database(":memory:", SqliteDatabase::Mode::CREATE);
    database.Execute("CREATE TABLE t (a INTEGER)");
    {
        SqliteTransaction transaction(database);
        database.Execute("INSERT INTO t VALUES (1)");
    }
    auto select = database.Prepare("SELECT count(*) FROM t");
    ASSERT_TRUE(select.Step());
    EXPECT_EQ(select.GetInteger(0), 0);
}

TEST(FabricSqliteDatabase, RefusesWhatIsNoDatabase)
{
    TemporaryFile file("text.db");
    EXPECT_THROW(SqliteDatabase(file.path, SqliteDatabase::Mode::READ), ConfigError);
    std::ofstream(file.path) << std::string(4096, 'x');
    EXPECT_THROW(SqliteDatabase(file.path, SqliteDatabase::Mode::READ), ConfigError);
}

TEST(FabricSqliteDatabase, ErrorsNameTheSql)
{
    SqliteDatabase database(":memory:", SqliteDatabase::Mode::CREATE);
    database.Execute("CREATE TABLE t (a INTEGER UNIQUE)");
    auto insert = database.Prepare("INSERT INTO t VALUES (?)");
    insert.Execute(1);
    try
    {
        insert.Execute(1);
        FAIL() << "a broken constraint went through";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("INSERT INTO t"), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("UNIQUE"), std::string::npos);
    }
    insert.Execute(2); // usable after the error
    EXPECT_THROW(insert.Execute(1, 2), ConfigError);
    EXPECT_THROW(insert.Execute(~uint64_t{0}), ConfigError);
    EXPECT_THROW(database.Prepare("SELECT nothing FROM nowhere"), ConfigError);
    EXPECT_THROW(database.Execute("nonsense"), ConfigError);
}
