/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HIERARCHICAL_TREE_ALL_REDUCE_ALGORITHM_H
#define HIERARCHICAL_TREE_ALL_REDUCE_ALGORITHM_H

#include "server-layout.h"
#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

namespace ns3
{

struct TreeRole;
struct TreeShape;

/**
 * \ingroup collective
 * \brief All-reduce with rings inside servers and a tree between them on each rail: for groups with
 * m ranks in each of s servers.
 *
 * A ring pass in every server leaves the server's sum of the share of rail l, one m-th of the
 * operand, on rail l. Up and down a binary tree of servers (ServerTree's first, server 0 at the
 * root) it becomes the sum of all; another ring pass in every server gathers the shares.
 *
 * A rank sends 2(m-1)/m S inside its server, and between servers S/m to its parent and to each of
 * its children. A share travels in slices, and a rank has at most SlicesInFlight of a channel sent
 * to another server and not acknowledged.
 */
class HierarchicalTreeAllReduceAlgorithm : public CollectiveAlgorithm, public SlicePipeline
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param layout servers with equally many ranks
     * \param rail a rail
     * \param shape what the ranks of a tree have in common
     * \param role the rank's place in its tree
     * \return what a rank on the rail does
     */
    static PlanProgram MakeProgram(const ServerLayout& layout,
                                   uint32_t rail,
                                   const TreeShape& shape,
                                   const TreeRole& role);
};

} // namespace ns3

#endif /* HIERARCHICAL_TREE_ALL_REDUCE_ALGORITHM_H */
