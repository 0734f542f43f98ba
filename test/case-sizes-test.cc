/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "test-paths.h"

#include "ns3/sqlite-database.h"

#include <gtest/gtest.h>

/**
 * \file
 * Cases on sizes: workload against cluster (H13), size and group scaling (H19), tiny, empty and
 * missing collectives (H20), overlap of gradient communication (H23).
 */

namespace ns3
{

namespace
{

/** Workload of 16 ranks without tensor parallelism. */
const std::string SIXTEEN = "model_parallel_NPU_group: 1 ep: 1 pp: 1 ga: 1 all_gpus: 16";

/** \param outcome a run \return collectives in the results: kind, bytes, duration in ns */
std::vector<std::string>
ReadCollectives(const TrainingOutcome& outcome)
{
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto rows = database.Prepare("SELECT kind, size_bytes, start_ns, end_ns FROM collectives "
                                 "ORDER BY start_ns, rowid");
    std::vector<std::string> collectives;
    while (rows.Step())
    {
        const bool ended = !rows.IsNull(3) && rows.GetReal(3) >= rows.GetReal(2);
        collectives.push_back(rows.GetText(0) + " " + rows.GetText(1) + (ended ? "" : " open"));
    }
    return collectives;
}

} // namespace

TEST(RailyardCase, H13SmallWorkloadRunsOnTheFirstGpus)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string simai = SharedDir() + "/data/realfiles/simai/";
    const TrainingOutcome outcome =
        RunTraining({simai + "topologies/Spectrum-X_128g_8gps_400Gbps_A100",
                     simai + "workloads/microAllReduce.txt"});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_TRUE(outcome.HasWarning("8 GPUs and the cluster has 128: it runs on GPUs 0-7"));
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto rank =
        database.Prepare("SELECT count(*), max(rank), max(node) FROM nodes WHERE rank >= 0");
    ASSERT_TRUE(rank.Step());
    EXPECT_EQ(rank.GetInteger(0), 8);
    EXPECT_EQ(rank.GetInteger(1), 7);
    EXPECT_EQ(rank.GetInteger(2), 7);
    auto flow = database.Prepare("SELECT count(*), max(max(src_rank, dst_rank)) FROM flows");
    ASSERT_TRUE(flow.Step());
    EXPECT_EQ(flow.GetInteger(0), 2 * 8 * 14); // two AllReduces, 14 steps of a ring
    EXPECT_EQ(flow.GetInteger(1), 7);
}

TEST(RailyardCase, H13LargeWorkloadIsRefusedWithBothNumbers)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string folder = SharedDir() + "/data/realfiles/aicb-generated/";
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=8",
                     folder + "gpt_7B-world_size128-tp4-pp4-ep1-gbs512-mbs1-seq4096-MOE-False-"
                              "GEMM-False-flash_attn-True.txt"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("all_gpus: read '128', expected at most 8"), std::string::npos)
        << outcome.error;
}

TEST(RailyardCase, H13TensorParallelSizeMustDivideTheGpus)
{
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=8",
                     WriteWorkload("model_parallel_NPU_group: 3 ep: 1 pp: 1 all_gpus: 8",
                                   {"a -1 1 ALLREDUCE 1000 1 NONE 0 1 NONE 0 1"})});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("read '3', expected a divisor of 8"), std::string::npos)
        << outcome.error;
}

TEST(RailyardCase, H13GlobalBatchMustBeAMultiple)
{
    RAILYARD_NEED_SHARED_FILES();
    const std::string folder = SharedDir() + "/data/realfiles/aicb-generated/";
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=1472",
                     folder + "gpt_13B-world_size1472-tp8-pp8-ep1-gbs32-mbs1-seq4096-MOE-False-"
                              "GEMM-False-flash_attn-True.txt"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("32 is not a multiple of 23*1"), std::string::npos)
        << outcome.error;
}

TEST_P(RailyardNetworkCase, H19TwiceTheBytesTakeTwiceTheTime)
{
    std::vector<Time> times;
    for (const uint64_t bytes : {256000000, 512000000})
    {
        const TrainingOutcome outcome =
            RunTraining({"rail-optimized:gpus=16",
                         WriteWorkload(SIXTEEN,
                                       {"a -1 0 NONE 0 0 NONE 0 0 ALLREDUCE " +
                                        std::to_string(bytes) + " 0"})});
        EXPECT_EQ(outcome.status, 0);
        const CollectiveSummary& collective = outcome.GetCollective("DP", bytes);
        EXPECT_EQ(collective.ranks, 16u);
        EXPECT_EQ(outcome.GetPart("exposedDp"), collective.time);
        EXPECT_EQ(outcome.summary.network.payloadBytesDelivered, 30 * bytes); // 16 * 2 * 15/16
        times.push_back(collective.time);
    }
    const double ratio = static_cast<double>(times[1].GetTimeStep()) / times[0].GetTimeStep();
    EXPECT_GE(ratio, 1.95);
    EXPECT_LE(ratio, 2.0);
}

TEST_P(RailyardNetworkCase, H19GroupOfOneHasNoEffectAndSaysSo)
{
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=16",
                     WriteWorkload(SIXTEEN,
                                   {"a -1 0 ALLREDUCE 256000000 0 NONE 0 0 NONE 0 0",
                                    "b -1 0 ALLREDUCE 512000000 0 NONE 0 0 NONE 0 0"})});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.summary.iterationTime, Time(0));
    EXPECT_EQ(outcome.summary.network.packets, 0u);
    for (const char* bytes : {"256000000", "512000000"})
    {
        EXPECT_TRUE(outcome.HasNote("collective of " + std::string(bytes) +
                                    " bytes on a group of size 1 has no effect"));
    }
}

