/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPT_WORKLOAD_BUILDER_H
#define GPT_WORKLOAD_BUILDER_H

#include "gpt-kernels.h"
#include "gpt-workload.h"
#include "pipeline-schedule.h"
#include "workload-program-builder.h"
#include "workload-program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Writes what each rank does in an iteration of a GptWorkload, as Megatron-LM does it.
 *
 * Tensor parallelism, per half of a layer, S = T h e bytes:
 *  - without sequence parallelism: forward an AllReduce behind the row-parallel matrix; backward an
 *    AllReduce behind the data gradient of the column-parallel matrix, which overlaps the weight
 *    gradient;
 *  - with it: forward an AllGather before the column-parallel and a ReduceScatter behind the
 *    row-parallel matrix; backward an AllGather of the output's gradient, another one of the
 *    column-parallel matrix' input that overlaps the data gradient, and a ReduceScatter that
 * overlaps the weight gradient (Korthikanti et al., MLSys 2023, section 4.2.2; Megatron-LM's
 *    LinearWithGradAccumulationAndAsyncCommunication).
 *
 * Pipeline parallelism: the schedule's order, with messages of S bytes, or S / t with sequence
 * parallelism, between neighbouring stages. Tied embeddings: their gradients are added up between
 * first and last stage.
 *
 * Data parallelism: one bucket per layer, one for the embedding, one for final norm and output
 * layer. During the last backward pass a bucket's gradients are reduced as soon as they are ready
 * (overlapGradientReduce), otherwise behind it: by a ReduceScatter with a distributed optimizer,
 * by an AllReduce without. With a distributed optimizer the weights are then gathered bucket by
 * bucket: at the begin of the iteration, where the first forward pass of each layer waits for its
 * own (overlapParameterGather; these are the weights of the iteration before), otherwise at the
 * end.
 *
 * Optimizer: an AllReduce of 4 bytes over all ranks (gradient norm), then its kernels.
 */
class GptWorkloadBuilder
{
  public:
    /**
     * \param workload workload that Check() accepts
     * \param schedule order of the micro-batches
     */
    GptWorkloadBuilder(const GptWorkload& workload, const PipelineSchedule& schedule);

    /**
     * \param cluster cluster to run on
     * \return what the ranks do, with kernels to be resolved; a ConfigError if it does not fit
     */
    Workload Build(const WorkloadCluster& cluster) const;

  private:
    const GptWorkload& m_workload;      //!< workload
    const PipelineSchedule& m_schedule; //!< order of the micro-batches
};

} // namespace ns3

#endif /* GPT_WORKLOAD_BUILDER_H */
