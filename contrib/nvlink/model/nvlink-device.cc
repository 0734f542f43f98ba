/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-device.h"

#include "nvlink-frame.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlinkDevice);

TypeId
NvlinkDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::NvlinkDevice")
            .SetParent<FabricDevice>()
            .SetGroupName("Nvlink")
            .AddConstructor<NvlinkDevice>()
            .AddAttribute("Granularity",
                          "Largest payload of a simulated packet, bytes; for a team's packets "
                          "MinGranularity, if that is less. Less is slower and finer; "
                          "doc/nvlink.md has the error.",
                          UintegerValue(65536),
                          MakeUintegerAccessor(&NvlinkDevice::m_granularity),
                          MakeUintegerChecker<uint32_t>(1, LinkClock::MAX_FRAME_BYTES))
            .AddAttribute("MinGranularity",
                          "Packets do not get smaller than this to end a message on several links "
                          "at once, bytes; those of a team are not larger. At or above "
                          "Granularity: all packets have full size.",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&NvlinkDevice::m_minGranularity),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HeaderBytes",
                          "Bytes on the link for each HeaderPayloadBytes of payload begun. 0: the "
                          "rates of the topology are effective rates, free of headers.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&NvlinkDevice::m_headerBytes),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("HeaderPayloadBytes",
                          "Payload behind one header, bytes. 256: the largest NVLink packet "
                          "(Foley and Danskin, IEEE Micro 37(2), 2017).",
                          UintegerValue(256),
                          MakeUintegerAccessor(&NvlinkDevice::m_headerPayloadBytes),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

NvlinkDevice::NvlinkDevice() = default;
NvlinkDevice::~NvlinkDevice() = default;

void
NvlinkDevice::DoDispose()
{
    m_received = MessageCallback();
    m_sent = MessageCallback();
    m_routes = nullptr;
    FabricDevice::DoDispose();
}

void
NvlinkDevice::SetRoutes(std::shared_ptr<const RouteTable> routes, uint32_t rank)
{
    m_routes = std::move(routes);
    m_rank = rank;
}

void
NvlinkDevice::SetReceivedCallback(MessageCallback received)
{
    m_received = received;
}

void
NvlinkDevice::SetSentCallback(MessageCallback sent)
{
    m_sent = sent;
}

FabricPort&
NvlinkDevice::AddPort()
{
    FabricPort& port = FabricDevice::AddPort();
    m_feeders.emplace_back(this, port);
    m_lanePorts.push_back(static_cast<uint16_t>(port.GetIndex()));
    return port;
}

uint64_t
NvlinkDevice::GetFrameBytes(uint64_t payloadBytes) const
{
    const uint64_t headers = (payloadBytes + m_headerPayloadBytes - 1) / m_headerPayloadBytes;
    return payloadBytes + m_headerBytes * std::max<uint64_t>(headers, 1);
}

uint64_t
NvlinkDevice::GetMaxFrameBytes() const
{
    return GetFrameBytes(m_granularity);
}

uint32_t
NvlinkDevice::GetSendFlow(const Message& message)
{
    const auto [entry, isNew] = m_sendIndex.try_emplace(MakeKey(message.dst, message.channel),
                                                        static_cast<uint32_t>(m_sendFlows.size()));
    if (isNew)
    {
        const PortSpan ports = m_routes->NextPorts(m_rank, message.dst);
        NS_ABORT_MSG_IF(ports.count == 0,
                        "no NVLink route from rank "
                            << m_rank << " to rank " << message.dst
                            << ": GPUs do not forward; order the ranks so "
                               "that neighbours are linked, or use the NIC");
        m_sendFlows.emplace_back(message.dst, message.channel, ports);
    }
    return entry->second;
}

void
NvlinkDevice::Send(const Message& message)
{
    NS_ABORT_MSG_IF(message.src != m_rank,
                    "rank " << m_rank << " was given a message of rank " << message.src);
    if (message.kind != MessageKind::UNICAST)
    {
        SendToTeam(message);
        return;
    }
    const uint32_t index = GetSendFlow(message);
    NvlinkSendFlow& flow = m_sendFlows[index];
    flow.Push(message, NowTicks());
    // Not every pair begins on the same plane: single-packet messages would all meet there.
    const PortSpan ports = flow.GetPorts();
    const uint32_t first = (m_rank + message.dst) % ports.count;
    for (uint32_t i = 0; i < ports.count; i++)
    {
        NvlinkFeeder& feeder = m_feeders[ports[(first + i) % ports.count]];
        feeder.Offer(index);
        feeder.Pull();
    }
}

