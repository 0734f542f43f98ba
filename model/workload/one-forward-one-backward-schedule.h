/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H
#define ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H

#include "pipeline-schedule.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief 1F1B: after a warm-up, forward and backward passes alternate (PipeDream-Flush; Narayanan
 * et al., "Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM",
 * SC'21, section 2.2).
 *
 * Stage r of p begins with min(m, p - r - 1) forward passes and holds at most p - r micro-batches.
 * The iteration takes (m + p - 1) (F + B) without communication: the bubble is (p - 1) (F + B).
 */
class OneForwardOneBackwardSchedule : public PipelineSchedule
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::vector<PipelineStep> Plan(uint32_t stage,
                                   uint32_t stages,
                                   uint32_t microBatches) const override;
};

} // namespace ns3

#endif /* ONE_FORWARD_ONE_BACKWARD_SCHEDULE_H */
