/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routed-network.h"

#include "attribute-relations.h"

#include "ns3/attribute-text.h"
#include "ns3/ecmp-hash.h"
#include "ns3/nvlink-helper.h"
#include "ns3/roce-wire.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoutedNetwork);

namespace
{

const std::string MTU = "ns3::RoceNicDevice::MtuBytes";                  //!< attribute
const std::string ACK_INTERVAL = "ns3::RoceNicDevice::AckInterval";      //!< attribute
const std::string USE_WRITE = "ns3::RoceMessageTransport::UseWrite";     //!< attribute
const std::string HEADER = "ns3::NvlinkDevice::HeaderBytes";             //!< attribute
const std::string PAYLOAD = "ns3::NvlinkDevice::HeaderPayloadBytes";     //!< attribute
const std::string GRANULARITY = "ns3::NvlinkDevice::Granularity";        //!< attribute
const std::string LEAST = "ns3::NvlinkDevice::MinGranularity";           //!< attribute
const std::string REDUCES = "ns3::RoceSwitchDevice::InNetworkReduction"; //!< attribute
const std::string REDUCTION_TABLE = "ns3::RoceSwitchDevice::ReductionTableBytes";  //!< attribute
const std::string REDUCTION_WINDOW = "ns3::RoceReductionTransport::WindowBytes";   //!< attribute
const std::string LOAD_BALANCER = "ns3::RoceSwitchDevice::LoadBalancer"; //!< attribute

/** Modules whose attributes describe networks of packets, but for those that are listed. */
constexpr std::array<const char*, 3> NETWORK_GROUPS{"Roce", "Nvlink", "Fabric"};

/** \param name full name of an attribute \return its default, a whole number below 2^32 */
uint32_t
GetNumber(const std::string& name)
{
    return static_cast<uint32_t>(AttributeText::GetDefaultUint(name));
}

/** \param framing gets what attributes of switches say \param device class of the switches */
void
AddSwitches(MessageFraming& framing, const std::string& device)
{
    framing.storeAndForward = !AttributeText::GetDefaultBool("ns3::" + device + "::CutThrough");
    framing.switchLatency = AttributeText::GetDefaultTime("ns3::" + device + "::Latency");
}

/** \return framing of NVLink, by the defaults of attributes */
MessageFraming
GetNvlinkFraming()
{
    MessageFraming framing;
    framing.payloadBytes = GetNumber(PAYLOAD);
    framing.headerBytes = GetNumber(HEADER);
    framing.unitBytes = GetNumber(GRANULARITY);
    AddSwitches(framing, "NvSwitchDevice");
    return framing;
}

/** \return what is added to messages that network switches add up, by attributes' defaults */
MessageFraming
GetReductionFraming()
{
    MessageFraming framing = RoutedNetwork::GetRoceFraming();
    framing.headerBytes += RoceWire::IMMEDIATE; // which acknowledges
    framing.messageHeaderBytes = 0;
    framing.ackBytes = 0;
    framing.storeAndForward = true; // a sum is sent when it is there as a whole
    return framing;
}

/** \return whether network switches add up, by attributes' defaults */
bool
HasReductions()
{
    const uint64_t mtu = GetNumber(MTU);
    const uint64_t packets = AttributeText::GetDefaultUint(REDUCTION_WINDOW) / mtu;
    const uint64_t window = std::max<uint64_t>(1, packets);
    return AttributeText::GetDefaultBool(REDUCES) &&
           AttributeText::GetDefaultUint(REDUCTION_TABLE) >= 2 * window * mtu;
}

} // namespace

TypeId
RoutedNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoutedNetwork").SetParent<ClusterNetwork>().SetGroupName("Railyard");
    return tid;
}

RoutedNetwork::RoutedNetwork() = default;
RoutedNetwork::~RoutedNetwork() = default;

MessageFraming
RoutedNetwork::GetRoceFraming()
{
    MessageFraming framing;
    framing.payloadBytes = GetNumber(MTU);
    framing.unitBytes = framing.payloadBytes;
    framing.headerBytes = RoceWire::BASE + RoceWire::OVERHEAD;
    framing.messageHeaderBytes = AttributeText::GetDefaultBool(USE_WRITE) ? RoceWire::RETH : 0;
    framing.alignmentBytes = 4;
    framing.ackBytes = RoceWire::WireBytes(RoceOpcode::ACKNOWLEDGE, 0);
    framing.ackInterval = GetNumber(ACK_INTERVAL);
    AddSwitches(framing, "RoceSwitchDevice");
    return framing;
}

