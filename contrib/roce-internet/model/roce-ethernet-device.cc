/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-ethernet-device.h"

#include "ns3/abort.h"
#include "ns3/arp-header.h"
#include "ns3/arp-l3-protocol.h"
#include "ns3/boolean.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node.h"
#include "ns3/queue-limits.h"
#include "ns3/roce-address.h"
#include "ns3/roce-wire.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"
#include "ns3/wire-bytes.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RoceEthernetDevice);

namespace
{

/** \param rank a rank \return its MAC address */
Mac48Address
MakeMac(uint32_t rank)
{
    WireWriter writer(6);
    writer.Put(RoceAddress::MacOfRank(rank), 6);
    Mac48Address address;
    address.CopyFrom(writer.Bytes().data());
    return address;
}

/** \param address a MAC address \return the rank that has it, if any rank may */
std::optional<uint32_t>
ReadRank(Mac48Address address)
{
    std::array<uint8_t, 6> bytes;
    address.CopyTo(bytes.data());
    const uint64_t mac = ReadWire(bytes.data(), bytes.size());
    const auto rank = static_cast<uint32_t>(mac);
    return mac == RoceAddress::MacOfRank(rank) ? std::optional<uint32_t>(rank) : std::nullopt;
}

/** \param packetBytes size of a packet \return size of its frame with the check sequence */
uint32_t
GetFrameBytes(uint32_t packetBytes)
{
    return std::max(RoceWire::ETHERNET_HEADER + packetBytes + RoceWire::FCS, RoceWire::MIN_FRAME);
}

/** \param flow of a packet, if it is IPv4 \return DSCP of its frame */
uint8_t
GetDscp(const std::optional<Ipv4Flow>& flow)
{
    return flow ? flow->tos >> 2 : 0;
}

/** \param packet an IPv4 packet, marked CE from now on */
void
MarkCongestion(Packet& packet)
{
    Ipv4Header header;
    if (Node::ChecksumEnabled())
    {
        header.EnableChecksum();
    }
    packet.RemoveHeader(header);
    header.SetEcn(Ipv4Header::ECN_CE);
    packet.AddHeader(header);
}

} // namespace

