/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "kernel-table-test-helper.h"

#include "ns3/kernel-table-csv.h"
#include "ns3/kernel-table-database.h"
#include "ns3/kernel-table.h"
#include "ns3/sqlite-database.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <regex>

using namespace ns3;

/** \brief What CSV files may and may not say. */
class RailyardKernelTableCsv : public KernelTableTest
{
};

/** \brief CSV into a database and back. */
class RailyardKernelTableImport : public KernelTableTest
{
};

// ---- CSV
// -----------------------------------------------------------------------------------------

TEST_F(RailyardKernelTableCsv, GoodForms)
{
    const auto table =
        LoadSmall("\xEF\xBB\xBF# a comment\r\n\r\n"
                  "op,gpu,type,k,m,n,time_ns,source\r\n"
                  "gemm , X1,bf16,1024,\"1024\",1024, 4.295e4 ,\"a, \"\"b\"\"\"\r\n");
    const KernelTime answer = table->Lookup(Gemm("X1", 1024, 1024, 1024));
    EXPECT_EQ(answer.time, NanoSeconds(42950));
    EXPECT_EQ(answer.note, "a, \"b\"");
}

TEST_F(RailyardKernelTableCsv, EmptyCellIsNoDimension)
{
    const auto table = LoadSmall("gpu,op,type,m,n,k,bytes,time_ns,source\n"
                                 "X1,gemm,bf16,1024,1024,1024,,42950,bench\n"
                                 "X1,memory,byte,,,,1000,10,bench\n");
    EXPECT_EQ(table->GetData().GetRows().size(), 2);
    EXPECT_EQ(table->Lookup({"X1", "memory", "bf16", {{"bytes", 1000}}}).time, NanoSeconds(10));
}

TEST_F(RailyardKernelTableCsv, BadInput)
{
    const std::string header = "gpu,op,type,m,n,k,time_ns,source\n";
    const std::string good = "X1,gemm,bf16,8,8,8,10,s\n";

    const struct
    {
        std::string text;  //!< kernel.csv
        std::string place; //!< in the message
        std::string part;  //!< in the message
    } cases[] = {
        {"a,b\n1,2\n", "line 1", "the header of kernels (gpu,op,type,"},
        {"gpu,op,type,m,n,k,time_ns\n", "line 1", "the column source"},
        {"gpu,op,type,m,m,k,time_ns,source\n", "line 1", "read 'm', expected column names"},
        {header + "X1,gemm,bf16,8,8,8,10\n", "line 2", "read '7 cells', expected 8 cells"},
        {header + "X2,gemm,bf16,8,8,8,10,s\n", "line 2", "read 'X2', expected a GPU of this table"},
        {header + "X1,,bf16,8,8,8,10,s\n", "line 2", "an op name"},
        {header + "X1,gemm,fp16,8,8,8,10,s\n", "line 2", "read 'fp16', expected a type of the X1"},
        {header + "X1,gemm,bf16,8,8,-8,10,s\n", "line 2", "read '-8'"},
        {header + "X1,gemm,bf16,8,8,8.5,10,s\n", "line 2", "read '8.5'"},
        {header + "X1,gemm,bf16,8,8,,10,s\n", "line 2", "gemm with the dimensions m, n, k"},
        {header + "X1,gemm,bf16,8,8,0,10,s\n", "line 2", "k from 1 to"},
        {header + "X1,gemm,bf16,8,8,8,0,s\n", "line 2", "time_ns above 0"},
        {header + "X1,gemm,bf16,8,8,8,-5,s\n", "line 2", "time_ns above 0"},
        {header + "X1,gemm,bf16,8,8,8,fast,s\n", "line 2", "read 'fast'"},
        {header + "X1,gemm,bf16,8,8,8,nan,s\n", "line 2", "read 'nan'"},
        {header + "X1,gemm,bf16,8,8,8,10,\n", "line 2", "where the time comes from"},
        {header + "X1,gemm,bf16,8,8,8,10,\"s\n", "line 2", "a cell with its quote closed"},
        {header + good + good, "line 3", "a kernel that is not there yet"},
        {header + good + "# twice\nX1,gemm,bf16,8,8,8,11,t\n", "line 4", "line 2)"},
    };

    for (const auto& bad : cases)
    {
        const std::string message = GetConfigError([&]() { LoadSmall(bad.text); });
        EXPECT_TRUE(Contains(message, "kernel.csv: " + bad.place + ": ")) << bad.text;
        EXPECT_TRUE(Contains(message, bad.part)) << bad.text;
    }
}

