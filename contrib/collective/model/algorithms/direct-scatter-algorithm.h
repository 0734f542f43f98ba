/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DIRECT_SCATTER_ALGORITHM_H
#define DIRECT_SCATTER_ALGORITHM_H

#include "direct-rooted-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief Scatter: the root sends every rank its part.
 *
 * The root has at most MaxOutstanding messages sent and not yet acknowledged on each channel. It
 * sends (n-1)/n of the operand, the others nothing; (n-1)/n S/B + a.
 */
class DirectScatterAlgorithm : public DirectRootedAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    uint32_t m_maxOutstanding; //!< attribute MaxOutstanding
};

} // namespace ns3

#endif /* DIRECT_SCATTER_ALGORITHM_H */
