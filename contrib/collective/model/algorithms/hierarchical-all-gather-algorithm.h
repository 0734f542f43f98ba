/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HIERARCHICAL_ALL_GATHER_ALGORITHM_H
#define HIERARCHICAL_ALL_GATHER_ALGORITHM_H

#include "hierarchical-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-gather with rings between and inside servers, see HierarchicalAlgorithm.
 */
class HierarchicalAllGatherAlgorithm : public HierarchicalAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* HIERARCHICAL_ALL_GATHER_ALGORITHM_H */