TEST_F(RailyardKernelTableCsv, BadGpusSourcesAndDerivations)
{
    const std::string derived = "gpu,op,type,from_op,from_type,efficiency_factor,source\n";
    const std::string source = "source,kind,text,url,revision,licence,fit\n";

    const struct
    {
        std::string text; //!< more.csv
        std::string part; //!< in the message
    } cases[] = {
        {GPU_CSV, "line 2: read 'X1', expected a GPU that is not there yet"},
        {std::regex_replace(GPU_CSV, std::regex("X1,Ex.*0.5"), "X2,E,1,1,1,1,7"),
         "gemm_efficiency"},
        {std::regex_replace(GPU_CSV, std::regex("device"), "devise"), "the column device"},
        {std::regex_replace(GPU_CSV, std::regex("fp8"), "fp9"), "read 'fp9', expected a known"},
        {source + "s,guessed,,,,,\n", "read 'guessed', expected kind measured or fitted"},
        {source + "s,fitted,,,,,\ns,fitted,,,,,\n", "line 3: read 's'"},
        {derived + "X1,gem,bf16,gemm,bf16,1,s\n", "read 'gem', expected one of the ops"},
        {derived + "X1,gemm,bf16,gemm,bf16,1,s\n", "a derivation that does not end in itself"},
        {derived + "X1,gemm,bf16,gemm_wgrad,bf16,1,s\nX1,gemm_wgrad,bf16,gemm,bf16,1,s\n",
         "line 3: read 'gemm_wgrad bf16', expected a derivation that does not end in itself"},
        {derived + "X1,gemm,bf16,gemm_wgrad,bf16,-1,s\n", "efficiency_factor above 0"},
    };

    for (const auto& bad : cases)
    {
        const std::string message = GetConfigError([&]() { LoadSmall(GEMM_CSV, bad.text); });
        EXPECT_TRUE(Contains(message, "more.csv: line ")) << bad.text;
        EXPECT_TRUE(Contains(message, bad.part)) << bad.text;
    }
}

TEST_F(RailyardKernelTableCsv, MissingFilesAreRefused)
{
    EXPECT_THROW(KernelTable::Load(m_folder.path + "/none"), ConfigError);
    EXPECT_THROW(KernelTable::Load(m_folder.path), ConfigError); // no *.csv in it
    EXPECT_THROW(KernelTable::Load(m_folder.Write("binary.csv", std::string(10, '\0'))),
                 ConfigError);
}

// ---- database --------------------------------------------------------------------------------

TEST_F(RailyardKernelTableImport, RoundTripOfTheShippedTable)
{
    const std::string db = m_folder.path + "/one.db";
    const auto shipped = KernelTable::Load();
    EXPECT_EQ(ImportKernelTable(GetShippedKernelTablePath(), db),
              shipped->GetData().GetRows().size());
    const auto read = KernelTable::Load(db);
    ASSERT_EQ(read->GetData().GetRows().size(), shipped->GetData().GetRows().size());
    for (const auto& [key, row] : shipped->GetData().GetRows())
    {
        const auto it = read->GetData().GetRows().find(key);
        ASSERT_NE(it, read->GetData().GetRows().end()) << key.ToString();
        EXPECT_EQ(it->second.timeNs, row.timeNs) << key.ToString();
        EXPECT_EQ(it->second.source, row.source) << key.ToString();
    }
    EXPECT_EQ(read->GetData().GetDerivations().size(), shipped->GetData().GetDerivations().size());
    EXPECT_EQ(read->GetData().GetSources().size(), shipped->GetData().GetSources().size());
    EXPECT_EQ(read->GetGpu("H100").peakFlops, shipped->GetGpu("H100").peakFlops);
    const KernelKey key = Gemm("H100", 3000, 11008, 4096);
    EXPECT_EQ(read->Lookup(key).time, shipped->Lookup(key).time);
    EXPECT_EQ(read->Lookup(key).note, shipped->Lookup(key).note);
    const std::string again = m_folder.path + "/two.db";
    ImportKernelTable(GetShippedKernelTablePath(), again);
    EXPECT_EQ(ReadBytes(db), ReadBytes(again));
}

