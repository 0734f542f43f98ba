/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/flow-statistics.h"
#include "ns3/result-collective-tally.h"
#include "ns3/result-exit-status.h"
#include "ns3/result-summary-json.h"

#include <fstream>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

namespace ns3
{

namespace
{

using nlohmann::json;

/**
 * Collects the names of all keys as doc/formats/summary.md writes them.
 * \param value a JSON value
 * \param prefix its own name
 * \param keys receives the names
 */
void
CollectKeys(const json& value, const std::string& prefix, std::set<std::string>& keys)
{
    static const std::set<std::string> FREE{"breakdown", "tables", "input", "network.fabrics"};
    if (value.is_object())
    {
        for (const auto& item : value.items())
        {
            std::string name = FREE.count(prefix) ? "*" : item.key();
            CollectKeys(item.value(), prefix.empty() ? name : prefix + "." + name, keys);
        }
    }
    else if (value.is_array())
    {
        keys.insert(prefix + "[]");
        for (const json& element : value)
        {
            CollectKeys(element, prefix + "[]", keys);
        }
    }
    else
    {
        keys.insert(prefix);
    }
}

/** \return the keys that doc/formats/summary.md lists */
std::set<std::string>
ReadDocumentedKeys()
{
    std::istringstream text(ReadFile(RailyardDir() + "/doc/formats/summary.md"));
    std::set<std::string> keys;
    bool isTable = false;
    for (std::string line; std::getline(text, line);)
    {
        isTable = line.rfind("| key |", 0) == 0 || (isTable && line.rfind('|', 0) == 0);
        if (isTable && line.rfind("| ", 0) == 0)
        {
            keys.insert(line.substr(2, line.find(" |", 2) - 2));
        }
    }
    keys.erase("key");
    return keys;
}

/** \return a summary in which every list has an element */
RunSummary
MakeFullSummary()
{
    RunSummary summary = MakeSummary();
    ResultCollectiveTally tally;
    tally.Add(MakeCollective());
    summary.collectives = tally.GetSummaries();
    summary.communication = {{"DP", MilliSeconds(3), PicoSeconds(1500000001)}};
    summary.network.fabrics = {{"ethernet", 1, 2, 3, 4}};
    summary.tables = {{"flows", 24}};
    summary.flows.count = 5;
    summary.flows.unfinished = 1;
    FlowStatistics statistics;
    statistics.Add(500, NanoSeconds(40), 4.0);
    statistics.Add(500, NanoSeconds(10), 1.0);
    statistics.Add(5000, NanoSeconds(20), 2.0);
    statistics.Add(5000000000, NanoSeconds(31), 3.0);
    summary.flows.completion = statistics.GetTimes();
    summary.flows.slowdown = statistics.GetSlowdowns();
    summary.flows.bySize = statistics.GetBySize();
    summary.verdict = RunVerdict::UNFINISHED;
    summary.unfinished = {"rank 3 waits for rank 2"};
    summary.warnings = {"a warning"};
    summary.notes = {"a note"};
    summary.configuration = {{"CC_MODE", "3", 7, "RoceNicDevice::CongestionControl", ""},
                             {"HAS_WIN", "1", 8, "", "no window"}};
    return summary;
}

} // namespace

TEST(FabricResultSummary, HoldsTheContract)
{
    UsePicoseconds();
    RunSummary summary = MakeFullSummary();
    summary.network.packets = 1;
    summary.network.timeouts = 10;
    summary.kernelTable = {1, 2, 3};
    json root = json::parse(MakeSummaryJson(summary));
    EXPECT_EQ(root.at("verdict"), "unfinished");
    EXPECT_EQ(root.at("simulatedTimeNs"), 10000000.001);
    EXPECT_EQ(root.at("iterationTimeNs"), 10000000.001);
    EXPECT_EQ(root.at("breakdown"),
              json::parse(R"({"compute":8000000,"exposedDp":1500000.001,"bubble":500000})"));
    EXPECT_EQ(root.at("communication").at(0).at("hiddenNs"), 1499999.999);
    const json& collective = root.at("collectives").at(0);
    EXPECT_EQ(collective.at("kind"), "AllReduce");
    EXPECT_EQ(collective.at("group"), "DP");
    EXPECT_EQ(collective.at("ranks"), 4);
    EXPECT_EQ(collective.at("bytes"), 100000000);
    EXPECT_EQ(collective.at("count"), 1);
    EXPECT_EQ(collective.at("timeNs"), 3200000);
    EXPECT_EQ(collective.at("algbwGBps"), 31.25);
    EXPECT_EQ(collective.at("busbwGBps"), 46.875);
    EXPECT_EQ(root.at("network").at("packets"), 1);
    EXPECT_EQ(root.at("network").at("timeouts"), 10);
    EXPECT_EQ(root.at("kernelTable"), json::parse(R"({"exact":1,"interpolated":2,"roofline":3})"));
    EXPECT_EQ(root.at("input").at("topology"), "star:hosts=4");
    EXPECT_EQ(root.at("configuration"),
              json::parse(R"([{"key":"CC_MODE","value":"3","line":7,
                              "effect":"RoceNicDevice::CongestionControl","ignored":""},
                             {"key":"HAS_WIN","value":"1","line":8,"effect":"",
                              "ignored":"no window"}])"));
    EXPECT_EQ(root.at("seed"), 42);
    EXPECT_EQ(root.at("revision"), "0123abcd");
    EXPECT_EQ(root.at("engine").at("events"), 12345);
    EXPECT_GT(root.at("engine").at("peakRssBytes"), 1000000);
}

