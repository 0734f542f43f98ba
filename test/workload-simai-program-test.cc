/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/gpipe-schedule.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/simai-program.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** Header of a transformer workload without pipeline. */
const std::string TRANSFORMER = "HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: ";

/**
 * \param text a SimAI workload
 * \param cluster cluster
 * \param name file name
 * \return what the ranks do
 */
Workload
Build(const std::string& text,
      const WorkloadCluster& cluster = {8, 8},
      const std::string& name = "test.txt")
{
    return BuildSimaiWorkload(ParseSimai(text, name),
                              cluster,
                              *CreateObject<OneForwardOneBackwardSchedule>());
}

/**
 * \param spans spans
 * \return their names, in the order of their ends
 */
std::string
Names(const std::vector<KeptSpan>& spans)
{
    std::string names;
    for (const KeptSpan& span : spans)
    {
        names += (names.empty() ? "" : ", ") + span.name;
    }
    return names;
}

/**
 * \param workload a workload
 * \param text part of a note
 * \return the number of notes that hold it
 */
std::size_t
CountNotes(const Workload& workload, const std::string& text)
{
    return std::count_if(workload.notes.begin(), workload.notes.end(), [&](const auto& note) {
        return note.find(text) != std::string::npos;
    });
}

} // namespace

// ---- header against cluster ----

TEST(RailyardWorkloadSimaiProgram, H13aSmallWorkloadRunsOnTheFirstGpusAndSaysSo)
{
    const Workload workload = Build(TRANSFORMER + "8 ep: 1 pp: 1 vpp: 8 ga: 1 all_gpus: 8\n1\n"
                                                  "x -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n",
                                    {128, 8});
    EXPECT_EQ(workload.layout.GetSizes().ranks, 8u);
    EXPECT_EQ(workload.warnings,
              (std::vector<std::string>{"the workload is for 8 GPUs and the cluster has 128: it "
                                        "runs on GPUs 0-7, the others are idle"}));
}

TEST(RailyardWorkloadSimaiProgram, H13bLargeWorkloadIsRefused)
{
    const std::string error = GetConfigError([] {
        Build(TRANSFORMER + "8 ep: 1 pp: 1 vpp: 8 ga: 1 all_gpus: 128\n1\n"
                            "x -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n");
    });
    EXPECT_EQ(error, "test.txt: all_gpus: read '128', expected at most 8, the GPUs of the cluster");
}

TEST(RailyardWorkloadSimaiProgram, H13cDegreesThatDoNotDivideAreRefused)
{
    const std::string row = "\n1\nx -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n";
    const std::string tp =
        GetConfigError([&] { Build(TRANSFORMER + "3 ep: 1 pp: 1 all_gpus: 8" + row); });
    EXPECT_NE(tp.find("read '3', expected a divisor of 8"), std::string::npos) << tp;
    const std::string ep =
        GetConfigError([&] { Build(TRANSFORMER + "2 ep: 3 pp: 1 all_gpus: 8" + row); });
    EXPECT_NE(ep.find("read '3', expected a divisor of 4"), std::string::npos) << ep;
}

TEST(RailyardWorkloadSimaiProgram, H13dBatchOfTheFileNameMustDivide)
{
    const std::string text = TRANSFORMER +
                             "8 ep: 1 pp: 8 vpp: 5 ga: 1 all_gpus: 1472 pp_comm: 5242880.0\n1\n"
                             "embedding_layer -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n";
    const std::string error = GetConfigError([&] {
        Build(text, {1472, 8}, "gpt_13B-gbs32-mbs1-seq4096.txt");
    });
    EXPECT_NE(error.find("read 'gbs32-mbs1'"), std::string::npos) << error;
    EXPECT_NE(error.find("32 is not a multiple of 23*1"), std::string::npos) << error;
    EXPECT_EQ(GetConfigError([&] { Build(text, {1472, 8}, "gpt_13B-gbs46-mbs1.txt"); }), "");
}

TEST(RailyardWorkloadSimaiProgram, H12cDefaultsAreNoted)
{
    const Workload workload =
        Build("HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 2\n1\n"
              "x -1 1 ALLREDUCE 8 1 NONE 0 1 NONE 0 1\n");
    EXPECT_EQ(workload.layout.GetSizes().ranks, 8u);
    EXPECT_EQ(workload.layout.GetDataParallel(), 4u);
    EXPECT_EQ(
        workload.notes,
        (std::vector<std::string>{"the header does not give ep (taken as 1), pp (taken as 1), "
                                  "all_gpus (taken as 8, the GPUs of the cluster)"}));
    EXPECT_NE(GetConfigError([] {
                  Build("MICRO\n1\nx -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8 1\n", {0, 0});
              }),
              "");
}

