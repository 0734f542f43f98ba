/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "packet-network.h"

#include "attribute-relations.h"
#include "packet-audit.h"
#include "packet-recorder.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/nvlink-helper.h"
#include "ns3/roce-wire.h"
#include "ns3/routed-message-transport.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PacketNetwork);

TypeId
PacketNetwork::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PacketNetwork")
                            .SetParent<ClusterNetwork>()
                            .SetGroupName("Railyard")
                            .AddConstructor<PacketNetwork>();
    return tid;
}

PacketNetwork::PacketNetwork() = default;
PacketNetwork::~PacketNetwork() = default;

void
PacketNetwork::DoBuild()
{
    m_context = Create<FabricContext>();
    m_deadlocks = CreateObject<PfcDeadlockDetector>();
    m_roceTransport = CreateObject<RoceMessageTransport>();
    m_transport = CreateObject<PacketMessageTransport>();
    const Topology& topology = GetTopology();
    RequireRelatedAttributes();
    NvlinkHelper::Validate(topology);
    m_nodes.Create(topology.nodes.size());
    m_roce = RoceHelper().Install(topology, m_nodes, m_context);
    m_roce.AssignStreams(1);
    m_deadlocks->Start(m_context, m_roce.switches);
    m_roceTransport->SetNics(m_roce.nics, m_roce.routes);
    const auto routes = std::make_shared<const RouteTable>(topology, TopologyLinkKind::NVLINK);
    m_nvlink = NvlinkHelper().Install(topology, m_nodes, m_context, routes);
    const auto reduction = CreateObject<RoceReductionTransport>();
    reduction->SetDevices(m_roce.nics, m_roce.switches, m_roce.routes);
    m_transport->SetTransports(m_roceTransport,
                               NvlinkHelper::CreateTransport(topology, m_nvlink, routes),
                               reduction);
}

void
PacketNetwork::DoDispose()
{
    if (m_transport)
    {
        m_transport->Dispose();
    }
    ClusterNetwork::DoDispose();
}

bool
PacketNetwork::UsesAttribute(const std::string& attribute) const
{
    const TypeId type = TypeId::LookupByName(attribute.substr(0, attribute.rfind("::")));
    return !type.IsChildOf(RoutedMessageTransport::GetTypeId()); // without packets
}

bool
PacketNetwork::UsesLoadBalancer() const
{
    return true;
}

bool
PacketNetwork::HasPackets() const
{
    return true;
}

Ptr<NetworkMessageTransport>
PacketNetwork::GetTransport() const
{
    return m_transport;
}

const FabricEngine&
PacketNetwork::GetEngine() const
{
    return m_context->engine;
}

void
PacketNetwork::StartRecording(ResultSink& sink) const
{
    PacketRecorder(*this, sink).TracePauses();
}

void
PacketNetwork::RecordLinks(ResultSink& sink) const
{
    PacketRecorder(*this, sink).RecordLinks();
}

uint64_t
PacketNetwork::GetPacketHops() const
{
    return m_context->counters.packetHops;
}

Time
PacketNetwork::GetIdealTime(const Message& message) const
{
    return m_roceTransport->GetIdealTime(message, IsCutThrough());
}

uint64_t
PacketNetwork::GetRetransmissions(uint32_t src, uint32_t dst, uint32_t channel) const
{
    return m_roceTransport->GetChannelState(src, dst, channel).retransmittedPackets;
}

uint32_t
PacketNetwork::GetTopologyId(Ptr<Node> node) const
{
    return node->GetId() - m_nodes.Get(0)->GetId();
}

bool
PacketNetwork::IsCutThrough() const
{
    return std::any_of(m_roce.switches.begin(), m_roce.switches.end(), [](const auto& device) {
        BooleanValue cutThrough(false);
        if (device)
        {
            device->GetAttribute("CutThrough", cutThrough);
        }
        return cutThrough.Get();
    });
}

std::vector<std::string>
PacketNetwork::GetWarnings() const
{
    return m_roce.GetWarnings();
}

std::vector<const FabricDevice*>
PacketNetwork::GetEthernetDevices() const
{
    std::vector<const FabricDevice*> devices;
    for (uint32_t id = 0; id < GetTopology().nodes.size(); id++)
    {
        if (id < m_roce.nics.size() && m_roce.nics[id] && m_roce.nics[id]->GetRank() == id)
        {
            devices.push_back(PeekPointer(m_roce.nics[id]));
        }
        if (m_roce.switches[id])
        {
            devices.push_back(PeekPointer(m_roce.switches[id]));
        }
    }
    return devices;
}

std::vector<const FabricDevice*>
PacketNetwork::GetNvlinkDevices() const
{
    std::vector<const FabricDevice*> devices;
    for (uint32_t i = 0; i < m_nvlink.GetN(); i++)
    {
        devices.push_back(PeekPointer(DynamicCast<FabricDevice>(m_nvlink.Get(i))));
    }
    return devices;
}

