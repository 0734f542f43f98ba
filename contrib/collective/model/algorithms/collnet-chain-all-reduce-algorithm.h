/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLNET_CHAIN_ALL_REDUCE_ALGORITHM_H
#define COLLNET_CHAIN_ALL_REDUCE_ALGORITHM_H

#include "collnet-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce over switches that add up, with chains in servers: NCCL's CollNetChain.
 *
 * The ranks of a server form a chain that ends at the head of a rail: each adds what comes from the
 * one behind it and passes it on; the sum goes the same way back. The chains of rails are rotated.
 * With l ranks in each server a rank sends S (2 - 2/l) to its neighbours and, as a head, S/l to the
 * network.
 */
class CollnetChainAllReduceAlgorithm : public CollnetAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  private:
    // From CollnetAlgorithm.
    uint32_t GetMessages(uint32_t most) const override;
    uint32_t GetSends(const Role& role) const override;
    uint32_t WriteSlice(const Role& role, SliceWriter& writer, uint32_t window) const override;
};

} // namespace ns3

#endif /* COLLNET_CHAIN_ALL_REDUCE_ALGORITHM_H */
