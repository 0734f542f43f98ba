/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLS_REDUCE_SCATTER_ALGORITHM_H
#define NVLS_REDUCE_SCATTER_ALGORITHM_H

#include "nvls-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief NVLS reduce-scatter: the sum of every part is formed in the switches.
 *
 * Every rank sends S, its own part included, and receives S/n.
 */
class NvlsReduceScatterAlgorithm : public NvlsAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    Passes GetPasses() const override;
};

} // namespace ns3

#endif /* NVLS_REDUCE_SCATTER_ALGORITHM_H */