TEST_F(RailyardKernelTableImport, OwnRowsIntoANewDatabase)
{
    const std::string csv = m_folder.Write("mine.csv",
                                           "gpu,op,type,m,n,k,time_ns,source\n"
                                           "H100,gemm,bf16,64,64,64,5000,my bench\n");
    const std::string db = m_folder.path + "/mine.db";
    EXPECT_EQ(ImportKernelTable(csv, db), 1);
    const auto table = KernelTable::Load(db);
    EXPECT_EQ(table->Lookup(Gemm("H100", 64, 64, 64)).provenance, KernelProvenance::EXACT);
    EXPECT_EQ(table->Lookup(Gemm("H100", 4096, 4096, 4096)).provenance, KernelProvenance::ROOFLINE);
    EXPECT_EQ(ImportKernelTable(m_folder.Write("more.csv",
                                               "gpu,op,type,m,n,k,time_ns,source\n"
                                               "H100,gemm,bf16,32,64,64,4000,my bench\n"),
                                db),
              1);
    EXPECT_EQ(KernelTable::Load(db)->GetData().GetRows().size(), 2);
}

TEST_F(RailyardKernelTableImport, NothingIsHalfWritten)
{
    const std::string db = m_folder.path + "/kept.db";
    ImportKernelTable(m_folder.Write("good.csv",
                                     "gpu,op,type,m,n,k,time_ns,source\n"
                                     "H100,gemm,bf16,64,64,64,5000,my bench\n"),
                      db);
    const std::string before = ReadBytes(db);
    const std::string bad = m_folder.Write("bad.csv",
                                           "gpu,op,type,m,n,k,time_ns,source\n"
                                           "H100,gemm,bf16,32,64,64,4000,my bench\n"
                                           "H100,gemm,bf16,64,64,64,5000,my bench\n");
    const std::string message = GetConfigError([&]() { ImportKernelTable(bad, db); });
    EXPECT_TRUE(Contains(message, "bad.csv: line 3: read 'H100 gemm bf16 k=64 m=64 n=64'"));
    EXPECT_TRUE(Contains(message, "kept.db kernel id 1"));
    EXPECT_EQ(ReadBytes(db), before);
    EXPECT_THROW(ImportKernelTable(bad, m_folder.path + "/no/such/folder/x.db"), ConfigError);
    const std::string fresh = m_folder.path + "/fresh.db";
    EXPECT_THROW(ImportKernelTable(m_folder.path + "/none.csv", fresh), ConfigError);
    EXPECT_FALSE(std::filesystem::exists(fresh));
    EXPECT_FALSE(std::filesystem::exists(fresh + ".partial"));
    EXPECT_FALSE(std::filesystem::exists(db + ".partial"));
}

TEST_F(RailyardKernelTableImport, ForeignDatabasesAreRefused)
{
    const std::string path = m_folder.path + "/foreign.db";
    {
        SqliteDatabase foreign(path, SqliteDatabase::Mode::CREATE);
        foreign.Execute("CREATE TABLE t (a INTEGER)");
    }
    EXPECT_TRUE(Contains(GetConfigError([&]() { KernelTable::Load(path); }),
                         "expected a kernel table of schema_version 1"));
    std::filesystem::remove(path);
    ImportKernelTable(GetShippedKernelTablePath(), path);
    {
        SqliteDatabase newer(path, SqliteDatabase::Mode::WRITE);
        newer.Execute("UPDATE kernel SET shape = 'm=8 n=' WHERE id = 1");
    }
    EXPECT_TRUE(
        Contains(GetConfigError([&]() { KernelTable::Load(path); }), "kernel id 1: read 'm=8 n='"));
    {
        SqliteDatabase newer(path, SqliteDatabase::Mode::WRITE);
        newer.Execute("UPDATE meta SET value = '2'");
    }
    EXPECT_TRUE(Contains(GetConfigError([&]() { KernelTable::Load(path); }), "read '2'"));
}
