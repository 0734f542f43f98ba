/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_ORDER_H
#define RING_ORDER_H

#include "server-layout.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Orders of the ranks of a group on rings that cross the network on rails.
 *
 * In one server there is one ring, the group's own order.
 *
 * Over several servers there are as many rings as the server with the fewest NICs has NICs, m, on
 * the rails of ServerLayout; every hop between servers joins two ranks on the same rail. Without
 * numbers of NICs the i-th rank of a server in group order sits on rail i, alone.
 *
 * Where each of these NICs has several ranks (or its server a single one), ring k enters a server
 * on the first of them, passes through the ranks of the other NICs and leaves on the last: it stays
 * on rail k all the way, as NCCL's rings do (NCCL_CROSS_NIC=0).
 *
 * Else ring k visits the servers in order of appearance. With r_s the rail on which it enters
 * server s, it leaves s on r_(s+1); r_s = k for even s and k-1 for odd s, modulo m. Inside a server
 * it goes round in ascending order, or in descending order if it leaves next to where it entered:
 * even servers ascend from k to k-1, odd ones descend from k-1 to k. Over the m rings every rail
 * carries one ring into and one ring out of every server, so that all NICs are used evenly. An odd
 * number of servers needs a third rail for the last one: it is entered on k+1. With two rails there
 * is none, and the hop back to the first server joins rails k-1 and k, unless rings can return in
 * the last server. With one rail (m = 1), a larger server is entered on its first and left on its
 * last rank.
 */
class RingOrder
{
  public:
    /**
     * \param placement the server of each group rank, numbered in order of appearance
     * \param nics number of each group rank's NIC in its server, or empty: see ServerLayout
     */
    explicit RingOrder(const std::vector<uint32_t>& placement,
                       const std::vector<uint32_t>& nics = {});

    /** \return the number of different rings */
    uint32_t GetRingCount() const;

    /**
     * \param ring a ring; beyond GetRingCount() they repeat
     * \return the group ranks in the order of the ring
     */
    std::vector<uint32_t> GetRing(uint32_t ring) const;

  private:
    /**
     * \param server a server
     * \param ring a ring below GetRingCount()
     * \return the rail on which the ring enters the server
     */
    uint32_t GetEntry(uint32_t server, uint32_t ring) const;

    /**
     * \param server a server
     * \return whether every ring can leave it on the rail on which it entered, from another rank
     */
    bool CanReturn(uint32_t server) const;

    /** \return whether each ring stays on one rail all the way */
    bool StaysOnRail() const;

    ServerLayout m_servers; //!< who stands where
    bool m_staysOnRail;     //!< see StaysOnRail()
};

} // namespace ns3

#endif /* RING_ORDER_H */
