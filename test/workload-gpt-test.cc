/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"
#include "workload-test-helper.h"

#include "ns3/gpt-workload-builder.h"
#include "ns3/gpt-workload-reader.h"
#include "ns3/one-forward-one-backward-schedule.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** \return GPT-3, 175 billion parameters (Brown et al. 2020, table 2.1) */
GptWorkload
MakeGpt3()
{
    GptWorkload workload;
    workload.source = "test.json";
    GptModel& model = workload.model;
    model.hiddenSize = 12288;
    model.layers = 96;
    model.attentionHeads = 96;
    model.keyValueHeads = 96;
    model.headSize = 128;
    model.intermediateSize = 4 * 12288;
    model.vocabularySize = 50257;
    model.maxPositions = 2048;
    model.tiedEmbeddings = true;
    model.biases = true;
    model.layerNorm = true;
    model.learnedPositions = true;
    workload.parallel = {8, 8, 1, true};
    workload.training.sequenceLength = 2048;
    workload.training.globalBatch = 64;
    return workload;
}

/** \return a Llama model */
GptModel
MakeLlama(uint64_t hidden,
          uint64_t layers,
          uint64_t heads,
          uint64_t keys,
          uint64_t mlp,
          uint64_t vocabulary)
{
    GptModel model;
    model.hiddenSize = hidden;
    model.layers = layers;
    model.attentionHeads = heads;
    model.keyValueHeads = keys;
    model.headSize = hidden / heads;
    model.intermediateSize = mlp;
    model.vocabularySize = vocabulary;
    model.gated = true;
    return model;
}

/** Kernels take 1 us each. */
class OneMicrosecond
{
  public:
    /** \param call a kernel \return 1 us */
    Time GetKernelTime(const KernelCall& call)
    {
        calls.push_back(call);
        return MicroSeconds(1);
    }

    std::vector<KernelCall> calls; //!< what was asked for
};

/**
 * \param gpt a workload
 * \return what the ranks do
 */
Workload
Build(const GptWorkload& gpt)
{
    return GptWorkloadBuilder(gpt, *CreateObject<OneForwardOneBackwardSchedule>()).Build({0, 8});
}

/** Collectives of a program: how many, and their bytes in all. */
struct Volume
{
    uint64_t count{0}; //!< number
    uint64_t bytes{0}; //!< sum of their sizes
};

/**
 * \param program a program
 * \param part kind of communication
 * \param inLayers only those inside the layers
 * \return volume by kind
 */
std::map<std::string, Volume>
GetVolumes(const WorkloadProgram& program, WorkloadPart part, bool inLayers)
{
    std::map<std::string, Volume> volumes;
    for (const WorkloadStream& stream : program.streams)
    {
        for (const WorkloadOp& op : stream.ops)
        {
            const auto* work = std::get_if<CollectiveWork>(&op.work);
            if (work && op.part == part &&
                (!inLayers || program.names[op.name].rfind("layer ", 0) == 0))
            {
                Volume& volume = volumes[ToString(work->kind)];
                volume.count++;
                volume.bytes += work->bytes;
            }
        }
    }
    return volumes;
}

/** \return the shipped workload */
std::string
GetShippedPath()
{
    return RailyardDir() + "/examples/workloads/gpt-7b.json";
}

} // namespace

TEST(RailyardWorkloadGpt, H27dParametersOfKnownModels)
{
    EXPECT_EQ(MakeGpt3().model.GetParameters(), 174604259328u);
    EXPECT_EQ(MakeLlama(4096, 32, 32, 32, 11008, 32000).GetParameters(), 6738415616u);
    EXPECT_EQ(MakeLlama(5120, 40, 40, 40, 13824, 32000).GetParameters(), 13015864320u);
    EXPECT_EQ(MakeLlama(8192, 80, 64, 8, 28672, 32000).GetParameters(), 68976648192u);
    EXPECT_EQ(MakeLlama(4096, 32, 32, 8, 14336, 128256).GetParameters(), 8030261248u);
    EXPECT_EQ(MakeLlama(8192, 80, 64, 8, 28672, 128256).GetParameters(), 70553706496u);
}

