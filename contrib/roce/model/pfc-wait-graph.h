/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PFC_WAIT_GRAPH_H
#define PFC_WAIT_GRAPH_H

#include "roce-switch-device.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Who pauses whom at one moment, reduced to what cannot end by itself.
 *
 * An egress class of a port is held if its peer pauses it and it has frames queued. It is stuck if
 * the peer is a switch whose ingress class, which asked for the pause, is stuck, or a host that has
 * paused it for a long time without a break (a storm). An ingress class is stuck if all of its
 * frames wait in egress classes that are stuck: none of them leaves, and only a frame of its own
 * that leaves can end its pause. What satisfies all of this is found by leaving out, again and
 * again, what does not. If anything is left it holds a cyclic buffer dependency, that is a
 * deadlock, or a storm; on links that lose no frames a deadlock lasts for ever.
 *
 * Ports whose PFC watchdog is on count as free: the watchdog will free them.
 */
class PfcWaitGraph
{
  public:
    /**
     * Looks, and changes nothing.
     * \param switches all switches of the fabric; null pointers are passed over
     * \param now ticks
     * \param stormTicks pause of a host that counts as a storm
     */
    PfcWaitGraph(const std::vector<Ptr<RoceSwitchDevice>>& switches,
                 uint64_t now,
                 uint64_t stormTicks);

    /** \return whether something cannot end by itself */
    bool IsStuck() const
    {
        return !m_queues.empty();
    }

    /**
     * \return a line for every deadlock, with the ports of its cycle, each paused by the switch
     * that follows; and for every storm, with the host
     */
    std::vector<std::string> Describe() const;

  private:
    /** An egress class that is paused and has frames queued. */
    struct Queue
    {
        uint32_t device{0};                     //!< number of the switch
        uint32_t priority{0};                   //!< class
        const FabricPort* port{nullptr};        //!< egress port
        uint64_t pausedTicks{0};                //!< how long without a break
        std::map<uint32_t, uint64_t> bytesFrom; //!< what is queued, by ingress port
    };

    /** An ingress class whose peer is told to pause. */
    struct Group
    {
        uint64_t occupied{0}; //!< bytes in the packet memory
        uint64_t held{0};     //!< of them in egress classes that may be stuck
    };

    /** Switch, ingress port, class. */
    using GroupKey = std::tuple<uint32_t, uint32_t, uint32_t>;

    /** \param device number of a switch \param now ticks; adds what is held and who pauses */
    void Add(uint32_t device, uint64_t now);
    /** Adds up Group::held and leaves out the groups that some frame can leave. */
    void ReduceGroups();
    /** \return the number of queues left out, as nobody who is stuck pauses them */
    std::size_t ReduceQueues();
    /** \param queue an egress class \return who pauses it, if that is a switch that is stuck */
    std::map<GroupKey, Group>::const_iterator FindPauser(const Queue& queue) const;
    /** \param queue an egress class \return whether its peer is no switch */
    bool IsPausedByHost(const Queue& queue) const;
    /** \param queue a stuck egress class that a switch pauses \return one that this waits for */
    std::size_t GetNext(const Queue& queue) const;
    /** \param cycle places of its egress classes \return a line */
    std::string DescribeCycle(const std::vector<std::size_t>& cycle) const;
    /** \param port a port \return its name */
    static std::string GetPortName(const FabricPort& port);

    const std::vector<Ptr<RoceSwitchDevice>>& m_switches; //!< as given
    std::map<const FabricDevice*, uint32_t> m_numbers;    //!< of switches; for look-up alone
    uint64_t m_stormTicks;                                //!< as given
    std::vector<Queue> m_queues;                          //!< that may be stuck
    std::map<GroupKey, Group> m_groups;                   //!< that may be stuck
};

} // namespace ns3

#endif /* PFC_WAIT_GRAPH_H */
