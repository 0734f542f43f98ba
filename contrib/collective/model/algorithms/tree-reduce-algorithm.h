/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_REDUCE_ALGORITHM_H
#define TREE_REDUCE_ALGORITHM_H

#include "tree-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Reduce up one binary tree of servers per rail. The root's server comes first in the tree,
 * and its chain ends at the root.
 *
 * NCCL itself reduces on rings alone.
 */
class TreeReduceAlgorithm : public TreeAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* TREE_REDUCE_ALGORITHM_H */
