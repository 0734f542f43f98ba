/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-test-data.h"

#include "ns3/config-error.h"
#include "ns3/result-folder.h"
#include "ns3/result-memory.h"

#include <nlohmann/json.hpp>
#include <set>

namespace ns3
{

namespace
{

namespace fs = std::filesystem;
using nlohmann::json;

/** \param folder a folder \return the names of everything in it */
std::set<std::string>
ListFolder(const std::string& folder)
{
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
    {
        names.insert(entry.path().filename().string());
    }
    return names;
}

/** \param folder where to write a result \param csv with CSV files \return the summary */
RunSummary
WriteSome(const std::string& folder, bool csv = false)
{
    ResultFolderOptions options{folder};
    options.csv = csv;
    ResultFolder results(options);
    uint64_t flows = RecordSome(results);
    RunSummary summary = MakeSummary();
    summary.network.payloadBytesDelivered = flows * 1000000;
    return results.Commit(summary);
}

/** \param path a result folder \return the message with which it is refused; empty if it is not */
std::string
GetRefusal(const std::string& path)
{
    try
    {
        ResultFolder results({path});
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

} // namespace

TEST(FabricResultFolder, WritesTheContract)
{
    UsePicoseconds();
    std::string folder = NewFolderName() + "/a/b";
    RunSummary summary = WriteSome(folder);
    EXPECT_EQ(ListFolder(folder),
              (std::set<std::string>{"summary.json", "results.db", "timeline.json"}));
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    json root = json::parse(ReadFile(folder + "/summary.json"));
    EXPECT_EQ(root.at("verdict"), "finished");
    EXPECT_EQ(root.at("tables").at("flows"), 24);
    EXPECT_EQ(root.at("tables").at("pauses"), 2);
    EXPECT_EQ(root.at("collectives").size(), 1U);
}

TEST(FabricResultFolder, H26SameRecordsSameBytes)
{
    UsePicoseconds();
    std::string first = NewFolderName();
    std::string second = NewFolderName() + "-with-another-name";
    WriteSome(first, true);
    WriteSome(second, true);
    auto names = ListFolder(first);
    EXPECT_EQ(names, ListFolder(second));
    EXPECT_EQ(names.size(), 3U + 16U);
    names.erase("summary.json");
    for (const std::string& name : names)
    {
        std::string bytes = ReadFile(first + "/" + name);
        EXPECT_FALSE(bytes.empty()) << name;
        EXPECT_TRUE(bytes == ReadFile(second + "/" + name)) << name;
    }
    json one = json::parse(ReadFile(first + "/summary.json"));
    json two = json::parse(ReadFile(second + "/summary.json"));
    one.erase("engine");
    two.erase("engine");
    EXPECT_EQ(one, two);
}

TEST(FabricResultFolder, H26SameBytesBeyondTheCache)
{
    UsePicoseconds();
    std::vector<std::string> folders{NewFolderName(), NewFolderName() + "-b"};
    for (const std::string& folder : folders)
    {
        ResultFolder results({folder});
        for (uint64_t id = 0; id < 100000; id++) // 6.5 MB; SQLite keeps 4 MB in memory
        {
            results.Record(MakeFlow(id));
        }
        results.Commit(MakeSummary());
    }
    std::string bytes = ReadFile(folders[0] + "/results.db");
    EXPECT_GT(bytes.size(), 5000000U);
    EXPECT_TRUE(bytes == ReadFile(folders[1] + "/results.db"));
    for (const std::string& folder : folders)
    {
        fs::remove_all(folder);
    }
}

TEST(FabricResultFolder, WithoutCommitNothingRemains)
{
    std::string base = NewFolderName();
    {
        ResultFolder results({base + "/deep/er"});
        RecordSome(results);
        EXPECT_TRUE(fs::exists(base + "/deep/er"));
    }
    EXPECT_FALSE(fs::exists(base));
}

TEST(FabricResultFolder, WithoutCommitTheEarlierResultStays)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    WriteSome(folder);
    std::string before = ReadFile(folder + "/results.db");
    {
        ResultFolder results({folder});
        RecordSome(results);
        EXPECT_EQ(ReadFile(folder + "/results.db"), before);
    }
    EXPECT_EQ(ListFolder(folder),
              (std::set<std::string>{"summary.json", "results.db", "timeline.json"}));
    EXPECT_EQ(ReadFile(folder + "/results.db"), before);
}

TEST(FabricResultFolder, ReplacesAnEarlierResultAndNothingElse)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    WriteSome(folder, true);
    WriteFile(folder + "/notes.txt", "mine");
    {
        ResultFolder results({folder});
        results.Commit(MakeSummary());
    }
    EXPECT_EQ(ListFolder(folder),
              (std::set<std::string>{"summary.json", "results.db", "timeline.json", "notes.txt"}));
    json root = json::parse(ReadFile(folder + "/summary.json"));
    EXPECT_EQ(root.at("tables").at("flows"), 0);
}

TEST(FabricResultFolder, RefusesWhatCannotBeWritten)
{
    std::string file = NewFolderName();
    WriteFile(file, "a file");
    EXPECT_NE(GetRefusal(file).find("read '" + file + "', expected a folder"), std::string::npos);
    EXPECT_NE(GetRefusal(file + "/below").find("expected a folder"), std::string::npos);
    EXPECT_NE(GetRefusal("/proc/railyard/out").find("expected a folder that can be written ("),
              std::string::npos);
    EXPECT_NE(GetRefusal("").find("expected a folder"), std::string::npos);
    EXPECT_EQ(ReadFile(file), "a file");
}

TEST(FabricResultFile, FullDiskIsAnErrorWithAName)
{
    ResultFile file("/dev/full");
    file.Write("some text");
    try
    {
        file.Close();
        FAIL() << "a full disk went unnoticed";
    }
    catch (const ConfigError& error)
    {
        EXPECT_EQ(std::string(error.what()),
                  "/dev/full: read 'No space left on device', expected a file that can be written");
    }
}

TEST(FabricResultFolder, NeverOverwritesForeignFiles)
{
    std::string folder = NewFolderName();
    fs::create_directories(folder);
    for (const std::string text : {"{\"my\": 1}", "no JSON", "{\"format\": 7}", "[]"})
    {
        WriteFile(folder + "/summary.json", text);
        EXPECT_NE(GetRefusal(folder).find("summary.json"), std::string::npos) << text;
        EXPECT_EQ(ReadFile(folder + "/summary.json"), text);
    }
    fs::remove(folder + "/summary.json");
    WriteFile(folder + "/flows.csv", "my flows");
    EXPECT_NE(GetRefusal(folder).find("flows.csv"), std::string::npos);
    EXPECT_EQ(ListFolder(folder), std::set<std::string>{"flows.csv"});
}

TEST(FabricResultFolder, FoldersWithTheNamesOfFilesAreForeign)
{
    for (const char* name : {"summary.json", "results.db"})
    {
        const std::string folder = NewFolderName();
        fs::create_directories(folder + "/" + name);
        EXPECT_NE(GetRefusal(folder).find(std::string(name) + "', expected no such file"),
                  std::string::npos)
            << GetRefusal(folder);
        EXPECT_EQ(ListFolder(folder), std::set<std::string>{name});
    }
}

TEST(FabricResultFolder, AProcessThatAbortsLeavesNothing)
{
    const std::string folder = NewFolderName();
    EXPECT_DEATH(
        {
            ResultFolder results({folder});
            std::terminate();
        },
        "");
    EXPECT_FALSE(fs::exists(folder));
}

TEST(FabricResultFolder, TwoRunsCannotShareAFolder)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    {
        ResultFolder first({folder});
        EXPECT_NE(GetRefusal(folder).find("no other run"), std::string::npos);
        EXPECT_NO_THROW(first.Commit(MakeSummary()));
    }
    EXPECT_EQ(GetRefusal(folder), "");
}