TEST_P(RailyardNetworkCase, H20AllRowsFinishInOrder)
{
    const std::string workload =
        WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                      {"a -1 0 ALLREDUCE 13870912 0 NONE 0 0 NONE 0 0",
                       "b -1 0 ALLGATHER 65536 0 NONE 0 0 NONE 0 0",
                       "c -1 0 REDUCESCATTER 0 0 NONE 0 0 NONE 0 0",
                       "d -1 0 ALLREDUCE 4 0 NONE 0 0 NONE 0 0"});

    struct Network
    {
        std::string topology; //!< template
        Time hop;             //!< latency from GPU to GPU
    };

    for (const Network& network :
         {Network{"single-server:nvlinkDelay=25ns", NanoSeconds(50)},
          Network{"star:gpus=8,nicRate=400Gbps,delay=1us", MicroSeconds(2)}})
    {
        const TrainingOutcome outcome = RunTraining({network.topology, workload});
        EXPECT_EQ(outcome.status, 0);
        EXPECT_EQ(ReadCollectives(outcome),
                  (std::vector<std::string>{"AllReduce 13870912",
                                            "AllGather 65536",
                                            "ReduceScatter 0",
                                            "AllReduce 4"}));
        EXPECT_EQ(outcome.GetCollective("TP", 0).time, Time(0));
        EXPECT_GE(outcome.GetCollective("TP", 4).time, 14 * network.hop);
        // and the last acknowledgement a hop more
        EXPECT_LE(outcome.GetCollective("TP", 4).time, 15.5 * network.hop);
    }
}

TEST_P(RailyardNetworkCase, H20ComputeOnlyHasNoCommunication)
{
    const TrainingOutcome outcome =
        RunTraining({"rail-optimized:gpus=8",
                     WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                                   {"a -1 1000000 NONE 0 2000000 NONE 0 500000 NONE 0 0"})});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_EQ(outcome.summary.iterationTime, MicroSeconds(3500));
    EXPECT_EQ(outcome.GetPart("compute"), MicroSeconds(3500));
    EXPECT_TRUE(outcome.summary.communication.empty());
    EXPECT_TRUE(outcome.summary.collectives.empty());
    EXPECT_EQ(outcome.summary.network.packetHops, 0u);
    const std::string json = ReadTestFile(outcome.folder + "/summary.json");
    EXPECT_EQ(json.find("nan"), std::string::npos);
    EXPECT_EQ(json.find("inf"), std::string::npos);
}

TEST_P(RailyardNetworkCase, H23GradientCommunicationIsHiddenWhereItFits)
{
    const auto run = [](uint64_t bytes, const std::string& compute) {
        const std::string row =
            " -1 0 NONE 0 " + compute + " NONE 0 0 ALLREDUCE " + std::to_string(bytes) + " 0";
        return RunTraining({"star:hosts=2,nicRate=400Gbps,delay=1us",
                            WriteWorkload("model_parallel_NPU_group: 1 ep: 1 pp: 1 ga: 1 "
                                          "all_gpus: 2",
                                          {"layer1" + row, "layer2" + row})});
    };
    constexpr uint64_t PROBE_BYTES = 100000000;
    const Time probe = run(PROBE_BYTES, "0").GetCollective("DP", PROBE_BYTES).time;

    struct Expectation
    {
        Time alone;   //!< duration of an AllReduce
        Time total;   //!< of the iteration
        Time exposed; //!< communication that is waited for
    };

    for (const Expectation& expected :
         {Expectation{MilliSeconds(4), MilliSeconds(24), MilliSeconds(4)},
          Expectation{MilliSeconds(15), MilliSeconds(40), MilliSeconds(20)}})
    {
        const uint64_t bytes = PROBE_BYTES * expected.alone.GetTimeStep() / probe.GetTimeStep();
        const TrainingOutcome outcome = run(bytes, "10000000");
        const Time tolerance = MicroSeconds(50); // latency does not scale with the probe
        EXPECT_NEAR(outcome.GetCollective("DP", bytes).time.GetNanoSeconds(),
                    expected.alone.GetNanoSeconds(),
                    tolerance.GetNanoSeconds());
        EXPECT_NEAR(outcome.summary.iterationTime.GetNanoSeconds(),
                    expected.total.GetNanoSeconds(),
                    2 * tolerance.GetNanoSeconds());
        EXPECT_NEAR(outcome.GetPart("exposedDp").GetNanoSeconds(),
                    expected.exposed.GetNanoSeconds(),
                    2 * tolerance.GetNanoSeconds());
        ASSERT_EQ(outcome.summary.communication.size(), 1u);
        const CommunicationSummary& dp = outcome.summary.communication[0];
        EXPECT_EQ(dp.exposed, outcome.GetPart("exposedDp"));
        EXPECT_NEAR(dp.total.GetNanoSeconds(),
                    2 * expected.alone.GetNanoSeconds(),
                    2 * tolerance.GetNanoSeconds());
        EXPECT_EQ(outcome.GetPart("compute") + dp.exposed, outcome.summary.iterationTime);
    }
}

} // namespace ns3
