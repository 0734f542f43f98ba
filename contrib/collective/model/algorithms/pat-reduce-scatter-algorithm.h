/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAT_REDUCE_SCATTER_ALGORITHM_H
#define PAT_REDUCE_SCATTER_ALGORITHM_H

#include "pat-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Reduce-scatter by parallel aggregated trees, see PatAlgorithm.
 */
class PatReduceScatterAlgorithm : public PatAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* PAT_REDUCE_SCATTER_ALGORITHM_H */
