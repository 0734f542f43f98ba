/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAT_ALL_GATHER_ALGORITHM_H
#define PAT_ALL_GATHER_ALGORITHM_H

#include "pat-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-gather by parallel aggregated trees, see PatAlgorithm.
 */
class PatAllGatherAlgorithm : public PatAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    CollectiveKind GetKind() const override;
};

} // namespace ns3

#endif /* PAT_ALL_GATHER_ALGORITHM_H */
