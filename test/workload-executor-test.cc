/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/gpipe-schedule.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/simai-program.h"

#include <gtest/gtest.h>
#include <random>

namespace ns3
{

namespace
{

/**
 * \param microBatches number of micro-batches
 * \return H22: 4 stages, forward 1 ms, backward 2 ms
 */
Workload
BuildPipeline(uint32_t microBatches, const PipelineSchedule& schedule)
{
    std::string text = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 4 "
                       "vpp: 1 ga: " +
                       std::to_string(microBatches) + " all_gpus: 4 pp_comm: 1000\n" +
                       std::to_string(microBatches) + "\n";
    for (uint32_t i = 0; i < microBatches; i++)
    {
        text += "embedding_layer -1 1000000 NONE 0 1000000 NONE 0 1000000 NONE 0 100\n";
    }
    return BuildSimaiWorkload(ParseSimai(text), {4, 4}, schedule);
}

/**
 * \param microBatches number of micro-batches
 * \return H22: 4 stages, forward 1 ms, backward 2 ms, 1F1B
 */
Workload
BuildPipeline(uint32_t microBatches)
{
    return BuildPipeline(microBatches, *CreateObject<OneForwardOneBackwardSchedule>());
}

/** \return H23: 2 layers, backward 10 ms each, a DP AllReduce after each */
Workload
BuildOverlap()
{
    return BuildSimaiWorkload(
        ParseSimai("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 vpp: 1 "
                   "ga: 1 all_gpus: 4\n2\n"
                   "layer1 -1 0 NONE 0 4000000 NONE 0 6000000 ALLREDUCE 1000 0\n"
                   "layer2 -1 0 NONE 0 4000000 NONE 0 6000000 ALLREDUCE 1000 0\n"),
        {4, 4},
        *CreateObject<OneForwardOneBackwardSchedule>());
}

} // namespace

TEST(RailyardWorkloadExecutor, H22PipelineWithoutCommunication)
{
    WorkloadRunner runner;
    const WorkloadResult result = runner.Run(BuildPipeline(8));
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.end, MilliSeconds(33));
    for (const WorkloadRankResult& rank : result.ranks)
    {
        EXPECT_EQ(rank.breakdown.Get(WorkloadPart::COMPUTE), MilliSeconds(24));
        EXPECT_EQ(rank.breakdown.Get(WorkloadPart::BUBBLE), MilliSeconds(9)); // 27.27 %
        EXPECT_EQ(rank.breakdown.Get(WorkloadPart::PP), Time(0));
    }
}

TEST(RailyardWorkloadExecutor, H22bOneMicroBatch)
{
    WorkloadRunner runner;
    EXPECT_EQ(runner.Run(BuildPipeline(1)).end, MilliSeconds(12));
}

TEST(RailyardWorkloadExecutor, H22cTransfersAreMessages)
{
    WorkloadRunner runner;
    runner.service.messageTime = [](uint64_t) { return MicroSeconds(100); };
    const WorkloadResult result = runner.Run(BuildPipeline(8));
    EXPECT_GE(result.end, MicroSeconds(33600));
    EXPECT_LE(result.end, MicroSeconds(35200));
    uint32_t forward = 0;
    uint32_t backward = 0;
    for (const auto& message : runner.service.messages)
    {
        EXPECT_EQ(message.bytes, 1000u);
        forward += message.dst == message.src + 1 ? 1 : 0;
        backward += message.src == message.dst + 1 ? 1 : 0;
    }
    EXPECT_EQ(forward, 24u);
    EXPECT_EQ(backward, 24u);
    EXPECT_EQ(runner.service.messages.size(), 48u);
    const WorkloadBreakdown& last = result.ranks.at(3).breakdown;
    EXPECT_GT(last.Get(WorkloadPart::PP), Time(0));
    EXPECT_EQ(last.GetCommunication(WorkloadPart::PP), MicroSeconds(1600)); // 8 in, 8 out
}

TEST(RailyardWorkloadExecutor, GpipeHasTheSameBubble)
{
    WorkloadRunner runner;
    EXPECT_EQ(runner.Run(BuildPipeline(8, *CreateObject<GpipeSchedule>())).end, MilliSeconds(33));
}

TEST(RailyardWorkloadExecutor, PipelineBubbleFollowsTheFormula)
{
    for (uint32_t microBatches : {1, 2, 3, 4, 7, 16})
    {
        WorkloadRunner runner;
        // (m + p - 1)(F + B), Narayanan et al. SC'21, section 2.2
        EXPECT_EQ(runner.Run(BuildPipeline(microBatches)).end,
                  MilliSeconds((microBatches + 3) * 3));
    }
}

