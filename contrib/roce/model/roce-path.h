/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PATH_H
#define ROCE_PATH_H

#include "roce-nic-device.h"

#include "ns3/route-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief What a packet meets at best on the way from a NIC to a rank: rates, delays, latencies.
 *
 * All paths of equal cost have the same number of links. Hop h is the best of what any of them has
 * at that place: the highest rate and the shortest delay of the links that many links away from
 * the source, and the least latency of the switches behind them. Where all of those are alike, as
 * in every regular fabric, it is each path; otherwise no path is better.
 */
class RocePath
{
  public:
    /** A link and what lies behind it. */
    struct Hop
    {
        uint64_t rateBps{0}; //!< highest rate, bit/s
        /** Rates of all links that one flow may use side by side, bit/s: rateBps where flows keep
         * to one path. */
        uint64_t capacityBps{0};
        uint64_t delay{0};   //!< shortest propagation delay, ticks
        uint64_t latency{0}; //!< least latency of the switch behind it, ticks
    };

    /**
     * \param routes of the Ethernet fabric
     * \param source NIC of the source
     * \param src source, an end point: a rank, or one NIC of several
     * \param dst destination, another one
     */
    RocePath(const RouteTable& routes,
             const RoceNicDevice& source,
             uint32_t src,
             uint32_t dst);

    /** \return the hops, from the source on; none if there is no path */
    const std::vector<Hop>& GetHops() const
    {
        return m_hops;
    }

    /**
     * \return whether packets of one flow that go side by side can be faster than by one path: on
     * links slower than all before them
     */
    bool GainsBySpreading() const;

    /** \return sum of delays and latencies, ticks */
    uint64_t GetDelay() const;

    /** \return switches on the way */
    uint32_t GetSwitchCount() const
    {
        return m_hops.empty() ? 0 : m_hops.size() - 1;
    }

    /**
     * \param source NIC of the source
     * \return round trip of a full packet and its acknowledgement in an idle network, ticks
     */
    uint64_t GetBaseRtt(RoceNicDevice& source) const;

    /**
     * \param source NIC of the source
     * \param [in,out] parameters get what this path tells: switchCount and baseRtt
     */
    void Describe(RoceNicDevice& source, RoceQueuePairParameters& parameters) const;

  private:
    std::vector<Hop> m_hops; //!< from the source on
};

} // namespace ns3

#endif /* ROCE_PATH_H */