NetworkSummary
PacketNetwork::GetSummary() const
{
    const FabricCounters& counters = m_context->counters;
    NetworkSummary network;
    network.packets = counters.packets;
    network.packetHops = counters.packetHops;
    network.payloadBytesDelivered = counters.payloadBytesDelivered;
    network.payloadBytesOffloaded = m_transport->GetVolume().offloaded;
    network.drops = counters.drops;
    network.linkLosses = counters.linkLosses;
    network.linkCorruptions = counters.linkCorruptions;
    network.ecnMarks = counters.ecnMarks;
    network.cnps = counters.cnps;
    network.pfcPauses = counters.pfcPauses;
    network.pfcResumes = counters.pfcResumes;
    network.retransmittedPackets = counters.retransmittedPackets;
    network.timeouts = counters.timeouts;
    network.fabrics = {SumUp("ethernet", GetEthernetDevices()),
                       SumUp("nvlink", GetNvlinkDevices())};
    return network;
}

FabricSummary
PacketNetwork::SumUp(const std::string& name, const std::vector<const FabricDevice*>& devices) const
{
    FabricSummary sum;
    sum.name = name;
    for (const FabricDevice* device : devices)
    {
        for (uint32_t i = 0; i < device->GetPortCount(); i++)
        {
            const FabricPortCounters counters = device->GetPort(i).GetCounters();
            sum.dataPacketHops += counters.packets[static_cast<size_t>(FrameClass::DATA)];
            sum.ackPacketHops += counters.packets[static_cast<size_t>(FrameClass::ACK)];
            sum.controlPacketHops += counters.packets[static_cast<size_t>(FrameClass::CONTROL)];
            sum.wireBytes +=
                std::accumulate(counters.wireBytes.begin(), counters.wireBytes.end(), uint64_t(0));
        }
    }
    return sum;
}

std::string
PacketNetwork::FindLostBytes(bool finished) const
{
    const PacketVolume volume = m_transport->GetVolume();
    const uint64_t delivered = m_context->counters.payloadBytesDelivered;
    std::ostringstream text;
    text << "messages of " << volume.sent << " bytes were sent, of " << volume.received
         << " bytes arrived, " << volume.arrived << " bytes reached their receivers, packets "
         << "delivered " << delivered << " bytes";
    const bool arrived = volume.arrived == delivered && volume.received <= delivered;
    const bool ended = !finished || (volume.sent == volume.received && volume.sent == delivered);
    if (!volume.excess.empty())
    {
        return volume.excess;
    }
    return arrived && delivered <= volume.sent && ended ? "" : text.str();
}

std::string
PacketNetwork::FindLostPackets() const
{
    return PacketAudit(*this).FindLost();
}

std::vector<std::string>
PacketNetwork::GetNotes() const
{
    std::vector<std::string> lines = m_roce.GetNotes();
    const FabricCounters& counters = m_context->counters;
    if (2 * counters.pfcRefreshes > counters.packets)
    {
        lines.push_back(std::to_string(counters.pfcRefreshes) + " of " +
                        std::to_string(counters.packets) +
                        " packets are refreshes of PAUSE: ports were paused for long");
    }
    for (const auto& more : {m_roce.DescribeStorms(), DescribeHeaders()})
    {
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

std::vector<std::string>
PacketNetwork::DescribeDeadlocks() const
{
    return m_deadlocks->Describe();
}

std::vector<std::string>
PacketNetwork::DescribePauses() const
{
    constexpr std::size_t MOST = 16;
    return m_roce.DescribePauses(MOST);
}

std::vector<std::string>
PacketNetwork::DescribeHeaders() const
{
    std::vector<std::string> lines;
    for (const auto& nic : m_roce.nics)
    {
        if (nic)
        {
            const uint32_t mtu = nic->GetMtuBytes();
            const uint32_t wire = RoceWire::FullFrameBytes(mtu) + nic->GetPort(0).GetGapBytes();
            lines.push_back(DescribeRoceHeaders(mtu, wire - mtu));
            break;
        }
    }
    for (uint32_t i = 0; i < m_nvlink.GetN(); i++)
    {
        if (const auto gpu = DynamicCast<NvlinkDevice>(m_nvlink.Get(i)))
        {
            UintegerValue header;
            UintegerValue payload;
            gpu->GetAttribute("HeaderBytes", header);
            gpu->GetAttribute("HeaderPayloadBytes", payload);
            if (header.Get() == 0)
            {
                break;
            }
            lines.push_back(DescribeNvlinkHeaders(payload.Get(), header.Get()));
            break;
        }
    }
    return lines;
}

} // namespace ns3
