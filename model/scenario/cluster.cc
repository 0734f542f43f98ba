/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "cluster.h"

#include "attribute-relations.h"

#include "ns3/boolean.h"
#include "ns3/node.h"
#include "ns3/nvlink-helper.h"
#include "ns3/roce-wire.h"
#include "ns3/simulator.h"
#include "ns3/topology-validator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * \param sink where to record
 * \param node node that sends the frame
 * \param port port it leaves by
 * \param priority the class
 * \param pause PAUSE or RESUME
 */
void
RecordPause(ResultSink* sink, uint32_t node, uint32_t port, uint32_t priority, bool pause)
{
    sink->Record(PauseRecord{Simulator::Now(), node, port, priority, pause});
}

/**
 * \param sink where to record
 * \param name of the switch
 * \param port port whose watchdog found something
 * \param priority the class
 * \param begins a storm, or its end
 */
void
RecordStorm(ResultSink* sink, std::string name, uint32_t port, uint32_t priority, bool begins)
{
    const std::string place =
        name + " port " + std::to_string(port) + " class " + std::to_string(priority);
    sink->Record(EventRecord{Simulator::Now(),
                             begins ? "pfc-storm" : "pfc-storm-end",
                             "PFC watchdog of " + place +
                                 (begins ? " found a storm" : " obeys PFC again")});
}

/**
 * Records the priorities of a port that saw anything.
 * \param sink where to record
 * \param node node id
 * \param port a port of it
 */
void
RecordPriorities(ResultSink& sink, uint32_t node, const FabricPort& port)
{
    for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
    {
        const FabricPriorityCounters counters = port.GetPriorityCounters(priority);
        PortRecord record;
        record.node = node;
        record.port = port.GetIndex();
        record.priority = priority;
        record.pausesSent = counters.pausesSent;
        record.resumesSent = counters.resumesSent;
        record.pausesReceived = counters.pausesReceived;
        record.resumesReceived = counters.resumesReceived;
        record.paused = TimeStep(counters.pausedTicks);
        record.longestPause = TimeStep(counters.longestPauseTicks);
        record.pausedAtEnd = counters.paused;
        record.maxQueueBytes = counters.maxQueueBytes;
        record.ecnMarks = counters.marks;
        record.droppedPackets = counters.drops;
        record.watchdogDiscards = counters.watchdogDiscards;
        if (counters.pausesSent || counters.resumesSent || counters.pausesReceived ||
            counters.resumesReceived || counters.maxQueueBytes || counters.marks ||
            counters.drops || counters.watchdogDiscards)
        {
            sink.Record(record);
        }
    }
}

} // namespace

Cluster::Cluster(const Topology& topology)
    : m_topology(topology),
      m_warnings(RequireValidTopology(topology)),
      m_context(Create<FabricContext>()),
      m_deadlocks(CreateObject<PfcDeadlockDetector>()),
      m_roceTransport(CreateObject<RoceMessageTransport>()),
      m_transport(CreateObject<PacketMessageTransport>())
{
    RequireRelatedAttributes();
    NvlinkHelper::Validate(topology);
    m_nodes.Create(topology.nodes.size());
    m_roce = RoceHelper().Install(topology, m_nodes, m_context);
    m_roce.AssignStreams(1);
    const std::vector<std::string> warnings = m_roce.GetWarnings();
    m_warnings.insert(m_warnings.end(), warnings.begin(), warnings.end());
    m_deadlocks->Start(m_context, m_roce.switches);
    m_roceTransport->SetNics(m_roce.nics, m_roce.routes);
    const auto routes = std::make_shared<const RouteTable>(topology, TopologyLinkKind::NVLINK);
    m_nvlink = NvlinkHelper().Install(topology, m_nodes, m_context, routes);
    m_transport->SetTransports(m_roceTransport,
                               NvlinkHelper::CreateTransport(topology, m_nvlink, routes));
}

Cluster::~Cluster()
{
    m_transport->Dispose();
}

uint32_t
Cluster::GetTopologyId(Ptr<Node> node) const
{
    return node->GetId() - m_nodes.Get(0)->GetId();
}

void
Cluster::RecordTo(ResultSink& sink, uint32_t ranks)
{
    for (uint32_t id = 0; id < m_topology.nodes.size(); id++)
    {
        const TopologyNode& node = m_topology.nodes[id];
        const bool gpu = node.kind == TopologyNodeKind::GPU;
        NodeRecord record;
        record.node = id;
        record.kind = gpu ? "gpu" : node.kind == TopologyNodeKind::NVSWITCH ? "nvswitch" : "switch";
        record.name = m_topology.GetNodeName(id);
        record.server = node.server;
        record.rank = gpu && id < ranks ? static_cast<int32_t>(id) : -1;
        sink.Record(record);
    }
    for (uint32_t id = 0; id < m_roce.switches.size(); id++)
    {
        if (m_roce.switches[id])
        {
            m_roce.switches[id]->TraceConnectWithoutContext(
                "PauseSent",
                MakeBoundCallback(&RecordPause, &sink, id));
            m_roce.switches[id]->TraceConnectWithoutContext(
                "PfcStorm",
                MakeBoundCallback(&RecordStorm, &sink, m_roce.switches[id]->GetName()));
        }
    }
}

bool
Cluster::IsCutThrough() const
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

