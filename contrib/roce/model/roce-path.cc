/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-path.h"

#include "ns3/fabric-switch-device.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

/** \ingroup roce \brief A device on some path. */
struct Place
{
    uint32_t node;              //!< its node
    const FabricDevice* device; //!< the device

    /** \param o another one \return whether this one comes first */
    bool operator<(const Place& o) const
    {
        return node < o.node;
    }

    /** \param o another one \return whether they are the same */
    bool operator==(const Place& o) const
    {
        return node == o.node;
    }
};

/** \param device a device \return time that a frame takes through it, ticks */
uint64_t
GetLatency(const FabricDevice* device)
{
    const auto* hub = dynamic_cast<const FabricSwitchDevice*>(device);
    return hub ? hub->GetLatency().GetTimeStep() : 0;
}

/** \param device a device \return whether it sends frames of one flow by several ports */
bool
SpreadsFlows(const FabricDevice* device)
{
    const auto* hub = dynamic_cast<const FabricSwitchDevice*>(device);
    return hub && hub->SpreadsFlows();
}

} // namespace

RocePath::RocePath(const RouteTable& routes,
                   const RoceNicDevice& source,
                   uint32_t src,
                   uint32_t dst)
{
    std::vector<Place> here{{src, &source}};
    std::vector<Place> next;
    const uint32_t end = routes.GetPlace(dst);
    bool spread = false; // some device before has spread the flow
    while (!here.empty() && (m_hops.empty() || here.front().node != end))
    {
        constexpr uint64_t MAX = std::numeric_limits<uint64_t>::max();
        Hop hop{0, 0, MAX, MAX};
        uint64_t sumBps = 0; // over all places
        next.clear();
        bool spreadsHere = false;
        for (const Place& place : here)
        {
            const bool spreads = place.device == &source ? source.GetWidth(src, dst) > 1
                                                         : SpreadsFlows(place.device);
            uint64_t bestBps = 0; // of this place
            for (const uint16_t index : routes.NextPorts(place.node, dst))
            {
                const FabricPort& port = place.device->GetPort(index);
                hop.rateBps = std::max(hop.rateBps, port.GetLink().rateBps);
                hop.delay = std::min(hop.delay, port.GetLink().delay);
                const uint64_t rateBps = port.GetLink().rateBps;
                bestBps = spreads ? bestBps + rateBps : std::max(bestBps, rateBps);
                next.push_back({routes.GetPeer(routes.GetPlace(place.node), index),
                                port.GetPeer()->GetOwner()});
            }
            sumBps += bestBps;
            hop.capacityBps = std::max(hop.capacityBps, bestBps);
            spreadsHere = spreadsHere || spreads;
        }
        hop.capacityBps = spread ? sumBps : hop.capacityBps;
        spread = spread || spreadsHere;
        std::sort(next.begin(), next.end());
        next.erase(std::unique(next.begin(), next.end()), next.end());
        for (const Place& place : next)
        {
            hop.latency = std::min(hop.latency, GetLatency(place.device));
        }
        if (!next.empty())
        {
            m_hops.push_back(hop);
        }
        here.swap(next);
    }
}

bool
RocePath::GainsBySpreading() const
{
    uint64_t slowestBps = std::numeric_limits<uint64_t>::max();
    for (const Hop& hop : m_hops)
    {
        if (hop.capacityBps > hop.rateBps && hop.rateBps < slowestBps)
        {
            return true;
        }
        slowestBps = std::min(slowestBps, hop.rateBps);
    }
    return false;
}

uint64_t
RocePath::GetDelay() const
{
    uint64_t delay = 0;
    for (const Hop& hop : m_hops)
    {
        delay += hop.delay + hop.latency;
    }
    return delay;
}

uint64_t
RocePath::GetBaseRtt(RoceNicDevice& source) const
{
    const uint32_t gap = source.GetPort(0).GetGapBytes();
    const uint32_t telemetry =
        source.GetNeeds().telemetry ? RoceWire::TelemetryBytes(GetSwitchCount()) : 0;
    const uint64_t bytes = RoceWire::FullFrameBytes(source.GetMtuBytes(), telemetry) +
                           RoceWire::FrameBytes(RoceOpcode::ACKNOWLEDGE, 0, telemetry) + 2 * gap;
    uint64_t ticks = 2 * GetDelay();
    for (const Hop& hop : m_hops)
    {
        ticks += LinkClock(hop.rateBps, FabricEngine::GetTicksPerSecond()).TicksFor(bytes);
    }
    return ticks;
}

void
RocePath::Describe(RoceNicDevice& source, RoceQueuePairParameters& parameters) const
{
    parameters.switchCount = GetSwitchCount();
    parameters.baseRtt = GetBaseRtt(source);
}

} // namespace ns3
