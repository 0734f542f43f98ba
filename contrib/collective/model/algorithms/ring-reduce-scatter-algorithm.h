/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_REDUCE_SCATTER_ALGORITHM_H
#define RING_REDUCE_SCATTER_ALGORITHM_H

#include "stepped-ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Ring reduce-scatter: one pass, every part collects its sum on its way round and ends at
 * its own rank.
 *
 * n-1 steps; every rank sends (n-1)/n of the input.
 */
class RingReduceScatterAlgorithm : public SteppedRingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;

  private:
    std::vector<Pass> GetPasses() const override;
};

} // namespace ns3

#endif /* RING_REDUCE_SCATTER_ALGORITHM_H */
