/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/packet-network.h"
#include "ns3/scoped-defaults.h"
#include "ns3/simulator.h"
#include "ns3/training-options.h"
#include "ns3/training-run.h"
#include "ns3/uinteger.h"
#include "ns3/workload-reader.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

/**
 * \file
 * Options of training runs, and what their summary warns of.
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** Changes layout and batch of models, as --tp and its like do. */
class LayoutChange
{
  public:
    /** \param attribute of ns3::WorkloadReader \param value its value */
    void Set(const std::string& attribute, uint64_t value)
    {
        m_defaults.Set("ns3::WorkloadReader::" + attribute, UintegerValue(value));
    }

  private:
    ScopedDefaults m_defaults; //!< as long as the object lives
};

} // namespace

TEST(RailyardLayoutOptions, ChangeTheModelsLayout)
{
    LayoutChange change;
    change.Set("TensorParallel", 4);
    change.Set("PipelineParallel", 2);
    change.Set("DataParallel", 8);
    change.Set("GlobalBatch", 64);
    const Workload workload =
        WorkloadReader::ReadFile(TrainingRun::GetShippedWorkload(), {64, 8});
    EXPECT_EQ(workload.layout.GetSizes().ranks, 64U);
    EXPECT_EQ(workload.layout.GetSizes().tensorParallel, 4U);
    EXPECT_EQ(workload.stages.size(), 2U);
    EXPECT_EQ(workload.microBatches, 8U);
    EXPECT_TRUE(workload.warnings.empty());
}

TEST(RailyardLayoutOptions, AreRefusedWhereTheFileFixesTheLayout)
{
    const std::string path =
        WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                      {"a -1 0 ALLREDUCE 1000 0 NONE 0 0 NONE 0 0"});
    EXPECT_NO_THROW(WorkloadReader::ReadFile(path, {4, 4}));
    LayoutChange change;
    change.Set("DataParallel", 2);
    EXPECT_THROW(WorkloadReader::ReadFile(path, {4, 4}), ConfigError);
}

TEST(RailyardTrainingWarnings, IdleGpusMissingGpuAndTensorGroupsOverNics)
{
    TrainingInput input{"leaf-spine:gpus=4,leaves=2,spines=2",
                        WriteWorkload("model_parallel_NPU_group: 2 ep: 1 pp: 1 ga: 1 all_gpus: 2",
                                      {"a -1 0 ALLREDUCE 100000 0 NONE 0 0 NONE 0 0"})};
    const TrainingOutcome outcome = RunTraining(input);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(outcome.HasWarning("it runs on GPUs 0-1, the others are idle"));
    EXPECT_TRUE(outcome.HasWarning("tensor parallel groups of 2 ranks communicate over NICs"));
    input.topology = "rail-optimized:gpus=8";
    EXPECT_FALSE(RunTraining(input).HasWarning("tensor parallel"));
}

