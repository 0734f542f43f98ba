/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLS_ALL_GATHER_ALGORITHM_H
#define NVLS_ALL_GATHER_ALGORITHM_H

#include "nvls-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief NVLS all-gather: every rank's part is copied to all by the switches.
 *
 * Every rank sends S/n and receives S, its own part included.
 */
class NvlsAllGatherAlgorithm : public NvlsAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    Passes GetPasses() const override;
};

} // namespace ns3

#endif /* NVLS_ALL_GATHER_ALGORITHM_H */
