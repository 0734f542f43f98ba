/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DIRECT_ROOTED_ALGORITHM_H
#define DIRECT_ROOTED_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Gather and scatter without ranks in between: one message for each rank but the root, its
 * part of the operand. So does NCCL, with one send or receive per rank in a group call. With
 * several NICs per rank a part is divided among one message on each (RailChannels::CountStripes()).
 */
class DirectRootedAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

  protected:
    /**
     * \param request a request
     * \param rootSends whether the root sends, else the others do
     * \param maxOutstanding messages of the root on a channel that are sent and not acknowledged,
     * at most
     * \return the plan: the root serves the ranks in the order in which they follow it
     */
    static CollectivePlan MakePlan(const CollectiveRequest& request,
                                   bool rootSends,
                                   uint32_t maxOutstanding);

    /** \param request a request \param rank a group rank \return size of the rank's part */
    static uint64_t GetPartBytes(const CollectiveRequest& request, uint32_t rank);
};

} // namespace ns3

#endif /* DIRECT_ROOTED_ALGORITHM_H */