// ---- meaning of the rows ----

TEST(RailyardWorkloadSimaiProgram, H19bGroupOfOneHasNoEffectAndIsNotedOnce)
{
    const Workload workload =
        Build(TRANSFORMER + "1 ep: 1 pp: 1 all_gpus: 8\n2\n"
                            "a -1 5 ALLREDUCE 256000000 0 NONE 0 0 NONE 0 0\n"
                            "b -1 5 ALLREDUCE 256000000 0 NONE 0 0 NONE 0 0\n");
    EXPECT_EQ(
        CountNotes(workload, "collective of 256000000 bytes on a group of size 1 has no effect"),
        1u);
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return MilliSeconds(1); };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.end, NanoSeconds(10));
    EXPECT_TRUE(runner.service.collectives.empty());
    EXPECT_EQ(runner.GetSpans(0, "tp").size(), 2u);
}

TEST(RailyardWorkloadSimaiProgram, H20TinyAndEmptyCollectivesFinishInOrder)
{
    const Workload workload = Build(TRANSFORMER + "8 ep: 1 pp: 1 all_gpus: 8\n4\n"
                                                  "a -1 1 ALLREDUCE 13870912 0 NONE 0 0 NONE 0 0\n"
                                                  "b -1 1 ALLGATHER 65536 0 NONE 0 0 NONE 0 0\n"
                                                  "c -1 0 REDUCESCATTER 0 0 NONE 0 0 NONE 0 0\n"
                                                  "d -1 0 ALLREDUCE 4 0 NONE 0 0 NONE 0 0\n");
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
        return NanoSeconds(call.bytes);
    };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(result.end, NanoSeconds(2 + 13870912 + 65536 + 4));
    for (uint32_t rank : {0, 7})
    {
        const auto spans = runner.GetSpans(rank, "tp");
        EXPECT_EQ(Names(spans),
                  "a forward AllReduce, b forward AllGather, c forward ReduceScatter, d forward "
                  "AllReduce");
        EXPECT_EQ(spans.at(2).end, spans.at(2).start);
        EXPECT_EQ(spans.at(3).end - spans.at(3).start, NanoSeconds(4));
    }
}

TEST(RailyardWorkloadSimaiProgram, H20ComputeOnly)
{
    const Workload workload =
        Build(TRANSFORMER + "8 ep: 1 pp: 1 all_gpus: 8\n1\na -1 10 NONE 0 20 NONE 0 30 NONE 0 4\n");
    WorkloadRunner runner;
    const WorkloadResult result = runner.Run(workload);
    EXPECT_TRUE(result.finished);
    ASSERT_EQ(result.iterations.size(), 1u);
    const WorkloadBreakdown& breakdown = result.iterations[0].breakdown;
    EXPECT_EQ(breakdown.Get(WorkloadPart::COMPUTE), NanoSeconds(60));
    EXPECT_EQ(breakdown.GetExposed(), Time(0));
    EXPECT_EQ(breakdown.GetTotal(), NanoSeconds(60));
}

TEST(RailyardWorkloadSimaiProgram, H21ExpertCollectivesWithoutTensorParallelism)
{
    const Workload workload =
        Build(TRANSFORMER + "1 ep: 4 pp: 1 all_gpus: 8\n2\n"
                            "moe_grad -1 0 NONE 0 0 NONE 0 0 ALLREDUCE_DP_EP 32000000 0\n"
                            "moe -1 1 ALLTOALL_EP 8000000 1 ALLTOALL_EP 8000000 1 NONE 0 0\n");
    WorkloadRunner runner;
    runner.Run(workload);
    std::map<std::string, uint32_t> played;
    for (const auto& collective : runner.service.collectives)
    {
        played[collective.label + " " + std::to_string(collective.ranks) + " " +
               std::to_string(collective.call.bytes)]++;
    }
    EXPECT_EQ(
        played,
        (std::map<std::string, uint32_t>{{"moe forward AllToAll 4 8000000", 2},
                                         {"moe input gradient AllToAll 4 8000000", 2},
                                         {"moe_grad weight gradient AllReduce 2 32000000", 4}}));
}