std::vector<const FabricDevice*>
Cluster::GetEthernetDevices() const
{
    std::vector<const FabricDevice*> devices;
    for (uint32_t id = 0; id < m_topology.nodes.size(); id++)
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
Cluster::GetNvlinkDevices() const
{
    std::vector<const FabricDevice*> devices;
    for (uint32_t i = 0; i < m_nvlink.GetN(); i++)
    {
        devices.push_back(PeekPointer(DynamicCast<FabricDevice>(m_nvlink.Get(i))));
    }
    return devices;
}

void
Cluster::RecordLinks(ResultSink& sink) const
{
    for (const FabricDevice* device : GetEthernetDevices())
    {
        RecordPorts(sink, GetTopologyId(device->GetNode()), *device, "ethernet");
    }
    for (const FabricDevice* device : GetNvlinkDevices())
    {
        RecordPorts(sink, GetTopologyId(device->GetNode()), *device, "nvlink");
    }
}

void
Cluster::RecordPorts(ResultSink& sink,
                     uint32_t node,
                     const FabricDevice& device,
                     const std::string& kind) const
{
    for (uint32_t i = 0; i < device.GetPortCount(); i++)
    {
        const FabricPort& port = device.GetPort(i);
        const FabricPortCounters counters = port.GetCounters();
        constexpr auto DATA = static_cast<size_t>(FrameClass::DATA);
        constexpr auto ACK = static_cast<size_t>(FrameClass::ACK);
        constexpr auto CONTROL = static_cast<size_t>(FrameClass::CONTROL);
        LinkRecord record;
        record.node = node;
        record.port = i;
        record.peer = GetTopologyId(port.GetPeer()->GetOwner()->GetNode());
        record.peerPort = port.GetPeer()->GetIndex();
        record.kind = kind;
        record.rate = DataRate(port.GetLink().rateBps);
        record.window = Simulator::Now();
        record.dataPackets = counters.packets[DATA];
        record.payloadBytes = counters.payloadBytes;
        record.dataWireBytes = counters.wireBytes[DATA];
        record.ackPackets = counters.packets[ACK];
        record.ackWireBytes = counters.wireBytes[ACK];
        record.controlPackets = counters.packets[CONTROL];
        record.controlWireBytes = counters.wireBytes[CONTROL];
        record.ecnMarks = counters.marks;
        record.drops = counters.drops;
        record.losses = counters.lost;
        record.paused = TimeStep(counters.pausedTicks);
        sink.Record(record);
        RecordPriorities(sink, node, port);
    }
}

NetworkSummary
Cluster::GetNetworkSummary() const
{
    const FabricCounters& counters = m_context->counters;
    NetworkSummary network;
    network.packets = counters.packets;
    network.packetHops = counters.packetHops;
    network.payloadBytesDelivered = counters.payloadBytesDelivered;
    network.drops = counters.drops;
    network.linkLosses = counters.linkLosses;
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
Cluster::SumUp(const std::string& name, const std::vector<const FabricDevice*>& devices) const
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
            sum.wireBytes += std::accumulate(counters.wireBytes.begin(),
                                             counters.wireBytes.end(),
                                             uint64_t(0));
        }
    }
    return sum;
}

std::string
Cluster::FindLostBytes(bool finished) const
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

Cluster::FrameVolume
Cluster::CountEnded(const FabricDevice& device) const
{
    FrameVolume volume;
    for (uint32_t i = 0; i < device.GetPortCount(); i++)
    {
        const FabricPort& port = device.GetPort(i);
        const FabricPortCounters counters = port.GetCounters();
        const uint32_t peer = GetTopologyId(port.GetPeer()->GetOwner()->GetNode());
        if (m_topology.nodes[peer].kind == TopologyNodeKind::GPU)
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
Cluster::FindLostPackets() const
{
    FrameVolume ended;
    for (const auto& devices : {GetEthernetDevices(), GetNvlinkDevices()})
    {
        for (const FabricDevice* device : devices)
        {
            const FrameVolume volume = CountEnded(*device);
            ended.frames += volume.frames;
            ended.uncertain += volume.uncertain;
        }
    }
    const FabricCounters& counters = m_context->counters;
    const uint64_t underWay = m_context->pool.GetInUse(); // of them some at their last port
    const uint64_t accounted = ended.frames + counters.drops + counters.linkLosses;
    if (accounted <= counters.packets + ended.uncertain &&
        counters.packets <= accounted + underWay)
    {
        return "";
    }
    std::ostringstream text;
    text << counters.packets << " packets were created, " << ended.frames << " arrived, "
         << counters.drops << " were dropped, " << counters.linkLosses
         << " lost on links, and " << underWay << " are under way";
    return text.str();
}

std::vector<std::string>
Cluster::GetNotes() const
{
    std::vector<std::string> lines = m_roce.GetNotes();
    for (const auto& more : {m_roce.DescribeStorms(), DescribeHeaders()})
    {
        lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
}

std::vector<std::string>
Cluster::DescribeDeadlocks() const
{
    return m_deadlocks->Describe();
}

std::vector<std::string>
Cluster::DescribePauses() const
{
    constexpr std::size_t MOST = 16;
    return m_roce.DescribePauses(MOST);
}

std::vector<std::string>
Cluster::DescribeHeaders() const
{
    std::vector<std::string> lines;
    for (const auto& nic : m_roce.nics)
    {
        if (nic)
        {
            const uint32_t mtu = nic->GetMtuBytes();
            const uint32_t wire = RoceWire::FrameBytes(RoceOpcode::SEND_MIDDLE, mtu) +
                                  nic->GetPort(0).GetLink().gapBytes;
            std::ostringstream line;
            line << "a full RoCE packet carries " << mtu << " bytes of payload and " << wire - mtu
                 << " bytes of headers, check sequences, preamble and gap";
            lines.push_back(line.str());
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
            std::ostringstream line;
            line << "NVLink adds " << header.Get() << " bytes of headers to every " << payload.Get()
                 << " bytes of payload";
            lines.push_back(line.str());
            break;
        }
    }
    return lines;
}

} // namespace ns3
