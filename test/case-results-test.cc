/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "test-paths.h"

#include "ns3/sqlite-database.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

/**
 * \file
 * Cases on results: flow log, link bytes and timeline agree (H25); same input, same output (H26).
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** \return one AllReduce of 100 MB on four GPUs, run */
TrainingOutcome
RunFourGpuAllReduce()
{
    return RunTraining({WriteFourGpuStar(),
                        WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                                      {"a -1 0 ALLREDUCE 100000000 0 NONE 0 0 NONE 0 0"})});
}

/** \param outcome a run \return its database */
SqliteDatabase
OpenResults(const TrainingOutcome& outcome)
{
    return SqliteDatabase(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
}

/**
 * \param path workload with 12 fields a row
 * \param rows rows to keep
 * \param divisor divides the bytes of collectives of a gigabyte or more, fields 8 and 11
 * \return path of the copy
 */
std::string
CutWorkload(const std::string& path, uint32_t rows, uint64_t divisor)
{
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    std::string text = line + "\n" + std::to_string(rows) + "\n";
    std::getline(file, line);
    for (uint32_t i = 0; i < rows && std::getline(file, line); i++)
    {
        std::istringstream words(line);
        std::string word;
        for (uint32_t field = 1; words >> word; field++)
        {
            const bool isSize = field == 8 || field == 11;
            const uint64_t bytes = isSize ? std::stoull(word) : 0;
            text += (bytes >= 1000000000 ? std::to_string(bytes / divisor) : word) + "\t";
        }
        text += "\n";
    }
    return WriteTestFile("cut.txt", text);
}

} // namespace

TEST(RailyardCase, H25FlowLogHasEveryMessageOfTheRing)
{
    const TrainingOutcome outcome = RunFourGpuAllReduce();
    ASSERT_EQ(outcome.status, 0);
    const SqliteDatabase database = OpenResults(outcome);
    auto flows = database.Prepare(
        "SELECT src_rank, dst_rank, payload_bytes, delivered_bytes, f.start_ns, f.end_ns, "
        "f.collective, step, path, c.kind, c.end_ns, sender_end_ns "
        "FROM flows f LEFT JOIN collectives c ON f.collective = c.collective");
    std::set<std::pair<int64_t, int64_t>> found; // sender, step
    while (flows.Step())
    {
        const int64_t src = flows.GetInteger(0);
        EXPECT_EQ(flows.GetInteger(1), (src + 1) % 4);
        EXPECT_EQ(flows.GetInteger(2), 25000000);
        EXPECT_EQ(flows.GetInteger(3), 25000000);
        EXPECT_GE(flows.GetReal(4), 0.0);
        // no faster than its payload on the link and two links of 1 us
        EXPECT_GE(flows.GetReal(5) - flows.GetReal(4), 500000.0 + 2000.0);
        EXPECT_GE(flows.GetReal(11), flows.GetReal(5) + 2000.0); // the last ACK's way back
        EXPECT_LE(flows.GetReal(11), flows.GetReal(10));
        EXPECT_FALSE(flows.IsNull(6));
        EXPECT_EQ(flows.GetText(8), "nic");
        EXPECT_EQ(flows.GetText(9), "AllReduce");
        EXPECT_TRUE(found.emplace(src, flows.GetInteger(7)).second);
        EXPECT_LT(flows.GetInteger(7), 6);
    }
    EXPECT_EQ(found.size(), 24u);
}

TEST(RailyardCase, H25LinksCountDataAndAcknowledgementsApart)
{
    const TrainingOutcome outcome = RunFourGpuAllReduce();
    ASSERT_EQ(outcome.status, 0);
    constexpr int64_t MTU = 4096;
    constexpr int64_t HEADER = 82;   // 62 of headers and check sequences, 20 of preamble and gap
    constexpr int64_t RETH = 16;     // in the first packet of a WRITE
    constexpr int64_t ACK = 66 + 20; // an acknowledgement with preamble and gap
    constexpr int64_t MESSAGES = 6;  // per direction
    constexpr int64_t PACKETS = MESSAGES * ((25000000 + MTU - 1) / MTU);
    const SqliteDatabase database = OpenResults(outcome);
    auto links = database.Prepare("SELECT data_packets, payload_bytes, data_wire_bytes, "
                                  "ack_packets, ack_wire_bytes, control_packets, wire_bytes, "
                                  "dropped_packets, utilisation FROM links");
    uint32_t count = 0;
    while (links.Step())
    {
        count++;
        EXPECT_EQ(links.GetInteger(0), PACKETS);
        EXPECT_EQ(links.GetInteger(1), 150000000);
        EXPECT_EQ(links.GetInteger(2), 150000000 + PACKETS * HEADER + MESSAGES * RETH);
        EXPECT_GE(links.GetInteger(3), MESSAGES);
        EXPECT_LE(links.GetInteger(3), PACKETS);
        EXPECT_EQ(links.GetInteger(4), links.GetInteger(3) * ACK);
        EXPECT_EQ(links.GetInteger(5), 0);
        EXPECT_EQ(links.GetInteger(6), links.GetInteger(2) + links.GetInteger(4));
        EXPECT_EQ(links.GetInteger(7), 0);
        EXPECT_GT(links.GetReal(8), 0.9);
        EXPECT_LE(links.GetReal(8), 1.0);
    }
    EXPECT_EQ(count, 8u); // 4 links, both directions
}

