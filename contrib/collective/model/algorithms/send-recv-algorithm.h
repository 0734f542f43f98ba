/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SEND_RECV_ALGORITHM_H
#define SEND_RECV_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Point-to-point: in a group of two, the root sends one message to the other rank, or, with
 * several NICs per rank, one on each (RailChannels::CountStripes()).
 *
 * Calls on a group are matched in the order in which each rank makes them. Two ranks that send to
 * each other in different orders (a pipeline's activations and gradients) use a group per
 * direction.
 */
class SendRecvAlgorithm : public CollectiveAlgorithm
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

#endif /* SEND_RECV_ALGORITHM_H */
