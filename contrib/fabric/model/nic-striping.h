/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NIC_STRIPING_H
#define NIC_STRIPING_H

#include "route-table.h"

#include <cstdint>

namespace ns3
{

/** \ingroup fabric \brief The end points of a RouteTable that messages go between. */
struct NicPair
{
    uint32_t src{0}; //!< of the sending rank: the rank, or one NIC of several
    uint32_t dst{0}; //!< of the receiving rank, likewise

    /** \param o another pair \return whether it is the same */
    bool operator==(const NicPair& o) const
    {
        return src == o.src && dst == o.dst;
    }
};

/**
 * \ingroup fabric
 * \brief Which NICs of two ranks the messages of a channel use, in every network: NCCL deals
 * channels out over NICs.
 *
 * Of the rank with more NICs that reach the other rank (of equally many, of the lower rank) channel
 * c uses the (c modulo their number)-th. Of the other rank it uses the NIC with the same number, so
 * that the message stays on its rail, if that can be reached from there; else the (c modulo their
 * number)-th of those that can. So both directions of a channel use the same two NICs.
 *
 * In NCCL (`ncclTopoGetLocalNet` of `src/graph/topo.cc`, `ncclTopoSearchRec` of
 * `src/graph/search.cc` with NCCL_CROSS_NIC=0) every rank takes the (c modulo n)-th of its n NICs,
 * and a channel the same NIC in all servers. Here NICs that lead nowhere are left out.
 *
 * \param routes of the Ethernet fabric
 * \param src sending rank
 * \param dst receiving rank
 * \param channel channel of the messages
 * \return the end points: the ranks where both have one NIC, or there is no path
 */
NicPair StripeNics(const RouteTable& routes, uint32_t src, uint32_t dst, uint32_t channel);

} // namespace ns3

#endif /* NIC_STRIPING_H */
