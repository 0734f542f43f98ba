/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PIPELINED_RING_ALGORITHM_H
#define PIPELINED_RING_ALGORITHM_H

#include "ring-algorithm.h"
#include "slice-pipeline.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Ring algorithms that pass the operand along the ring once, in slices: away from a root
 * that comes first, or to a root that comes last.
 *
 * With s slices on a channel, (n-2+s) steps of the time of a slice. A rank has at most
 * SlicesInFlight slices of a channel sent and not yet acknowledged, as NCCL's connection buffer
 * limits it.
 */
class PipelinedRingAlgorithm : public RingAlgorithm, public SlicePipeline
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;

  private:
    /** \return the kind of collective: broadcast or reduce */
    virtual CollectiveKind GetKind() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param slices the number of slices
     * \param size the number of ranks
     * \param receives whether the rank has a predecessor
     * \param sends whether the rank has a successor
     * \return what a rank does
     */
    PlanProgram MakeProgram(uint32_t slices, uint32_t size, bool receives, bool sends) const;
};

} // namespace ns3

#endif /* PIPELINED_RING_ALGORITHM_H */
