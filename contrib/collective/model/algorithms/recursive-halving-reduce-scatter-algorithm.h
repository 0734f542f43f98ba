/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RECURSIVE_HALVING_REDUCE_SCATTER_ALGORITHM_H
#define RECURSIVE_HALVING_REDUCE_SCATTER_ALGORITHM_H

#include "recursive-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Reduce-scatter by recursive halving, the dual of RecursiveDoublingAllGatherAlgorithm.
 */
class RecursiveHalvingReduceScatterAlgorithm : public RecursiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* RECURSIVE_HALVING_REDUCE_SCATTER_ALGORITHM_H */