TEST(RailyardCase, H25TimelineAgreesWithTheSummary)
{
    const TrainingOutcome outcome = RunFourGpuAllReduce();
    ASSERT_EQ(outcome.status, 0);
    const json timeline = json::parse(ReadTestFile(outcome.folder + "/timeline.json"));
    std::map<int, std::string> names; // of threads

    struct Track
    {
        double begin{1e300};         //!< us
        double end{0};               //!< us
        double communication{0};     //!< us; spans of a stream do not overlap
        std::set<int> collectives{}; //!< ids
    };

    std::map<int, Track> tracks;
    for (const json& event : timeline.at("traceEvents"))
    {
        if (event.at("ph") == "M" && event.at("name") == "thread_name")
        {
            names[event.at("tid")] = event.at("args").at("name");
        }
        if (event.at("ph") == "X")
        {
            EXPECT_GE(event.at("dur").get<double>(), 0.0);
            Track& track = tracks[event.at("tid")];
            track.begin = std::min(track.begin, event.at("ts").get<double>());
            track.end =
                std::max(track.end, event.at("ts").get<double>() + event.at("dur").get<double>());
            track.communication += event.at("dur").get<double>();
            track.collectives.insert(event.at("args").at("collective").get<int>());
        }
    }
    ASSERT_EQ(names.size(), 4u);
    ASSERT_EQ(tracks.size(), 4u);
    ASSERT_EQ(outcome.summary.communication.size(), 1u);
    const Time total = outcome.summary.communication[0].total;
    std::set<std::string> gpus;
    for (const auto& [tid, name] : names)
    {
        gpus.insert(name.substr(0, name.find(" tp")));
        EXPECT_NEAR(tracks[tid].communication, total.GetPicoSeconds() / 1e6, 1e-5) << name;
        EXPECT_NEAR(tracks[tid].end - tracks[tid].begin, tracks[tid].communication, 1e-5);
        EXPECT_EQ(tracks[tid].collectives, std::set<int>{0});
    }
    EXPECT_EQ(gpus, (std::set<std::string>{"rank 0", "rank 1", "rank 2", "rank 3"}));
}

/**
 * The first 40 rows of GPT-7B for 64 GPUs. Their three collectives of gigabytes make the run move
 * 950 GB, 305 million packet-hops, a minute of work: here they are 1/256 of their size, everything
 * else is as in the file.
 */
TEST(RailyardCase, H26SameInputSameBytesInAnyFolder)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string workload = CutWorkload(
        SharedDir() + "/data/realfiles/aicb-generated/gpt_7B-world_size64-tp4-pp1-ep1-gbs128-"
                      "mbs1-seq2048-MOE-False-GEMM-False-flash_attn-True.txt",
        40,
        256);
    std::vector<std::string> folders;
    for (const std::string directory : {"first", "second/place"})
    {
        const ScopedDirectory here(directory);
        const TrainingOutcome outcome =
            RunTraining({"rail-optimized:gpus=64", workload, "fabric", "Dcqcn", Time(0), "out"});
        ASSERT_EQ(outcome.status, 0);
        EXPECT_GT(outcome.summary.network.packets, 1000000u);
        folders.push_back(here.GetPath() + "/out");
    }
    EXPECT_EQ(ReadComparableSummary(folders[0]), ReadComparableSummary(folders[1]));
    for (const char* file : {"/results.db", "/timeline.json"})
    {
        const std::string bytes = ReadTestFile(folders[0] + file);
        EXPECT_GT(bytes.size(), 10000u);
        EXPECT_TRUE(bytes == ReadTestFile(folders[1] + file)) << file;
    }
}

} // namespace ns3
