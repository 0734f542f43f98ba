/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"
#include "test-paths.h"

#include "ns3/result-folder.h"
#include "ns3/result-schema.h"
#include "ns3/sqlite-database.h"

#include <map>
#include <set>

namespace ns3
{

namespace
{

/** Column, type, unit, meaning. */
using Cells = std::vector<std::string>;

/** \param line a line of a Markdown table \return its cells without blanks around them */
Cells
SplitCells(const std::string& line)
{
    Cells cells;
    std::string cell;
    for (char c : line.substr(1))
    {
        if (c != '|')
        {
            cell += c;
            continue;
        }
        auto first = cell.find_first_not_of(' ');
        auto last = cell.find_last_not_of(' ');
        cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
        cell.clear();
    }
    return cells;
}

/** \return the tables of doc/formats/results-db.md: section and rows */
std::map<std::string, std::vector<Cells>>
ReadDocumentedTables()
{
    std::istringstream text(ReadFile(RailyardDir() + "/doc/formats/results-db.md"));
    std::map<std::string, std::vector<Cells>> tables;
    std::string section;
    for (std::string line; std::getline(text, line);)
    {
        if (line.rfind("## ", 0) == 0)
        {
            section = line.substr(3);
        }
        bool isRow = line.rfind("| ", 0) == 0 && line.rfind("| column |", 0) != 0;
        if (isRow && !section.empty())
        {
            tables[section].push_back(SplitCells(line));
        }
    }
    return tables;
}

/** \return the tables of a results.db as SQLite itself describes them, with what "columns" says */
std::map<std::string, std::vector<Cells>>
ReadDatabaseTables()
{
    std::string folder = NewFolderName();
    {
        ResultFolder results({folder});
        results.Commit(MakeSummary());
    }
    SqliteDatabase database(folder + "/results.db", SqliteDatabase::Mode::READ);
    auto select =
        database.Prepare("SELECT m.name, c.name, c.type, d.unit, d.meaning FROM sqlite_master m "
                         "JOIN pragma_table_info(m.name) c "
                         "LEFT JOIN columns d ON d.table_name = m.name AND d.column_name = c.name "
                         "WHERE m.type = 'table' ORDER BY m.name, c.cid");
    std::map<std::string, std::vector<Cells>> tables;
    while (select.Step())
    {
        tables[select.GetText(0)].push_back(
            {select.GetText(1), select.GetText(2), select.GetText(3), select.GetText(4)});
    }
    return tables;
}

/** Endings that a column name must have for its unit. */
const std::map<std::string, std::vector<std::string>> ENDINGS{
    {"ns", {"_ns"}},
    {"bytes", {"_bytes"}},
    {"packets", {"_packets"}},
    {"frames", {"_sent", "_received"}},
    {"bits/s", {"_bps"}},
    {"1e9 bytes/s", {"_GBps"}},
};

} // namespace

TEST(FabricResultSchema, H25EveryColumnIsDocumented)
{
    auto documented = ReadDocumentedTables();
    auto actual = ReadDatabaseTables();
    ASSERT_EQ(actual.size(), GetResultTables().size());
    EXPECT_EQ(documented, actual);
}

TEST(FabricResultSchema, H25UnitsEndTheNames)
{
    for (const ResultTable& table : GetResultTables())
    {
        std::set<std::string> names;
        for (const ResultColumn& column : table.columns)
        {
            EXPECT_TRUE(names.insert(column.name).second) << table.name << "." << column.name;
            EXPECT_FALSE(column.meaning.empty()) << table.name << "." << column.name;
            if (column.unit.empty())
            {
                continue;
            }
            ASSERT_EQ(ENDINGS.count(column.unit), 1U) << column.unit;
            bool fits = false;
            for (const std::string& ending : ENDINGS.at(column.unit))
            {
                auto at = column.name.rfind(ending);
                fits =
                    fits || (at != std::string::npos && at + ending.size() == column.name.size());
            }
            EXPECT_TRUE(fits) << table.name << "." << column.name << " in " << column.unit;
        }
    }
}

TEST(FabricResultSchema, TimesAreInNanoseconds)
{
    for (const ResultTable& table : GetResultTables())
    {
        for (const ResultColumn& column : table.columns)
        {
            EXPECT_EQ(column.type == ResultColumnType::TIME, column.unit == "ns") << column.name;
        }
    }
}

TEST(FabricResultSchema, RowsFitTheirTables)
{
    UsePicoseconds();
    ResultRow row;
    const FlowRecord flow = MakeFlow(3);
    MakeResultRow(flow, row);
    const ResultTable& flows = GetResultTables()[GetResultTableIndex<FlowRecord>()];
    ASSERT_EQ(flows.name, "flows");
    ASSERT_EQ(row.size(), flows.columns.size());
    EXPECT_EQ(std::get<int64_t>(row[0]), 3);
    EXPECT_EQ(std::get<Time>(row[5]), MicroSeconds(30));
    EXPECT_EQ(std::get<std::string_view>(row[13]), "nic");
}

} // namespace ns3
