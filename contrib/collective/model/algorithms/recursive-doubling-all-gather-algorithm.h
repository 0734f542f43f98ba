/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RECURSIVE_DOUBLING_ALL_GATHER_ALGORITHM_H
#define RECURSIVE_DOUBLING_ALL_GATHER_ALGORITHM_H

#include "recursive-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-gather by recursive doubling, in Bruck's form if the size of the group is not a power
 * of two.
 */
class RecursiveDoublingAllGatherAlgorithm : public RecursiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* RECURSIVE_DOUBLING_ALL_GATHER_ALGORITHM_H */
