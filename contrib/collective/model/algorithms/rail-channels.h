/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RAIL_CHANNELS_H
#define RAIL_CHANNELS_H

#include "ns3/collective-request.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Which rail, and which tree on it, a channel of a ring or tree algorithm uses.
 *
 * Every rank has n NICs, and the network puts channel c on the (c modulo n)-th (StripeNics()). With
 * m rails and t trees on each, GetCount() = m n t channels put every tree of every rail on every
 * NIC once. Fewer channels use as many rails and NICs as they can. With one NIC per rank channel c
 * is tree c modulo t on rail c / t modulo m.
 *
 * Trees come together, as neighbours. Lot q of them is on NICs t q to t q + t - 1 modulo n, which
 * are n' = n / gcd(n, t) different sets. Lots take the rails in turn, and move on by one rail after
 * lcm(m, n') of them, when rails and sets would repeat; after m n' lots the trees of a lot change
 * places.
 */
class RailChannels
{
  public:
    /**
     * \param rails number of rails, at least 1
     * \param nics NICs of every rank, at least 1
     * \param trees trees on every rail
     */
    RailChannels(uint32_t rails, uint32_t nics, uint32_t trees = 1);

    /** \return number of channels that use everything once */
    uint32_t GetCount() const
    {
        return m_rails * m_nics * m_trees;
    }

    /** \param channel a channel \return its rail */
    uint32_t GetRail(uint32_t channel) const;

    /** \param channel a channel \return its tree on the rail */
    uint32_t GetTree(uint32_t channel) const;

    /**
     * For algorithms whose ranks all send on the same channels.
     * \param request a request
     * \return number of channels: a NIC each, at least ChannelRange::MIN_CHANNEL_BYTES of the
     * operand, and no more than CollectiveTag::MAX_CHANNELS
     */
    static uint32_t CountStripes(const CollectiveRequest& request);

  private:
    uint32_t m_rails; //!< m
    uint32_t m_nics;  //!< n
    uint32_t m_trees; //!< t
    uint32_t m_sets;  //!< n'
};

} // namespace ns3

#endif /* RAIL_CHANNELS_H */