TEST(RailyardWorkloadSimaiProgram, TransformerBlocksOnTensorCollectivesAndUpdatesAfterThem)
{
    const Workload workload =
        Build(TRANSFORMER + "8 ep: 1 pp: 1 all_gpus: 8\n1\n"
                            "a -1 10 ALLREDUCE 8 20 ALLREDUCE 8 30 NONE 0 5\n");
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return NanoSeconds(100); };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_EQ(result.end, NanoSeconds(10 + 100 + 5 + 20 + 100 + 5 + 30));
    const WorkloadBreakdown& breakdown = result.ranks.at(0).breakdown;
    EXPECT_EQ(breakdown.Get(WorkloadPart::COMPUTE), NanoSeconds(10 + 5 + 20 + 5 + 30));
    EXPECT_EQ(breakdown.Get(WorkloadPart::TP), NanoSeconds(200));
}

TEST(RailyardWorkloadSimaiProgram, RecomputationRepeatsTheForwardPassFromTheCheckpoint)
{
    const Workload workload =
        Build(TRANSFORMER + "8 checkpoints: 1 1 checkpoint_initiates: 1 3\n4\n"
                            "a -1 1 NONE 0 10 NONE 0 0 NONE 0 0\n"
                            "b -1 1 ALLREDUCE 8 10 NONE 0 0 NONE 0 0\n"
                            "c -1 1 NONE 0 10 NONE 0 0 NONE 0 0\n"
                            "d -1 1 NONE 0 10 NONE 0 0 NONE 0 0\n");
    WorkloadRunner runner;
    runner.Run(workload);
    EXPECT_EQ(Names(runner.GetSpans(0, "compute")),
              "a forward, b forward, c forward, d forward, b forward, c forward, "
              "d input gradient, c input gradient, b input gradient, a input gradient");
    EXPECT_EQ(runner.GetSpans(0, "tp").size(), 2u);
}

TEST(RailyardWorkloadSimaiProgram, DataReducesWeightGradientsFirstOverAllRanks)
{
    const Workload workload = Build("DATA\n2\n"
                                    "a -1 1 NONE 0 10 NONE 0 100 ALLREDUCE 8 0\n"
                                    "b -1 1 NONE 0 10 NONE 0 100 ALLREDUCE 8 0\n");
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return NanoSeconds(50); };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_EQ(Names(runner.GetSpans(0, "compute")),
              "a forward, b forward, b weight gradient, b input gradient, a weight gradient");
    EXPECT_EQ(result.end, NanoSeconds(2 + 100 + 10 + 100 + 50));
    EXPECT_EQ(runner.service.collectives.at(0).ranks, 8u);
    EXPECT_EQ(result.ranks.at(0).breakdown.Get(WorkloadPart::DP), NanoSeconds(50));
    EXPECT_EQ(result.ranks.at(0).breakdown.GetHidden(WorkloadPart::DP), NanoSeconds(50));
}

TEST(RailyardWorkloadSimaiProgram, ModelOverlapsInputGradientWithWeightGradient)
{
    const Workload workload = Build("MODEL\n2\n"
                                    "a -1 1 ALLGATHER 8 10 ALLREDUCE 8 100 ALLREDUCE 8 0\n"
                                    "b -1 1 ALLGATHER 8 10 ALLREDUCE 8 100 ALLREDUCE 8 0\n");
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return NanoSeconds(130); };
    const WorkloadResult result = runner.Run(workload);
    // two blocking forward collectives; row b: 10, then 130 hides 100; row a communicates nothing
    EXPECT_EQ(result.end, NanoSeconds(2 * 131 + 10 + 130 + 10 + 100));
    EXPECT_EQ(runner.service.collectives.size(), 3u);
}

TEST(RailyardWorkloadSimaiProgram, HybridPoliciesUseServersAndAcrossServers)
{
    const std::string rows = "\n2\n"
                             "a -1 1 ALLGATHER 8 1 ALLREDUCE 8 1 ALLREDUCE 16 0\n"
                             "b -1 1 ALLGATHER 8 1 ALLREDUCE 8 1 ALLREDUCE 16 0\n";
    for (const auto& [policy, model, data] :
         {std::tuple("HYBRID_DATA_MODEL", 8u, 2u), std::tuple("HYBRID_MODEL_DATA", 2u, 8u)})
    {
        WorkloadRunner runner;
        runner.Run(Build(policy + rows, {16, 8}));
        for (const auto& collective : runner.service.collectives)
        {
            EXPECT_EQ(collective.ranks, collective.call.bytes == 8 ? model : data) << policy;
        }
        EXPECT_EQ(runner.service.collectives.size(), 3 * (16 / model) + 2 * (16 / data));
    }
    const std::string error = GetConfigError([&] { Build("HYBRID_DATA_MODEL" + rows, {12, 8}); });
    EXPECT_NE(error.find("a multiple of 8, the GPUs per server"), std::string::npos) << error;
}

