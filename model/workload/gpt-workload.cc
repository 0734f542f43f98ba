/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpt-workload.h"

#include "ns3/config-error.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Megatron-LM makes the vocabulary a multiple of this times the tensor parallel size. */
constexpr uint64_t VOCABULARY_MULTIPLE = 128;

/**
 * \param model a model
 * \param share into how many parts matrices are divided
 * \return the parameters of a layer that one part holds; norms and the biases of row-parallel
 * layers are not divided
 */
uint64_t
CountLayer(const GptModel& model, uint64_t share)
{
    const uint64_t h = model.hiddenSize;
    const uint64_t qkv = (model.attentionHeads + 2 * model.keyValueHeads) * model.headSize / share;
    const uint64_t attention = model.attentionHeads * model.headSize / share;
    const uint64_t up = (model.gated ? 2 : 1) * model.intermediateSize / share;
    const uint64_t down = model.intermediateSize / share;
    const uint64_t matrices = h * (qkv + attention + up + down);
    const uint64_t biases = model.biases ? qkv + h + up + h : 0;
    const uint64_t norms = 2 * h * (model.layerNorm ? 2 : 1);
    return matrices + biases + norms;
}

} // namespace

uint64_t
GptModel::GetLayerParameters() const
{
    return CountLayer(*this, 1);
}

uint64_t
GptModel::GetParameters() const
{
    const uint64_t embedding = vocabularySize * hiddenSize;
    const uint64_t positions = learnedPositions ? maxPositions * hiddenSize : 0;
    const uint64_t finalNorm = hiddenSize * (layerNorm ? 2 : 1);
    return embedding * (tiedEmbeddings ? 1 : 2) + positions + layers * GetLayerParameters() +
           finalNorm;
}

uint64_t
GptWorkload::GetTokens() const
{
    return training.sequenceLength * training.microBatch;
}

uint64_t
GptWorkload::GetElementBytes() const
{
    return 2; // bf16 and fp16, see Check()
}

uint64_t
GptWorkload::GetPaddedVocabulary() const
{
    const uint64_t multiple = VOCABULARY_MULTIPLE * parallel.tensor;
    return (model.vocabularySize + multiple - 1) / multiple * multiple;
}

uint64_t
GptWorkload::GetActivationBytes() const
{
    return GetTokens() * model.hiddenSize * GetElementBytes();
}

uint64_t
GptWorkload::GetPipelineBytes() const
{
    return GetActivationBytes() / (parallel.sequenceParallel ? parallel.tensor : 1);
}

uint64_t
GptWorkload::GetLayerParametersPerRank() const
{
    return CountLayer(model, parallel.tensor);
}

uint64_t
GptWorkload::GetEmbeddingParametersPerRank() const
{
    const uint64_t positions = model.learnedPositions ? model.maxPositions : 0;
    return (GetPaddedVocabulary() / parallel.tensor + positions) * model.hiddenSize;
}

uint64_t
GptWorkload::GetHeadParametersPerRank() const
{
    const bool ownMatrix = !model.tiedEmbeddings || parallel.pipeline > 1;
    const uint64_t matrix = GetPaddedVocabulary() / parallel.tensor * model.hiddenSize;
    return (ownMatrix ? matrix : 0) + model.hiddenSize * (model.layerNorm ? 2 : 1);
}

uint64_t
GptWorkload::GetMicroBatches() const
{
    return training.globalBatch / (training.microBatch * parallel.data);
}

uint64_t
GptWorkload::GetFirstLayer(uint32_t stage) const
{
    const uint64_t each = model.layers / parallel.pipeline;
    const uint64_t left = model.layers % parallel.pipeline;
    return stage * each + std::min<uint64_t>(stage, left);
}

void
GptWorkload::Check() const
{
    const auto require =
        [this](bool fits, const char* key, uint64_t value, const std::string& what) {
            if (!fits)
            {
                throw ConfigError(source, key, std::to_string(value), what);
            }
        };
    const auto divisible = [&](const char* key, uint64_t value, uint64_t by, const char* what) {
        require(value % by == 0, key, value, "a multiple of " + std::to_string(by) + ", " + what);
    };
    const uint64_t t = parallel.tensor;
    divisible("model.num_attention_heads", model.attentionHeads, t, "the tensor parallel size");
    divisible("model.num_key_value_heads", model.keyValueHeads, t, "the tensor parallel size");
    divisible("model.num_attention_heads",
              model.attentionHeads,
              model.keyValueHeads,
              "num_key_value_heads");
    divisible("model.intermediate_size", model.intermediateSize, t, "the tensor parallel size");
    if (parallel.sequenceParallel)
    {
        divisible("training.sequence_length",
                  training.sequenceLength,
                  t,
                  "the tensor parallel size (sequence_parallel)");
    }
    require(!model.learnedPositions || training.sequenceLength <= model.maxPositions,
            "training.sequence_length",
            training.sequenceLength,
            "at most " + std::to_string(model.maxPositions) +
                ", max_position_embeddings of learned positions");
    require(parallel.pipeline <= model.layers,
            "parallel.pipeline_parallel",
            parallel.pipeline,
            "at most " + std::to_string(model.layers) + ", the number of layers");
    const uint64_t step = training.microBatch * parallel.data;
    require(training.globalBatch % step == 0,
            "training.global_batch",
            training.globalBatch,
            "a multiple of data parallel size * micro batch, " + std::to_string(parallel.data) +
                "*" + std::to_string(training.microBatch));
}

} // namespace ns3
