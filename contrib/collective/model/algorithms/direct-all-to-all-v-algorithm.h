/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DIRECT_ALL_TO_ALL_V_ALGORITHM_H
#define DIRECT_ALL_TO_ALL_V_ALGORITHM_H

#include "ns3/collective-algorithm.h"

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-to-all with a size for every pair: the schedule of DirectAllToAllAlgorithm. Pairs
 * without bytes exchange nothing and cost nothing, as a send of nothing does in NCCL. With several
 * NICs per rank what a pair exchanges is divided among a channel each
 * (RailChannels::CountStripes(), by the mean of a rank), of which those without bytes are not used.
 *
 * Rank r sends its row of the SizeMatrix without its own part. It takes at least a + M/B, M being
 * the most that one rank sends to others or receives from them.
 */
class DirectAllToAllVAlgorithm : public CollectiveAlgorithm
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

#endif /* DIRECT_ALL_TO_ALL_V_ALGORITHM_H */
