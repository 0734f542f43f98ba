/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-helper.h"

#include "reordering-check.h"
#include "traffic-class-check.h"

#include "ns3/abort.h"
#include "ns3/result-format.h"
#include "ns3/roce-wire.h"

namespace ns3
{

int64_t
RoceFabric::AssignStreams(int64_t stream) const
{
    const int64_t first = stream;
    for (const auto& nic : GetNics())
    {
        stream += nic->AssignStreams(stream);
    }
    for (const auto& device : switches)
    {
        stream += device ? device->AssignStreams(stream) : 0;
    }
    return stream - first;
}

std::vector<Ptr<RoceNicDevice>>
RoceFabric::GetNics() const
{
    std::vector<Ptr<RoceNicDevice>> each;
    for (uint32_t rank = 0; rank < nics.size(); rank++)
    {
        if (nics[rank] && nics[rank]->GetRank() == rank)
        {
            each.push_back(nics[rank]);
        }
    }
    return each;
}

void
RoceFabric::SetNicRoutes(const std::shared_ptr<const RouteTable>& present) const
{
    for (const auto& nic : GetNics())
    {
        nic->SetRoutes(present);
    }
}

std::vector<std::string>
RoceFabric::GetWarnings() const
{
    std::vector<std::string> lines = ReorderingCheck(GetNics(), switches, *routes).GetWarnings();
    const std::vector<std::string> classes = TrafficClassCheck(GetNics(), switches).GetWarnings();
    lines.insert(lines.end(), classes.begin(), classes.end());
    return lines;
}

std::vector<std::string>
RoceFabric::GetNotes() const
{
    Ptr<RoceSwitchDevice> largest;
    for (const auto& device : switches)
    {
        if (device && device->IsBufferScaled() &&
            (!largest || device->GetBufferBytes() > largest->GetBufferBytes()))
        {
            largest = device;
        }
    }
    if (!largest)
    {
        return {};
    }
    return {"packet memory grows with ports and headroom: " + largest->GetName() + " has " +
            std::to_string(largest->GetBufferBytes()) +
            " bytes (attribute ns3::RoceSwitchDevice::BufferBytes)"};
}

std::vector<std::string>
RoceFabric::DescribeStorms() const
{
    uint64_t storms = 0;
    uint64_t discards = 0;
    std::string first;
    uint64_t begin = UINT64_MAX;
    for (const auto& device : switches)
    {
        if (!device || device->GetWatchdog().GetStorms().empty())
        {
            continue;
        }
        const PfcWatchdog::Storm& storm = device->GetWatchdog().GetStorms().front();
        storms += device->GetWatchdog().GetStorms().size();
        if (storm.begin < begin)
        {
            begin = storm.begin;
            first = device->GetName() + " port " + std::to_string(storm.port) + " class " +
                    std::to_string(storm.priority) + " at " + FormatDuration(TimeStep(begin));
        }
        for (uint32_t i = 0; i < device->GetPortCount(); i++)
        {
            for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
            {
                discards += device->GetPort(i).GetPriorityCounters(priority).watchdogDiscards;
            }
        }
    }
    if (!storms)
    {
        return {};
    }
    return {"PFC watchdogs freed stuck classes of ports " + std::to_string(storms) +
            " times, first " + first + ", and discarded " + std::to_string(discards) + " packets"};
}

bool
RoceFabric::IsStillPaused(const FabricPort& port, uint32_t priority)
{
    if (!(port.GetPausedMask() >> priority & 1))
    {
        return false;
    }
    const FabricPort& peer = *port.GetPeer();
    const auto* device = dynamic_cast<const RoceSwitchDevice*>(peer.GetOwner());
    return !device || device->IsPausing(peer.GetIndex(), priority);
}

std::vector<std::string>
RoceFabric::DescribePauses(std::size_t limit) const
{
    std::vector<std::string> lines;
    std::size_t more = 0;
    const auto add = [&](const FabricDevice& device) {
        for (uint32_t i = 0; i < device.GetPortCount(); i++)
        {
            const FabricPort& port = device.GetPort(i);
            for (uint32_t mask = port.GetPausedMask(); mask; mask &= mask - 1)
            {
                const uint32_t priority = __builtin_ctz(mask);
                if (!IsStillPaused(port, priority))
                {
                    continue;
                }
                const Time since = TimeStep(port.GetPriorityCounters(priority).pausedSince);
                if (lines.size() == limit)
                {
                    more++;
                    continue;
                }
                lines.push_back(device.GetName() + " port " + std::to_string(i) +
                                " is still paused in class " + std::to_string(priority) + " by " +
                                port.GetPeer()->GetOwner()->GetName() + ", since " +
                                FormatDuration(since));
            }
        }
    };
    for (const auto& device : switches)
    {
        device ? add(*device) : void();
    }
    for (const auto& nic : GetNics())
    {
        add(*nic);
    }
    if (more)
    {
        lines.push_back(std::to_string(more) +
                        " more ports are still paused: column paused_at_end of table ports");
    }
    return lines;
}

RoceHelper::RoceHelper()
    : m_gapBytes(RoceWire::OVERHEAD)
{
    m_nicFactory.SetTypeId(RoceNicDevice::GetTypeId());
    m_switchFactory.SetTypeId(RoceSwitchDevice::GetTypeId());
}

void
RoceHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    m_nicFactory.Set(name, value);
}