TEST(RailyardWorkloadExecutor, H23GradientCommunicationOverlaps)
{
    struct Case
    {
        int64_t allReduceMs; //!< duration of an AllReduce
        int64_t totalMs;     //!< duration of the iteration
        int64_t exposedMs;   //!< exposed communication
    };

    for (const Case& expected : {Case{4, 24, 4}, Case{15, 40, 20}})
    {
        WorkloadRunner runner;
        runner.service.collectiveTime = [&](const auto&, const auto&) {
            return MilliSeconds(expected.allReduceMs);
        };
        const WorkloadResult result = runner.Run(BuildOverlap());
        EXPECT_EQ(result.end, MilliSeconds(expected.totalMs));
        const WorkloadBreakdown& breakdown = result.ranks.at(2).breakdown;
        EXPECT_EQ(breakdown.Get(WorkloadPart::COMPUTE), MilliSeconds(20));
        EXPECT_EQ(breakdown.Get(WorkloadPart::DP), MilliSeconds(expected.exposedMs));
        EXPECT_EQ(breakdown.GetCommunication(WorkloadPart::DP),
                  MilliSeconds(2 * expected.allReduceMs));
        EXPECT_EQ(breakdown.GetHidden(WorkloadPart::DP),
                  MilliSeconds(2 * expected.allReduceMs - expected.exposedMs));
    }
}

TEST(RailyardWorkloadExecutor, IterationsFollowEachOther)
{
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return MilliSeconds(4); };
    const WorkloadResult result = runner.Run(BuildOverlap(), 3);
    ASSERT_EQ(result.iterations.size(), 3u);
    EXPECT_EQ(result.end, MilliSeconds(72));
    for (uint32_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(result.iterations[i].start, MilliSeconds(24 * i));
        EXPECT_EQ(result.iterations[i].end, MilliSeconds(24 * (i + 1)));
        EXPECT_EQ(result.iterations[i].rank, 0u);
    }
    EXPECT_EQ(runner.service.collectives.size(), 6u);
    EXPECT_EQ(runner.service.collectives.back().call.iteration, 2u);
}

TEST(RailyardWorkloadExecutor, SummaryIsThatOfTheRankThatEndsLast)
{
    WorkloadRunner runner;
    const WorkloadResult result = runner.Run(BuildPipeline(8));
    EXPECT_EQ(result.iterations.at(0).rank, 0u); // stage 0 does the last backward pass
    EXPECT_EQ(result.ranks.at(3).end, MilliSeconds(27));
}

TEST(RailyardWorkloadExecutor, StuckRanksSayWhereTheyStandAndWhomTheyWaitFor)
{
    WorkloadRunner runner;
    runner.service.silentRanks = {2};
    runner.service.collectiveTime = [](const auto&, const auto&) { return MilliSeconds(4); };
    const WorkloadResult result = runner.Run(BuildOverlap());
    EXPECT_FALSE(result.finished);
    ASSERT_EQ(runner.standing.size(), 1u);
    // rank 2 itself believes that it joined: its answer is what is missing
    EXPECT_EQ(runner.standing[0],
              "ranks 0-3 stand at 'layer2 weight gradient AllReduce' (iteration 0, stream dp) since "
              "10000000 ns, AllReduce of 1000 bytes on DP[0]: all 4 ranks joined, waits for their "
              "data");
    EXPECT_TRUE(result.iterations.empty());
}

TEST(RailyardWorkloadExecutor, StuckRanksNameWhoHasNotJoined)
{
    // ranks 0 and 1 never get through their tensor collective; 2 and 3 wait for them
    const Workload workload = BuildSimaiWorkload(
        ParseSimai("HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 1 vpp: 1 ga: 1 "
                   "all_gpus: 4\n1\na -1 1000 ALLREDUCE 8 1 NONE 0 1 REDUCESCATTER 64 0\n"),
        {4, 4},
        *CreateObject<OneForwardOneBackwardSchedule>());
    WorkloadRunner runner;
    runner.service.silentRanks = {1};
    EXPECT_FALSE(runner.Run(workload).finished);
    ASSERT_EQ(runner.standing.size(), 3u); // ranks 0 and 1 share one
    EXPECT_EQ(runner.standing[1],
              "rank 2 stands at 'a weight gradient ReduceScatter' (iteration 0, stream dp) since "
              "1002 ns, ReduceScatter of 64 bytes on DP[0]: waits for rank 0 to join");
    EXPECT_NE(runner.standing[2].find("waits for rank 1 to join"), std::string::npos);
}

