/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/result-folder.h"
#include "ns3/result-format.h"
#include "ns3/result-schema.h"
#include "ns3/sqlite-database.h"

namespace ns3
{

namespace
{

/**
 * \param database a database
 * \param table a table of it
 * \return the table as a CSV file holds it
 */
std::string
ExportTable(const SqliteDatabase& database, const ResultTable& table)
{
    std::string text;
    for (const ResultColumn& column : table.columns)
    {
        text += (text.empty() ? "" : ",") + column.name;
    }
    text += "\n";
    auto select = database.Prepare("SELECT * FROM " + table.name + " ORDER BY rowid");
    while (select.Step())
    {
        for (int i = 0; i < select.GetColumnCount(); i++)
        {
            bool isReal = table.columns[i].type == ResultColumnType::TIME ||
                          table.columns[i].type == ResultColumnType::REAL;
            text += i == 0 ? "" : ",";
            if (!select.IsNull(i))
            {
                text += isReal ? FormatReal(select.GetReal(i)) : QuoteCsv(select.GetText(i));
            }
        }
        text += "\n";
    }
    return text;
}

/** A folder of results with one of everything, with CSV files. */
class FabricResultDatabase : public testing::Test
{
  protected:
    void SetUp() override
    {
        UsePicoseconds();
        ResultFolderOptions options{m_folder};
        options.csv = true;
        ResultFolder results(options);
        uint64_t flows = RecordSome(results);
        FlowRecord open = MakeFlow(flows);
        open.end.reset();
        open.senderEnd.reset();
        open.ideal.reset();
        open.deliveredBytes = 4000;
        open.collective = -1;
        results.Record(open);
        results.Commit(MakeSummary());
    }

    /** \param sql a query for one value \return the value as text, "NULL" for NULL */
    std::string Ask(const std::string& sql) const
    {
        SqliteDatabase database(m_folder + "/results.db", SqliteDatabase::Mode::READ);
        auto select = database.Prepare(sql);
        EXPECT_TRUE(select.Step()) << sql;
        return select.IsNull(0) ? "NULL" : select.GetText(0);
    }

    std::string m_folder{NewFolderName()}; //!< the results
};

} // namespace

TEST_F(FabricResultDatabase, HoldsWhatWasRecorded)
{
    EXPECT_EQ(Ask("SELECT count(*) FROM flows"), "25");
    EXPECT_EQ(Ask("SELECT count(*) FROM nodes"), "4");
    EXPECT_EQ(Ask("SELECT sum(payload_bytes) FROM flows WHERE collective = 7"), "24000000");
    EXPECT_EQ(Ask("SELECT end_ns FROM flows WHERE flow = 0"), "87044.96");
    EXPECT_EQ(Ask("SELECT slowdown FROM flows WHERE flow = 1"), "1.0");
    EXPECT_EQ(Ask("SELECT label FROM collectives"), "grad, \"layer 1\"");
    EXPECT_EQ(Ask("SELECT algbw_GBps FROM collectives"), "31.25");
    EXPECT_EQ(Ask("SELECT busbw_GBps FROM collectives"), "46.875");
    EXPECT_EQ(Ask("SELECT wire_bytes FROM links"), "1062500");
    EXPECT_EQ(Ask("SELECT utilisation FROM links"), "0.5"); // 8.5 Mbit of 17
    EXPECT_EQ(Ask("SELECT rate_bps FROM links"), "100000000000");
    EXPECT_EQ(Ask("SELECT paused_at_end FROM ports"), "1");
    EXPECT_EQ(Ask("SELECT text FROM events"), "link 0-4 went down");
    EXPECT_EQ(Ask("SELECT count(*) FROM rank_parts"), "4");
    EXPECT_EQ(Ask("SELECT max(value) FROM series"), "65536.0");
}

TEST_F(FabricResultDatabase, UnknownIsNull)
{
    EXPECT_EQ(Ask("SELECT end_ns FROM flows WHERE flow = 24"), "NULL");
    EXPECT_EQ(Ask("SELECT sender_end_ns FROM flows WHERE flow = 24"), "NULL");
    EXPECT_EQ(Ask("SELECT ideal_ns FROM flows WHERE flow = 24"), "NULL");
    EXPECT_EQ(Ask("SELECT slowdown FROM flows WHERE flow = 24"), "NULL");
    EXPECT_EQ(Ask("SELECT collective FROM flows WHERE flow = 24"), "NULL");
    EXPECT_EQ(Ask("SELECT delivered_bytes FROM flows WHERE flow = 24"), "4000");
}

TEST_F(FabricResultDatabase, H02PauseLogSaysWhoPausesWhatWhen)
{
    EXPECT_EQ(Ask("SELECT group_concat(time_ns || ' ' || node || ' ' || port || ' ' || priority || "
                  "' ' || action, '; ') FROM pauses"),
              "3000.0 4 2 3 pause; 9000.0 4 2 3 resume");
}

TEST_F(FabricResultDatabase, IsKnownByItsHeader)
{
    EXPECT_EQ(Ask("PRAGMA application_id"), std::to_string(0x52595244));
    EXPECT_EQ(Ask("PRAGMA user_version"), "4");
    EXPECT_EQ(Ask("PRAGMA integrity_check"), "ok");
}

TEST_F(FabricResultDatabase, CsvFilesHoldTheSame)
{
    SqliteDatabase database(m_folder + "/results.db", SqliteDatabase::Mode::READ);
    for (const ResultTable& table : GetResultTables())
    {
        EXPECT_EQ(ReadFile(m_folder + "/" + table.name + ".csv"), ExportTable(database, table));
    }
}

} // namespace ns3
