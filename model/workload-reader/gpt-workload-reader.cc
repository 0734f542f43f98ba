/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpt-workload-reader.h"

#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/gpt-workload-builder.h"
#include "ns3/json-object.h"
#include "ns3/text-value.h"

#include <algorithm>
#include <cctype>
#include <type_traits>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GptWorkloadReader);

namespace
{

constexpr uint64_t MAX_SIZE = uint64_t(1) << 24;    //!< no dimension or batch is larger
constexpr uint64_t MAX_DEGREE = uint64_t(1) << 20;  //!< no degree of parallelism is larger
constexpr const char* FORMAT = "railyard-workload"; //!< value of the key "format"

/** Keys of Hugging Face's config.json that say nothing about time. */
const std::vector<std::string> IGNORED_MODEL_KEYS = {
    "_name_or_path",
    "architectures",
    "attention_dropout",
    "bos_token_id",
    "eos_token_id",
    "hidden_dropout",
    "initializer_range",
    "layer_norm_eps",
    "model_type",
    "pad_token_id",
    "pretraining_tp",
    "rms_norm_eps",
    "rope_scaling",
    "rope_theta",
    "torch_dtype",
    "transformers_version",
    "use_cache",
};

/** \brief An object of the document with typed access to its values. */
class Fields
{
  public:
    /** \param object the object */
    explicit Fields(const JsonObject& object)
        : m_object(object)
    {
    }

    /**
     * \param key a key
     * \param max largest value allowed
     * \return its number, at least 1
     */
    uint64_t GetCount(const std::string& key, uint64_t max) const
    {
        const std::string text = m_object.GetText(key, JsonObject::Type::NUMBER);
        return TextValue(m_object.GetPath(), GetPlace(key), text).GetUint(key, 1, max);
    }

    /**
     * \param key a key
     * \param max largest value allowed
     * \param absent value if the key is missing
     * \return its number, at least 1
     */
    uint64_t GetCount(const std::string& key, uint64_t max, uint64_t absent) const
    {
        return m_object.Has(key) ? GetCount(key, max) : absent;
    }

    /**
     * \param key a key
     * \param absent value if the key is missing
     * \return its truth value
     */
    bool GetBool(const std::string& key, bool absent) const
    {
        return m_object.Has(key) ? m_object.GetText(key, JsonObject::Type::BOOLEAN) == "true"
                                 : absent;
    }

    /** \param key a key \param absent value if the key is missing \return its text */
    std::string GetText(const std::string& key, const std::string& absent) const
    {
        return m_object.Has(key) ? m_object.GetText(key, JsonObject::Type::STRING) : absent;
    }

    /**
     * \param key a key
     * \param choices values allowed
     * \param absent value if the key is missing
     * \return its value
     */
    std::string GetChoice(const std::string& key,
                          const std::vector<std::string>& choices,
                          const std::string& absent) const
    {
        const std::string text = GetText(key, absent);
        if (std::find(choices.begin(), choices.end(), text) == choices.end())
        {
            const std::string list = JoinList(choices);
            m_object.Fail(key, text, "one of " + list);
        }
        return text;
    }

  private:
    /**
     * \param key a key
     * \return where it stands
     */
    std::string GetPlace(const std::string& key) const
    {
        return m_object.GetPlace().empty() ? key : m_object.GetPlace() + "." + key;
    }

