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
    uint32_t firstChannel{0};      //!< the transport's channel that carries the group's channel 0;
                                   //!< groups with disjoint channels never queue behind each other

    /** \return what is wrong with the group, empty if nothing */
    std::string Check() const;

    /**
     * \return #servers, numbered anew in the order in which they appear: equal for groups that
     * differ only in which servers they use
     */
    std::vector<uint32_t> GetPlacement() const;
};

} // namespace ns3

#endif /* COLLECTIVE_GROUP_H */
