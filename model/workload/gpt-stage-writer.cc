/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpt-stage-writer.h"

namespace ns3
{

GptStageWriter::GptStageWriter(const GptWorkload& workload, uint32_t stage)
    : m_workload(workload),
      m_stage(stage),
      m_kernels(workload),
      m_sequence(workload.parallel.sequenceParallel)
{
    m_attention = m_kernels.GetAttention();
    m_mlp = m_kernels.GetMlp();
    ListBuckets();
}

WorkloadProgram
GptStageWriter::Write(const std::vector<PipelineStep>& steps, bool batchesMessages)
{
    m_builder.BatchMessages(batchesMessages);
    const uint64_t bytes = m_workload.GetPipelineBytes();
    const uint64_t microBatches = m_workload.GetMicroBatches();
    uint64_t backwardSteps = 0;
    GatherAhead();
    for (const PipelineStep& step : steps)
    {
        m_builder.SetMicroBatch(step.microBatch);
        if (step.forward)
        {
            if (!IsFirst())
            {
                m_builder.Receive("receive activations", -1, bytes);
            }
            WriteForward();
            if (!IsLast())
            {
                m_builder.Send("send activations", 1, bytes);
            }
        }
        else
        {
            if (!IsLast())
            {
                m_builder.Receive("receive gradients", 1, bytes);
            }
            WriteBackward(++backwardSteps == microBatches);
            if (!IsFirst())
            {
                m_builder.Send("send gradients", -1, bytes);
            }
        }
    }
    m_builder.SetMicroBatch(-1);
    WriteOptimizer();
    return m_builder.Take();
}

bool
GptStageWriter::IsFirst() const
{
    return m_stage == 0;
}

bool
GptStageWriter::IsLast() const
{
    return m_stage + 1 == m_workload.parallel.pipeline;
}

bool
GptStageWriter::IsTied() const
{
    return m_workload.model.tiedEmbeddings && m_workload.parallel.pipeline > 1;
}

void
GptStageWriter::ListBuckets()
{
    if (IsFirst())
    {
        m_buckets.push_back({"embedding", m_workload.GetEmbeddingParametersPerRank()});
    }
    for (uint64_t layer = m_workload.GetFirstLayer(m_stage);
         layer < m_workload.GetFirstLayer(m_stage + 1);
         layer++)
    {
        m_buckets.push_back(
            {"layer " + std::to_string(layer), m_workload.GetLayerParametersPerRank()});
    }
    if (IsLast())
    {
        m_buckets.push_back({"head", m_workload.GetHeadParametersPerRank()});
    }
}

GptStageWriter::Bucket&
GptStageWriter::GetLayerBucket(uint64_t layer)
{
    return m_buckets[layer - m_workload.GetFirstLayer(m_stage) + (IsFirst() ? 1 : 0)];
}

void
GptStageWriter::GatherAhead()
{
    const GptTraining& training = m_workload.training;
    if (m_workload.parallel.data == 1 || !training.distributedOptimizer ||
        !training.overlapParameterGather)
    {
        return;
    }
    for (Bucket& bucket : m_buckets)
    {
        bucket.gather = m_builder.Prefetch(bucket.name + " weights AllGather",
                                           WorkloadPart::DP,
                                           {GroupFamily::DP,
                                            CollectiveKind::ALL_GATHER,
                                            bucket.parameters * m_workload.GetElementBytes()});
    }
}

void
GptStageWriter::WaitForWeights(Bucket& bucket)
{
    WaitFor(bucket.gather);
    bucket.gather.reset();
}

void
GptStageWriter::WriteForward()
{
    if (IsFirst())
    {
        WaitForWeights(m_buckets.front());
        WriteEmbeddingForward();
    }
    for (uint64_t layer = m_workload.GetFirstLayer(m_stage);
         layer < m_workload.GetFirstLayer(m_stage + 1);
         layer++)
    {
        Bucket& bucket = GetLayerBucket(layer);
        WaitForWeights(bucket);
        WriteBlockForward(bucket.name + " attention", m_attention);
        WriteBlockForward(bucket.name + " mlp", m_mlp);
    }
    if (IsLast())
    {
        WaitForWeights(m_buckets.back());
        WriteHeadForward();
    }
}

void
GptStageWriter::WriteBackward(bool isLast)
{
    const bool reduces = isLast && m_workload.training.overlapGradientReduce;
    if (IsLast())
    {
        WriteHeadBackward();
        ReduceIf(reduces && !IsTied(), m_buckets.back());
    }
    for (uint64_t layer = m_workload.GetFirstLayer(m_stage + 1);
         layer-- > m_workload.GetFirstLayer(m_stage);)
    {
        const Bucket& bucket = GetLayerBucket(layer);
        WriteBlockBackward(bucket.name + " mlp", m_mlp);
        WriteBlockBackward(bucket.name + " attention", m_attention);
        ReduceIf(reduces, bucket);
    }
    if (IsFirst())
    {
        WriteTensorBlocking("embedding backward",
                            m_sequence ? std::optional(CollectiveKind::ALL_GATHER) : std::nullopt);
        m_builder.Compute("embedding backward", m_kernels.GetEmbeddingBackward());
        ReduceIf(reduces && !IsTied(), m_buckets.front());
    }
}

void
GptStageWriter::WriteBlockForward(const std::string& name, const GptBlockKernels& block)
{
    m_builder.Compute(name + " norm forward", block.norm);
    WriteTensorBlocking(name + " forward",
                        m_sequence ? std::optional(CollectiveKind::ALL_GATHER) : std::nullopt);
    m_builder.Compute(name + " forward", block.matrices);
    WriteTensorBlocking(name + " forward",
                        m_sequence ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE);
    m_builder.Compute(name + " residual forward", block.residual);
}

void
GptStageWriter::WriteBlockBackward(const std::string& name, const GptBlockKernels& block)
{
    WriteTensorBlocking(name + " backward",
                        m_sequence ? std::optional(CollectiveKind::ALL_GATHER) : std::nullopt);
    m_builder.Compute(name + " backward", block.rowBackward);
    WriteColumnBackward(name, block.columnData, block.columnWeight);
    m_builder.Compute(name + " norm backward", block.normBackward);
}

void
GptStageWriter::WriteColumnBackward(const std::string& name,
                                    const KernelList& data,
                                    const KernelList& weight)
{
    const auto input =
        WriteTensor(name + " input",
                    m_sequence ? std::optional(CollectiveKind::ALL_GATHER) : std::nullopt);
    m_builder.Compute(name + " data gradient", data);
    const auto gradient =
        WriteTensor(name + " data gradient",
                    m_sequence ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE);
    WaitFor(input);
    m_builder.Compute(name + " weight gradient", weight);
    WaitFor(gradient);
}

void
GptStageWriter::WriteEmbeddingForward()
{
    m_builder.Compute("embedding forward", m_kernels.GetEmbedding());
    WriteTensorBlocking("embedding forward",
                        m_sequence ? CollectiveKind::REDUCE_SCATTER : CollectiveKind::ALL_REDUCE);
}

void
GptStageWriter::WriteHeadForward()
{
    const GptHeadKernels head = m_kernels.GetHead();
    m_builder.Compute("head norm forward", head.norm);
    WriteTensorBlocking("head forward",
                        m_sequence ? std::optional(CollectiveKind::ALL_GATHER) : std::nullopt);
    m_builder.Compute("head forward", head.logits);
    if (m_workload.parallel.tensor > 1)
    {
        // vocabulary-parallel cross-entropy: maximum, target's logit, sum of exponentials
        for (const char* name : {"loss maximum", "loss target", "loss sum"})
        {
            m_builder.WaitFor(m_builder.Collective(
                std::string(name) + " AllReduce",
                WorkloadPart::TP,
                {GroupFamily::TP, CollectiveKind::ALL_REDUCE, 4 * m_workload.GetTokens()}));
        }
    }
    m_builder.Compute("loss forward", head.loss);
}

void
GptStageWriter::WriteHeadBackward()
{
    const GptHeadKernels head = m_kernels.GetHead();
    m_builder.Compute("loss backward", head.lossBackward);
    WriteColumnBackward("head", head.columnData, head.columnWeight);
    m_builder.Compute("head norm backward", head.normBackward);
}

void
GptStageWriter::WriteTensorBlocking(const std::string& name, std::optional<CollectiveKind> kind)
{
    WaitFor(WriteTensor(name, kind));
}

std::optional<WorkloadWait>
GptStageWriter::WriteTensor(const std::string& name, std::optional<CollectiveKind> kind)
{
    if (!kind || m_workload.parallel.tensor == 1)
    {
        return std::nullopt;
    }
    return m_builder.Collective(name + " " + ToString(*kind),
                                WorkloadPart::TP,
                                {GroupFamily::TP, *kind, m_workload.GetActivationBytes()});
}

void
GptStageWriter::WaitFor(const std::optional<WorkloadWait>& op)
{
    if (op)
    {
        m_builder.WaitFor(*op);
    }
}

void
GptStageWriter::ReduceIf(bool now, const Bucket& bucket)
{
    if (!now || m_workload.parallel.data == 1)
    {
        return;
    }
    const CollectiveKind kind = m_workload.training.distributedOptimizer
                                    ? CollectiveKind::REDUCE_SCATTER
                                    : CollectiveKind::ALL_REDUCE;
    m_builder.Collective(
        bucket.name + " gradients " + ToString(kind),
        WorkloadPart::DP,
        {GroupFamily::DP, kind, bucket.parameters * m_workload.training.gradientBytes});
}

void
GptStageWriter::ReduceTiedEmbeddings()
{
    if (!IsTied() || !(IsFirst() || IsLast()))
    {
        return;
    }
    const uint64_t parameters =
        m_workload.GetPaddedVocabulary() / m_workload.parallel.tensor * m_workload.model.hiddenSize;
    m_builder.WaitFor(m_builder.Collective("tied embedding gradients AllReduce",
                                           WorkloadPart::DP,
                                           {GroupFamily::EMBEDDING,
                                            CollectiveKind::ALL_REDUCE,
                                            parameters * m_workload.training.gradientBytes}));
    ReduceIf(m_workload.training.overlapGradientReduce,
             IsFirst() ? m_buckets.front() : m_buckets.back());
}

void
GptStageWriter::WriteOptimizer()
{
    const GptTraining& training = m_workload.training;
    uint64_t parameters = 0;
    ReduceTiedEmbeddings();
    for (auto bucket = m_buckets.rbegin(); bucket != m_buckets.rend(); ++bucket)
    {
        parameters += bucket->parameters;
        ReduceIf(!training.overlapGradientReduce, *bucket);
    }
    if (m_workload.parallel.data * m_workload.parallel.tensor * m_workload.parallel.pipeline > 1)
    {
        m_builder.WaitFor(
            m_builder.Collective("gradient norm AllReduce",
                                 WorkloadPart::DP,
                                 {GroupFamily::WORLD, CollectiveKind::ALL_REDUCE, sizeof(float)}));
    }
    const uint64_t share = training.distributedOptimizer ? m_workload.parallel.data : 1;
    m_builder.Compute("optimizer", m_kernels.GetOptimizer((parameters + share - 1) / share));
    if (m_workload.parallel.data > 1 && training.distributedOptimizer &&
        !training.overlapParameterGather)
    {
        for (const Bucket& bucket : m_buckets)
        {
            m_builder.Collective(bucket.name + " weights AllGather",
                                 WorkloadPart::DP,
                                 {GroupFamily::DP,
                                  CollectiveKind::ALL_GATHER,
                                  bucket.parameters * m_workload.GetElementBytes()});
        }
    }
}

} // namespace ns3