TEST(FabricResultSummary, FlowStatisticsAreOfTheNearestRank)
{
    UsePicoseconds();
    const json flows = json::parse(MakeSummaryJson(MakeFullSummary())).at("flows");
    EXPECT_EQ(flows.at("count"), 5);
    EXPECT_EQ(flows.at("unfinished"), 1);
    EXPECT_EQ(flows.at("meanNs"), 25.25);
    EXPECT_EQ(flows.at("p50Ns"), 20);
    EXPECT_EQ(flows.at("p95Ns"), 40);
    EXPECT_EQ(flows.at("maxNs"), 40);
    EXPECT_EQ(flows.at("meanSlowdown"), 2.5);
    EXPECT_EQ(flows.at("p50Slowdown"), 2.0);
    EXPECT_EQ(flows.at("p99Slowdown"), 4.0);

    EXPECT_EQ(flows.at("p999Slowdown"), 4.0);
    ASSERT_EQ(flows.at("bySize").size(), 3U);
    EXPECT_EQ(flows.at("bySize").at(0).at("toBytes"), 1000);
    EXPECT_EQ(flows.at("bySize").at(0).at("flows"), 2);
    EXPECT_EQ(flows.at("bySize").at(0).at("p90Ns"), 40);
    EXPECT_EQ(flows.at("bySize").at(2).at("fromBytes"), 1000000000);
    EXPECT_TRUE(flows.at("bySize").at(2).at("toBytes").is_null());

    RunSummary none = MakeSummary();
    EXPECT_FALSE(json::parse(MakeSummaryJson(none)).contains("flows"));
}

TEST(FabricResultSummary, EveryKeyIsDocumented)
{
    UsePicoseconds();
    std::set<std::string> keys;
    CollectKeys(json::parse(MakeSummaryJson(MakeFullSummary())), "", keys);
    EXPECT_EQ(ReadDocumentedKeys(), keys);
}

TEST(FabricResultSummary, TextIsAsExpected)
{
    UsePicoseconds();
    std::string text = MakeSummaryJson(MakeFullSummary());
    EXPECT_EQ(text.rfind("{\n  \"format\": \"railyard-summary\",\n  \"formatVersion\": 1,\n"
                         "  \"verdict\": \"unfinished\",\n  \"simulatedTimeNs\": 10000000.001,\n",
                         0),
              0U)
        << text;
    EXPECT_NE(text.find("    {\"kind\": \"AllReduce\", \"group\": \"DP\", \"ranks\": 4, "),
              std::string::npos)
        << text;
    EXPECT_EQ(text.substr(text.size() - 7), "\n  }\n}\n");
}

TEST(FabricResultSummary, H26DayAndMachineStandUnderEngineAlone)
{
    UsePicoseconds();
    RunSummary today = MakeFullSummary();
    RunSummary tomorrow = today;
    tomorrow.engine = {"other", 1, 77.0, 5, "2031-01-01T00:00:00Z", "elsewhere"};
    std::string first = MakeSummaryJson(today);
    std::string second = MakeSummaryJson(tomorrow);
    EXPECT_NE(first, second);
    auto engine = first.find("\"engine\"");
    ASSERT_NE(engine, std::string::npos);
    EXPECT_EQ(first.substr(0, engine), second.substr(0, engine));
    EXPECT_EQ(first, MakeSummaryJson(today));
}

