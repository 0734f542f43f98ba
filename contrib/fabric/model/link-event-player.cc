/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "link-event-player.h"

#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

LinkEventPlayer::LinkEventPlayer(Fabric fabric)
    : m_fabric(std::move(fabric)),
      m_down(m_fabric.topology.links.size()),
      m_routes(std::make_shared<const RouteTable>(m_fabric.topology, TopologyLinkKind::ETHERNET))
{
}

LinkEventPlayer::~LinkEventPlayer()
{
    m_event.Cancel();
}

void
LinkEventPlayer::Start(std::vector<LinkEvent> events)
{
    m_event.Cancel();
    m_events = std::move(events);
    m_next = 0;
    ScheduleNext();
}

void
LinkEventPlayer::ScheduleNext()
{
    if (m_next < m_events.size())
    {
        m_event = Simulator::Schedule(m_events[m_next].when - Simulator::Now(),
                                      &LinkEventPlayer::Play,
                                      this);
    }
}

void
LinkEventPlayer::Play()
{
    bool cutOrMended = false;
    bool rerouted = false; // or another rate, which changes what ports are worth
    while (m_next < m_events.size() && m_events[m_next].when <= Simulator::Now())
    {
        const LinkEvent& event = m_events[m_next++];
        cutOrMended |= Apply(event);
        rerouted |= event.change != LinkChange::LOSS && event.change != LinkChange::BIT_ERRORS;
        if (onEvent)
        {
            onEvent(event);
        }
    }
    if (cutOrMended)
    {
        m_routes = std::make_shared<const RouteTable>(m_fabric.topology,
                                                      TopologyLinkKind::ETHERNET,
                                                      m_down);
    }
    if (rerouted)
    {
        Reroute();
    }
    ScheduleNext();
}

bool
LinkEventPlayer::Apply(const LinkEvent& event)
{
    bool changed = false;
    for (const uint32_t link : event.links)
    {
        const bool down = event.change == LinkChange::DOWN;
        if ((down || event.change == LinkChange::UP) && m_down[link] != down)
        {
            m_down[link] = down;
            SetUp(link, !down);
            changed = true;
        }
        Degrade(event, *m_fabric.channels[link]->GetPort(0));
        Degrade(event, *m_fabric.channels[link]->GetPort(1));
    }
    return changed;
}

void
LinkEventPlayer::Degrade(const LinkEvent& event, FabricPort& port)
{
    switch (event.change)
    {
    case LinkChange::RATE:
        port.SetRate(event.rate.GetBitRate(), Simulator::Now().GetTimeStep());
        break;
    case LinkChange::LOSS:
        port.SetLossRate(event.probability);
        break;
    case LinkChange::BIT_ERRORS:
        port.SetBitErrorRate(event.probability);
        break;
    case LinkChange::DOWN:
    case LinkChange::UP:
        break;
    }
}

void
LinkEventPlayer::SetUp(uint32_t link, bool up)
{
    const FabricChannel& channel = *m_fabric.channels[link];
    const uint64_t now = Simulator::Now().GetTimeStep();
    channel.GetPort(0)->SetUp(up, now);
    channel.GetPort(1)->SetUp(up, now);
    for (uint32_t end = 0; up && end < 2; end++)
    {
        FabricPort& port = *channel.GetPort(end);
        port.GetOwner()->LinkMended(port);
    }
}

void
LinkEventPlayer::Reroute()
{
    for (uint32_t node = 0; node < m_fabric.switches.size(); node++)
    {
        if (m_fabric.switches[node])
        {
            m_fabric.switches[node]->SetRoutes(m_routes, node);
        }
    }
    if (m_fabric.rerouted)
    {
        m_fabric.rerouted(m_routes);
    }
}

} // namespace ns3