TEST(FabricResultFolder, ClearsWhatAKilledRunLeft)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    fs::create_directories(folder + "/.partial");
    WriteFile(folder + "/.partial/results.db", "half a database");
    WriteFile(folder + "/.partial/flows.csv", "half a table");
    WriteSome(folder);
    EXPECT_EQ(ListFolder(folder),
              (std::set<std::string>{"summary.json", "results.db", "timeline.json"}));
}

TEST(FabricResultFolder, AddedFilesComeWithTheOthers)
{
    UsePicoseconds();
    const std::string folder = NewFolderName();
    {
        ResultFolder refused({folder});
        WriteFile(refused.AddFile("port.pcap"), "frames");
    }
    EXPECT_FALSE(fs::exists(folder));
    for (const std::string content : {"frames", "other frames"})
    {
        ResultFolder results({folder});
        WriteFile(results.AddFile("port.pcap"), content);
        results.Commit(MakeSummary());
        EXPECT_EQ(ReadFile(folder + "/port.pcap"), content);
    }
}

TEST(FabricResultFolder, AddedFilesOverwriteNothingOfOthers)
{
    const std::string folder = NewFolderName();
    fs::create_directories(folder);
    WriteFile(folder + "/port.pcap", "somebody's frames");
    {
        ResultFolder results({folder});
        EXPECT_THROW(results.AddFile("port.pcap"), ConfigError);
    }
    EXPECT_EQ(ListFolder(folder), (std::set<std::string>{"port.pcap"}));
}

