/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DIRECT_GATHER_ALGORITHM_H
#define DIRECT_GATHER_ALGORITHM_H

#include "direct-rooted-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Gather: every rank sends its part to the root, all at once.
 *
 * The network sorts out the incast: at the root (n-1)/n S/B + a. Every rank but the root sends its
 * n-th of the operand.
 */
class DirectGatherAlgorithm : public DirectRootedAlgorithm
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

#endif /* DIRECT_GATHER_ALGORITHM_H */
