/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLS_ALL_REDUCE_ALGORITHM_H
#define NVLS_ALL_REDUCE_ALGORITHM_H

#include "nvls-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief NVLS all-reduce: the sum of every part is formed in the switches, received by the part's
 * rank and copied to all.
 *
 * Every rank sends S + S/n and receives as much, where a ring moves 2(n-1)/n S: on links of rate B
 * busbw is at most 2(n-1)/(n+1) B, which exceeds the link's rate for n > 3.
 */
class NvlsAllReduceAlgorithm : public NvlsAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    Passes GetPasses() const override;
};

} // namespace ns3

#endif /* NVLS_ALL_REDUCE_ALGORITHM_H */
