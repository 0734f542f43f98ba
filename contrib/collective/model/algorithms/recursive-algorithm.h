/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RECURSIVE_ALGORITHM_H
#define RECURSIVE_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-gather that doubles what every rank has in each step, and the same backwards:
 * reduce-scatter that halves what every rank still works on.
 *
 * In step i of the all-gather, i = 0 .. ceil(log2 n)-1, with d = 2^i:
 * - n a power of two: ranks r and r xor d exchange the d parts that they have (recursive doubling).
 * - else rank r sends the parts of r, r+1, ..., min(d, n-d) of them, to r-d and gets as many from
 *   r+d (Bruck, Ho, Kipnis, Upfal, Weathersby: Efficient algorithms for all-to-all communications
 *   in multiport message-passing systems, 1997).
 *
 * Backwards, senders become receivers and add up. ceil(log2 n) a + (n-1)/n S/B either way; every
 * rank sends (n-1)/n S. One channel, with several NICs per rank one for each
 * (RailChannels::CountStripes()), in the order of the group: the largest messages are those that go
 * farthest.
 */
class RecursiveAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    /** \return the kind of collective: all-gather or reduce-scatter */
    virtual CollectiveKind GetKind() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;
};

} // namespace ns3

#endif /* RECURSIVE_ALGORITHM_H */