TEST(FabricResultFolder, UnfinishedFlowsDecideTheVerdict)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    ResultFolder results({folder});
    FlowRecord flow = MakeFlow(3);
    results.Record(flow);
    flow.id = 4;
    flow.end.reset();
    flow.deliveredBytes = 5000;
    results.Record(flow);
    RunSummary summary = MakeSummary();
    summary.network.payloadBytesDelivered = 1005000;
    summary = results.Commit(summary);
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    ASSERT_EQ(summary.unfinished.size(), 1U);
    EXPECT_EQ(summary.unfinished[0],
              "1 flows did not finish, the first: flow 4 from rank 3 to rank 0, 5000 of 1000000 "
              "bytes delivered");
    EXPECT_EQ(json::parse(ReadFile(folder + "/summary.json")).at("verdict"), "unfinished");
}

TEST(FabricResultFolder, LostBytesDecideTheVerdict)
{
    UsePicoseconds();
    ResultFolder results({NewFolderName()});
    results.Record(MakeFlow(0));
    RunSummary summary = MakeSummary();
    summary.network.payloadBytesDelivered = 999000;
    summary = results.Commit(summary);
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    ASSERT_EQ(summary.unfinished.size(), 1U);
    EXPECT_NE(summary.unfinished[0].find("not conserved"), std::string::npos);
}

TEST(FabricResultFolder, StuckRanksAndCollectivesDecideTheVerdict)
{
    UsePicoseconds();
    ResultFolder results({NewFolderName()});
    CollectiveRecord collective = MakeCollective();
    collective.end.reset();
    results.Record(collective);
    RankRecord rank;
    rank.rank = 5;
    results.Record(rank);
    RunSummary summary = results.Commit(MakeSummary());
    EXPECT_EQ(summary.verdict, RunVerdict::UNFINISHED);
    EXPECT_EQ(summary.unfinished.size(), 2U);
    ASSERT_EQ(summary.collectives.size(), 1U);
    EXPECT_EQ(summary.collectives[0].unfinished, 1U);
}

TEST(FabricResultFolder, SaysWhatTheTimelineLacks)
{
    UsePicoseconds();
    ResultFolderOptions options{NewFolderName()};
    options.timelineRanks = 1;
    ResultFolder results(options);
    uint64_t flows = RecordSome(results);
    RunSummary summary = MakeSummary();
    summary.network.payloadBytesDelivered = flows * 1000000;
    summary = results.Commit(summary);
    ASSERT_EQ(summary.notes.size(), 1U);
    EXPECT_NE(summary.notes[0].find("6 spans"), std::string::npos) << summary.notes[0];
}

TEST(FabricResultFolder, H20EmptyRun)
{
    UsePicoseconds();
    std::string folder = NewFolderName();
    ResultFolderOptions options{folder};
    options.csv = true;
    ResultFolder results(options);
    RunSummary summary = MakeSummary();
    summary = results.Commit(summary);
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(json::parse(ReadFile(folder + "/timeline.json")).at("traceEvents").empty());
    EXPECT_EQ(ReadFile(folder + "/pauses.csv"), "time_ns,node,port,priority,action\n");
}

TEST(FabricResultMemory, KeepsRecordsInOrder)
{
    ResultMemory memory;
    uint64_t flows = RecordSome(memory);
    ASSERT_EQ(memory.Get<FlowRecord>().size(), flows);
    EXPECT_EQ(memory.Get<FlowRecord>()[5].id, 5U);
    EXPECT_EQ(memory.Get<PauseRecord>().size(), 2U);
    EXPECT_EQ(memory.Get<CollectiveRecord>()[0].label, "grad, \"layer 1\"");
}

} // namespace ns3
