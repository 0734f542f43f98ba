/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HIERARCHICAL_ALL_REDUCE_ALGORITHM_H
#define HIERARCHICAL_ALL_REDUCE_ALGORITHM_H

#include "hierarchical-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce with rings inside and between servers, see HierarchicalAlgorithm.
 *
 * 2(m-1)(S/(mB) + a) + 2(s-1)(S/(nB) + a); a rank sends 2(n-1)/n S, 2(s-1)/n S of it between
 * servers.
 */
class HierarchicalAllReduceAlgorithm : public HierarchicalAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* HIERARCHICAL_ALL_REDUCE_ALGORITHM_H */
