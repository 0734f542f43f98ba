/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"

#include "scenario-test-helper.h"

#include "ns3/collective-bench-options.h"
#include "ns3/collective-bench-table.h"
#include "ns3/packet-network.h"
#include "ns3/result-exit-status.h"
#include "ns3/simulator.h"
#include "ns3/sqlite-database.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ns3
{

CollectiveBenchRecord
CollectiveBenchOutcome::GetRow() const
{
    EXPECT_EQ(rows.size(), 1U) << error << out;
    return rows.empty() ? CollectiveBenchRecord() : rows.front().record;
}

std::vector<std::vector<std::string>>
CollectiveBenchOutcome::GetTable() const
{
    std::vector<std::vector<std::string>> table;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
    {
        std::istringstream words(line);
        std::vector<std::string> row;
        for (std::string word; words >> word;)
        {
            row.push_back(word);
        }
        if (!row.empty() && row.front()[0] != '#')
        {
            table.push_back(row);
        }
    }
    return table;
}

std::vector<std::string>
CollectiveBenchOutcome::GetComments() const
{
    std::vector<std::string> comments;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);)
    {
        if (line.rfind('#', 0) == 0)
        {
            comments.push_back(line);
        }
    }
    return comments;
}

std::string
CollectiveBenchOutcome::Ask(const std::string& sql) const
{
    const SqliteDatabase database(folder + "/results.db", SqliteDatabase::Mode::READ);
    auto query = database.Prepare(sql);
    std::string values;
    while (query.Step())
    {
        for (int i = 0; i < query.GetColumnCount(); i++)
        {
            values += (values.empty() ? "" : " ") + (query.IsNull(i) ? "NULL" : query.GetText(i));
        }
    }
    return values;
}

CollectiveBenchOutcome
RunBench(const std::vector<std::string>& words)
{
    static uint32_t count = 0;
    Simulator::Destroy();
    CollectiveBenchOutcome outcome;
    outcome.folder = testing::TempDir() + "/collective-bench-" + std::to_string(count++);
    std::filesystem::remove_all(outcome.folder);
    std::vector<std::string> line = words;
    line.push_back("--out=" + outcome.folder);
    const ScopedClusterNetwork network(PacketNetwork::GetTypeId());
    std::ostringstream out;
    std::ostringstream errors;
    outcome.status = RunProgram(
        [&] {
            CollectiveBenchOptions options;
            EXPECT_TRUE(ParseWords(options, line));
            CollectiveBenchRun run(options.MakeRun());
            const CollectiveBenchTable table(out, run);
            table.PrintHeading();
            run.SetSizeCallback([&](const auto& rows) { table.PrintSize(rows); });
            outcome.summary = run.Run();
            table.PrintEnd(outcome.summary, run.GetResultPath());
            outcome.rows = run.GetRows();
            return GetExitStatus(outcome.summary.verdict);
        },
        errors);
    outcome.out = out.str();
    outcome.error = errors.str();
    if (outcome.status == 2)
    {
        EXPECT_EQ(std::count(outcome.error.begin(), outcome.error.end(), '\n'), 1) << outcome.error;
        EXPECT_EQ(outcome.out, "");
        EXPECT_FALSE(std::filesystem::exists(outcome.folder));
    }
    return outcome;
}

} // namespace ns3
