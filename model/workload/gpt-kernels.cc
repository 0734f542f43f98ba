/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpt-kernels.h"

namespace ns3
{

GptKernels::GptKernels(const GptWorkload& workload)
    : m_workload(workload),
      m_tokens(workload.GetTokens()),
      m_normTokens(workload.parallel.sequenceParallel ? m_tokens / workload.parallel.tensor
                                                      : m_tokens),
      m_tensor(workload.parallel.tensor),
      m_hidden(workload.model.hiddenSize),
      m_elementBytes(workload.GetElementBytes())
{
}

KernelCall
GptKernels::Memory(uint64_t bytes) const
{
    return {"memory", m_workload.training.type, {bytes}};
}

KernelCall
GptKernels::Gemm(uint64_t m, uint64_t n, uint64_t k) const
{
    return {"gemm", m_workload.training.type, {m, n, k}};
}

KernelCall
GptKernels::WeightGradient(uint64_t out, uint64_t in) const
{
    return {"gemm_wgrad", m_workload.training.type, {out, in, m_tokens}};
}

KernelCall
GptKernels::Attention(const char* op) const
{
    const GptModel& model = m_workload.model;
    return {op,
            m_workload.training.type,
            {m_workload.training.microBatch,
             m_workload.training.sequenceLength,
             model.attentionHeads / m_tensor,
             model.keyValueHeads / m_tensor,
             model.headSize,
             1}};
}

GptBlockKernels
GptKernels::GetBlock(uint64_t out, uint64_t in) const
{
    const uint64_t h = m_hidden;
    const uint64_t residual = 3 * m_normTokens * h * m_elementBytes;
    GptBlockKernels block;
    block.norm = {Memory(2 * m_normTokens * h * m_elementBytes)};
    block.matrices = {Gemm(m_tokens, out, h), Gemm(m_tokens, h, in)};
    block.residual = {Memory(residual)};
    block.rowBackward = {Gemm(m_tokens, in, h), WeightGradient(h, in)};
    block.columnData = {Gemm(m_tokens, h, out)};
    block.columnWeight = {WeightGradient(out, h)};
    block.normBackward = {Memory(4 * m_normTokens * h * m_elementBytes), Memory(residual)};
    return block;
}

GptBlockKernels
GptKernels::GetAttention() const
{
    const GptModel& model = m_workload.model;
    const uint64_t queries = model.attentionHeads * model.headSize / m_tensor;
    const uint64_t keys = model.keyValueHeads * model.headSize / m_tensor;
    GptBlockKernels block = GetBlock(queries + 2 * keys, queries);
    KernelList forward = {Attention("attention_fwd")};
    KernelList backward = {Attention("attention_bwd")};
    if (!model.learnedPositions)
    {
        const KernelCall rotary = Memory(2 * m_tokens * (queries + keys) * m_elementBytes);
        forward.insert(forward.begin(), rotary);
        backward.push_back(rotary);
    }
    block.matrices.insert(block.matrices.begin() + 1, forward.begin(), forward.end());
    block.rowBackward.insert(block.rowBackward.end(), backward.begin(), backward.end());
    return block;
}

GptBlockKernels
GptKernels::GetMlp() const
{
    const GptModel& model = m_workload.model;
    const uint64_t width = model.intermediateSize / m_tensor;
    GptBlockKernels block = GetBlock(model.gated ? 2 * width : width, width);
    const uint64_t operand = m_tokens * width * m_elementBytes;
    block.matrices.insert(block.matrices.begin() + 1, Memory((model.gated ? 3 : 2) * operand));
    block.rowBackward.push_back(Memory((model.gated ? 5 : 3) * operand));
    return block;
}

GptHeadKernels
GptKernels::GetHead() const
{
    const uint64_t vocabulary = m_workload.GetPaddedVocabulary() / m_tensor;
    const uint64_t normBytes = 2 * m_normTokens * m_hidden * m_elementBytes;
    GptHeadKernels head;
    head.norm = {Memory(normBytes)};
    head.logits = {Gemm(m_tokens, vocabulary, m_hidden)};
    head.loss = {Memory(m_tokens * vocabulary * (m_elementBytes + 12))};
    head.lossBackward = {Memory(m_tokens * vocabulary * (4 + m_elementBytes))};
    head.columnData = {Gemm(m_tokens, m_hidden, vocabulary)};
    head.columnWeight = {WeightGradient(vocabulary, m_hidden)};
    head.normBackward = {Memory(2 * normBytes)};
    return head;
}

KernelList
GptKernels::GetEmbedding() const
{
    return {Memory(2 * m_tokens * m_hidden * m_elementBytes)};
}

KernelList
GptKernels::GetEmbeddingBackward() const
{
    return {Memory(m_tokens * m_hidden * (m_elementBytes + 8))};
}

KernelList
GptKernels::GetOptimizer(uint64_t parameters) const
{
    const uint64_t gradient = parameters * m_workload.training.gradientBytes;
    return {Memory(gradient), Memory(2 * gradient), Memory(30 * parameters)};
}

} // namespace ns3
