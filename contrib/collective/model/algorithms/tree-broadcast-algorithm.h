/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_BROADCAST_ALGORITHM_H
#define TREE_BROADCAST_ALGORITHM_H

#include "tree-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Broadcast down one binary tree of servers per rail. The root's server comes first in the
 * tree, and its chain begins at the root.
 *
 * NCCL itself broadcasts on rings alone.
 */
class TreeBroadcastAlgorithm : public TreeAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* TREE_BROADCAST_ALGORITHM_H */