TEST(RailyardWorkloadGpt, H27aEveryLayerStandsInOneStage)
{
    for (const auto& [layers, stages] : {std::pair(30u, 4u), std::pair(10u, 3u)})
    {
        GptWorkload gpt = MakeGpt3();
        gpt.model.layers = layers;
        gpt.parallel.pipeline = stages;
        EXPECT_EQ(gpt.GetFirstLayer(0), 0u);
        EXPECT_EQ(gpt.GetFirstLayer(stages), layers);
        for (uint32_t stage = 0; stage < stages; stage++)
        {
            EXPECT_GE(gpt.GetFirstLayer(stage + 1) - gpt.GetFirstLayer(stage), layers / stages);
        }
    }
}

TEST(RailyardWorkloadGpt, H27bTensorCollectivesWithoutSequenceParallelism)
{
    GptWorkload gpt = MakeGpt3();
    gpt.model.hiddenSize = 4096;
    gpt.model.layers = 36;
    gpt.model.attentionHeads = 32;
    gpt.model.keyValueHeads = 32;
    gpt.model.intermediateSize = 16384;
    gpt.parallel = {4, 1, 1, false};
    gpt.model.maxPositions = 4096;
    gpt.training.sequenceLength = 4096;
    gpt.training.globalBatch = 1;
    const auto volumes = GetVolumes(Build(gpt).stages.at(0), WorkloadPart::TP, true);
    ASSERT_EQ(volumes.size(), 1u);
    EXPECT_EQ(volumes.at("AllReduce").count, 144u);
    EXPECT_EQ(volumes.at("AllReduce").bytes, uint64_t(144) * 33554432);
}

TEST(RailyardWorkloadGpt, H27cSequenceParallelismMovesTheSameBytesAndGathersAgain)
{
    // Korthikanti et al., 175B on 64 A100: bytes sent per GPU and iteration, by the ring
    const GptWorkload gpt = MakeGpt3();
    const Workload workload = Build(gpt);
    const auto volumes = GetVolumes(workload.stages.at(3), WorkloadPart::TP, true);
    ASSERT_EQ(volumes.size(), 2u);
    const Volume gather = volumes.at("AllGather");
    const Volume scatter = volumes.at("ReduceScatter");
    EXPECT_EQ(gather.count + scatter.count, 7680u);
    EXPECT_EQ((gather.bytes + scatter.bytes) / 8 * 7, 338228674560u);
    EXPECT_EQ(gpt.GetPipelineBytes(), 6291456u);
}

TEST(RailyardWorkloadGpt, GradientsAndWeightsAreMovedOnce)
{
    GptWorkload gpt = MakeGpt3();
    gpt.parallel.data = 4;
    const uint64_t layers = 12 * gpt.GetLayerParametersPerRank();
    for (bool overlap : {true, false})
    {
        gpt.training.overlapGradientReduce = overlap;
        gpt.training.overlapParameterGather = overlap;
        const auto volumes = GetVolumes(Build(gpt).stages.at(3), WorkloadPart::DP, true);
        EXPECT_EQ(volumes.at("ReduceScatter").count, 12u);
        EXPECT_EQ(volumes.at("ReduceScatter").bytes, 4 * layers);
        EXPECT_EQ(volumes.at("AllGather").bytes, 2 * layers);
    }
    gpt.training.distributedOptimizer = false;
    const auto volumes = GetVolumes(Build(gpt).stages.at(3), WorkloadPart::DP, true);
    EXPECT_EQ(volumes.size(), 1u);
    EXPECT_EQ(volumes.at("AllReduce").bytes, 4 * layers);
}

TEST(RailyardWorkloadGpt, FlopsOfAllKernelsAreThoseOfTheModel)
{
    // 6 N per token for the matrices, 3.5 forward passes of attention (flash recomputes)
    GptWorkload gpt;
    gpt.source = "test";
    gpt.model = MakeLlama(4096, 32, 32, 8, 14336, 128256);
    gpt.training.sequenceLength = 8192;
    Workload workload = Build(gpt);
    uint64_t matrixFlops = 0;
    uint64_t attention = 0;
    for (const WorkloadOp& op : workload.stages.at(0).streams.at(0).ops)
    {
        for (uint32_t kernel : std::get<ComputeWork>(op.work).kernels)
        {
            const KernelCall& call = workload.stages.at(0).kernels[kernel];
            if (call.op == "gemm" || call.op == "gemm_wgrad")
            {
                matrixFlops += 2 * call.shape[0] * call.shape[1] * call.shape[2];
            }
            attention += call.op.rfind("attention", 0) == 0 ? 1 : 0;
        }
    }
    const uint64_t norms = (2 * 32 + 1) * 4096;
    const uint64_t embedding = uint64_t(128256) * 4096;
    EXPECT_EQ(matrixFlops, 6 * 8192 * (gpt.model.GetParameters() - norms - embedding));
    EXPECT_EQ(attention, 64u);
}

