/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_ALL_REDUCE_ALGORITHM_H
#define TREE_ALL_REDUCE_ALGORITHM_H

#include "tree-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce over one binary tree of servers per rail: up to the root, then down.
 *
 * Latency grows with the logarithm of the number of servers. A server with two children receives
 * two and sends one share on the way up and the reverse on the way down, so that at most half the
 * rate of its NICs becomes algorithm bandwidth; half the servers are leaves, whose NICs are half
 * idle.
 */
class TreeAllReduceAlgorithm : public TreeAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* TREE_ALL_REDUCE_ALGORITHM_H */
