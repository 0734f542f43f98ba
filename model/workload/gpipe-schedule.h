/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef GPIPE_SCHEDULE_H
#define GPIPE_SCHEDULE_H

#include "pipeline-schedule.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief GPipe: all forward passes, then all backward passes (Huang et al., "GPipe: Efficient
 * Training of Giant Neural Networks using Pipeline Parallelism", NeurIPS 2019).
 *
 * Every stage holds all micro-batches. The bubble is that of 1F1B, (p - 1) (F + B). Backward passes
 * run in the order of the forward passes.
 */
class GpipeSchedule : public PipelineSchedule
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    std::vector<PipelineStep> Plan(uint32_t stage,
                                   uint32_t stages,
                                   uint32_t microBatches) const override;
};

} // namespace ns3

#endif /* GPIPE_SCHEDULE_H */
