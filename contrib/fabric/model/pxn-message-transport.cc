/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pxn-message-transport.h"

#include "ns3/abort.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PxnMessageTransport);

TypeId
PxnMessageTransport::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PxnMessageTransport")
            .SetParent<NetworkMessageTransport>()
            .SetGroupName("Fabric")
            .AddConstructor<PxnMessageTransport>()
            .AddAttribute("Level",
                          "When a GPU on the receiver's rail sends a message: 0 never, 1 if the "
                          "rail is not that of the sender's NIC, 2 always (NCCL_P2P_PXN_LEVEL). "
                          "1 and 2 differ where GPUs share a NIC; there NCCL's 2 is for "
                          "point-to-point operations alone.",
                          UintegerValue(PxnRails::IF_REMOTE),
                          MakeUintegerAccessor(&PxnMessageTransport::m_level),
                          MakeUintegerChecker<uint32_t>(PxnRails::NEVER, PxnRails::ALWAYS))
            .AddAttribute("ChunkBytes",
                          "Payload of a chunk of a relayed message, bytes "
                          "(NCCL_P2P_NET_CHUNKSIZE).",
                          UintegerValue(131072),
                          MakeUintegerAccessor(&PxnMessageTransport::m_chunkBytes),
                          MakeUintegerChecker<uint64_t>(1, 1ULL << 40))
            .AddAttribute("ChunksInFlight",
                          "Chunks from a rank to another on a channel that were sent and not "
                          "acknowledged, at most (NCCL_STEPS of NCCL's src/include/device.h).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&PxnMessageTransport::m_chunksInFlight),
                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

PxnMessageTransport::PxnMessageTransport() = default;
PxnMessageTransport::~PxnMessageTransport() = default;

void
PxnMessageTransport::DoDispose()
{
    m_network = nullptr; // belongs to others
    NetworkMessageTransport::DoDispose();
}

bool
PxnMessageTransport::SetNetwork(Ptr<NetworkMessageTransport> network, const Topology& topology)
{
    m_rails = std::make_unique<PxnRails>(topology, m_level);
    if (!m_rails->HasRelays())
    {
        return false;
    }
    m_network = network;
    m_bySource.resize(GetRankCount());
    m_byRelay.resize(GetRankCount());
    for (uint32_t rank = 0; rank < GetRankCount(); rank++)
    {
        m_network->SetEndpoint(rank, this);
    }
    return true;
}

uint32_t
PxnMessageTransport::GetRankCount() const
{
    return m_network->GetRankCount();
}

bool
PxnMessageTransport::CanOffload(const std::vector<uint32_t>& ranks) const
{
    return m_network->CanOffload(ranks);
}

bool
PxnMessageTransport::CanAllReduce(const std::vector<uint32_t>& ranks) const
{
    return m_network->CanAllReduce(ranks);
}

uint32_t
PxnMessageTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    return m_network->AddTeam(ranks);
}

bool
PxnMessageTransport::UsesNvlink(uint32_t src, uint32_t dst) const
{
    return m_network->UsesNvlink(src, dst);
}

uint32_t
PxnMessageTransport::GetRelay(uint32_t src, uint32_t dst) const
{
    const uint32_t relay = m_rails->GetRelay(src, dst);
    const bool isWay =
        relay == src || (!m_network->UsesNvlink(src, dst) && m_network->UsesNvlink(src, relay) &&
                         m_network->CanReach(relay, dst));
    return isWay ? relay : src;
}

bool
PxnMessageTransport::CanReach(uint32_t src, uint32_t dst) const
{
    return m_network->CanReach(src, dst) || (src != dst && GetRelay(src, dst) != src);
}

std::vector<std::string>
PxnMessageTransport::GetFailures() const
{
    return m_network->GetFailures();
}

