/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAT_ALGORITHM_H
#define PAT_ALGORITHM_H

#include "pat-schedule.h"
#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief NCCL's PAT (2.23): all-gather with a logarithmic number of steps for small operands and
 * bounded buffers for large ones, and reduce-scatter, the same backwards: near to far, receivers
 * send and senders add up. PatSchedule has the schedule.
 *
 * Parts are put together up to SliceBytes, the step of a connection's buffer; a part that is larger
 * travels in slices, each through the whole schedule before the next. A rank has at most
 * SlicesInFlight messages sent and not yet acknowledged on each channel. NCCL counts buffers per
 * peer, and puts parts together up to the whole buffer of eight steps.
 *
 * Every rank sends (n-1)/n S. With all parts of a distance in one message and n a power of two,
 * log2(n) a + (n-1)/n S/B. One channel, with several NICs per rank one for each
 * (RailChannels::CountStripes()), in the order of the group. NCCL offers it to groups of one rank
 * per server; here any group may use it.
 *
 * Source: Jeaugey: PAT: a new algorithm for all-gather and reduce-scatter operations at scale,
 * arXiv:2506.20252, 2025; NCCL 2.23, src/include/collectives.h.
 */
class PatAlgorithm : public CollectiveAlgorithm, public SlicePipeline
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    /** \return the kind of collective: all-gather or reduce-scatter */
    virtual CollectiveKind GetKind() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param partBytes size of the largest part
     * \param size the size of the group
     * \return parts of a message, at most; a power of two
     */
    uint32_t GetAggregation(uint64_t partBytes, uint32_t size) const;

    /**
     * \param schedule the schedule
     * \param size the size of the group
     * \param slices slices of a part
     * \return what all ranks do
     */
    PlanProgram MakeGather(const PatSchedule& schedule, uint32_t size, uint32_t slices) const;

    /** \copydoc MakeGather */
    PlanProgram MakeReduceScatter(const PatSchedule& schedule,
                                  uint32_t size,
                                  uint32_t slices) const;
};

} // namespace ns3

#endif /* PAT_ALGORITHM_H */