TypeId
RoceEthernetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RoceEthernetDevice")
            .SetParent<NetDevice>()
            .SetGroupName("RoceInternet")
            .AddConstructor<RoceEthernetDevice>()
            .AddAttribute(
                "Mtu",
                "Largest packet of the stack above, bytes without Ethernet header.",
                UintegerValue(1500),
                MakeUintegerAccessor(&RoceEthernetDevice::SetMtu, &RoceEthernetDevice::GetMtu),
                MakeUintegerChecker<uint16_t>(MIN_MTU, MAX_MTU))
            .AddAttribute("Arp",
                          "Find neighbours by ARP instead of knowing them; set it before the "
                          "internet stack gets the device.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoceEthernetDevice::m_arp),
                          MakeBooleanChecker())
            .AddAttribute("TxQueueSize",
                          "Frames, or bytes of frames, that may wait for the port, one at least "
                          "(ns-3's default of device queues: 100 packets).",
                          QueueSizeValue(QueueSize("100p")),
                          MakeQueueSizeAccessor(&RoceEthernetDevice::m_queueSize),
                          MakeQueueSizeChecker())
            .AddTraceSource("MacTx",
                            "A packet was given to the device.",
                            MakeTraceSourceAccessor(&RoceEthernetDevice::m_macTxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacTxDrop",
                            "A packet was not sent; GetDrops() counts why.",
                            MakeTraceSourceAccessor(&RoceEthernetDevice::m_macTxDropTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("MacRx",
                            "A packet was received.",
                            MakeTraceSourceAccessor(&RoceEthernetDevice::m_macRxTrace),
                            "ns3::Packet::TracedCallback");
    return tid;
}

RoceEthernetDevice::RoceEthernetDevice()
    : m_reportTaken(this)
{
}

RoceEthernetDevice::~RoceEthernetDevice() = default;

void
RoceEthernetDevice::DoDispose()
{
    if (m_nic)
    {
        m_nic->SetFrameListener(nullptr);
    }
    m_nic = nullptr;
    m_node = nullptr;
    m_segment = nullptr;
    m_txQueue = nullptr;
    m_receive.Nullify();
    m_promiscReceive.Nullify();
    NetDevice::DoDispose();
}

void
RoceEthernetDevice::Attach(Ptr<RoceNicDevice> nic,
                           uint32_t rankCount,
                           Ptr<RoceEthernetSegment> segment)
{
    NS_ABORT_MSG_IF(m_nic, "an Ethernet interface is attached twice");
    NS_ABORT_MSG_IF(nic->GetFrameListener(),
                    nic->GetName() << " has an Ethernet interface already");
    NS_ABORT_MSG_IF(nic->GetNode() != m_node, "NIC and Ethernet interface are on different nodes");
    StringValue map;
    nic->GetAttribute("DscpMap", map);
    m_dscpMap = DscpMap(map.Get(), "ns3::RoceNicDevice::DscpMap", nic->GetName());
    m_nic = nic;
    m_rankCount = rankCount;
    m_segment = segment;
    m_address = MakeMac(nic->GetRank());
    m_reportTaken.Bind(&nic->GetFabric()->engine, m_node->GetId());
    nic->SetFrameListener(this);
    segment->Add(this);
    auto queues = CreateObject<NetDeviceQueueInterface>();
    AggregateObject(queues);
    m_txQueue = queues->GetTxQueue(0);
}

std::optional<uint32_t>
RoceEthernetDevice::FindHost(const Packet& packet,
                             Mac48Address dest,
                             uint16_t protocolNumber,
                             const std::optional<Ipv4Flow>& flow) const
{
    std::optional<uint32_t> rank;
    if (!dest.IsGroup())
    {
        rank = ReadRank(dest);
    }
    else if (flow && !m_arp)
    {
        rank = m_segment->FindRank(flow->dst);
    }
    else if (protocolNumber == ArpL3Protocol::PROT_NUMBER)
    {
        ArpHeader arp;
        packet.PeekHeader(arp);
        rank = m_segment->FindRank(arp.GetDestinationIpv4Address());
    }
    return rank && *rank < m_rankCount ? rank : std::nullopt;
}

FabricPacket*
RoceEthernetDevice::MakeFrame(const Ptr<Packet>& packet,
                              Mac48Address dest,
                              uint16_t protocolNumber,
                              const std::optional<Ipv4Flow>& flow) const
{
    FabricPacketPool& pool = m_nic->GetFabric()->pool;
    FabricPacket* frame = pool.Allocate();
    frame->frameBytes = GetFrameBytes(packet->GetSize());
    frame->payloadBytes = packet->GetSize();
    frame->src = GetRank();
    frame->dscp = GetDscp(flow);
    frame->priority = m_dscpMap.GetClass(frame->dscp);
    frame->frameClass = static_cast<uint8_t>(FrameClass::DATA);
    if (flow)
    {
        frame->flow = flow->entropy;
        frame->ecn = flow->tos & 3;
    }
    EthernetHeader header(false);
    header.SetSource(m_address);
    header.SetDestination(dest);
    header.SetLengthType(protocolNumber);
    packet->AddHeader(header);
    pool.AttachForeign(frame, packet);
    return frame;
}

bool
RoceEthernetDevice::HasRoom(uint32_t packetBytes) const
{
    if (m_queuedFrames == 0)
    {
        return true;
    }
    if (m_queueSize.GetUnit() == QueueSizeUnit::PACKETS)
    {
        return m_queuedFrames < m_queueSize.GetValue();
    }
    return m_queuedBytes + GetFrameBytes(packetBytes) <= m_queueSize.GetValue();
}

bool
RoceEthernetDevice::Drop(const Ptr<const Packet>& packet, RoceEthernetDrop reason)
{
    m_counters.drops[static_cast<uint32_t>(reason)]++;
    m_macTxDropTrace(packet);
    return false;
}

bool
RoceEthernetDevice::Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber)
{
    m_macTxTrace(packet);
    if (packet->GetSize() > m_mtu)
    {
        return Drop(packet, RoceEthernetDrop::TOO_LARGE);
    }
    const std::optional<Ipv4Flow> flow =
        protocolNumber == Ipv4L3Protocol::PROT_NUMBER ? Ipv4Flow::Read(*packet) : std::nullopt;
    Mac48Address mac = Mac48Address::ConvertFrom(dest);
    const std::optional<uint32_t> rank = FindHost(*packet, mac, protocolNumber, flow);
    if (!rank)
    {
        return Drop(packet, RoceEthernetDrop::NO_DESTINATION);
    }
    const std::optional<uint32_t> port = m_nic->ChoosePort(*rank,
                                                           flow ? flow->entropy : 0,
                                                           m_dscpMap.GetClass(GetDscp(flow)),
                                                           GetFrameBytes(packet->GetSize()));
    if (!port)
    {
        return Drop(packet, RoceEthernetDrop::NO_ROUTE);
    }
    if (!HasRoom(packet->GetSize()))
    {
        return Drop(packet, RoceEthernetDrop::QUEUE_FULL);
    }
    if (flow)
    {
        mac = MakeMac(*rank);
    }
    FabricPacket* frame = MakeFrame(packet, mac, protocolNumber, flow);
    frame->dst = *rank;
    m_counters.sent++;
    m_queuedFrames++;
    m_queuedBytes += frame->frameBytes;
    m_txQueue->NotifyQueuedBytes(frame->frameBytes);
    m_nic->SendFrame(frame, *port);
    if (!m_stopped && !HasRoom(m_mtu))
    {
        m_stopped = true;
        m_txQueue->Stop();
    }
    return true;
}

void
RoceEthernetDevice::FrameTaken(uint32_t frameBytes)
{
    m_queuedFrames--;
    m_queuedBytes -= frameBytes;
    if (m_txQueue->GetQueueLimits())
    {
        m_takenBytes += frameBytes;
    }
    if (m_takenBytes || m_stopped)
    {
        m_reportTaken.Set(m_nic->GetFabric()->engine.Now());
    }
}

void
RoceEthernetDevice::ReportTaken()
{
    if (m_takenBytes)
    {
        const uint32_t bytes = m_takenBytes;
        m_takenBytes = 0;
        m_txQueue->NotifyTransmittedBytes(bytes);
    }
    if (m_stopped && HasRoom(m_mtu))
    {
        m_stopped = false;
        m_txQueue->Wake();
    }
}

void
RoceEthernetDevice::FrameArrived(const FabricPacket& frame, FabricPort&)
{
    Ptr<Packet> packet = frame.foreign->Copy(); // others may hold the frame
    EthernetHeader header(false);
    packet->RemoveHeader(header);
    const uint16_t protocol = header.GetLengthType();
    if (frame.ecn == static_cast<uint8_t>(EcnCodepoint::CE) &&
        protocol == Ipv4L3Protocol::PROT_NUMBER)
    {
        MarkCongestion(*packet);
    }
    const Mac48Address dest = header.GetDestination();
    PacketType type = PACKET_OTHERHOST;
    if (dest.IsGroup())
    {
        type = dest.IsBroadcast() ? PACKET_BROADCAST : PACKET_MULTICAST;
    }
    else if (dest == m_address)
    {
        type = PACKET_HOST;
    }
    m_counters.received++;
    m_macRxTrace(packet);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this, packet, protocol, header.GetSource(), dest, type);
    }
    if (type != PACKET_OTHERHOST && !m_receive.IsNull())
    {
        m_receive(this, packet, protocol, header.GetSource());
    }
}