TEST(FabricResultSummary, RevisionIsACommitOrUnknown)
{
    std::string revision = GetRevision();
    if (revision == "unknown")
    {
        GTEST_SKIP() << "built outside a git checkout";
    }
    EXPECT_EQ(revision.find_first_not_of("0123456789abcdef"),
              revision.size() == 40 ? std::string::npos : 40U);
    EXPECT_TRUE(revision.size() == 40 || revision.substr(40) == "-dirty") << revision;
}

TEST(FabricResultSummary, BreakdownMustAddUp)
{
    UsePicoseconds();
    RunSummary summary = MakeSummary();
    EXPECT_NO_THROW(summary.Check());
    summary.breakdown[1].duration -= PicoSeconds(1);
    EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
    summary.breakdown.clear();
    EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
    summary.iterationTime = Time();
    EXPECT_NO_THROW(MakeSummaryJson(summary));
    summary.breakdown = {{"compute", Time()}, {"compute", Time()}};
    EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
}

TEST(FabricResultSummary, FinishedMeansNothingIsLeft)
{
    UsePicoseconds();
    RunSummary summary = MakeSummary();
    summary.unfinished = {"rank 1 waits for rank 0"};
    EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
}

TEST(FabricResultSummary, NotANumberIsRefused)
{
    UsePicoseconds();
    for (double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    {
        RunSummary summary = MakeFullSummary();
        summary.collectives[0].busbwGBps = bad;
        EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
        summary = MakeFullSummary();
        summary.engine.wallSeconds = bad;
        EXPECT_THROW(MakeSummaryJson(summary), std::logic_error);
    }
}

TEST(FabricResultSummary, H20ComputeOnlyHasZerosAndEmptyLists)
{
    UsePicoseconds();
    RunSummary summary;
    summary.verdict = RunVerdict::FINISHED;
    summary.iterations = 1;
    summary.simulatedTime = summary.iterationTime = MilliSeconds(5);
    summary.breakdown = {{"compute", MilliSeconds(5)}, {"exposedTp", Time()}};
    std::string text = MakeSummaryJson(summary);
    json root = json::parse(text);
    EXPECT_TRUE(root.at("collectives").is_array());
    EXPECT_TRUE(root.at("collectives").empty());
    EXPECT_EQ(root.at("breakdown").at("exposedTp"), 0);
    EXPECT_EQ(root.at("engine").at("packetHopsPerSecond"), 0);
    EXPECT_EQ(text.find("null"), std::string::npos);
    EXPECT_EQ(text.find("nan"), std::string::npos);
}

TEST(FabricResultCollectiveTally, GroupsInOrderOfAppearance)
{
    UsePicoseconds();
    ResultCollectiveTally tally;
    CollectiveRecord big = MakeCollective();
    CollectiveRecord small = big;
    small.bytes = 4;
    small.end = small.start + NanoSeconds(4000);
    tally.Add(small);
    tally.Add(big);
    big.end = *big.end + PicoSeconds(1);
    tally.Add(big);
    big.end.reset();
    tally.Add(big);
    auto entries = tally.GetSummaries();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].bytes, 4U);
    EXPECT_DOUBLE_EQ(entries[0].busbwGBps, 0.0015);
    EXPECT_EQ(entries[1].count, 2U);
    EXPECT_EQ(entries[1].unfinished, 1U);
    EXPECT_EQ(entries[1].minTime, MicroSeconds(3200));
    EXPECT_EQ(entries[1].maxTime, PicoSeconds(3200000001));
    EXPECT_EQ(entries[1].time, PicoSeconds(3200000001)); // half a picosecond is rounded up
    EXPECT_NEAR(entries[1].algbwGBps, 31.25, 1e-6);
}

TEST(FabricResultCollectiveTally, WaitForLateRanksIsToldApart)
{
    UsePicoseconds();
    ResultCollectiveTally tally;
    CollectiveRecord record = MakeCollective(); // 100 MB in 3.2 ms
    record.lastStart = record.start + MicroSeconds(1600);
    tally.Add(record);
    record.lastStart = record.start;
    tally.Add(record);
    const CollectiveSummary entry = tally.GetSummaries().at(0);
    EXPECT_EQ(entry.time, MicroSeconds(3200));
    EXPECT_EQ(entry.wait, MicroSeconds(800));
    EXPECT_DOUBLE_EQ(entry.busbwGBps, 100e6 / 3.2e6 * 1.5);
    EXPECT_DOUBLE_EQ(entry.joinedBusbwGBps, 100e6 / 2.4e6 * 1.5);
}

