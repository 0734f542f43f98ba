/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_WORKLOAD_H
#define SIMAI_WORKLOAD_H

#include "ns3/collective-kind.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief Group that a collective of a SimaiWorkload names by its suffix. */
enum class SimaiGroup : uint8_t
{
    DEFAULT, //!< no suffix: the group that the policy gives to the column
    EP,      //!< _EP
    DP_EP,   //!< _DP_EP
};

/** \ingroup railyard \brief One of the three columns of a row: compute, then a collective. */
struct SimaiPhase
{
    uint64_t computeNs{0};                    //!< compute time, ns
    std::optional<CollectiveKind> collective; //!< collective, absent for NONE
    SimaiGroup group{SimaiGroup::DEFAULT};    //!< its group
    uint64_t bytes{0};                        //!< its size, see CollectiveKind
};

/** \ingroup railyard \brief A row of a SimaiWorkload: a layer, or a step of the optimizer. */
struct SimaiRow
{
    uint64_t line{0};          //!< line in the file, counted from 1
    std::string name;          //!< name
    SimaiPhase forward;        //!< forward pass
    SimaiPhase inputGradient;  //!< gradient of the input
    SimaiPhase weightGradient; //!< gradient of the weights
    uint64_t updateNs{0};      //!< local work after each of the row's collectives, ns
    std::string policy;        //!< the row's own policy, only with HYBRID_CUSTOMIZED
};

/**
 * \ingroup railyard
 * \brief A SimAI/ASTRA-sim text workload as it stands in the file.
 */
struct SimaiWorkload
{
    std::string source;                           //!< file
    std::string policy;                           //!< parallelisation policy
    std::optional<uint32_t> tensorParallel;       //!< model_parallel_NPU_group
    std::optional<uint32_t> expertParallel;       //!< ep
    std::optional<uint32_t> pipelineParallel;     //!< pp
    std::optional<uint32_t> virtualPipeline;      //!< vpp; AICB writes layers per stage
    std::optional<uint32_t> gradientAccumulation; //!< ga: micro-batches of an iteration
    std::optional<uint32_t> allGpus;              //!< all_gpus
    std::optional<uint64_t> pipelineBytes;        //!< pp_comm: bytes of a message between stages
    std::vector<uint32_t> checkpoints;            //!< rows whose input is kept for recomputation
    std::vector<uint32_t> checkpointInitiates;    //!< rows whose backward pass first recomputes
    uint32_t lastBottomLayer{0};                  //!< HYBRID_DLRM: last row of the bottom MLP
    std::vector<SimaiRow> rows;                   //!< rows in file order
    std::optional<uint64_t> globalBatch;          //!< gbs of an AICB file name
    std::optional<uint64_t> microBatch;           //!< mbs of an AICB file name
};

/** \ingroup railyard \brief A range of rows. */
struct SimaiRange
{
    std::size_t begin{0}; //!< first row
    std::size_t end{0};   //!< row behind the last
};

/** \ingroup railyard \brief How the rows of a SimaiWorkload divide into micro-batches. */
struct SimaiSections
{
    SimaiRange prologue;                  //!< rows before the first micro-batch
    std::vector<SimaiRange> microBatches; //!< rows of each micro-batch; the ranges may be the same
    SimaiRange epilogue;                  //!< rows behind the last micro-batch
};

/**
 * \ingroup railyard
 * \brief Finds the micro-batches that AICB unrolled, by the names of the rows.
 *
 * Prologue: rows before the first `embedding_layer`, or, where there is none, the leading rows
 * named grad_*, moe_grad_norm*, embedding_grads, layernorm or norm. Epilogue: the trailing rows
 * named cross_entropy* or optimizer*. What lies between is divided
 *  - at every `embedding_layer`, if there are several;
 *  - otherwise into `ga` equal parts, if it consists of `ga` equal parts;
 *  - otherwise it is one micro-batch, which runs `ga` times.
 *
 * \param workload workload
 * \param [out] notes gets a line if ga and the rows disagree, or the rows are repeated
 * \return its sections
 */
SimaiSections FindSimaiSections(const SimaiWorkload& workload, std::vector<std::string>& notes);

} // namespace ns3

#endif /* SIMAI_WORKLOAD_H */
