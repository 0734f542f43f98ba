/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLNET_DIRECT_ALL_REDUCE_ALGORITHM_H
#define COLLNET_DIRECT_ALL_REDUCE_ALGORITHM_H

#include "collnet-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce over switches that add up, with direct exchanges in servers: NCCL's
 * CollNetDirect.
 *
 * Every rank sends the share of a rail straight to its head, and the head sends the sum straight to
 * every rank. With l ranks in each server a rank sends S (1 - 1/l) to heads and, as a head, S/l to
 * the network and S (1 - 1/l) to its server.
 */
class CollnetDirectAllReduceAlgorithm : public CollnetAlgorithm
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

#endif /* COLLNET_DIRECT_ALL_REDUCE_ALGORITHM_H */
