/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "simai-policy.h"

#include "ns3/comma-list.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ns3
{

namespace
{

using Column = SimaiRowWriter::Column;

constexpr SimaiTarget TENSOR{GroupFamily::TP, WorkloadPart::TP};           //!< TP group
constexpr SimaiTarget DATA{GroupFamily::DP, WorkloadPart::DP};             //!< DP group
constexpr SimaiTarget MODEL_ALL{GroupFamily::WORLD, WorkloadPart::TP};     //!< model, all ranks
constexpr SimaiTarget MODEL_SERVER{GroupFamily::SERVER, WorkloadPart::TP}; //!< model, a server
constexpr SimaiTarget MODEL_CROSS{GroupFamily::CROSS_SERVER, WorkloadPart::TP}; //!< model, across
constexpr SimaiTarget DATA_ALL{GroupFamily::DP, WorkloadPart::DP}; //!< data, all ranks: tp, pp 1
constexpr SimaiTarget DATA_SERVER{GroupFamily::SERVER, WorkloadPart::DP};      //!< data, a server
constexpr SimaiTarget DATA_CROSS{GroupFamily::CROSS_SERVER, WorkloadPart::DP}; //!< data, across

/** HYBRID_TRANSFORMER and HYBRID_TRANSFORMER_FWD_IN_BCKWD. */
class TransformerPolicy : public SimaiPolicy
{
  public:
    bool HasParallelSizes() const override
    {
        return true;
    }

    void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.begin; i < rows.end; i++)
        {
            writer.Compute(writer.GetRow(i), Column::FORWARD);
            writer.CommunicateBlocking(writer.GetRow(i), Column::FORWARD, TENSOR);
        }
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.end; i-- > rows.begin;)
        {
            Recompute(writer, i);
            const SimaiRow& row = writer.GetRow(i);
            writer.Compute(row, Column::INPUT_GRADIENT);
            writer.CommunicateBlocking(row, Column::INPUT_GRADIENT, TENSOR);
            writer.Compute(row, Column::WEIGHT_GRADIENT);
            writer.Communicate(row, Column::WEIGHT_GRADIENT, DATA);
        }
    }

  private:
    /**
     * Repeats the forward pass from the last checkpoint, if the row asks for it.
     * \param writer program
     * \param index row
     */
    void Recompute(SimaiRowWriter& writer, std::size_t index) const
    {
        const SimaiWorkload& workload = writer.GetWorkload();
        const auto& initiates = workload.checkpointInitiates;
        if (std::find(initiates.begin(), initiates.end(), index) == initiates.end())
        {
            return;
        }
        std::size_t from = 0; // the reader made sure that there is a checkpoint
        for (uint32_t checkpoint : workload.checkpoints)
        {
            from = checkpoint <= index ? std::max<std::size_t>(from, checkpoint) : from;
        }
        WriteForward(writer, {from, index});
    }
};

/** DATA: only the gradients of the weights are reduced; weight gradients come first. */
class DataPolicy : public SimaiPolicy
{
  public:
    void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.begin; i < rows.end; i++)
        {
            writer.Compute(writer.GetRow(i), Column::FORWARD);
        }
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.end; i-- > rows.begin;)
        {
            writer.Compute(writer.GetRow(i), Column::WEIGHT_GRADIENT);
            writer.Communicate(writer.GetRow(i), Column::WEIGHT_GRADIENT, DATA_ALL);
            if (i > rows.begin)
            {
                writer.Compute(writer.GetRow(i), Column::INPUT_GRADIENT);
            }
        }
    }
};

/** MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, and HYBRID_CUSTOMIZED, where each row names one. */
class LayerPolicy : public SimaiPolicy
{
  public:
    /** Groups of the columns, absent where a column does not communicate. */
    struct Targets
    {
        std::string_view name;            //!< policy
        std::optional<SimaiTarget> model; //!< of forward and input gradient
        std::optional<SimaiTarget> data;  //!< of the weight gradient
    };

    /** \param name policy, or HYBRID_CUSTOMIZED */
    explicit LayerPolicy(const std::string& name)
        : m_name(name)
    {
    }

    bool NeedsServers(const SimaiWorkload& workload) const override
    {
        return std::any_of(workload.rows.begin(), workload.rows.end(), [this](const auto& row) {
            const Targets& targets = GetTargets(row);
            return targets.model && targets.data;
        });
    }

    void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.begin; i < rows.end; i++)
        {
            const SimaiRow& row = writer.GetRow(i);
            writer.Compute(row, Column::FORWARD);
            if (const auto& target = GetTargets(row).model)
            {
                writer.CommunicateBlocking(row, Column::FORWARD, *target);
            }
        }
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.end; i-- > rows.begin;)
        {
            const SimaiRow& row = writer.GetRow(i);
            const Targets& targets = GetTargets(row);
            std::optional<WorkloadWait> inputGradient;
            writer.Compute(row, Column::INPUT_GRADIENT);
            if (targets.model && i > rows.begin)
            {
                inputGradient = writer.Communicate(row, Column::INPUT_GRADIENT, *targets.model);
            }
            writer.Compute(row, Column::WEIGHT_GRADIENT);
            if (targets.data)
            {
                writer.Communicate(row, Column::WEIGHT_GRADIENT, *targets.data);
            }
            writer.WaitFor(inputGradient);
        }
    }

  protected:
    /**
     * \param row a row
     * \return groups of its columns
     */
    const Targets& GetTargets(const SimaiRow& row) const
    {
        static const std::array<Targets, 4> table = {
            Targets{"DATA", std::nullopt, DATA_ALL},
            Targets{"MODEL", MODEL_ALL, std::nullopt},
            Targets{"HYBRID_DATA_MODEL", MODEL_SERVER, DATA_CROSS},
            Targets{"HYBRID_MODEL_DATA", MODEL_CROSS, DATA_SERVER},
        };
        const std::string& name = row.policy.empty() ? m_name : row.policy;
        return *std::find_if(table.begin(), table.end(), [&name](const Targets& targets) {
            return targets.name == name;
        });
    }

  private:
    std::string m_name; //!< policy of rows that name none
};

