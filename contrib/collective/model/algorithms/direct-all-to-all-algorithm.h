/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DIRECT_ALL_TO_ALL_ALGORITHM_H
#define DIRECT_ALL_TO_ALL_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-to-all in which every rank sends every other its part directly.
 *
 * In step s = 1 .. n-1 rank r sends to r+s what it holds for it and receives from r-s, so that
 * at any step the pairs are a permutation. A rank's own part is copied, not sent. A rank has at
 * most MaxOutstanding messages sent and not yet acknowledged: it may run that many steps ahead.
 * With several NICs per rank all of that, MaxOutstanding included, is so on a channel each
 * (RailChannels::CountStripes()).
 *
 * Every rank sends (n-1)/n of what it holds.
 */
class DirectAllToAllAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

    /**
     * \param size the size of the group
     * \param maxOutstanding messages sent and not acknowledged, at most
     * \return what every rank does on a channel
     */
    static PlanProgram MakeProgram(uint32_t size, uint32_t maxOutstanding);

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    uint32_t m_maxOutstanding; //!< attribute MaxOutstanding
};

} // namespace ns3

#endif /* DIRECT_ALL_TO_ALL_ALGORITHM_H */
