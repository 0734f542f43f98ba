/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "workload-test-helper.h"

#include "ns3/config-error.h"
#include "ns3/fabric-engine.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/scoped-defaults.h"
#include "ns3/simai-program.h"
#include "ns3/sm-sharing.h"
#include "ns3/sqlite-database.h"
#include "ns3/workload-program-builder.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * Kernels that compute while communication holds some of the SMs.
 */

namespace ns3
{

namespace
{

/** Sets the SMs of executors that are made while it lives. */
class ScopedSms
{
  public:
    /** \param gpu of a GPU \param collective held by a collective \param transfer by a message */
    ScopedSms(uint32_t gpu, uint32_t collective, uint32_t transfer = 0)
    {
        m_defaults.Set("ns3::WorkloadExecutor::GpuSms", UintegerValue(gpu));
        m_defaults.Set("ns3::WorkloadExecutor::CollectiveSms", UintegerValue(collective));
        m_defaults.Set("ns3::WorkloadExecutor::TransferSms", UintegerValue(transfer));
    }

  private:
    ScopedDefaults m_defaults; //!< restores what was
};

/** \return a workload of two ranks, which are a data parallel group, without a program */
Workload
MakePair()
{
    return BuildSimaiWorkload(
        ParseSimai("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 1 vpp: 1 "
                   "ga: 1 all_gpus: 2\n1\nlayer -1 0 NONE 0 1000000 NONE 0 0 ALLREDUCE 1000 0\n"),
        {2, 2},
        *CreateObject<OneForwardOneBackwardSchedule>());
}

/** \return an all-reduce of the pair */
CollectiveWork
MakeAllReduce()
{
    return {GroupFamily::DP, CollectiveKind::ALL_REDUCE, 1000};
}

/** \param spans of a rank \param name of an operation \return its span */
KeptSpan
FindSpan(const std::vector<KeptSpan>& spans, const std::string& name)
{
    for (const KeptSpan& span : spans)
    {
        if (span.name == name)
        {
            return span;
        }
    }
    ADD_FAILURE() << "nobody did " << name;
    return {};
}

} // namespace

TEST(RailyardSmSharing, RoundsUpToTheTickAtWhichAllIsDone)
{
    SmSharing gpu(3);
    gpu.Start(0, TimeStep(10), TimeStep(0));
    EXPECT_EQ(gpu.GetRemaining(0), TimeStep(10));
    EXPECT_TRUE(gpu.SetTaken(1, TimeStep(1)));
    EXPECT_EQ(gpu.GetRemaining(0), TimeStep(14)); // 27 / 2, rounded up
    EXPECT_FALSE(gpu.SetTaken(1, TimeStep(4)));
    EXPECT_TRUE(gpu.SetTaken(0, TimeStep(4)));
    EXPECT_EQ(gpu.GetRemaining(0), TimeStep(7)); // 27 - 3 * 2 = 21
    EXPECT_EQ(gpu.End(0, TimeStep(11)), TimeStep(1));
    EXPECT_TRUE(gpu.GetKernels().empty());
}

TEST(RailyardSmSharing, OneSmIsAlwaysLeft)
{
    SmSharing gpu(4);
    gpu.Start(0, TimeStep(5), TimeStep(0));
    EXPECT_TRUE(gpu.SetTaken(9, TimeStep(0)));
    EXPECT_EQ(gpu.GetRemaining(0), TimeStep(20));
    EXPECT_FALSE(gpu.SetTaken(3, TimeStep(0)));
}

TEST(RailyardSmSharing, WhatCannotBeIsRefused)
{
    SmCost{}.Require();
    SmCost{132, 24, 131}.Require();
    const std::vector<std::pair<SmCost, std::string>> cases{
        {{0, 24, 0}, "ns3::WorkloadExecutor::GpuSms: read '0'"},
        {{132, 132, 0}, "CollectiveSms: read '132', expected fewer than the 132 SMs of the GPU"},
        {{132, 0, 200}, "TransferSms: read '200', expected fewer than the 132 SMs"},
    };
    for (const auto& [cost, expected] : cases)
    {
        try
        {
            cost.Require();
            FAIL() << expected;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

// 10 ms of compute, of which 4 ms go on at 80 %: 3 + 4 + (10 - 3 - 3.2) ms.
TEST(RailyardWorkloadSmCost, ACollectiveInsideAKernelStretchesIt)
{
    for (const std::string engine : {"fabric", "default"})
    {
        FabricEngine::Select(engine);
        const ScopedSms sms(100, 20);
        Workload workload = MakePair();
        WorkloadProgramBuilder builder;
        builder.Compute("kernel", MilliSeconds(10));
        builder.ComputeAfter("pause", WorkloadPart::DP, MilliSeconds(3));
        builder.Prefetch("reduce", WorkloadPart::DP, MakeAllReduce());
        workload.stages[0] = builder.Take();
        WorkloadRunner runner;
        runner.service.collectiveTime = [](const auto&, const auto&) { return MilliSeconds(4); };
        const WorkloadResult result = runner.Run(workload, 2);
        EXPECT_EQ(FindSpan(runner.spans, "reduce").start, MilliSeconds(3));
        EXPECT_EQ(FindSpan(runner.spans, "reduce").end, MilliSeconds(7));
        EXPECT_EQ(FindSpan(runner.spans, "kernel").end, MicroSeconds(10800));
        EXPECT_EQ(result.end, MicroSeconds(2 * 10800));
        for (const WorkloadRankResult& rank : result.ranks)
        {
            EXPECT_EQ(rank.breakdown.GetStretch(), MicroSeconds(2 * 800));
            EXPECT_EQ(rank.breakdown.Get(WorkloadPart::COMPUTE), MicroSeconds(2 * 10800));
        }
        EXPECT_EQ(result.iterations.at(1).breakdown.GetStretch(), MicroSeconds(800));
    }
}

// Two kernels at a time, two collectives that overlap: 100 %, from 2 ms on 80 %, from 7 ms on 60 %,
// from 8 ms on 80 %, from 10 ms on 100 %.
TEST(RailyardWorkloadSmCost, CollectivesThatOverlapAddUp)
{
    for (const std::string engine : {"fabric", "default"})
    {
        FabricEngine::Select(engine);
        const ScopedSms sms(10, 2);
        Workload workload = MakePair();
        WorkloadProgramBuilder builder;
        builder.ComputeAfter("long", WorkloadPart::DP, MilliSeconds(10));
        builder.Compute("first", MilliSeconds(2));
        builder.Collective("a", WorkloadPart::TP, MakeAllReduce());
        builder.Compute("second", MilliSeconds(4));
        builder.Collective("b", WorkloadPart::EP, MakeAllReduce());
        workload.stages[0] = builder.Take();
        WorkloadRunner runner;
        runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
            return MilliSeconds(std::string(call.label) == "a" ? 6 : 3);
        };
        const WorkloadResult result = runner.Run(workload);
        EXPECT_EQ(FindSpan(runner.spans, "first").end, MilliSeconds(2));
        EXPECT_EQ(FindSpan(runner.spans, "a").end, MilliSeconds(8));
        EXPECT_EQ(FindSpan(runner.spans, "second").end, MilliSeconds(7)); // 2 + 4 / 0.8
        EXPECT_EQ(FindSpan(runner.spans, "b").end, MilliSeconds(10));
        EXPECT_EQ(FindSpan(runner.spans, "long").end, MicroSeconds(11800));
        EXPECT_EQ(result.end, MicroSeconds(11800));
        EXPECT_EQ(result.ranks.at(0).breakdown.GetStretch(), MicroSeconds(1000 + 1800));
    }
}

// A rank that waits for another one in a collective has its kernel running all the while.
TEST(RailyardWorkloadSmCost, WaitingHoldsSmsAndTransfersHoldTheirOwn)
{
    const ScopedSms sms(10, 0, 5);
    Workload workload = BuildSimaiWorkload(
        ParseSimai("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 1 ep: 1 pp: 2 vpp: 1 "
                   "ga: 1 all_gpus: 2 pp_comm: 1000\n1\n"
                   "layer -1 1000000 NONE 0 1000000 NONE 0 0 NONE 0 0\n"),
        {2, 2},
        *CreateObject<OneForwardOneBackwardSchedule>());
    WorkloadProgramBuilder sender;
    sender.Compute("before", MilliSeconds(3));
    sender.Send("send", 1, 1000);
    workload.stages[0] = sender.Take();
    WorkloadProgramBuilder receiver;
    receiver.ComputeAfter("meanwhile", WorkloadPart::DP, MilliSeconds(6));
    receiver.Receive("receive", -1, 1000);
    workload.stages[1] = receiver.Take();
    WorkloadRunner runner;
    runner.service.messageTime = [](uint64_t) { return MilliSeconds(1); };
    runner.Run(workload);
    EXPECT_EQ(FindSpan(runner.spans, "receive").end, MilliSeconds(4));
    EXPECT_EQ(FindSpan(runner.spans, "meanwhile").end, MilliSeconds(8)); // 4 at 50 %, 4 of 4
}

TEST(RailyardWorkloadSmCost, NothingIsTheDefault)
{
    Workload workload = MakePair();
    WorkloadProgramBuilder builder;
    builder.Compute("kernel", MilliSeconds(10));
    builder.Prefetch("reduce", WorkloadPart::DP, MakeAllReduce());
    workload.stages[0] = builder.Take();
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return MilliSeconds(4); };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_EQ(result.end, MilliSeconds(10));
    EXPECT_EQ(result.ranks.at(0).breakdown.GetStretch(), Time(0));
}

namespace
{

/**
 * \param engine event engine
 * \param topology GPUs
 * \param sms that a collective holds
 * \return a training run: compute of 300 us that overlaps with the all-reduce of 8 MB before it
 */
TrainingOutcome
Train(const std::string& engine, const std::string& topology, uint32_t sms)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::WorkloadExecutor::CollectiveSms", UintegerValue(sms));
    return RunTraining({topology,
                        WriteWorkload("model_parallel_NPU_group: 1 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                                      {"first -1 1000 NONE 0 300000 NONE 0 0 NONE 0 100",
                                       "second -1 1000 NONE 0 1000 NONE 0 0 ALLREDUCE 8000000 "
                                       "100"}),
                        engine});
}

} // namespace