void
RoutedNetwork::DoBuild()
{
    RequireRelatedAttributes();
    NvlinkHelper::Validate(GetTopology());
    MessageRouterSettings settings;
    settings.ethernet = GetRoceFraming();
    settings.nvlink = GetNvlinkFraming();
    settings.teamUnitBytes = GetNumber(LEAST);
    settings.reduction = GetReductionFraming();
    settings.addsUp = [isOn = HasReductions()](const TopologyNode&) { return isOn; };
    settings.spreadEthernet = SpreadsMessages();
    const bool isSharp = AttributeText::GetDefaultBool("ns3::NvSwitchDevice::Sharp");
    settings.offersOffload = [isSharp](const TopologyNode& node) {
        return isSharp && node.offload;
    };
    settings.entropy = [](uint32_t src, uint32_t dst, uint32_t channel) {
        return RoceWire::SourcePort(EcmpHash(src, dst, channel, 0)); // as RoceMessageTransport
    };
    m_transport = CreateTransport();
    m_transport->SetNetwork(GetTopology(), settings);
}

void
RoutedNetwork::DoDispose()
{
    if (m_transport)
    {
        m_transport->Dispose();
    }
    ClusterNetwork::DoDispose();
}

bool
RoutedNetwork::UsesAttribute(const std::string& attribute) const
{
    const std::array<std::string, 18> used{MTU,
                                           REDUCES,
                                           REDUCTION_TABLE,
                                           REDUCTION_WINDOW,
                                           ACK_INTERVAL,
                                           USE_WRITE,
                                           HEADER,
                                           PAYLOAD,
                                           GRANULARITY,
                                           LEAST,
                                           "ns3::RoceSwitchDevice::CutThrough",
                                           "ns3::RoceSwitchDevice::Latency",
                                           "ns3::NvSwitchDevice::CutThrough",
                                           "ns3::NvSwitchDevice::Sharp",
                                           "ns3::NvSwitchDevice::Latency",
                                           "ns3::PxnMessageTransport::Level",
                                           "ns3::PxnMessageTransport::ChunkBytes",
                                           "ns3::PxnMessageTransport::ChunksInFlight"};
    if (attribute == LOAD_BALANCER)
    {
        return UsesLoadBalancer();
    }
    if (std::find(used.begin(), used.end(), attribute) != used.end())
    {
        return true;
    }
    const TypeId type = TypeId::LookupByName(attribute.substr(0, attribute.rfind("::")));
    return std::find(NETWORK_GROUPS.begin(), NETWORK_GROUPS.end(), type.GetGroupName()) ==
           NETWORK_GROUPS.end();
}

bool
RoutedNetwork::HasPackets() const
{
    return false;
}

Ptr<NetworkMessageTransport>
RoutedNetwork::GetTransport() const
{
    return m_transport;
}

const FabricEngine&
RoutedNetwork::GetEngine() const
{
    return m_transport->GetEngine();
}

void
RoutedNetwork::StartRecording(ResultSink&) const
{
}

void
RoutedNetwork::VisitPorts(TopologyLinkKind kind,
                          const std::function<void(const PortView&)>& visit) const
{
    const std::vector<std::vector<uint32_t>> ports = GetTopology().GetPorts(kind);
    const auto find = [&](uint32_t node, uint32_t link) {
        const auto& own = ports[node];
        return static_cast<uint32_t>(std::find(own.begin(), own.end(), link) - own.begin());
    };
    for (uint32_t node = 0; node < ports.size(); node++)
    {
        for (uint32_t port = 0; port < ports[node].size(); port++)
        {
            const uint32_t link = ports[node][port];
            const TopologyLink& ends = GetTopology().links[link];
            const bool forth = ends.a == node;
            const uint32_t peer = forth ? ends.b : ends.a;
            visit({node, port, peer, find(peer, link), link, 2 * link + (forth ? 0 : 1)});
        }
    }
}

void
RoutedNetwork::RecordLinks(ResultSink& sink) const
{
    for (const LinkRecord& record : GetLinks())
    {
        sink.Record(record);
    }
}

