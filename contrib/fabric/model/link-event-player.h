/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LINK_EVENT_PLAYER_H
#define LINK_EVENT_PLAYER_H

#include "fabric-channel.h"
#include "fabric-switch-device.h"
#include "link-event-file.h"

#include "ns3/event-id.h"

#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Lets links of a fabric go down, come up and change their rates by schedule.
 *
 * A cut loses what is on the way and what its ports send on; both ends drop their pauses
 * (FabricPort::SetUp). After the last event of a point in time the routes are computed anew without
 * the links that are down, and every switch gets them at once: frames that come later go around the
 * cut, or are dropped and counted where no path is left. What is queued before a cut link is not
 * moved, as in switches, which flush the queue of a dead port. A table of routes never changes;
 * whoever holds the one before keeps it.
 *
 * Not modelled: the time that routing protocols take (switches agree at once).
 */
class LinkEventPlayer
{
  public:
    /** What events act on. */
    struct Fabric
    {
        Topology topology;                             //!< the cluster
        std::vector<Ptr<FabricChannel>> channels;      //!< by link of the topology
        std::vector<Ptr<FabricSwitchDevice>> switches; //!< by node of the topology, or null
        /** Gets new routes, behind the switches: NICs that choose among ports. May be empty. */
        std::function<void(const std::shared_ptr<const RouteTable>&)> rerouted{};
    };

    /** \param fabric whose links they are */
    explicit LinkEventPlayer(Fabric fabric);
    /** Events that are left do not happen. */
    ~LinkEventPlayer();
    LinkEventPlayer(const LinkEventPlayer&) = delete;
    LinkEventPlayer& operator=(const LinkEventPlayer&) = delete;

    /** \param events by time, none before now; replace those that are left */
    void Start(std::vector<LinkEvent> events);

    /** Called for every event when it has happened, if set. */
    std::function<void(const LinkEvent&)> onEvent;

    /** \return events that have not happened yet */
    std::size_t GetPendingCount() const
    {
        return m_events.size() - m_next;
    }

  private:
    /** Schedules the next event, if there is one. */
    void ScheduleNext();
    /** Lets all happen that is due now. */
    void Play();
    /** \param event happens \return whether some link went down or came up */
    bool Apply(const LinkEvent& event);
    /** \param event if it changes rate, losses or bit errors \param port gets them */
    static void Degrade(const LinkEvent& event, FabricPort& port);
    /** \param link a link \param up whether it carries frames from now on */
    void SetUp(uint32_t link, bool up);
    /** Gives all switches the routes of the links that are up. */
    void Reroute();

    Fabric m_fabric;                            //!< what events act on
    std::vector<LinkEvent> m_events;            //!< by time
    std::size_t m_next{0};                      //!< first one that has not happened
    EventId m_event;                            //!< at its time
    std::vector<bool> m_down;                   //!< by link
    std::shared_ptr<const RouteTable> m_routes; //!< the present ones
};

} // namespace ns3

#endif /* LINK_EVENT_PLAYER_H */