TEST(RailyardWorkloadExecutor, StuckPipelineNamesTheRankThatDoesNotSend)
{
    // stage 0 never gets through its tensor collective: the other stages wait for it
    const Workload workload =
        BuildSimaiWorkload(ParseSimai("HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 2 "
                                      "vpp: 1 ga: 1 all_gpus: 4 pp_comm: 77\n1\n"
                                      "embedding_layer -1 1000 ALLREDUCE 8 1 NONE 0 1 NONE 0 0\n"),
                           {4, 4},
                           *CreateObject<OneForwardOneBackwardSchedule>());
    WorkloadRunner runner;
    runner.service.silentRanks = {1};
    const WorkloadResult result = runner.Run(workload);
    EXPECT_FALSE(result.finished);
    ASSERT_EQ(runner.standing.size(), 3u); // ranks 0 and 1 share one
    EXPECT_NE(runner.standing[0].find("embedding_layer forward AllReduce"), std::string::npos);
    EXPECT_EQ(
        runner.standing[2],
        "rank 3 stands at 'receive activations' (iteration 0, micro-batch 0, stream pp receive "
        "previous) since 0 ns, waits for rank 1 to send 77 bytes");
}

namespace
{

/**
 * \param random source of randomness
 * \param max largest value
 * \return a number from 0 to max
 */
uint64_t
Draw(std::mt19937& random, uint64_t max)
{
    return random() % (max + 1);
}

/**
 * \param random source of randomness
 * \return a random workload of 8 ranks
 */
Workload
BuildRandom(std::mt19937& random)
{
    const uint32_t tp = 1u << Draw(random, 2);
    const uint32_t pp = 1u << Draw(random, tp == 4 ? 1 : 2);
    const uint32_t dp = 8 / (tp * pp);
    const uint32_t ep = dp > 1 ? 1u << Draw(random, dp == 2 ? 1 : 2) : 1;
    const uint32_t ga = 1 + Draw(random, 4);
    const uint32_t rows = 1 + Draw(random, 5);
    static const char* const collectives[] = {"NONE",
                                              "ALLREDUCE",
                                              "ALLGATHER",
                                              "ALLTOALL_EP",
                                              "NONE",
                                              "REDUCESCATTER",
                                              "ALLREDUCE_DP_EP",
                                              "BROADCAST_EP"};
    std::string text =
        "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: " + std::to_string(tp) +
        " ep: " + std::to_string(std::min(ep, dp)) + " pp: " + std::to_string(pp) +
        " vpp: 1 ga: " + std::to_string(ga) +
        " all_gpus: 8 pp_comm: " + std::to_string(Draw(random, 500)) + "\n" +
        std::to_string(rows * ga) + "\n";
    for (uint32_t i = 0; i < rows * ga; i++)
    {
        text += i % rows == 0 ? "embedding_layer -1" : "layer -1";
        for (int column = 0; column < 3; column++)
        {
            text += " " + std::to_string(Draw(random, 3) * 100) + " " +
                    collectives[Draw(random, 7)] + " " + std::to_string(Draw(random, 900));
        }
        text += " " + std::to_string(Draw(random, 2)) + "\n";
    }
    return BuildSimaiWorkload(ParseSimai(text),
                              {8, 4},
                              *CreateObject<OneForwardOneBackwardSchedule>());
}

} // namespace

TEST(RailyardWorkloadExecutor, BreakdownsOfRandomProgramsAddUpAndRunsAreEqual)
{
    std::mt19937 random(7);
    for (int i = 0; i < 150; i++)
    {
        const Workload workload = BuildRandom(random);
        WorkloadRunner runners[2];
        Time ends[2];
        for (int run = 0; run < 2; run++)
        {
            runners[run].service.collectiveTime = [](const WorkloadCollectiveCall& call,
                                                     const auto& group) {
                return NanoSeconds(call.bytes * group.ranks.size() % 977);
            };
            runners[run].service.messageTime = [](uint64_t bytes) { return NanoSeconds(bytes); };
            // sums are checked by the runner, for every rank and iteration
            const WorkloadResult result = runners[run].Run(workload, 1 + i % 3);
            ASSERT_TRUE(result.finished) << "program " << i;
            ends[run] = result.end;
        }
        EXPECT_EQ(ends[0], ends[1]);
        EXPECT_TRUE(runners[0].spans == runners[1].spans);
    }
}

TEST(RailyardWorkloadExecutor, StreamsAreFirstInFirstOut)
{
    std::mt19937 random(11);
    for (int i = 0; i < 30; i++)
    {
        WorkloadRunner runner;
        runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
            return NanoSeconds(call.bytes);
        };
        runner.service.messageTime = [](uint64_t bytes) { return NanoSeconds(bytes); };
        runner.Run(BuildRandom(random));
        std::map<std::pair<uint32_t, std::string>, Time> lastEnd;
        for (const KeptSpan& span : runner.spans)
        {
            Time& last = lastEnd[{span.rank, span.stream}];
            EXPECT_GE(span.start, last) << span.stream << " " << span.name;
            last = span.end;
        }
    }
}

} // namespace ns3
