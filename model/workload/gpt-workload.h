/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPT_WORKLOAD_H
#define GPT_WORKLOAD_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief A dense decoder-only transformer, in the terms of Hugging Face's `config.json`.
 */
struct GptModel
{
    std::string name;             //!< what to call it
    uint64_t hiddenSize{0};       //!< h, width of the residual stream
    uint64_t layers{0};           //!< num_hidden_layers
    uint64_t attentionHeads{0};   //!< a, num_attention_heads
    uint64_t keyValueHeads{0};    //!< k, num_key_value_heads
    uint64_t headSize{0};         //!< d, head_dim
    uint64_t intermediateSize{0}; //!< f, width of the MLP
    uint64_t vocabularySize{0};   //!< V, vocab_size
    uint64_t maxPositions{0};     //!< max_position_embeddings, of learned positions
    bool gated{false};            //!< MLP has a gate (hidden_act "silu"): SwiGLU
    bool tiedEmbeddings{false};   //!< tie_word_embeddings
    bool biases{false};           //!< linear layers have biases
    bool layerNorm{false};        //!< LayerNorm (weight and bias) instead of RMSNorm
    bool learnedPositions{false}; //!< learned positions instead of rotary ones

    /** \return the parameters of a layer */
    uint64_t GetLayerParameters() const;

    /** \return the parameters of the whole model */
    uint64_t GetParameters() const;
};

/** \ingroup railyard \brief How the work is divided among GPUs. */
struct GptParallel
{
    uint32_t tensor{1};           //!< tensor parallel size t
    uint32_t pipeline{1};         //!< pipeline stages p
    uint32_t data{1};             //!< data parallel size n
    bool sequenceParallel{false}; //!< norms and residuals are divided among the tensor group too
};

/** \ingroup railyard \brief Batch, precision, and what is overlapped. */
struct GptTraining
{
    uint64_t sequenceLength{0};       //!< s, tokens of a sequence
    uint64_t microBatch{1};           //!< b, sequences of a micro-batch
    uint64_t globalBatch{1};          //!< sequences of an iteration, all replicas together
    std::string type{"bf16"};         //!< type of weights and activations: "bf16" or "fp16"
    uint32_t gradientBytes{4};        //!< bytes of a gradient that is reduced
    bool distributedOptimizer{true};  //!< optimizer state divided among the data parallel group
    bool overlapGradientReduce{true}; //!< a layer's gradients are reduced as soon as they are ready
    bool overlapParameterGather{true}; //!< a layer's weights are gathered while others compute
};

/** \ingroup railyard \brief What GptWorkloadBuilder builds. */
struct GptWorkload
{
    std::string source;   //!< file it comes from
    GptModel model;       //!< model
    GptParallel parallel; //!< layout
    GptTraining training; //!< batch and precision

    /** \return T, the tokens of a micro-batch */
    uint64_t GetTokens() const;

    /** \return bytes of an activation or weight */
    uint64_t GetElementBytes() const;

    /** \return V, made a multiple of 128 t as Megatron-LM does */
    uint64_t GetPaddedVocabulary() const;

    /** \return bytes of the activations of a micro-batch between two layers, of all tensor ranks */
    uint64_t GetActivationBytes() const;

    /** \return bytes of a message between two stages, per rank */
    uint64_t GetPipelineBytes() const;

    /** \return the parameters of a layer that a rank holds */
    uint64_t GetLayerParametersPerRank() const;

    /** \return the parameters of the embedding that a rank of the first stage holds */
    uint64_t GetEmbeddingParametersPerRank() const;

    /** \return the parameters of the final norm and the output layer, untied, that a rank holds */
    uint64_t GetHeadParametersPerRank() const;

    /** \return the micro-batches of an iteration */
    uint64_t GetMicroBatches() const;

    /**
     * \param stage a pipeline stage
     * \return its first layer; that of the stage behind the last is the number of layers. Layers
     * that are left over go to the first stages, one each.
     */
    uint64_t GetFirstLayer(uint32_t stage) const;

    /** Throws a ConfigError if sizes do not fit each other. */
    void Check() const;
};

} // namespace ns3

#endif /* GPT_WORKLOAD_H */