    const JsonObject& m_object; //!< the object
};

/** \return the keys of object "model" */
std::vector<std::string>
GetModelKeys()
{
    std::vector<std::string> keys = {"name",
                                     "hidden_size",
                                     "num_hidden_layers",
                                     "num_attention_heads",
                                     "head_dim",
                                     "vocab_size",
                                     "num_key_value_heads",
                                     "intermediate_size",
                                     "hidden_act",
                                     "normalization",
                                     "max_position_embeddings",
                                     "position_embedding",
                                     "biases",
                                     "tie_word_embeddings"};
    keys.insert(keys.end(), IGNORED_MODEL_KEYS.begin(), IGNORED_MODEL_KEYS.end());
    return keys;
}

/**
 * \param object object "model"
 * \return the model
 */
GptModel
ReadModel(const JsonObject& object)
{
    object.RequireKeys(GetModelKeys());
    const Fields fields(object);
    GptModel model;
    model.name = fields.GetText("name", "");
    model.hiddenSize = fields.GetCount("hidden_size", MAX_SIZE);
    model.layers = fields.GetCount("num_hidden_layers", MAX_SIZE);
    model.attentionHeads = fields.GetCount("num_attention_heads", MAX_SIZE);
    model.keyValueHeads = fields.GetCount("num_key_value_heads", MAX_SIZE, model.attentionHeads);
    if (!object.Has("head_dim") && model.hiddenSize % model.attentionHeads != 0)
    {
        object.Fail("num_attention_heads",
                    std::to_string(model.attentionHeads),
                    "a divisor of hidden_size " + std::to_string(model.hiddenSize) +
                        ", or the key head_dim");
    }
    model.headSize = fields.GetCount("head_dim", MAX_SIZE, model.hiddenSize / model.attentionHeads);
    model.intermediateSize = fields.GetCount("intermediate_size", MAX_SIZE);
    model.vocabularySize = fields.GetCount("vocab_size", MAX_SIZE);
    model.gated =
        fields.GetChoice("hidden_act", {"silu", "gelu", "gelu_new", "relu"}, "silu") == "silu";
    model.tiedEmbeddings = fields.GetBool("tie_word_embeddings", false);
    model.biases = fields.GetBool("biases", false);
    model.layerNorm =
        fields.GetChoice("normalization", {"RMSNorm", "LayerNorm"}, "RMSNorm") == "LayerNorm";
    model.learnedPositions =
        fields.GetChoice("position_embedding", {"rope", "learned"}, "rope") == "learned";
    if (model.learnedPositions)
    {
        model.maxPositions = fields.GetCount("max_position_embeddings", MAX_SIZE);
    }
    return model;
}

/**
 * \param object object "parallel"
 * \return the layout
 */
GptParallel
ReadParallel(const JsonObject& object)
{
    object.RequireKeys(
        {"tensor_parallel", "pipeline_parallel", "data_parallel", "sequence_parallel"});
    const Fields fields(object);
    GptParallel parallel;
    parallel.tensor = fields.GetCount("tensor_parallel", MAX_DEGREE);
    parallel.pipeline = fields.GetCount("pipeline_parallel", MAX_DEGREE, 1);
    parallel.data = fields.GetCount("data_parallel", MAX_DEGREE);
    parallel.sequenceParallel = fields.GetBool("sequence_parallel", false);
    return parallel;
}

/** \param workload a workload; a ConfigError if it has too many ranks */
void
CheckSize(const GptWorkload& workload)
{
    const GptParallel& parallel = workload.parallel;
    const uint64_t ranks = uint64_t(parallel.tensor) * parallel.pipeline;
    if (ranks > MAX_SIZE || ranks * parallel.data > MAX_SIZE)
    {
        throw ConfigError(workload.source,
                          "parallel",
                          std::to_string(parallel.tensor) + " * " +
                              std::to_string(parallel.pipeline) + " * " +
                              std::to_string(parallel.data),
                          "at most " + std::to_string(MAX_SIZE) + " GPUs");
    }
}

/**
 * \param object object "training"
 * \return batch and precision
 */
GptTraining
ReadTraining(const JsonObject& object)
{
    object.RequireKeys({"sequence_length",
                        "micro_batch",
                        "global_batch",
                        "type",
                        "gradient_type",
                        "distributed_optimizer",
                        "overlap_grad_reduce",
                        "overlap_param_gather"});
    const Fields fields(object);
    GptTraining training;
    training.sequenceLength = fields.GetCount("sequence_length", MAX_SIZE);
    training.microBatch = fields.GetCount("micro_batch", MAX_SIZE);
    training.globalBatch = fields.GetCount("global_batch", MAX_SIZE);
    training.type = fields.GetChoice("type", {"bf16", "fp16"}, "bf16");
    training.gradientBytes =
        fields.GetChoice("gradient_type", {"fp32", "bf16", "fp16"}, "fp32") == "fp32" ? 4 : 2;
    training.distributedOptimizer = fields.GetBool("distributed_optimizer", true);
    training.overlapGradientReduce = fields.GetBool("overlap_grad_reduce", true);
    training.overlapParameterGather = fields.GetBool("overlap_param_gather", true);
    return training;
}

} // namespace

TypeId
GptWorkloadReader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GptWorkloadReader")
                            .SetParent<WorkloadReader>()
                            .SetGroupName("Railyard")
                            .AddConstructor<GptWorkloadReader>();
    return tid;
}

GptWorkload
GptWorkloadReader::Parse(const std::string& path)
{
    const JsonObject document(path);
    document.RequireKeys({"format", "version", "comment", "model", "parallel", "training"});
    const Fields fields(document);
    fields.GetChoice("format", {FORMAT}, "");
    fields.GetCount("version", 1);
    GptWorkload workload;
    workload.source = path;
    workload.model = ReadModel(document.GetObject("model"));
    workload.parallel = ReadParallel(document.GetObject("parallel"));
    workload.training = ReadTraining(document.GetObject("training"));
    return workload;
}

bool
GptWorkloadReader::Recognises(const std::string& head) const
{
    const auto first = std::find_if_not(head.begin(), head.end(), [](unsigned char c) {
        return std::isspace(c);
    });
    return first != head.end() && *first == '{';
}

bool
GptWorkloadReader::HasLayout() const
{
    return true;
}

std::string
GptWorkloadReader::DescribeFormat() const
{
    return std::string("a JSON document with \"format\": \"") + FORMAT + "\"";
}

Workload
GptWorkloadReader::Read(const std::string& path, const WorkloadCluster& cluster) const
{
    GptWorkload workload = Parse(path);
    const auto change = [](auto& value, uint64_t wanted) {
        value = wanted > 0 ? static_cast<std::decay_t<decltype(value)>>(wanted) : value;
    };
    change(workload.parallel.tensor, m_tensor);
    change(workload.parallel.pipeline, m_pipeline);
    change(workload.parallel.data, m_data);
    change(workload.training.microBatch, m_microBatch);
    change(workload.training.globalBatch, m_globalBatch);
    CheckSize(workload);
    workload.Check();
    return GptWorkloadBuilder(workload, *CreateSchedule()).Build(cluster);
}

} // namespace ns3
