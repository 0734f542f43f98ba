/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TREE_ALGORITHM_H
#define TREE_ALGORITHM_H

#include "channel-range.h"
#include "server-tree.h"
#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Algorithms that pass the operand through trees in slices: up, every rank adds what its
 * children send and passes the sum to its parent; down, every rank passes what its parent sends to
 * its children.
 *
 * The trees are those of ServerTree. Channels share the rails evenly; each carries an equal share
 * of the operand through one tree. Slices move on as soon as they can: the root sends a slice down
 * while the next ones come up. A rank has at most SlicesInFlight slices of a channel sent to one
 * other rank and not yet acknowledged.
 *
 * A rank sends the share of a channel once to its parent on the way up and once to each child on
 * the way down. An operand of one slice on the 2^h servers of one rank each, all at rate B with
 * latency a, takes (h-1)(2S/B + a) + S/B + a each way: a parent receives from, or sends to, two
 * children one after the other.
 */
class TreeAlgorithm : public CollectiveAlgorithm, public SlicePipeline, public ChannelRange
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  protected:
    /**
     * \param layout the servers of the group
     * \return how many trees there are on every rail, 1 or 2
     */
    virtual uint32_t GetTreesPerRail(const ServerLayout& layout) const;

  private:
    /** \return the kind of collective: all-reduce, broadcast or reduce */
    virtual CollectiveKind GetKind() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /** \return true if the operand goes up */
    bool GoesUp() const;
    /** \return true if the operand goes down */
    bool GoesDown() const;

    /**
     * \param request a request
     * \param layout the servers of the group
     * \return on how many channels the operand travels
     */
    uint32_t GetChannelCount(const CollectiveRequest& request, const ServerLayout& layout) const;

    /**
     * \param request a request
     * \return the tree of each channel
     */
    std::vector<ServerTree> GetTrees(const CollectiveRequest& request) const;

    uint32_t m_channels;        //!< attribute Channels
    uint64_t m_minChannelBytes; //!< attribute MinChannelBytes
};

} // namespace ns3

#endif /* TREE_ALGORITHM_H */