void
NvlinkDevice::SendToTeam(const Message& message)
{
    const NvlinkTeamKey key = NvlinkTeamKey::Of(message);
    auto flow = m_teamFlows.find(key);
    if (flow == m_teamFlows.end())
    {
        std::vector<uint64_t> rates;
        for (uint32_t i = 0; i < GetPortCount(); i++)
        {
            rates.push_back(GetPort(i).GetRateBps());
        }
        flow = m_teamFlows.emplace(key, NvlinkTeamFlow(rates)).first;
    }
    const auto shares =
        flow->second.Split(message.bytes, flow->second.GetNextNumber(), m_minGranularity);
    const uint32_t number = flow->second.Push(message, static_cast<uint32_t>(shares.size()));
    for (const NvlinkShare& share : shares)
    {
        Message part = message;
        part.bytes = share.bytes;
        const uint32_t index = GetLaneFlow(key, share.lane);
        m_sendFlows[index].PushShare(part, NowTicks(), number, message.bytes);
        m_feeders[share.lane].Offer(index);
        m_feeders[share.lane].Pull();
    }
}

uint32_t
NvlinkDevice::GetLaneFlow(const NvlinkTeamKey& key, uint32_t lane)
{
    const auto [entry, isNew] =
        m_laneIndex.try_emplace({key, lane}, static_cast<uint32_t>(m_sendFlows.size()));
    if (isNew)
    {
        m_sendFlows.emplace_back(key.root, key.channel, PortSpan{&m_lanePorts[lane], 1, 0}, true);
    }
    return entry->second;
}

uint32_t
NvlinkDevice::SendPacket(uint32_t flow, FabricPort& port)
{
    // Pieces of a team meet at every link at once: they are small.
    const uint32_t largest =
        m_sendFlows[flow].IsShare() ? std::min(m_granularity, m_minGranularity) : m_granularity;
    const NvlinkPiece piece = m_sendFlows[flow].Cut({largest, m_minGranularity});
    FabricContext* fabric = GetFabric();
    FabricPacket* packet = fabric->pool.Allocate();
    packet->frameBytes = static_cast<uint32_t>(GetFrameBytes(piece.payloadBytes));
    packet->payloadBytes = piece.payloadBytes;
    packet->src = m_rank;
    packet->dst = piece.message->dst;
    packet->flow = piece.message->channel;
    packet->psn = m_packetNumber++ & 0xffffff;
    packet->opcode = static_cast<uint8_t>(GetNvlinkOpcode(piece.message->kind));
    packet->priority = NVLINK_DATA_CLASS;
    packet->frameClass = static_cast<uint8_t>(FrameClass::DATA);
    packet->stamp = piece.since;
    packet->messageBytes = piece.messageBytes;
    packet->immediate = piece.number;
    packet->cookie = piece.message->tag;
    if (piece.message->kind != MessageKind::UNICAST)
    {
        packet->offload = 1;
        packet->qp = piece.message->team;
        packet->aeth = port.GetIndex();
    }
    fabric->counters.packets++;
    port.Enqueue(packet, NowTicks());
    return piece.sequence;
}

void
NvlinkDevice::PacketLeft(uint32_t flow, uint32_t sequence)
{
    NvlinkSendFlow::Outgoing done;
    if (!m_sendFlows[flow].PieceLeft(sequence, done))
    {
        return;
    }
    Message& message = done.message;
    if (message.kind != MessageKind::UNICAST &&
        !m_teamFlows.at(NvlinkTeamKey::Of(message)).ShareLeft(done.number, message))
    {
        return;
    }
    if (!m_sent.IsNull())
    {
        m_sent(message);
    }
}

void
NvlinkDevice::Receive(FabricPacket* packet, FabricPort& port)
{
    FabricContext* fabric = GetFabric();
    if (packet->priority == FabricPort::CONTROL)
    {
        ApplyNvlinkCredit(*packet, port, NowTicks());
        fabric->pool.Release(packet);
        return;
    }
    NS_ASSERT_MSG(packet->dst == m_rank, "GPUs do not forward");
    NvlinkReceiveFlow& flow = GetReceiveFlow(*packet);
    flow.Receive(*packet);
    fabric->counters.payloadBytesDelivered += packet->payloadBytes;
    fabric->pool.Release(packet);
    Message message;
    while (flow.TakeDelivered(message))
    {
        if (!m_received.IsNull())
        {
            m_received(message);
        }
    }
}

NvlinkReceiveFlow&
NvlinkDevice::GetReceiveFlow(const FabricPacket& packet)
{
    const MessageKind kind = GetNvlinkMessageKind(packet);
    if (kind == MessageKind::UNICAST)
    {
        return m_receiveFlows[MakeKey(packet.src, packet.flow)];
    }
    return m_teamReceiveFlows[{kind, packet.qp, packet.src, packet.flow}];
}

void
NvlinkDevice::PauseEnded(FabricPort& port)
{
    m_feeders[port.GetIndex()].Pull();
}

const NvlinkReceiveFlow*
NvlinkDevice::FindReceiveFlow(uint32_t src, uint32_t channel) const
{
    const auto found = m_receiveFlows.find(MakeKey(src, channel));
    return found == m_receiveFlows.end() ? nullptr : &found->second;
}

const NvlinkReceiveFlow*
NvlinkDevice::FindTeamReceiveFlow(const NvlinkTeamKey& key) const
{
    const auto found = m_teamReceiveFlows.find(key);
    return found == m_teamReceiveFlows.end() ? nullptr : &found->second;
}

} // namespace ns3
