/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_BROADCAST_ALGORITHM_H
#define RING_BROADCAST_ALGORITHM_H

#include "pipelined-ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Pipelined ring broadcast: the operand travels in slices along the ring that starts at the
 * root; every rank but the last passes each slice on as soon as it has it.
 *
 * Every rank but the last one of a ring sends all of what the ring carries.
 */
class RingBroadcastAlgorithm : public PipelinedRingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* RING_BROADCAST_ALGORITHM_H */
