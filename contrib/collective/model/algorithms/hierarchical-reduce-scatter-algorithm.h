/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HIERARCHICAL_REDUCE_SCATTER_ALGORITHM_H
#define HIERARCHICAL_REDUCE_SCATTER_ALGORITHM_H

#include "hierarchical-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Reduce-scatter with rings inside and between servers, see HierarchicalAlgorithm.
 */
class HierarchicalReduceScatterAlgorithm : public HierarchicalAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* HIERARCHICAL_REDUCE_SCATTER_ALGORITHM_H */
