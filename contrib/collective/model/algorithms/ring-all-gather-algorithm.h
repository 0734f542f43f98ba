/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_ALL_GATHER_ALGORITHM_H
#define RING_ALL_GATHER_ALGORITHM_H

#include "stepped-ring-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Ring all-gather: one pass, every rank passes on what it received the step before.
 *
 * n-1 steps; every rank sends (n-1)/n of the output.
 */
class RingAllGatherAlgorithm : public SteppedRingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;

  private:
    std::vector<Pass> GetPasses() const override;
};

} // namespace ns3

#endif /* RING_ALL_GATHER_ALGORITHM_H */