std::vector<LinkRecord>
RoutedNetwork::GetLinks() const
{
    const std::vector<RoutedLinkLoad> loads = m_transport->GetLinkLoads();
    std::vector<LinkRecord> records;
    const auto add = [&](const PortView& view) {
        const RoutedLinkLoad& load = loads[view.direction];
        const TopologyLink& link = GetTopology().links[view.link];
        LinkRecord record;
        record.node = view.node;
        record.port = view.port;
        record.peer = view.peer;
        record.peerPort = view.peerPort;
        record.kind = link.kind == TopologyLinkKind::NVLINK ? "nvlink" : "ethernet";
        record.rate = link.rate;
        record.window = Simulator::Now();
        record.dataPackets = load.packets;
        record.payloadBytes = load.payloadBytes;
        record.dataWireBytes = load.wireBytes;
        record.ackPackets = load.acks;
        record.ackWireBytes = load.ackWireBytes;
        record.isShared = m_transport->SharesLink(link);
        records.push_back(record);
    };
    VisitPorts(TopologyLinkKind::ETHERNET, add);
    VisitPorts(TopologyLinkKind::NVLINK, add);
    return records;
}

FabricSummary
RoutedNetwork::SumUp(TopologyLinkKind kind, const std::vector<RoutedLinkLoad>& loads) const
{
    FabricSummary sum;
    sum.name = kind == TopologyLinkKind::NVLINK ? "nvlink" : "ethernet";
    for (uint32_t direction = 0; direction < loads.size(); direction++)
    {
        if (GetTopology().links[direction / 2].kind == kind)
        {
            sum.dataPacketHops += loads[direction].packets;
            sum.ackPacketHops += loads[direction].acks;
            sum.wireBytes += loads[direction].wireBytes + loads[direction].ackWireBytes;
        }
    }
    return sum;
}

uint64_t
RoutedNetwork::GetPacketHops() const
{
    return 0; // nothing that goes by packets
}

NetworkSummary
RoutedNetwork::GetSummary() const
{
    const RoutedVolume volume = m_transport->GetVolume();
    const std::vector<RoutedLinkLoad> loads = m_transport->GetLinkLoads();
    NetworkSummary network;
    network.packets = volume.packets;
    network.payloadBytesDelivered = volume.deliveredBytes;
    network.payloadBytesOffloaded = volume.offloadedBytes;
    network.fabrics = {SumUp(TopologyLinkKind::ETHERNET, loads),
                       SumUp(TopologyLinkKind::NVLINK, loads)};
    for (const FabricSummary& fabric : network.fabrics)
    {
        network.packetHops += fabric.dataPacketHops + fabric.ackPacketHops;
    }
    return network;
}

Time
RoutedNetwork::GetIdealTime(const Message& message) const
{
    return m_transport->GetIdealTime(message);
}

uint64_t
RoutedNetwork::GetRetransmissions(uint32_t, uint32_t, uint32_t) const
{
    return 0; // nothing is lost
}

std::vector<std::string>
RoutedNetwork::GetWarnings() const
{
    return {};
}

std::vector<std::string>
RoutedNetwork::GetNotes() const
{
    std::vector<std::string> lines{DescribeFidelity()};
    const std::vector<std::string> headers = DescribeHeaders();
    lines.insert(lines.end(), headers.begin(), headers.end());
    return lines;
}

std::vector<std::string>
RoutedNetwork::DescribeHeaders() const
{
    std::vector<std::string> lines;
    const auto& links = GetTopology().links;
    const auto has = [&](TopologyLinkKind kind) {
        return std::any_of(links.begin(), links.end(), [&](const TopologyLink& link) {
            return link.kind == kind;
        });
    };
    const MessageRouter& router = m_transport->GetRouter();
    if (has(TopologyLinkKind::ETHERNET))
    {
        const MessageFraming& framing = router.GetFraming(false);
        lines.push_back(DescribeRoceHeaders(framing.payloadBytes, framing.headerBytes) +
                        "; acknowledgements of " + std::to_string(framing.ackBytes) +
                        " bytes go the other way");
    }
    if (has(TopologyLinkKind::NVLINK) && router.GetFraming(true).headerBytes > 0)
    {
        const MessageFraming& framing = router.GetFraming(true);
        lines.push_back(DescribeNvlinkHeaders(framing.payloadBytes, framing.headerBytes));
    }
    return lines;
}

std::string
RoutedNetwork::FindLostBytes(bool finished) const
{
    return m_transport->FindLostBytes(finished);
}

std::string
RoutedNetwork::FindLostPackets() const
{
    return "";
}

std::vector<std::string>
RoutedNetwork::DescribeDeadlocks() const
{
    return {};
}

std::vector<std::string>
RoutedNetwork::DescribePauses() const
{
    return {};
}

} // namespace ns3