PxnMessageTransport::Connection&
PxnMessageTransport::GetConnection(const Message& message, uint32_t relay)
{
    const uint64_t key = MakeKey(message.dst, message.channel);
    Connection*& connection = m_bySource[message.src][key];
    if (!connection)
    {
        Leg*& leg = m_byRelay[relay][key];
        leg = leg ? leg : &m_legs.emplace_back();
        connection = &m_connections.emplace_back();
        connection->relay = relay;
        connection->leg = leg;
        m_firstLegs.emplace(message.src, relay, message.channel);
    }
    return *connection;
}

PxnMessageTransport::Relayed&
PxnMessageTransport::Add(const Message& message, Connection& connection)
{
    if (m_freeSlots.empty())
    {
        m_freeSlots.push_back(static_cast<uint32_t>(m_relayed.size()));
        m_relayed.emplace_back();
    }
    const uint32_t slot = m_freeSlots.back();
    m_freeSlots.pop_back();
    Relayed& relayed = m_relayed[slot];
    relayed = Relayed();
    relayed.slot = slot;
    relayed.message = message;
    relayed.connection = &connection;
    relayed.since = Simulator::Now();
    relayed.chunks = std::max<uint64_t>(1, (message.bytes + m_chunkBytes - 1) / m_chunkBytes);
    return relayed;
}

void
PxnMessageTransport::Send(const Message& message)
{
    NS_ABORT_MSG_IF(message.channel & RELAYED,
                    "channel " << message.channel << " is not below " << RELAYED);
    const uint32_t relay =
        message.kind == MessageKind::UNICAST ? GetRelay(message.src, message.dst) : message.src;
    if (relay == message.src)
    {
        m_network->Send(message);
        return;
    }
    Connection& connection = GetConnection(message, relay);
    connection.messages.push_back(&Add(message, connection));
    m_messages++;
    m_sentBytes += message.bytes;
    SendChunks(connection);
}

void
PxnMessageTransport::SendChunks(Connection& connection)
{
    while (connection.inFlight < m_chunksInFlight &&
           connection.leaving < connection.messages.size())
    {
        Relayed& relayed = *connection.messages[connection.leaving];
        Message chunk = relayed.message;
        chunk.dst = connection.relay;
        chunk.channel = GetRelayChannel(chunk.channel);
        chunk.bytes = std::min(m_chunkBytes, relayed.message.bytes - relayed.sent * m_chunkBytes);
        chunk.tag = 2 * uint64_t(relayed.slot);
        relayed.sent++;
        connection.inFlight++;
        connection.leaving += relayed.sent == relayed.chunks ? 1 : 0;
        m_network->Send(chunk);
    }
}

PxnMessageTransport::Relayed&
PxnMessageTransport::GetRelayed(const Message& chunk)
{
    return m_relayed[chunk.tag / 2];
}

void
PxnMessageTransport::MessageReceived(const Message& message)
{
    if (!(message.channel & RELAYED))
    {
        NotifyReceived(message);
        return;
    }
    Relayed& relayed = GetRelayed(message);
    if (!(message.tag & SECOND_LEG))
    {
        Forward(relayed, message);
        return;
    }
    Leg& leg = *relayed.connection->leg;
    NS_ABORT_MSG_IF(leg.chunks.empty() || leg.chunks.front() != &relayed,
                    "chunks from rank " << message.src << " to rank " << message.dst
                                        << " have changed places");
    leg.chunks.pop_front();
    leg.arrivedBytes += message.bytes;
    relayed.connection->arrivedBytes += message.bytes;
    relayed.arrived++;
    if (relayed.arrived == relayed.chunks)
    {
        m_receivedBytes += relayed.message.bytes;
        NotifyReceived(relayed.message);
    }
}

void
PxnMessageTransport::Forward(Relayed& relayed, const Message& chunk)
{
    Message next = chunk;
    next.src = relayed.connection->relay;
    next.dst = relayed.message.dst;
    next.tag |= SECOND_LEG;
    relayed.forwarded++;
    relayed.connection->leg->chunks.push_back(&relayed);
    m_forwardedBytes += chunk.bytes;
    m_network->Send(next);
}

