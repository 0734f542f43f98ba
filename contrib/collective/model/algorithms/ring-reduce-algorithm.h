/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_REDUCE_ALGORITHM_H
#define RING_REDUCE_ALGORITHM_H

#include "pipelined-ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Pipelined ring reduce: slices travel along the ring that ends at the root; every rank
 * adds its own to what arrives and passes the sum on.
 *
 * Every rank but the root sends all of the operand.
 */
class RingReduceAlgorithm : public PipelinedRingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* RING_REDUCE_ALGORITHM_H */