TEST(RailyardWorkloadGpt, ShippedWorkloadRunsOnSixteenGpus)
{
    Workload workload = WorkloadReader::ReadFile(GetShippedPath(), {16, 8});
    EXPECT_EQ(workload.layout.GetSizes().ranks, 16u);
    EXPECT_EQ(workload.microBatches, 4u);
    EXPECT_TRUE(workload.HasKernels());
    EXPECT_EQ(workload.notes, (std::vector<std::string>{"vocab_size 50257 is padded to 51200"}));
    OneMicrosecond source;
    workload.ResolveKernels([&](const KernelCall& call) { return source.GetKernelTime(call); });
    EXPECT_LT(source.calls.size(), 40u); // each distinct kernel once
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const WorkloadCollectiveCall& call, const auto&) {
        return NanoSeconds(call.bytes / 300);
    };
    const WorkloadResult result = runner.Run(workload, 2);
    EXPECT_TRUE(result.finished);
    const WorkloadBreakdown& breakdown = result.iterations.at(1).breakdown;
    EXPECT_GT(breakdown.Get(WorkloadPart::TP), Time(0));
    EXPECT_GT(breakdown.GetHidden(WorkloadPart::DP), Time(0));
    EXPECT_EQ(breakdown.Get(WorkloadPart::PP), Time(0));
}

TEST(RailyardWorkloadGpt, PipelineWithTiedEmbeddingsFinishes)
{
    GptWorkload gpt = MakeGpt3();
    gpt.parallel = {2, 4, 2, true};
    gpt.training.globalBatch = 8;
    Workload workload = Build(gpt);
    OneMicrosecond source;
    workload.ResolveKernels([&](const KernelCall& call) { return source.GetKernelTime(call); });
    WorkloadRunner runner;
    runner.service.collectiveTime = [](const auto&, const auto&) { return MicroSeconds(3); };
    runner.service.messageTime = [](uint64_t) { return MicroSeconds(2); };
    const WorkloadResult result = runner.Run(workload);
    EXPECT_TRUE(result.finished);
    EXPECT_EQ(runner.service.messages.size(), 2u * 3 * 4 * 4); // ways, hops, micro-batches, pairs
    uint32_t tied = 0;
    for (const auto& collective : runner.service.collectives)
    {
        tied += collective.label == "tied embedding gradients AllReduce" ? 1 : 0;
    }
    EXPECT_EQ(tied, 4u);
}

TEST(RailyardWorkloadGpt, TensorCollectivesOverlapTheGradientsThatMegatronOverlaps)
{
    for (bool sequence : {false, true})
    {
        GptWorkload gpt = MakeGpt3();
        gpt.model.layers = 1;
        gpt.parallel = {2, 1, 1, sequence};
        gpt.training.globalBatch = 1;
        Workload workload = Build(gpt);
        OneMicrosecond source;
        workload.ResolveKernels([&](const KernelCall& call) { return source.GetKernelTime(call); });
        WorkloadRunner runner;
        runner.service.collectiveTime = [](const auto&, const auto&) { return MicroSeconds(10); };
        runner.Run(workload);
        std::map<std::string, KeptSpan> spans;
        for (const char* stream : {"compute", "tp"})
        {
            for (const KeptSpan& span : runner.GetSpans(1, stream))
            {
                spans[span.name] = span;
            }
        }
        const std::string block = "layer 0 attention ";
        const std::string gradient =
            block + "data gradient " + (sequence ? "ReduceScatter" : "AllReduce");
        EXPECT_EQ(spans.at(block + "norm backward").start, spans.at(gradient).end);
        EXPECT_LE(spans.at(block + "weight gradient").start, spans.at(gradient).start);
        if (sequence)
        {
            const KeptSpan& input = spans.at(block + "input AllGather");
            EXPECT_EQ(spans.at(block + "data gradient").start, input.start);
            EXPECT_EQ(spans.at(block + "weight gradient").start, input.end);
            EXPECT_EQ(spans.at(block + "backward").start,
                      spans.at(block + "backward AllGather").end);
        }
    }
}

