/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"
#include "workload-test-helper.h"

#include "ns3/workload-reader.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <set>

namespace ns3
{

namespace
{

/** Where a workload ends up. */
struct RealFile
{
    std::string path;    //!< file
    std::string refusal; //!< message of the ConfigError, empty if it loads
    Workload workload;   //!< what the ranks do, if it loads
};

/**
 * \param folder folder below the real files
 * \param cluster cluster
 * \return all files of the folder, loaded
 */
std::vector<RealFile>
LoadAll(const std::string& folder, const WorkloadCluster& cluster)
{
    std::set<std::string> paths;
    for (const auto& entry :
         std::filesystem::directory_iterator(SharedDir() + "/data/realfiles/" + folder))
    {
        paths.insert(entry.path().string());
    }
    std::vector<RealFile> files;
    for (const std::string& path : paths)
    {
        RealFile file;
        file.path = path;
        file.refusal =
            GetConfigError([&] { file.workload = WorkloadReader::ReadFile(path, cluster); });
        files.push_back(std::move(file));
    }
    return files;
}

/**
 * Runs a workload with invented network times.
 * \param file a file that loads
 */
void
RunRealFile(const RealFile& file)
{
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
        return NanoSeconds(1000 + call.bytes / 200);
    };
    runner.service.messageTime = [](uint64_t bytes) { return NanoSeconds(2000 + bytes / 50); };
    const WorkloadResult result = runner.Run(file.workload);
    EXPECT_TRUE(result.finished) << file.path;
    EXPECT_GT(result.end, Time(0)) << file.path;
}

/**
 * \param workload a workload
 * \return operations of all ranks
 */
uint64_t
CountOperations(const Workload& workload)
{
    uint64_t count = 0;
    for (const WorkloadProgram& program : workload.stages)
    {
        count += program.GetOpCount() * workload.layout.GetRanksPerStage();
    }
    return count;
}

/** Parts of a refusal, by part of the file's path: files that are wrong in themselves. */
const std::map<std::string, std::vector<std::string>> REFUSED = {
    {"gpu_compute_timing.txt", {"read 'train_iter:1'", "expected a workload"}},
    {"busbw.yaml", {"read 'test'", "expected a workload"}},
    {"L65B-M1-C05_Llama65B_megatron_tp8_pp1_mbs1_A100.txt", {"line 2: read '839'", "33"}},
    {"world_size1472-tp8-pp8-ep1-gbs32-mbs1", {"32 is not a multiple of 23*1"}},
};

/**
 * \param path path of a file
 * \return parts of its refusal, empty if it must load
 */
std::vector<std::string>
GetExpectedRefusal(const std::string& path)
{
    for (const auto& [name, parts] : REFUSED)
    {
        if (path.find(name) != std::string::npos)
        {
            return parts;
        }
    }
    return {};
}

} // namespace

TEST(RailyardWorkloadRealFiles, EveryFileLoadsAndRunsOrIsRefusedClearly)
{
    RAILYARD_NEED_SHARED_FILES();
    uint32_t ran = 0;
    uint32_t refused = 0;
    for (const char* folder :
         {"simai/workloads", "aicb-generated", "aicb/simAI", "astra-sim/text", "chakra/text"})
    {
        for (const RealFile& file : LoadAll(folder, {16384, 8}))
        {
            const std::vector<std::string> expected = GetExpectedRefusal(file.path);
            EXPECT_EQ(expected.empty(), file.refusal.empty()) << file.path << ": " << file.refusal;
            for (const std::string& part : expected)
            {
                EXPECT_NE(file.refusal.find(part), std::string::npos) << file.refusal;
            }
            refused += file.refusal.empty() ? 0 : 1;
            const bool isSmall = CountOperations(file.workload) <= 400000;
            if (file.refusal.empty() && isSmall)
            {
                RunRealFile(file);
                ran++;
            }
        }
    }
    EXPECT_EQ(refused, 4u);
    EXPECT_GE(ran, 10u);
}

TEST(RailyardWorkloadRealFiles, SmallClusterRunsWhatFitsAndRefusesTheRest)
{
    RAILYARD_NEED_SHARED_FILES();
    uint32_t ran = 0;
    for (const char* folder : {"simai/workloads", "aicb/simAI", "astra-sim/text", "chakra/text"})
    {
        for (const RealFile& file : LoadAll(folder, {16, 8}))
        {
            if (file.refusal.empty())
            {
                RunRealFile(file);
                ran++;
            }
            else if (GetExpectedRefusal(file.path).empty())
            {
                EXPECT_NE(file.refusal.find("at most 16, the GPUs of the cluster"),
                          std::string::npos)
                    << file.refusal;
            }
        }
    }
    EXPECT_GE(ran, 25u);
}

TEST(RailyardWorkloadRealFiles, H12LegacyHeaderTakesTheClusterAndSaysSo)
{
    RAILYARD_NEED_SHARED_FILES();
    const Workload workload = WorkloadReader::ReadFile(
        SharedDir() +
            "/data/realfiles/aicb/simAI/G13B-M1-C01_GPT13B_megatron_tp8_pp1_mbs1_A100.txt",
        {16, 8});
    EXPECT_EQ(workload.layout.GetSizes().ranks, 16u);
    ASSERT_EQ(workload.notes.size(), 1u);
    EXPECT_NE(workload.notes[0].find("all_gpus (taken as 16"), std::string::npos);
}

TEST(RailyardWorkloadRealFiles, H13SizesOfWorkloadAndCluster)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string folder = SharedDir() + "/data/realfiles/";
    const Workload small =
        WorkloadReader::ReadFile(folder + "simai/workloads/microAllReduce.txt", {128, 8});
    EXPECT_EQ(small.layout.GetSizes().ranks, 8u);
    ASSERT_EQ(small.warnings.size(), 1u);
    EXPECT_NE(small.warnings.at(0).find("it runs on GPUs 0-7"), std::string::npos);
    const std::string error = GetConfigError([&] {
        WorkloadReader::ReadFile(folder +
                                     "aicb-generated/gpt_7B-world_size128-tp4-pp4-ep1-gbs512-mbs1-"
                                     "seq4096-MOE-False-GEMM-False-flash_attn-True.txt",
                                 {8, 8});
    });
    EXPECT_NE(error.find("read '128', expected at most 8"), std::string::npos) << error;
}

TEST(RailyardWorkloadRealFiles, PipelineFilesSendTheirBytesForEveryMicroBatch)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string path =
        SharedDir() + "/data/realfiles/simai/workloads/DeepSeek-16B-tp2-pp2-dp2-ep4-g32.txt";
    const Workload workload = WorkloadReader::ReadFile(path, {32, 8});
    EXPECT_EQ(workload.microBatches, 8u);
    EXPECT_EQ(workload.stages.size(), 2u);
    WorkloadRunner runner;
    EXPECT_TRUE(runner.Run(workload).finished);
    EXPECT_EQ(runner.service.messages.size(), 2u * 8 * 16); // both ways, micro-batches, pairs
    for (const auto& message : runner.service.messages)
    {
        EXPECT_EQ(message.bytes, 8388608u);
        EXPECT_EQ(std::max(message.src, message.dst) - std::min(message.src, message.dst), 16u);
    }
}

} // namespace ns3
