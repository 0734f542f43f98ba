/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef REORDERING_CHECK_H
#define REORDERING_CHECK_H

#include "ns3/load-balancer.h"
#include "ns3/roce-nic-device.h"
#include "ns3/roce-switch-device.h"
#include "ns3/route-table.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Whether packets of a flow go by several ways to receivers that take that for loss.
 *
 * Where NICs or switches choose a port for every packet, packets overtake each other. A receiver
 * with go-back-N refuses those that are early, and the sender sends all of them again; with
 * selective repeat the sender repeats those that are late. Both slow down as if packets were lost,
 * up to a thousand times, unless LossRecovery::ReorderWindow covers the difference of the paths.
 */
class ReorderingCheck
{
  public:
    /**
     * \param nics each once
     * \param switches by node, some may be null; must outlive the check
     * \param routes by which they forward; must outlive the check
     */
    ReorderingCheck(const std::vector<Ptr<RoceNicDevice>>& nics,
                    const std::vector<Ptr<RoceSwitchDevice>>& switches,
                    const RouteTable& routes);

    /**
     * \return a line if NICs choose a port for every packet and tolerate no reordering; a line if
     * switches with several ports to choose from do so and packets were sent again. With a reorder
     * window these say nothing where packets were lost, too: it may be right; without one they have
     * to be told apart by the numbers in the line
     */
    std::vector<std::string> GetWarnings() const;

  private:
    /** \return the balancer of the first switch that lets packets of a flow overtake, or null */
    Ptr<LoadBalancer> FindBalancer() const;
    /** \return a NIC that has queue pairs, the first one if none has */
    const RoceNicDevice& FindUsedNic() const;
    /** \return data frames that NICs have sent, repeated ones included */
    uint64_t CountDataFrames() const;
    /** \param node a switch \return whether it has several ports towards some NIC */
    bool HasChoice(uint32_t node) const;
    /**
     * \param balancer of switches that reorder
     * \return what to say of the frames that were sent again, or nothing
     */
    std::string DescribeRepeats(const LoadBalancer& balancer) const;

    const std::vector<Ptr<RoceNicDevice>> m_nics;         //!< each once
    const std::vector<Ptr<RoceSwitchDevice>>& m_switches; //!< by node, some may be null
    const RouteTable& m_routes;                           //!< by which they forward
};

} // namespace ns3

#endif /* REORDERING_CHECK_H */
