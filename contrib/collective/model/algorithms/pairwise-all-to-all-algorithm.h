/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAIRWISE_ALL_TO_ALL_ALGORITHM_H
#define PAIRWISE_ALL_TO_ALL_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-to-all in n-1 steps, one partner at a time.
 *
 * In step s = 1 .. n-1 rank r exchanges with r xor s if n is a power of two; else it sends to r+s
 * and receives from r-s, modulo n. A step begins when the send of the one before has been
 * acknowledged and its message has arrived. A rank's own part is copied, not sent. With several
 * NICs per rank all of that is so on a channel each (RailChannels::CountStripes()).
 *
 * Every rank sends (n-1)/n of what it holds, in (n-1) (S/(nB) + a). Compared with
 * DirectAllToAllAlgorithm no rank has more than one message under way, so nobody is the target of
 * two at once while ranks keep step; every step pays a latency (Thakur, Rabenseifner, Gropp:
 * Optimization of collective communication operations in MPICH, 2005, section 4.4, long messages).
 */
class PairwiseAllToAllAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;
};

} // namespace ns3

#endif /* PAIRWISE_ALL_TO_ALL_ALGORITHM_H */
