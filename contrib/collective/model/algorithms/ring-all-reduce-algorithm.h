/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_ALL_REDUCE_ALGORITHM_H
#define RING_ALL_REDUCE_ALGORITHM_H

#include "stepped-ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Ring all-reduce: a reduce-scatter pass that leaves the sum of part p+1 at position p, then
 * an all-gather pass.
 *
 * 2(n-1) steps; every rank sends 2(n-1)/n of the operand, which no all-reduce between end points
 * can undercut (Patarasuk, Yuan: Bandwidth optimal all-reduce algorithms for clusters of
 * workstations, 2009).
 */
class RingAllReduceAlgorithm : public SteppedRingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;

  private:
    std::vector<Pass> GetPasses() const override;
};

} // namespace ns3

#endif /* RING_ALL_REDUCE_ALGORITHM_H */
