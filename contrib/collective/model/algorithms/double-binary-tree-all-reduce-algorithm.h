/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DOUBLE_BINARY_TREE_ALL_REDUCE_ALGORITHM_H
#define DOUBLE_BINARY_TREE_ALL_REDUCE_ALGORITHM_H

#include "tree-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce over two complementary binary trees of servers per rail, each with half of the
 * rail's share. With one NIC per rank channel 2k carries the first and 2k+1 the second tree of rail
 * k; with several each of them carries every tree once (RailChannels).
 *
 * A server with two children in one tree has none in the other (see ServerTree), so that over both
 * it sends and receives what the ring makes it send and receive, about 2S, in a time that grows
 * with the logarithm of the number of servers alone (Sanders, Speck, Traeff: Two-tree algorithms
 * for full bandwidth broadcast, reduction and scan, 2009; NCCL's algorithm Tree). In one server
 * both trees are the same chain, and one channel carries it.
 */
class DoubleBinaryTreeAllReduceAlgorithm : public TreeAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  protected:
    uint32_t GetTreesPerRail(const ServerLayout& layout) const override;

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* DOUBLE_BINARY_TREE_ALL_REDUCE_ALGORITHM_H */