TEST(RailyardWorkloadSmCost, RunsSayHowMuchComputeWasStretched)
{
    const Time alone = Train("fabric", "single-server", 0).summary.iterationTime;
    std::string first;
    for (const std::string engine : {"fabric", "default"})
    {
        const TrainingOutcome outcome = Train(engine, "single-server", 33); // a quarter of an H100
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const Time stretch = outcome.summary.computeStretch;
        EXPECT_GT(stretch, Time(0));
        EXPECT_EQ(outcome.summary.iterationTime, alone + stretch);
        // Of an all-reduce of T that a kernel overlaps wholly, a quarter is lost.
        const Time reduce = outcome.GetCollective("DP", 8000000).time;
        EXPECT_NEAR(stretch.GetPicoSeconds(), reduce.GetPicoSeconds() / 4.0, 2);
        SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
        auto query = database.Prepare("SELECT group_concat(compute_stretch_ns) FROM ranks");
        ASSERT_TRUE(query.Step());
        first = first.empty() ? query.GetText(0) : first;
        EXPECT_EQ(query.GetText(0), first);
        EXPECT_NE(ReadTestFile(outcome.folder + "/summary.json").find("\"computeStretchNs\""),
                  std::string::npos);
    }
}

TEST(RailyardWorkloadSmCost, UnknownGpusAreRefused)
{
    const TrainingOutcome outcome = Train("fabric", "star:gpus=8", 24);
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("ns3::WorkloadExecutor::GpuSms: read '0', expected how many SMs"),
              std::string::npos)
        << outcome.error;
}

} // namespace ns3