TEST(RailyardWorkloadGpt, ReduceOverlapsTheBackwardPassOfTheLayersBelow)
{
    GptWorkload gpt = MakeGpt3();
    gpt.model.layers = 4;
    gpt.parallel = {1, 1, 2, false};
    gpt.training.globalBatch = 4;
    Time ends[2];
    for (int overlap = 0; overlap < 2; overlap++)
    {
        gpt.training.overlapGradientReduce = overlap;
        Workload workload = Build(gpt);
        OneMicrosecond source;
        workload.ResolveKernels([&](const KernelCall& call) { return source.GetKernelTime(call); });
        WorkloadRunner runner;
        runner.service.collectiveTime = [](const auto&, const auto&) { return MicroSeconds(5); };
        ends[overlap] = runner.Run(workload).end;
    }
    EXPECT_LT(ends[1], ends[0]);
}

TEST(RailyardWorkloadGpt, BadInputIsNamed)
{
    std::ifstream stream(GetShippedPath());
    const std::string good((std::istreambuf_iterator<char>(stream)),
                           std::istreambuf_iterator<char>());

    struct Bad
    {
        std::string from;     //!< text that is replaced
        std::string to;       //!< by this
        std::string expected; //!< part of the error
    };

    const Bad table[] = {
        {"\"hidden_size\": 4096", "\"hidden_size\": \"wide\"", "model.hidden_size: read '\"wide\"', expected a number"},
        {"\"hidden_size\": 4096", "\"hidden_size\": \"4096\"", "expected a number, without quotes"},
        {"\"sequence_parallel\": true", "\"sequence_parallel\": \"no\"", "expected true or false"},
        {"\"sequence_parallel\": true", "\"sequence_parallel\": 1", "expected true or false"},
        {"\"name\": \"GPT-7B\"", "\"name\": 5", "model.name: read '5', expected a text in quotes"},
        {"\"max_position_embeddings\": 2048",
         "\"max_position_embeddings\": 10",
         "training.sequence_length: read '2048', expected at most 10"},
        {"\"hidden_size\": 4096", "\"hidden_size\": -1", "model.hidden_size: read '-1'"},
        {"\"hidden_size\": 4096", "\"hidden_size\": 4095", "num_attention_heads"},
        {"\"hidden_size\": 4096,", "", "model.hidden_size"},
        {"\"vocab_size\"", "\"vocabulary\"", "model.vocabulary"},
        {"\"gelu\"", "\"tanh\"", "read 'tanh', expected one of silu, gelu"},
        {"\"version\": 1", "\"version\": 2", "version: read '2'"},
        {"\"tensor_parallel\": 8", "\"tensor_parallel\": 3", "a multiple of 3"},
        {"\"global_batch\": 8", "\"global_batch\": 7", "2*1"},
        {"\"type\": \"bf16\"", "\"type\": \"fp64\"", "training.type: read 'fp64'"},
        {"\"sequence_length\": 2048", "\"sequence_length\": 2047", "a multiple of 8"},
        {"\"pipeline_parallel\": 1", "\"pipeline_parallel\": 64", "at most 32"},
        {"railyard-workload", "railyard", "format: read 'railyard'"},
        {"\"max_position_embeddings\": 2048,", "", "max_position_embeddings"},
    };
    for (const Bad& bad : table)
    {
        std::string text = good;
        const std::size_t at = text.find(bad.from);
        ASSERT_NE(at, std::string::npos) << bad.from;
        text.replace(at, bad.from.size(), bad.to);
        const std::string path = WriteTestFile("bad.json", text);
        const std::string error = GetConfigError([&] {
            WorkloadReader::ReadFile(path, {4096, 8});
        });
        EXPECT_NE(error.find(bad.expected), std::string::npos)
            << bad.to << " gives '" << error << "'";
    }
    EXPECT_NE(GetConfigError([] {
                  WorkloadReader::ReadFile(GetShippedPath(), {8, 8});
              }).find("read '16', expected at most 8, the GPUs of the cluster"),
              std::string::npos);
}

} // namespace ns3
