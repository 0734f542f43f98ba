/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_GROUP_H
#define COLLECTIVE_GROUP_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief The ranks that take part in a collective: a communicator.
 *
 * The position of a rank in #ranks is its group rank. All-gather, reduce-scatter and all-to-all
 * number their parts by group rank.
 */
struct CollectiveGroup
{
    std::string name;              //!< for results and messages, for example "TP0"
    std::string parallel;          //!< parallel dimension: "TP", "DP", "EP", "DP_EP", "PP", ...
    std::vector<uint32_t> ranks;   //!< the transport's ranks, each once, by group rank
    std::vector<uint32_t> servers; //!< the server that each rank stands in, by group rank
    /**
     * The number of each rank's NIC in its server, by group rank: ranks of a server with equal ones
     * share a NIC, and NICs of equal numbers in different servers are on the same rail. Empty: each
     * rank has a NIC of its own, and the i-th ranks of all servers are on the same rail.
     */
    std::vector<uint32_t> nics;
    /**
     * NICs that each rank has or shares, of the rank with fewest: a group over several servers has
     * channels for all of them.
     */
    uint32_t nicsPerRank{1};
    uint32_t firstChannel{0};      //!< the transport's channel that carries the group's channel 0;
                                   //!< groups with disjoint channels never queue behind each other

    /** \return what is wrong with the group, empty if nothing */
    std::string Check() const;

    /**
     * \return #servers, numbered anew in the order in which they appear: equal for groups that
     * differ only in which servers they use
     */
    std::vector<uint32_t> GetPlacement() const;

    /**
     * \return #nics, numbered anew without gaps, empty if that says what no numbers say: equal for
     * groups that differ only in which NICs they use
     */
    std::vector<uint32_t> GetNics() const;

    /** \return #nicsPerRank, 1 for a group in one server */
    uint32_t GetNicsPerRank() const;
};

} // namespace ns3

#endif /* COLLECTIVE_GROUP_H */