TEST(FabricResultCollectiveTally, H20EmptyCollectiveTakesNoTimeAndHasNoBandwidth)
{
    UsePicoseconds();
    ResultCollectiveTally tally;
    CollectiveRecord empty = MakeCollective();
    empty.kind = "ReduceScatter";
    empty.bytes = 0;
    empty.end = empty.start;
    tally.Add(empty);
    auto entries = tally.GetSummaries();
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_EQ(entries[0].count, 1U);
    EXPECT_TRUE(entries[0].time.IsZero());
    EXPECT_EQ(entries[0].algbwGBps, 0.0);
    EXPECT_EQ(entries[0].busbwGBps, 0.0);
}

TEST(FabricResultCollectiveTally, AlgorithmsAreToldApart)
{
    UsePicoseconds();
    ResultCollectiveTally tally;
    CollectiveRecord record = MakeCollective();
    tally.Add(record);
    record.algorithm = "Tree";
    tally.Add(record);
    const auto entries = tally.GetSummaries();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].algorithm, "Ring");
    EXPECT_EQ(entries[1].algorithm, "Tree");
}

TEST(FabricResultCollectiveTally, RowsOfABenchmarkStandForItsCollectives)
{
    UsePicoseconds();
    ResultCollectiveTally tally;
    tally.Add(MakeCollective());
    CollectiveBenchRecord row = MakeBenchRow(); // 4 times 100 MB in 12.8 ms
    tally.Add(row);
    row.bytes = 0;
    row.end = row.start;
    tally.Add(row);
    const auto entries = tally.GetSummaries();
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(entries[0].kind, "AllReduce");
    EXPECT_EQ(entries[0].algorithm, "Ring");
    EXPECT_EQ(entries[0].count, 4U);
    EXPECT_EQ(entries[0].time, MicroSeconds(3200));
    EXPECT_DOUBLE_EQ(entries[0].algbwGBps, 31.25);
    EXPECT_DOUBLE_EQ(entries[0].busbwGBps, 31.25 * 1.5);
    EXPECT_TRUE(entries[1].time.IsZero());
    EXPECT_EQ(entries[1].busbwGBps, 0.0);
}

TEST(FabricResultExitStatus, FollowsTheConvention)
{
    std::ostringstream errors;
    auto returning = [](RunVerdict verdict) {
        return [verdict] { return GetExitStatus(verdict); };
    };
    EXPECT_EQ(RunProgram(returning(RunVerdict::FINISHED), errors), 0);
    EXPECT_EQ(RunProgram(returning(RunVerdict::UNFINISHED), errors), 1);
    EXPECT_EQ(errors.str(), "");
    auto refusing = []() -> ExitStatus {
        throw ConfigError("topology.txt", 12, "400 Gbps", "a rate such as 400Gbps");
    };
    EXPECT_EQ(RunProgram(refusing, errors), 2);
    EXPECT_EQ(errors.str(),
              "error: topology.txt: line 12: read '400 Gbps', expected a rate such as 400Gbps\n");
}

TEST(FabricResultExitStatus, EveryExceptionIsOneLine)
{
    std::ostringstream errors;
    EXPECT_EQ(RunProgram([]() -> ExitStatus { throw std::logic_error("two\nlines"); }, errors), 3);
    EXPECT_EQ(RunProgram([]() -> ExitStatus { throw std::bad_alloc(); }, errors), 3);
    EXPECT_EQ(errors.str(),
              "error: internal: two lines\n"
              "error: out of memory: the input is too large here\n");
}

TEST(FabricResultExitStatus, OutputThatCannotBeWrittenIsAFailure)
{
    std::ofstream full("/dev/full");
    ASSERT_TRUE(full);
    std::ostringstream errors;
    const auto print = [&full] {
        full << "verdict";
        return ExitStatus::FINISHED;
    };
    EXPECT_EQ(RunProgram(print, errors, full), 3);
    EXPECT_EQ(errors.str(),
              "error: standard output cannot be written: what was printed is not complete\n");
}

} // namespace ns3
