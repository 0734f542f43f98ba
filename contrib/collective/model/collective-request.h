/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_REQUEST_H
#define COLLECTIVE_REQUEST_H

#include "collective-kind.h"
#include "collective-reduction.h"
#include "size-matrix.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief All that an algorithm may know: equal requests have equal plans.
 *
 * The group appears as its placement on servers and NICs only, so isomorphic groups share a plan.
 */
struct CollectiveRequest
{
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what to do
    uint64_t bytes{0};                               //!< size of the operand, see CollectiveKind
    uint32_t elementBytes{1};                        //!< an element is never split
    uint32_t root{0};                                //!< group rank of the root, see HasRoot()
    std::string parallel;                            //!< parallel dimension of the group
    std::vector<uint32_t> placement;                 //!< see CollectiveGroup::GetPlacement()
    std::vector<uint32_t> nics;                      //!< see CollectiveGroup::GetNics()
    uint32_t nicsPerRank{1};                 //!< see CollectiveGroup::GetNicsPerRank()
    bool offload{false}; //!< the network reduces and copies among the ranks of each server that has
                         //!< several of the group, and there is such a server
    std::shared_ptr<const SizeMatrix> sizes; //!< of ALL_TO_ALL_V, else null
    CollectiveReduction reduction; //!< of ALL_REDUCE, REDUCE and REDUCE_SCATTER
    bool railOffload{false}; //!< the network does all-reduces among the ranks of each rail that all
                             //!< servers are on (see ServerLayout), and there are several servers

    /** \return the number of ranks */
    uint32_t GetGroupSize() const
    {
        return static_cast<uint32_t>(placement.size());
    }

    /** \return the number of servers that the group stands in */
    uint32_t GetServerCount() const
    {
        return placement.empty() ? 0 : 1 + *std::max_element(placement.begin(), placement.end());
    }

    /** \return true if there is nothing to move: no bytes or a group of one */
    bool IsEmpty() const
    {
        return bytes == 0 || placement.size() < 2;
    }
};

/** \ingroup collective \brief Told that a rank is done with a collective, by its id. */
using CollectiveDone = std::function<void(uint64_t instance)>;

/**
 * \ingroup collective
 * \brief Told that a rank is done with collectives that it joined together, by their ids in the
 * order of the calls.
 */
using CollectivesDone = std::function<void(const std::vector<uint64_t>& instances)>;

/** \ingroup collective \brief What a rank asks of CollectiveEngine::Join(). */
struct CollectiveCall
{
    uint32_t group{0};                               //!< from CollectiveEngine::AddGroup()
    CollectiveKind kind{CollectiveKind::ALL_REDUCE}; //!< what to do
    uint64_t bytes{0};                               //!< size of the operand, see CollectiveKind
    uint32_t elementBytes{1};                        //!< an element is never split
    uint32_t root{0};                                //!< group rank of the root, see HasRoot()
    uint64_t user{0}; //!< the user's own number, kept in the CollectiveInstance; ranks may differ
    std::shared_ptr<const SizeMatrix> sizes; //!< of ALL_TO_ALL_V, else null; #bytes is its mean.
                                             //!< Ranks may share one or have equal ones
    CollectiveReduction reduction{}; //!< of ALL_REDUCE, REDUCE and REDUCE_SCATTER
};

/**
 * \ingroup collective
 * \param a a call
 * \param b another
 * \return true if both ask for the same (CollectiveCall::user aside)
 */
inline bool
operator==(const CollectiveCall& a, const CollectiveCall& b)
{
    return a.group == b.group && a.kind == b.kind && a.bytes == b.bytes &&
           a.elementBytes == b.elementBytes && a.root == b.root && a.reduction == b.reduction &&
           HaveEqualSizes(a.sizes, b.sizes);
}

} // namespace ns3

#endif /* COLLECTIVE_REQUEST_H */
