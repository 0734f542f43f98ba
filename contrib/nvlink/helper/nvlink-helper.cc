/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-helper.h"

#include "ns3/abort.h"
#include "ns3/config-error.h"
#include "ns3/fabric-channel.h"
#include "ns3/node.h"
#include "ns3/nvswitch-device.h"

#include <sstream>
#include <vector>

namespace ns3
{

NvlinkHelper::NvlinkHelper()
{
    m_device.SetTypeId(NvlinkDevice::GetTypeId());
    m_switch.SetTypeId(NvSwitchDevice::GetTypeId());
}

void
NvlinkHelper::SetDeviceAttribute(const std::string& name, const AttributeValue& value)
{
    m_device.Set(name, value);
}

void
NvlinkHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
NvlinkHelper::Validate(const Topology& topology)
{
    for (const TopologyLink& link : topology.links)
    {
        if (link.kind != TopologyLinkKind::NVLINK)
        {
            continue;
        }
        const std::string place = "NVLink between " + topology.GetNodeName(link.a) + " and " +
                                  topology.GetNodeName(link.b);
        if (link.rate.GetBitRate() == 0)
        {
            throw ConfigError(topology.source, place, "rate 0", "a rate above 0");
        }
        if (link.lossRate > 0 || link.bitErrorRate > 0)
        {
            std::ostringstream value;
            value << "loss rate " << link.lossRate << ", bit error rate " << link.bitErrorRate;
            throw ConfigError(topology.source, place, value.str(), "0: NVLink is lossless");
        }
        for (const uint32_t end : {link.a, link.b})
        {
            if (topology.nodes[end].kind == TopologyNodeKind::SWITCH)
            {
                throw ConfigError(topology.source,
                                  place,
                                  topology.GetNodeName(end) + ", a network switch",
                                  "a GPU, an NVSwitch or a PCIe switch at both ends");
            }
        }
    }
}

uint64_t
NvlinkHelper::GetMaxFrameBytes() const
{
    const uint64_t bytes = m_device.Create<NvlinkDevice>()->GetMaxFrameBytes();
    if (bytes > LinkClock::MAX_FRAME_BYTES)
    {
        throw ConfigError("ns3::NvlinkDevice",
                          "Granularity",
                          std::to_string(bytes) + " bytes with headers",
                          "at most " + std::to_string(LinkClock::MAX_FRAME_BYTES));
    }
    return bytes;
}

std::vector<Ptr<FabricDevice>>
NvlinkHelper::CreateDevices(const Topology& topology,
                            const NodeContainer& nodes,
                            Ptr<FabricContext> context,
                            const std::shared_ptr<const RouteTable>& routes) const
{
    const uint64_t maxFrameBytes = GetMaxFrameBytes();
    const auto ports = topology.GetPorts(TopologyLinkKind::NVLINK);
    std::vector<Ptr<FabricDevice>> devices(topology.nodes.size());
    for (uint32_t i = 0; i < devices.size(); i++)
    {
        if (ports[i].empty())
        {
            continue;
        }
        if (topology.nodes[i].kind == TopologyNodeKind::GPU)
        {
            auto gpu = m_device.Create<NvlinkDevice>();
            gpu->SetRoutes(routes, i);
            devices[i] = gpu;
        }
        else
        {
            auto nvswitch = m_switch.Create<NvSwitchDevice>();
            nvswitch->SetRoutes(routes, i);
            nvswitch->SetMaxFrameBytes(maxFrameBytes);
            nvswitch->SetOffload(topology.nodes[i].offload);
            devices[i] = nvswitch;
        }
        devices[i]->SetFabric(context);
        nodes.Get(i)->AddDevice(devices[i]);
    }
    return devices;
}

NetDeviceContainer
NvlinkHelper::Install(const Topology& topology,
                      const NodeContainer& nodes,
                      Ptr<FabricContext> context,
                      const std::shared_ptr<const RouteTable>& routes) const
{
    Validate(topology);
    NS_ABORT_MSG_IF(nodes.GetN() < topology.nodes.size(),
                    "the topology has " << topology.nodes.size() << " nodes, " << nodes.GetN()
                                        << " were given");
    const auto byNode = CreateDevices(topology, nodes, context, routes);
    for (const TopologyLink& link : topology.links)
    {
        if (link.kind == TopologyLinkKind::NVLINK)
        {
            FabricLinkParameters parameters;
            parameters.rateBps = link.rate.GetBitRate();
            parameters.delay = link.delay.GetTimeStep();
            FabricChannel::Connect(byNode[link.a], byNode[link.b], parameters);
        }
    }
    NetDeviceContainer devices;
    for (const auto& device : byNode)
    {
        if (!device)
        {
            continue;
        }
        if (auto nvswitch = DynamicCast<NvSwitchDevice>(device))
        {
            nvswitch->Configure();
        }
        devices.Add(device);
    }
    return devices;
}

Ptr<NvlinkMessageTransport>
NvlinkHelper::CreateTransport(const Topology& topology,
                              const NetDeviceContainer& devices,
                              const std::shared_ptr<const RouteTable>& routes)
{
    const auto teams = std::make_shared<RankTeams>();
    std::vector<Ptr<NvlinkDevice>> byRank(topology.GetGpuCount());
    for (uint32_t i = 0; i < devices.GetN(); i++)
    {
        if (auto device = DynamicCast<NvlinkDevice>(devices.Get(i)))
        {
            byRank.at(device->GetRank()) = device;
        }
        else if (auto nvswitch = DynamicCast<NvSwitchDevice>(devices.Get(i)))
        {
            nvswitch->SetTeams(teams);
        }
    }
    auto transport = CreateObject<NvlinkMessageTransport>();
    transport->SetTeams(teams);
    transport->SetDevices(routes, byRank);
    return transport;
}

} // namespace ns3