void
PxnMessageTransport::Fetch(uint32_t rank, uint32_t channel, uint32_t stage) const
{
    FetchEndpoint(rank, channel, stage);
}

void
PxnMessageTransport::MessageSent(const Message& message)
{
    if (!(message.channel & RELAYED))
    {
        NotifySentObserved(message);
        return;
    }
    // A chunk that has come to the intermediate GPU takes a slot there until it is acknowledged.
    if (message.tag & SECOND_LEG)
    {
        Relayed* const relayed = &GetRelayed(message);
        Simulator::ScheduleWithContext(relayed->message.src, Time(0), [this, relayed] {
            FreeSlot(*relayed);
        });
    }
}

void
PxnMessageTransport::FreeSlot(Relayed& relayed)
{
    Connection& connection = *relayed.connection;
    connection.inFlight--;
    relayed.acknowledged++;
    if (relayed.acknowledged == relayed.chunks)
    {
        NS_ABORT_MSG_IF(connection.messages.front() != &relayed ||
                            relayed.arrived != relayed.chunks,
                        "a message to rank " << relayed.message.dst
                                             << " was acknowledged before it or another arrived");
        const Message message = relayed.message;
        connection.messages.pop_front();
        connection.leaving--;
        m_freeSlots.push_back(relayed.slot);
        SendChunks(connection);
        NotifySentObserved(message);
        return;
    }
    SendChunks(connection);
}

uint64_t
PxnMessageTransport::GetRelayedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& [src, relay, channel] : m_firstLegs)
    {
        bytes += m_network->GetArrivedBytes(src, relay, GetRelayChannel(channel));
    }
    return bytes;
}

uint64_t
PxnMessageTransport::GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const
{
    const auto found = m_bySource[src].find(MakeKey(dst, channel));
    if (found == m_bySource[src].end())
    {
        return m_network->GetArrivedBytes(src, dst, channel);
    }
    const Connection& connection = *found->second;
    const Leg& leg = *connection.leg;
    const bool isNext = !leg.chunks.empty() && leg.chunks.front()->connection == &connection;
    const uint64_t all =
        m_network->GetArrivedBytes(connection.relay, dst, GetRelayChannel(channel));
    return connection.arrivedBytes + (isNext ? all - leg.arrivedBytes : 0);
}

std::string
PxnMessageTransport::FindLostBytes(bool finished) const
{
    const bool ordered = m_receivedBytes <= m_forwardedBytes && m_forwardedBytes <= m_sentBytes;
    if (ordered && (!finished || m_receivedBytes == m_sentBytes))
    {
        return "";
    }
    std::ostringstream text;
    text << "messages of " << m_sentBytes << " bytes were to go by way of other GPUs, these have "
         << "sent on " << m_forwardedBytes << " bytes, of " << m_receivedBytes << " bytes arrived";
    return text.str();
}

std::string
PxnMessageTransport::Describe(const Relayed& relayed)
{
    const Message& message = relayed.message;
    std::ostringstream line;
    line << "PXN: rank " << message.src << " to rank " << message.dst << " channel "
         << message.channel << " by way of rank " << relayed.connection->relay << ": "
         << message.bytes << " bytes since " << relayed.since.GetNanoSeconds() << " ns, of "
         << relayed.chunks << " chunks " << relayed.sent << " sent, " << relayed.forwarded
         << " sent on, " << relayed.arrived << " arrived";
    return line.str();
}

std::vector<std::string>
PxnMessageTransport::DescribePending() const
{
    std::vector<std::string> relays;
    for (const Connection& connection : m_connections)
    {
        for (const Relayed* relayed : connection.messages)
        {
            relays.push_back(Describe(*relayed));
        }
    }
    std::vector<std::string> lines;
    AddMessages(relays, "by way of other GPUs: those without end_ns in table flows", lines);
    const std::vector<std::string> legs = m_network->DescribePending();
    lines.insert(lines.end(), legs.begin(), legs.end());
    return lines;
}

} // namespace ns3