TEST(RailyardWorkloadSimaiProgram, CustomizedRowsHaveTheirOwnPolicy)
{
    const Workload workload =
        Build("HYBRID_CUSTOMIZED\n3\n"
              "a -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1 0 DATA\n"
              "b -1 1 ALLGATHER 2 1 NONE 0 1 ALLREDUCE 3 0 MODEL\n"
              "c -1 1 ALLGATHER 4 1 NONE 0 1 ALLREDUCE 5 0 HYBRID_DATA_MODEL\n",
              {16, 8});
    WorkloadRunner runner;
    runner.Run(workload);
    std::map<uint64_t, uint32_t> ranks;
    for (const auto& collective : runner.service.collectives)
    {
        ranks[collective.call.bytes] = collective.ranks;
    }
    EXPECT_EQ(ranks, (std::map<uint64_t, uint32_t>{{1, 16}, {2, 16}, {4, 8}, {5, 2}}));
}

TEST(RailyardWorkloadSimaiProgram, DlrmHidesTheEmbeddingsAllToAllBehindTheBottomMlp)
{
    const std::string rows = " 1\n3\n"
                             "emb -1 10 ALLTOALL 8 10 ALLTOALL 8 10 NONE 0 0\n"
                             "bottom -1 100 NONE 0 100 NONE 0 100 NONE 0 0\n"
                             "top -1 100 NONE 0 100 NONE 0 100 NONE 0 0\n";
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return NanoSeconds(250); };
    // forward 10 + max(100, 250) + 100; backward 200 (top), then 250 hides 200 (bottom) and 10
    EXPECT_EQ(runner.Run(Build("HYBRID_DLRM" + rows)).end, NanoSeconds(10 + 250 + 100 + 200 + 250));
    EXPECT_EQ(runner.service.collectives.size(), 2u);
}

TEST(RailyardWorkloadSimaiProgram, MicroRunsTheLastColumnRowAfterRow)
{
    const Workload workload = Build("MICRO\n2\n"
                                    "a -1 5 NONE 0 5 NONE 0 5 ALLREDUCE 1000 5\n"
                                    "b -1 5 NONE 0 5 NONE 0 5 ALLGATHER 2000 5\n");
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
        return NanoSeconds(call.bytes);
    };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_EQ(result.end, NanoSeconds(1000 + 5 + 2000 + 5));
    EXPECT_EQ(runner.service.collectives.at(1).start, NanoSeconds(1005));
    EXPECT_EQ(runner.service.collectives.at(1).ranks, 8u);
}

// ---- micro-batches ----

namespace
{

/**
 * \param names names of rows
 * \param ga gradient accumulation
 * \param [out] notes notes
 * \return sections as text: "prologue 0-1 | 1-3 3-5 | 5-6"
 */
std::string
Divide(const std::vector<std::string>& names, uint32_t ga, std::vector<std::string>& notes)
{
    SimaiWorkload workload;
    workload.gradientAccumulation = ga;
    for (const std::string& name : names)
    {
        workload.rows.emplace_back();
        workload.rows.back().name = name;
    }
    const auto write = [](const SimaiRange& range) {
        return std::to_string(range.begin) + "-" + std::to_string(range.end);
    };
    const SimaiSections sections = FindSimaiSections(workload, notes);
    std::string text = write(sections.prologue) + " |";
    for (const SimaiRange& range : sections.microBatches)
    {
        text += " " + write(range);
    }
    return text + " | " + write(sections.epilogue);
}

} // namespace

