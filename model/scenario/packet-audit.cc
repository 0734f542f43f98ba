/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-audit.h"

#include "ns3/node.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

PacketAudit::PacketAudit(const PacketNetwork& network)
    : m_network(network)
{
}

PacketAudit::FrameVolume
PacketAudit::CountEnded(const FabricDevice& device) const
{
    FrameVolume volume;
    for (uint32_t i = 0; i < device.GetPortCount(); i++)
    {
        const FabricPort& port = device.GetPort(i);
        const FabricPortCounters counters = port.GetCounters();
        const uint32_t peer = m_network.GetTopologyId(port.GetPeer()->GetOwner()->GetNode());
        if (m_network.GetTopology().nodes[peer].kind == TopologyNodeKind::GPU)
        {
            volume.frames += std::accumulate(counters.packets.begin(),
                                             counters.packets.end(),
                                             uint64_t(0)) -
                             counters.lost;
            continue;
        }
        uint64_t pauses = 0; // only these end at a switch
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            const FabricPriorityCounters own = port.GetPriorityCounters(priority);
            pauses += own.pausesSent + own.resumesSent;
        }
        volume.frames += pauses;
        volume.uncertain += std::min(pauses, counters.lost);
    }
    return volume;
}

std::string
PacketAudit::FindLost() const
{
    FrameVolume ended;
    for (const auto& devices : {m_network.GetEthernetDevices(), m_network.GetNvlinkDevices()})
    {
        for (const FabricDevice* device : devices)
        {
            const FrameVolume volume = CountEnded(*device);
            ended.frames += volume.frames;
            ended.uncertain += volume.uncertain;
        }
    }
    const FabricCounters& counters = m_network.GetContext().counters;
    const uint64_t underWay = m_network.GetContext().pool.GetInUse(); // of them some at their last port
    const uint64_t accounted =
        ended.frames + counters.combined + counters.drops + counters.linkLosses;
    if (accounted <= counters.packets + ended.uncertain &&
        counters.packets <= accounted + underWay)
    {
        return "";
    }
    std::ostringstream text;
    text << counters.packets << " packets were created, " << ended.frames << " arrived, "
         << counters.combined << " were added to others, " << counters.drops
         << " were dropped, " << counters.linkLosses << " lost on links, and " << underWay << " are under way";
    return text.str();
}

} // namespace ns3