TEST(RailyardTrainingWarnings, KernelTimesOfADefaultGpuAreSaid)
{
    const std::string topology = "star:hosts=16";
    const TrainingOutcome outcome =
        RunTraining({topology, TrainingRun::GetShippedWorkload(), "fabric", "No", MicroSeconds(1)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_TRUE(outcome.HasWarning("kernel times are those of the H100"));
    const json input = json::parse(ReadTestFile(outcome.folder + "/summary.json")).at("input");
    EXPECT_EQ(input.at("gpu"), "H100");
    EXPECT_EQ(input.at("workload"), "examples/workloads/gpt-7b.json");
    EXPECT_EQ(input.at("topology"), topology);
    EXPECT_EQ(input.at("congestionControl"), "No");
}

namespace
{

/** Options of a training run, as long as the object lives. */
class TrainingOptionsUnderTest
{
  public:
    /** \param words the command line \return the run */
    TrainingRunOptions MakeRun(const std::vector<std::string>& words)
    {
        Simulator::Destroy();
        ParseWords(m_options, words);
        return m_options.MakeRun();
    }

  private:
    TrainingOptions m_options; //!< kept: errors name what it holds
};

} // namespace

TEST(RailyardTrainingOptions, OptionsStandForAttributes)
{
    const std::vector<std::string> set{"--set=ns3::WorkloadExecutor::Iterations=5",
                                       "--set=ns3::KernelTable::Path=mine.db",
                                       "--set=ns3::WorkloadReader::TensorParallel=4"};
    {
        const TrainingRunOptions run = TrainingOptionsUnderTest().MakeRun(set);
        EXPECT_EQ(run.iterations, 5U);
        EXPECT_EQ(run.kernelTable, "mine.db");
        EXPECT_EQ(AttributeText::GetDefaultOf("ns3::WorkloadReader::TensorParallel"), "4");
    }
    const std::vector<std::string> options{"--iterations=2", "--kernelTable=other.db", "--tp=2"};
    {
        const TrainingRunOptions run = TrainingOptionsUnderTest().MakeRun(options);
        EXPECT_EQ(run.iterations, 2U);
        EXPECT_EQ(run.kernelTable, "other.db");
        EXPECT_EQ(AttributeText::GetDefaultOf("ns3::WorkloadReader::TensorParallel"), "2");
    }
    for (std::size_t i = 0; i < set.size(); i++)
    {
        EXPECT_THROW(TrainingOptionsUnderTest().MakeRun({set[i], options[i]}), ConfigError);
        EXPECT_NO_THROW(TrainingOptionsUnderTest().MakeRun({set[i], options[(i + 1) % 3]}));
    }
    EXPECT_EQ(TrainingOptionsUnderTest().MakeRun({}).iterations, 1U);
    EXPECT_THROW(TrainingOptionsUnderTest().MakeRun({"--workload="}), ConfigError);
    EXPECT_THROW(TrainingOptionsUnderTest().MakeRun({"--iterations=0"}), ConfigError);
}

TEST(RailyardTrainingOptions, PathOfTheKernelTableIsAnAttribute)
{
    const ScopedDefault path("ns3::KernelTable::Path", "/nowhere/table.db");
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=16", TrainingRun::GetShippedWorkload()});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("/nowhere/table.db"), std::string::npos) << outcome.error;
}

TEST(RailyardTrainingOptions, WhatHasNoEffectIsSaid)
{
    const std::string workload =
        WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                      {"a -1 0 ALLREDUCE 1000 0 NONE 0 0 NONE 0 0"});
    for (const std::string option : {"--gpu=XYZ", "--kernelTable=/nowhere"})
    {
        const std::string out = WriteTestFile("no-effect", "") + "-out";
        TrainingRun run(TrainingOptionsUnderTest().MakeRun({"--topology=" + WriteFourGpuStar(),
                                                            "--workload=" + workload,
                                                            "--out=" + out,
                                                            option}));
        const std::vector<std::string> warnings = run.Run().warnings;
        EXPECT_EQ(std::count_if(warnings.begin(),
                                warnings.end(),
                                [&](const std::string& line) {
                                    const std::string name = option.substr(0, option.find('='));
                                    return line.find(name + " has no effect") == 0;
                                }),
                  1);
    }
    // SMs that communication holds are those of the GPU.
    const std::string out = WriteTestFile("effect", "") + "-out";
    TrainingRun run(
        TrainingOptionsUnderTest().MakeRun({"--topology=" + WriteFourGpuStar(),
                                            "--workload=" + workload,
                                            "--out=" + out,
                                            "--gpu=A100",
                                            "--set=ns3::WorkloadExecutor::CollectiveSms=20"}));
    for (const std::string& warning : run.Run().warnings)
    {
        EXPECT_EQ(warning.find("--gpu"), std::string::npos) << warning;
    }
}

/** Of a topology that names no GPU, kernel times and SMs are those of the same one. */
TEST(RailyardTrainingOptions, OneGpuIsChosen)
{
    const std::string out = WriteTestFile("one-gpu", "") + "-out";
    const auto run = [&](const std::vector<std::string>& more) {
        const ScopedClusterNetwork network(PacketNetwork::GetTypeId());
        std::vector<std::string> words{"--topology=star:gpus=16,nicRate=400Gbps",
                                       "--network=analytic",
                                       "--out=" + out,
                                       "--set=ns3::WorkloadExecutor::CollectiveSms=20"};
        words.insert(words.end(), more.begin(), more.end());
        return TrainingRun(TrainingOptionsUnderTest().MakeRun(words)).Run();
    };
    const RunSummary unnamed = run({});
    ASSERT_FALSE(unnamed.warnings.empty());
    EXPECT_EQ(unnamed.warnings.front().find("kernel times are those of the H100"), 0U);
    EXPECT_GT(unnamed.computeStretch, Time(0));
    EXPECT_EQ(unnamed.computeStretch, run({"--gpu=H100"}).computeStretch);
    EXPECT_LT(run({"--set=ns3::WorkloadExecutor::GpuSms=1000"}).computeStretch,
              unnamed.computeStretch);
}

TEST(RailyardTrainingRefusals, AreOneLineBeforeTheRun)
{
    const std::string sizes = "model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4";
    const auto error = [](const std::string& workload) {
        const TrainingOutcome outcome = RunTraining({WriteFourGpuStar(), workload});
        EXPECT_EQ(outcome.status, 2);
        return outcome.error;
    };
    const std::string reduce = WriteWorkload(sizes, {"a -1 0 ALLREDUCE 1000000 0 NONE 0 0 NONE 0 0"});
    {
        const ScopedDefault few("ns3::FirstFitSelector::Algorithms", "RingAllGather");
        EXPECT_NE(error(reduce).find("no algorithm supports AllReduce of 1000000 bytes"),
                  std::string::npos);
    }
    const std::string large =
        WriteWorkload(sizes, {"a -1 0 ALLREDUCE 100000000 0 NONE 0 0 NONE 0 0"});
    {
        const ScopedDefault slices("ns3::SteppedRingAlgorithm::SliceBytes", "1");
        EXPECT_NE(error(large).find("slices of 36 bytes or more"), std::string::npos);
    }
    EXPECT_NE(error(WriteWorkload(sizes,
                                  {"a -1 999999999999999 NONE 0 999999999999999 NONE 0 "
                                   "999999999999999 NONE 0 0"}))
                  .find("the simulated time has no room for more"),
              std::string::npos);
}

} // namespace ns3
