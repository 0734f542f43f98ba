/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_BROADCAST_ALGORITHM_H
#define RING_BROADCAST_ALGORITHM_H

#include "ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Pipelined ring broadcast: the operand travels in slices along the ring that starts at the
 * root; every rank but the last passes each slice on as soon as it has it.
 *
 * With s slices on a channel, (n-2+s) steps of the time of a slice; every rank but the last one of
 * a ring sends all of what the ring carries. A rank has at most SlicesInFlight slices sent and not
 * yet acknowledged, as NCCL's connection buffer limits it.
 */
class RingBroadcastAlgorithm : public RingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param slices the number of slices
     * \param size the number of ranks
     * \param receives whether the rank has a predecessor
     * \param sends whether the rank has a successor
     * \return what a rank does
     */
    PlanProgram MakeProgram(uint32_t slices, uint32_t size, bool receives, bool sends) const;

    uint64_t m_sliceBytes;     //!< attribute SliceBytes
    uint32_t m_slicesInFlight; //!< attribute SlicesInFlight
};

} // namespace ns3

#endif /* RING_BROADCAST_ALGORITHM_H */