void
RoceHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switchFactory.Set(name, value);
}

void
RoceHelper::SetFrameGap(uint32_t bytes)
{
    m_gapBytes = bytes;
}

RoceFabric
RoceHelper::Install(const Topology& topology,
                    const NodeContainer& nodes,
                    Ptr<FabricContext> context) const
{
    NS_ABORT_MSG_IF(nodes.GetN() != topology.nodes.size(),
                    "the topology has " << topology.nodes.size() << " nodes, the container "
                                        << nodes.GetN());
    RoceFabric fabric;
    fabric.routes = std::make_shared<RouteTable>(topology, TopologyLinkKind::ETHERNET);
    fabric.nics.resize(topology.GetGpuCount());
    fabric.switches.resize(topology.nodes.size());
    fabric.channels.resize(topology.links.size());
    const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
    std::vector<Ptr<FabricDevice>> devices(topology.nodes.size());
    for (uint32_t id = 0; id < topology.nodes.size(); id++)
    {
        if (!ports[id].empty())
        {
            devices[id] = MakeDevice(topology, id, fabric);
            devices[id]->SetFabric(context);
            devices[id]->SetName(topology.GetNodeName(id));
            nodes.Get(id)->AddDevice(devices[id]);
        }
    }
    Link(topology, devices, fabric);
    for (uint32_t rank = 0; rank < fabric.nics.size(); rank++)
    {
        const uint32_t owner = topology.nodes[rank].nicOf;
        if (owner != TopologyNode::NO_ID)
        {
            fabric.nics[rank] = fabric.nics.at(owner);
        }
        else if (fabric.nics[rank])
        {
            fabric.nics[rank]->Configure();
        }
    }
    for (const auto& device : fabric.switches)
    {
        if (device)
        {
            device->Configure();
        }
    }
    return fabric;
}

Ptr<FabricDevice>
RoceHelper::MakeDevice(const Topology& topology, uint32_t id, RoceFabric& fabric) const
{
    if (topology.nodes[id].kind == TopologyNodeKind::GPU)
    {
        fabric.nics[id] = m_nicFactory.Create<RoceNicDevice>();
        fabric.nics[id]->SetRank(id);
        fabric.nics[id]->SetRoutes(fabric.routes);
        return fabric.nics[id];
    }
    fabric.switches[id] = m_switchFactory.Create<RoceSwitchDevice>();
    fabric.switches[id]->SetRoutes(fabric.routes, id);
    return fabric.switches[id];
}

void
RoceHelper::Link(const Topology& topology,
                 const std::vector<Ptr<FabricDevice>>& devices,
                 RoceFabric& fabric) const
{
    for (uint32_t i = 0; i < topology.links.size(); i++)
    {
        const TopologyLink& link = topology.links[i];
        if (link.kind == TopologyLinkKind::ETHERNET)
        {
            const FabricLinkParameters parameters{
                link.rate.GetBitRate(),
                static_cast<uint64_t>(link.delay.GetTimeStep()),
                m_gapBytes,
                link.lossRate,
                link.bitErrorRate};
            fabric.channels[i] =
                FabricChannel::Connect(devices[link.a], devices[link.b], parameters);
        }
    }
}

} // namespace ns3
