/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/sqlite-database.h"

#include <gtest/gtest.h>

/**
 * \file
 * A training run from files to results: runs that end early or are refused, both event engines,
 * rates between servers.
 */

namespace ns3
{

namespace
{

/** Ring AllReduce on four GPUs. */
const std::string FOUR = "model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4";

/** \param bytes size \return a row with an AllReduce of the tensor parallel group */
std::string
TensorRow(uint64_t bytes)
{
    return "a -1 0 ALLREDUCE " + std::to_string(bytes) + " 0 NONE 0 0 NONE 0 0";
}

/** \param lines lines \param text part of one \return true if one of them has it */
bool
HasLine(const std::vector<std::string>& lines, const std::string& text)
{
    for (const std::string& line : lines)
    {
        if (line.find(text) != std::string::npos)
        {
            return true;
        }
    }
    return false;
}

/** A training run on two servers with every kind of communication: TP inside, DP and EP across. */
TrainingInput
MakeTwoServerInput()
{
    return {"rail-optimized:gpus=16,spines=2",
            WriteWorkload("model_parallel_NPU_group: 4 ep: 4 pp: 1 ga: 1 all_gpus: 16",
                          {"grads -1 1000 NONE 0 1000 NONE 0 1000 ALLREDUCE 8000000 100",
                           "layer -1 50000 ALLREDUCE 4000000 50000 ALLREDUCE 4000000 40000 NONE 0 "
                           "100",
                           "moe -1 30000 ALLTOALL_EP 2000000 30000 ALLTOALL_EP 2000000 20000 "
                           "ALLREDUCE 4000000 100"})};
}

} // namespace

TEST(RailyardTrainingRun, WhatIsPendingIsFewLinesHoweverManyRanks)
{
    const TrainingOutcome outcome = RunTraining(
        {"star:gpus=32,nicRate=100Gbps",
         WriteWorkload("model_parallel_NPU_group: 32 ep: 1 pp: 1 ga: 1 all_gpus: 32",
                       {TensorRow(100000000)}),
         "fabric",
         "No",
         MicroSeconds(30)});
    EXPECT_EQ(outcome.status, 1);
    const auto& unfinished = outcome.summary.unfinished;
    EXPECT_TRUE(HasLine(unfinished, "the farthest behind first: rank 0 waits for"));
    EXPECT_TRUE(HasLine(unfinished, "; and 24 more"));
    EXPECT_TRUE(HasLine(unfinished, "and 16 more messages over RoCE"));
    EXPECT_LT(unfinished.size(), 24U);
}

TEST(RailyardTrainingRun, StoppedRunSaysWhoWaitsForWhat)
{
    const TrainingOutcome outcome = RunTraining({WriteFourGpuStar(),
                                                 WriteWorkload(FOUR, {TensorRow(100000000)}),
                                                 "fabric",
                                                 "Dcqcn",
                                                 MilliSeconds(1)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.summary.simulatedTime, MilliSeconds(1));
    EXPECT_EQ(outcome.summary.iterations, 0u);
    const auto& unfinished = outcome.summary.unfinished;
    ASSERT_FALSE(unfinished.empty());
    EXPECT_NE(unfinished.front().find("the run was stopped at"), std::string::npos);
    EXPECT_TRUE(HasLine(unfinished, "ranks 0-3 stand at 'a forward AllReduce'"));
    EXPECT_TRUE(HasLine(unfinished, "rank 0 waits for the acknowledgement of rank 1 (channel 0"));
    EXPECT_TRUE(HasLine(unfinished, "rank 0 sends 25000000 bytes to rank 1"));
    EXPECT_FALSE(HasLine(unfinished, "not conserved"));
    // What was under way is in the log, with the bytes that arrived.
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto flows = database.Prepare("SELECT count(*), sum(end_ns IS NULL), sum(delivered_bytes), "
                                  "max(delivered_bytes < payload_bytes AND end_ns IS NOT NULL) "
                                  "FROM flows");
    ASSERT_TRUE(flows.Step());
    EXPECT_GT(flows.GetInteger(0), flows.GetInteger(1));
    EXPECT_GE(flows.GetInteger(1), 4);
    EXPECT_EQ(flows.GetInteger(2),
              static_cast<int64_t>(outcome.summary.network.payloadBytesDelivered));
    EXPECT_EQ(flows.GetInteger(3), 0);
}

TEST(RailyardTrainingRun, StoppedRunOverNvlinkConservesBytes)
{
    const TrainingOutcome outcome =
        RunTraining({"single-server:nvlinkPlanes=4",
                     WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                                   {TensorRow(64000000)}),
                     "fabric",
                     "Dcqcn",
                     MicroSeconds(100)});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_FALSE(HasLine(outcome.summary.unfinished, "not conserved"));
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto flows = database.Prepare("SELECT sum(delivered_bytes), sum(end_ns IS NULL) FROM flows");
    ASSERT_TRUE(flows.Step());
    EXPECT_EQ(flows.GetInteger(0),
              static_cast<int64_t>(outcome.summary.network.payloadBytesDelivered));
    EXPECT_GE(flows.GetInteger(1), 8);
}

TEST(RailyardTrainingRun, LostConnectionEndsTheRunWithItsReasonFirst)
{
    const TrainingOutcome outcome =
        RunTraining({WriteFourGpuStar("0.9"), WriteWorkload(FOUR, {TensorRow(4000000)})});
    EXPECT_EQ(outcome.status, 1);
    ASSERT_FALSE(outcome.summary.unfinished.empty());
    const std::string& first = outcome.summary.unfinished.front();
    EXPECT_NE(first.find("gave up sending to rank"), std::string::npos) << first;
    EXPECT_TRUE(first.find("rank 0 ") != std::string::npos) << first;
    EXPECT_TRUE(HasLine(outcome.summary.unfinished, "at 'a forward AllReduce'"));
    EXPECT_FALSE(HasLine(outcome.summary.unfinished, "not conserved"));
    EXPECT_GT(outcome.summary.network.timeouts, 0u);
    const TrainingOutcome stopped = RunTraining({WriteFourGpuStar("0.9"),
                                                 WriteWorkload(FOUR, {TensorRow(4000000)}),
                                                 "fabric",
                                                 "Dcqcn",
                                                 Seconds(10)});
    ASSERT_FALSE(stopped.summary.unfinished.empty());
    EXPECT_EQ(stopped.summary.unfinished.front(), first);
    EXPECT_TRUE(HasLine(stopped.summary.unfinished, "the run was stopped at"));
}

TEST(RailyardTrainingRun, MissingFilesAreNamed)
{
    const std::string workload = WriteWorkload(FOUR, {TensorRow(1000)});
    const TrainingOutcome noWorkload = RunTraining({WriteFourGpuStar(), "no-such-workload.txt"});
    EXPECT_EQ(noWorkload.status, 2);
    EXPECT_NE(noWorkload.error.find("no-such-workload.txt"), std::string::npos);
    const TrainingOutcome noTopology = RunTraining({"no-such/topology", workload});
    EXPECT_EQ(noTopology.status, 2);
    EXPECT_NE(noTopology.error.find("no-such/topology"), std::string::npos);
    TrainingInput control{WriteFourGpuStar(), workload};
    control.congestionControl = "Magic";
    const TrainingOutcome noControl = RunTraining(control);
    EXPECT_EQ(noControl.status, 2);
    EXPECT_NE(noControl.error.find("Magic"), std::string::npos);
    EXPECT_NE(noControl.error.find("Dcqcn"), std::string::npos);
}

TEST(RailyardTrainingRun, BothEnginesGiveTheSameResults)
{
    TrainingInput input = MakeTwoServerInput();
    const TrainingOutcome fabric = RunTraining(input);
    input.engine = "default";
    const TrainingOutcome ordinary = RunTraining(input);
    ASSERT_EQ(fabric.status, 0);
    ASSERT_EQ(ordinary.status, 0);
    EXPECT_NE(fabric.summary.engine.name, ordinary.summary.engine.name);
    EXPECT_EQ(ReadComparableSummary(fabric.folder), ReadComparableSummary(ordinary.folder));
    for (const char* file : {"/results.db", "/timeline.json"})
    {
        EXPECT_TRUE(ReadTestFile(fabric.folder + file) == ReadTestFile(ordinary.folder + file))
            << file;
    }
}

TEST(RailyardTrainingRun, EveryCongestionControlFinishes)
{
    TrainingInput input = MakeTwoServerInput();
    for (const char* control : {"No", "Dcqcn", "Timely"})
    {
        input.congestionControl = control;
        const TrainingOutcome outcome = RunTraining(input);
        EXPECT_EQ(outcome.status, 0) << control;
        EXPECT_EQ(outcome.summary.network.drops, 0u) << control;
        EXPECT_GT(outcome.GetPart("exposedTp"), Time(0));
        EXPECT_GT(outcome.GetPart("exposedEp"), Time(0));
    }
}

/**
 * Data parallel AllReduce of 16 GPUs in two servers: 8 rings, each with a NIC of its own. A NIC
 * carries 2 (n-1)/n of an eighth of the bytes, with headers, and as many acknowledgements as it
 * receives packets.
 */
TEST(RailyardTrainingRun, RanksThatLossesSkewAgreeOnTheirCollectives)
{
    for (const char* policy : {"HYBRID_DLRM", "HYBRID_DLRM_ENHANCED"})
    {
        const TrainingOutcome outcome = RunTraining(
            {"star:gpus=16,nicRate=100Gbps,lossRate=0.001",
             WriteTestFile("dlrm.txt",
                           policy +
                               std::string(" 0\n2\nbottom -1 1000 ALLTOALL 30000 1000 ALLTOALL "
                                           "30000 1000 ALLREDUCE 1000 0\ntop -1 1000 NONE 0 "
                                           "1000 NONE 0 1000 ALLREDUCE 1000 0\n"))});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        EXPECT_GT(outcome.summary.network.retransmittedPackets, 0u);
        EXPECT_EQ(outcome.GetCollective("WORLD", 30000).count, 2u);
        EXPECT_EQ(outcome.GetCollective("DP", 1000).count, 2u);
    }
}

TEST(RailyardTrainingRun, RateBetweenServersIsThatOfAllNics)
{
    constexpr uint64_t BYTES = 256000000;
    TrainingInput input{
        "rail-optimized:gpus=16",
        WriteWorkload("model_parallel_NPU_group: 1 ep: 1 pp: 1 ga: 1 all_gpus: 16",
                      {"a -1 0 NONE 0 0 NONE 0 0 ALLREDUCE " + std::to_string(BYTES) + " 0"})};
    const TrainingOutcome outcome = RunTraining(input);
    ASSERT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.summary.network.drops, 0u);
    const double busbw = outcome.GetCollective("DP", BYTES).busbwGBps;
    const double limit = 8 * 50.0 * 4096 / (4096 + 82 + 86);
    EXPECT_LE(busbw, 8 * 50.0 * 4096 / (4096 + 82));
    EXPECT_NEAR(busbw, limit, 0.05 * limit);
    EXPECT_TRUE(outcome.HasNote("4096 bytes of payload and 82 bytes of headers"));
}

} // namespace ns3
