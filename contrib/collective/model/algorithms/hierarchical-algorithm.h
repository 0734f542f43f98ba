/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HIERARCHICAL_ALGORITHM_H
#define HIERARCHICAL_ALGORITHM_H

#include "server-layout.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Rings inside every server and rings between servers, one on each rail: for groups with m
 * ranks in each of s servers.
 *
 * The operand has m shares, one for each rail; that of rail l are the parts of the ranks on l.
 * Reduce-scatter: a ring pass in every server leaves the server's sum of share l on rail l, then a
 * ring pass between the servers on every rail leaves each part at its rank. All-gather: the same
 * backwards. All-reduce: both.
 *
 * Reduce-scatter and all-gather take (m-1)(S/(mB) + a) + (s-1)(S/(nB) + a) each; a rank sends
 * (m-1)/m S inside its server and (s-1)/n S between servers. The rings of RingOrder send as much;
 * there are n-1 steps, here m-1 + s-1.
 */
class HierarchicalAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

    /**
     * \param layout servers with equally many ranks
     * \return the group ranks server by server
     */
    static std::vector<uint32_t> GetOrder(const ServerLayout& layout);

    /**
     * In the order of GetOrder().
     * \param servers the number of servers
     * \param rails ranks in each
     * \param rail a rail
     * \return distances from a rank on that rail to the ranks of its server, ahead on a ring of
     * these, itself first
     */
    static std::vector<uint32_t> GetLocalPeers(uint32_t servers, uint32_t rails, uint32_t rail);

    /**
     * \param rails ranks in each server
     * \param rail a rail
     * \return the first rail with the same distances to the next and the one before
     */
    static uint32_t GetRailClass(uint32_t rails, uint32_t rail)
    {
        return rail > 0 && rail + 1 < rails ? 1 : rail;
    }

  private:
    /** \return the kind of collective: all-reduce, all-gather or reduce-scatter */
    virtual CollectiveKind GetKind() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param servers the number of servers, s
     * \param rails ranks in each, m
     * \param rail the rank's; all between the first and the last do the same
     * \param slices slices of a part
     * \return what ranks on that rail do
     */
    PlanProgram MakeProgram(uint32_t servers, uint32_t rails, uint32_t rail, uint32_t slices) const;

    uint64_t m_sliceBytes; //!< attribute SliceBytes
};

} // namespace ns3

#endif /* HIERARCHICAL_ALGORITHM_H */