TEST(RailyardWorkloadSimaiSections, UnrolledMicroBatchesBeginWithTheEmbedding)
{
    std::vector<std::string> notes;
    EXPECT_EQ(Divide({"grad_gather",
                      "layernorm",
                      "moe_grad_norm1",
                      "embedding_layer",
                      "mlp_layer",
                      "embedding_layer",
                      "mlp_layer",
                      "cross_entropy1",
                      "optimizer1"},
                     2,
                     notes),
              "0-3 | 3-5 5-7 | 7-9");
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(Divide({"embedding_layer", "mlp_layer", "embedding_layer"}, 8, notes),
              "0-0 | 0-2 2-3 | 3-3");
    EXPECT_EQ(
        notes,
        (std::vector<std::string>{"ga is 8, but the rows hold 2 micro-batches, which are run"}));
}

TEST(RailyardWorkloadSimaiSections, OtherRowsAreDividedOrRepeated)
{
    std::vector<std::string> notes;
    EXPECT_EQ(Divide({"norm", "a", "b", "a", "b", "optimizer1"}, 2, notes), "0-1 | 1-3 3-5 | 5-6");
    EXPECT_EQ(Divide({"a"}, 1, notes), "0-0 | 0-1 | 1-1");
    EXPECT_TRUE(notes.empty());
    EXPECT_EQ(Divide({"embedding_layer", "a", "b"}, 3, notes), "0-0 | 0-3 0-3 0-3 | 3-3");
    EXPECT_EQ(Divide({"a", "b"}, 2, notes), "0-0 | 0-2 0-2 | 2-2");
    EXPECT_EQ(notes.size(), 2u);
    EXPECT_EQ(notes[0], "the rows of one micro-batch are run ga = 3 times");
}

TEST(RailyardWorkloadSimaiProgram, EveryStageRunsPrologueMicroBatchesAndEpilogue)
{
    const Workload workload =
        Build(TRANSFORMER + "2 ep: 1 pp: 2 ga: 2 all_gpus: 8 pp_comm: 8\n6\n"
                            "grad_norm -1 1 ALLGATHER 1 0 NONE 0 0 REDUCESCATTER 2 0\n"
                            "embedding_layer -1 10 ALLREDUCE 3 20 NONE 0 0 NONE 0 0\n"
                            "mlp_layer -1 10 NONE 0 20 ALLREDUCE 4 0 NONE 0 0\n"
                            "embedding_layer -1 10 ALLREDUCE 3 20 NONE 0 0 NONE 0 0\n"
                            "mlp_layer -1 10 NONE 0 20 ALLREDUCE 4 0 NONE 0 0\n"
                            "optimizer1 -1 0 ALLREDUCE 5 0 NONE 0 0 NONE 0 0\n");
    EXPECT_EQ(workload.microBatches, 2u);
    EXPECT_TRUE(workload.notes.empty());
    WorkloadRunner runner;
    EXPECT_TRUE(runner.Run(workload).finished);
    const std::string first = "grad_norm forward AllGather, embedding_layer forward AllReduce, ";
    const std::string forward = "embedding_layer forward AllReduce, ";
    const std::string backward = "mlp_layer input gradient AllReduce, ";
    const std::string last = "optimizer1 forward AllReduce";
    EXPECT_EQ(Names(runner.GetSpans(0, "tp")), first + forward + backward + backward + last);
    EXPECT_EQ(Names(runner.GetSpans(7, "tp")), first + backward + forward + backward + last);
    for (uint32_t rank : {0, 7})
    {
        EXPECT_EQ(Names(runner.GetSpans(rank, "dp")), "grad_norm weight gradient ReduceScatter");
    }
}

TEST(RailyardWorkloadSimaiProgram, RecomputationInAPipelineIsRefused)
{
    const std::string error = GetConfigError([] {
        Build(TRANSFORMER + "1 pp: 2 checkpoints: 1 0 checkpoint_initiates: 1 0 pp_comm: 8\n1\n"
                            "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n");
    });
    EXPECT_NE(error.find("checkpoint_initiates"), std::string::npos) << error;
}

TEST(RailyardWorkloadSimaiProgram, PipelineWithoutBytesIsNoted)
{
    const Workload workload = Build(TRANSFORMER + "1 ep: 1 pp: 2 ga: 1 all_gpus: 8\n1\n"
                                                  "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n");
    EXPECT_EQ(CountNotes(workload, "pp_comm is 0"), 1u);
    const Workload other = Build(TRANSFORMER + "1 ep: 1 pp: 1 ga: 1 all_gpus: 8 pp_comm: 8\n1\n"
                                               "a -1 1 NONE 0 1 NONE 0 1 NONE 0 1\n");
    EXPECT_EQ(CountNotes(other, "pp_comm 8 has no effect"), 1u);
}

} // namespace ns3