void
RoceEthernetDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
RoceEthernetDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
RoceEthernetDevice::GetChannel() const
{
    return m_segment;
}

void
RoceEthernetDevice::SetAddress(Address address)
{
    NS_ABORT_MSG_IF(Mac48Address::ConvertFrom(address) != m_address,
                    "the MAC address of a RoCE NIC follows from its rank: " << m_address);
}

Address
RoceEthernetDevice::GetAddress() const
{
    return m_address;
}

bool
RoceEthernetDevice::SetMtu(const uint16_t mtu)
{
    const bool possible = mtu >= MIN_MTU && mtu <= MAX_MTU;
    m_mtu = possible ? mtu : m_mtu;
    return possible;
}

uint16_t
RoceEthernetDevice::GetMtu() const
{
    return m_mtu;
}

bool
RoceEthernetDevice::IsLinkUp() const
{
    for (uint32_t i = 0; m_nic && i < m_nic->GetPortCount(); i++)
    {
        if (m_nic->GetPort(i).GetPeer() && m_nic->GetPort(i).IsUp())
        {
            return true;
        }
    }
    return false;
}

void
RoceEthernetDevice::AddLinkChangeCallback(Callback<void>)
{
}

bool
RoceEthernetDevice::IsBroadcast() const
{
    return true;
}

Address
RoceEthernetDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
RoceEthernetDevice::IsMulticast() const
{
    return false;
}

Address
RoceEthernetDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
RoceEthernetDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
RoceEthernetDevice::IsBridge() const
{
    return false;
}

bool
RoceEthernetDevice::IsPointToPoint() const
{
    return false;
}

bool
RoceEthernetDevice::SendFrom(Ptr<Packet>, const Address&, const Address&, uint16_t)
{
    return false;
}

Ptr<Node>
RoceEthernetDevice::GetNode() const
{
    return m_node;
}

void
RoceEthernetDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
RoceEthernetDevice::NeedsArp() const
{
    return m_arp;
}

void
RoceEthernetDevice::SetReceiveCallback(NetDevice::ReceiveCallback cb)
{
    m_receive = cb;
}

void
RoceEthernetDevice::SetPromiscReceiveCallback(NetDevice::PromiscReceiveCallback cb)
{
    m_promiscReceive = cb;
}

bool
RoceEthernetDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3