/** DISTRIBUTED_INFERENCE: the forward pass of MODEL alone. */
class InferencePolicy : public LayerPolicy
{
  public:
    InferencePolicy()
        : LayerPolicy("MODEL")
    {
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
    }
};

/** HYBRID_DLRM and HYBRID_DLRM_ENHANCED: the all-to-all of the embedding overlaps the bottom MLP.
 */
class DlrmPolicy : public SimaiPolicy
{
  public:
    /** \param isEnhanced true if the backward pass does not wait for the embedding's all-to-all */
    explicit DlrmPolicy(bool isEnhanced)
        : m_isEnhanced(isEnhanced)
    {
    }

    void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        std::optional<WorkloadWait> embedding;
        for (std::size_t i = rows.begin; i < rows.end; i++)
        {
            const SimaiRow& row = writer.GetRow(i);
            writer.Compute(row, Column::FORWARD);
            if (row.forward.collective == CollectiveKind::ALL_TO_ALL)
            {
                const auto op = writer.Communicate(row, Column::FORWARD, MODEL_ALL);
                embedding = i == rows.begin ? op : embedding;
            }
            else if (i == writer.GetWorkload().lastBottomLayer)
            {
                writer.WaitFor(embedding);
            }
        }
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        std::optional<WorkloadWait> embedding;
        for (std::size_t i = rows.end; i-- > rows.begin;)
        {
            const SimaiRow& row = writer.GetRow(i);
            writer.Compute(row, Column::WEIGHT_GRADIENT);
            writer.Communicate(row, Column::WEIGHT_GRADIENT, DATA_ALL);
            if (i == rows.begin)
            {
                writer.WaitFor(m_isEnhanced ? std::nullopt : embedding);
                break;
            }
            writer.Compute(row, Column::INPUT_GRADIENT);
            if (i == writer.GetWorkload().lastBottomLayer + std::size_t(1))
            {
                embedding = writer.Communicate(writer.GetRow(rows.begin),
                                               Column::INPUT_GRADIENT,
                                               MODEL_ALL);
            }
        }
    }

  private:
    bool m_isEnhanced; //!< the backward pass does not wait for the all-to-all
};

/** MICRO: the collectives of the last column, one after another, and nothing else. */
class MicroPolicy : public SimaiPolicy
{
  public:
    void WriteForward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
        for (std::size_t i = rows.begin; i < rows.end; i++)
        {
            writer.CommunicateBlocking(writer.GetRow(i), Column::WEIGHT_GRADIENT, DATA_ALL);
        }
    }

    void WriteBackward(SimaiRowWriter& writer, const SimaiRange& rows) const override
    {
    }
};

/** A policy and how to make it. */
struct PolicyEntry
{
    std::string_view name;                                           //!< name in the file
    std::unique_ptr<SimaiPolicy> (*create)(const std::string& name); //!< makes one
};

/**
 * \tparam Policy class, made without arguments
 * \return a policy
 */
template <typename Policy>
std::unique_ptr<SimaiPolicy>
Make(const std::string&)
{
    return std::make_unique<Policy>();
}

/**
 * \param name policy
 * \return a LayerPolicy of that name
 */
std::unique_ptr<SimaiPolicy>
MakeLayer(const std::string& name)
{
    return std::make_unique<LayerPolicy>(name);
}

/**
 * \param name HYBRID_DLRM or HYBRID_DLRM_ENHANCED
 * \return the policy
 */
std::unique_ptr<SimaiPolicy>
MakeDlrm(const std::string& name)
{
    return std::make_unique<DlrmPolicy>(name == "HYBRID_DLRM_ENHANCED");
}

/** All policies. */
constexpr std::array<PolicyEntry, 11> POLICIES = {{
    {"HYBRID_TRANSFORMER_FWD_IN_BCKWD", Make<TransformerPolicy>},
    {"HYBRID_TRANSFORMER", Make<TransformerPolicy>},
    {"MICRO", Make<MicroPolicy>},
    {"DATA", Make<DataPolicy>},
    {"MODEL", MakeLayer},
    {"HYBRID_DATA_MODEL", MakeLayer},
    {"HYBRID_MODEL_DATA", MakeLayer},
    {"HYBRID_CUSTOMIZED", MakeLayer},
    {"HYBRID_DLRM", MakeDlrm},
    {"HYBRID_DLRM_ENHANCED", MakeDlrm},
    {"DISTRIBUTED_INFERENCE", Make<InferencePolicy>},
}};

} // namespace

std::unique_ptr<SimaiPolicy>
SimaiPolicy::Create(const std::string& name)
{
    for (const PolicyEntry& entry : POLICIES)
    {
        if (entry.name == name)
        {
            return entry.create(name);
        }
    }
    return nullptr;
}

std::string
SimaiPolicy::ListNames()
{
    std::string names;
    for (const PolicyEntry& entry : POLICIES)
    {
        AppendToList(names, std::string(entry.name));
    }
    return names;
}

bool
SimaiPolicy::HasParallelSizes() const
{
    return false;
}

bool
SimaiPolicy::NeedsServers(const SimaiWorkload& workload) const
{
    return false;
}

} // namespace ns3
