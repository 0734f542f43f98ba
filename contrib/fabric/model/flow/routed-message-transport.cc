/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "routed-message-transport.h"

#include "ns3/abort.h"
#include "ns3/link-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <optional>
#include <sstream>

namespace ns3
{

namespace
{

/** \param message what messages of a lane have in common \return who sends to whom */
std::string
DescribeEnds(const MessageEnds& message)
{
    switch (message.kind)
    {
    case MessageKind::MULTICAST:
        return "rank " + std::to_string(message.src) + " to its team";
    case MessageKind::COMBINE:
        return "its team to rank " + std::to_string(message.dst);
    case MessageKind::ALL_REDUCE:
        return "its team to its team, with rank " + std::to_string(message.src);
    case MessageKind::UNICAST:
        break;
    }
    return "rank " + std::to_string(message.src) + " to rank " + std::to_string(message.dst);
}

} // namespace

NS_OBJECT_ENSURE_REGISTERED(RoutedMessageTransport);

TypeId
RoutedMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RoutedMessageTransport")
                            .SetParent<NetworkMessageTransport>()
                            .SetGroupName("Fabric");
    return tid;
}

RoutedMessageTransport::RoutedMessageTransport() = default;
RoutedMessageTransport::~RoutedMessageTransport() = default;

void
RoutedMessageTransport::DoDispose()
{
    // Lanes stay: their events may be pending until the simulation is destroyed.
    m_bySource.clear();
    m_sums.clear();
    m_copies.clear();
    m_reductions.clear();
    NetworkMessageTransport::DoDispose();
}

void
RoutedMessageTransport::Retire()
{
}

void
RoutedMessageTransport::SetNetwork(const Topology& topology, const MessageRouterSettings& settings)
{
    NS_ABORT_MSG_IF(m_router, "the network of a transport cannot be changed");
    m_router = std::make_unique<MessageRouter>(topology, settings);
    m_bySource.resize(m_router->GetRankCount());
    m_recent.resize(RECENT * m_router->GetRankCount());
    m_sums.resize(m_router->GetRankCount());
    m_copies.resize(m_router->GetRankCount());
    Simulator::ScheduleDestroy(&RoutedMessageTransport::Retire, Ptr<RoutedMessageTransport>(this));
    NetworkSet();
}

uint32_t
RoutedMessageTransport::GetRankCount() const
{
    return m_router->GetRankCount();
}

bool
RoutedMessageTransport::UsesNvlink(uint32_t src, uint32_t dst) const
{
    return m_router->UsesNvlink(src, dst);
}

bool
RoutedMessageTransport::CanReach(uint32_t src, uint32_t dst) const
{
    return m_router->CanReach(src, dst);
}

bool
RoutedMessageTransport::CanOffload(const std::vector<uint32_t>& ranks) const
{
    return m_router->CanOffload(ranks);
}

bool
RoutedMessageTransport::CanAllReduce(const std::vector<uint32_t>& ranks) const
{
    return m_router->CanAllReduce(ranks);
}

uint32_t
RoutedMessageTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    if (const std::optional<uint32_t> known = m_teams.Find(ranks))
    {
        return *known;
    }
    NS_ABORT_MSG_UNLESS(CanOffload(ranks) || CanAllReduce(ranks),
                        "no switches reduce and copy among these ranks");
    return m_teams.Add(ranks);
}

MessageRoute
RoutedMessageTransport::FindRoute(const Message& message) const
{
    switch (message.kind)
    {
    case MessageKind::MULTICAST:
        return m_router->FindOffloaded({message.src}, m_teams.Get(message.team));
    case MessageKind::COMBINE:
        return m_router->FindOffloaded(m_teams.Get(message.team), {message.dst});
    case MessageKind::ALL_REDUCE:
        return m_router->FindReduction(m_teams.Get(message.team));
    case MessageKind::UNICAST:
        break;
    }
    return m_router->Find(message.src, message.dst, message.channel);
}

RoutedMessageTransport::LaneMap&
RoutedMessageTransport::GetLanes(const Message& message)
{
    switch (message.kind)
    {
    case MessageKind::COMBINE:
        return m_sums[message.dst];
    case MessageKind::ALL_REDUCE:
        return m_reductions;
    case MessageKind::MULTICAST:
        return m_copies[message.src];
    default:
        return m_bySource[message.src];
    }
}

MessageLane&
RoutedMessageTransport::GetLane(const Message& message)
{
    const bool unicast = message.kind == MessageKind::UNICAST;
    const uint64_t key = MakeKey(unicast ? message.dst : message.team, message.channel);
    RecentLane& recent = m_recent[message.src * RECENT + message.channel % RECENT];
    if (unicast && recent.lane && recent.key == key)
    {
        return *recent.lane;
    }
    const bool sum = IsSum(message.kind);
    MessageLane*& lane = GetLanes(message)[key];
    if (!lane)
    {
        Message ends = message;
        ends.src = sum ? message.dst : message.src;
        MessageRoute route = FindRoute(message);
        m_lanes.push_back(MakeLane(ends, route));
        lane = m_lanes.back().get();
        const MessageFraming& framing = message.kind != MessageKind::UNICAST && route.nvlink
                                            ? m_router->GetTeamFraming()
                                            : m_router->GetFraming(route);
        lane->Bind(this, ends, std::move(route), framing);
        if (sum)
        {
            lane->contributions.resize(m_teams.Get(message.team).size());
        }
    }
    if (message.kind == MessageKind::UNICAST)
    {
        recent = {key, lane};
    }
    return *lane;
}

MessageRecord&
RoutedMessageTransport::Append(MessageLane& lane, uint64_t bytes, uint64_t tag)
{
    if (!m_free)
    {
        constexpr std::size_t SLAB = 256;
        m_slabs.push_back(std::make_unique<MessageRecord[]>(SLAB));
        for (std::size_t i = 0; i < SLAB; i++)
        {
            Free(&m_slabs.back()[i]);
        }
    }
    MessageRecord& record = *m_free;
    m_free = record.next;
    record = MessageRecord();
    record.bytes = bytes;
    record.tag = tag;
    record.since = m_engine.Now();
    (lane.m_last ? lane.m_last->next : lane.m_first) = &record;
    lane.m_last = &record;
    lane.m_arriving = lane.m_arriving ? lane.m_arriving : &record;
    lane.m_acking = lane.m_acking ? lane.m_acking : &record;
    lane.sentMessages++;
    return record;
}

void
RoutedMessageTransport::Free(MessageRecord* record)
{
    record->next = m_free;
    m_free = record;
}

void
RoutedMessageTransport::Send(const Message& message)
{
    if (IsSum(message.kind))
    {
        Combine(message);
        return;
    }
    MessageLane& lane = GetLane(message);
    m_sentBytes += message.bytes;
    Ready(lane, Append(lane, message.bytes, message.tag));
}

void
RoutedMessageTransport::Combine(const Message& message)
{
    MessageLane& lane = GetLane(message);
    const std::vector<uint32_t>& team = m_teams.Get(message.team);
    const auto member = std::lower_bound(team.begin(), team.end(), message.src);
    NS_ABORT_MSG_IF(member == team.end() || *member != message.src,
                    "rank " << message.src << " is not of team " << message.team);
    MessageRecord*& next = lane.contributions[member - team.begin()];
    MessageRecord* record = next;
    if (!record)
    {
        record = &Append(lane, message.bytes, message.tag);
        record->missing = static_cast<uint32_t>(team.size());
        m_sentBytes += message.bytes;
        for (MessageRecord*& other : lane.contributions)
        {
            other = other ? other : record; // those that had contributed to all before
        }
    }
    NS_ABORT_MSG_IF(record->bytes != message.bytes || record->tag != message.tag,
                    "rank " << message.src << " adds " << message.bytes << " bytes, tag "
                            << message.tag << ", to " << record->bytes << " bytes, tag "
                            << record->tag);
    next = record->next;
    if (--record->missing == 0)
    {
        Ready(lane, *record);
    }
}

void
RoutedMessageTransport::Arrived(const Message& message)
{
    m_receivedBytes += message.bytes;
    if (message.kind != MessageKind::MULTICAST && message.kind != MessageKind::ALL_REDUCE)
    {
        NotifyReceived(message);
        return;
    }
    for (const uint32_t rank : m_teams.Get(message.team))
    {
        Message own = message;
        own.src = message.kind == MessageKind::MULTICAST ? message.src : rank;
        own.dst = rank;
        Simulator::ScheduleWithContext(rank, Time(0), [this, own] { NotifyReceived(own); });
    }
}

void
RoutedMessageTransport::Acknowledged(const Message& message)
{
    if (!IsSum(message.kind))
    {
        if (Simulator::GetContext() == message.src)
        {
            NotifySentObserved(message);
            return;
        }
        Simulator::ScheduleWithContext(message.src, Time(0), [this, message] {
            NotifySentObserved(message);
        });
        return;
    }
    for (const uint32_t rank : m_teams.Get(message.team))
    {
        Message own = message;
        own.src = rank;
        own.dst = message.kind == MessageKind::COMBINE ? message.dst : rank;
        Simulator::ScheduleWithContext(rank, Time(0), [this, own] { NotifySentObserved(own); });
    }
}

void
RoutedMessageTransport::SentNow(MessageLane& lane, MessageRecord& record)
{
    lane.m_acking = record.next;
    record.sent = true;
    const Message message = lane.MakeMessage(record);
    lane.Release();
    Acknowledged(message);
}

void
RoutedMessageTransport::FetchForSend(const MessageLane&) const
{
}

void
RoutedMessageTransport::AddShare(MessageVolume& volume,
                                 const MessageLane& lane,
                                 const MessageRecord& record,
                                 double share)
{
    const MessageFraming& framing = lane.GetFraming();
    volume.payloadBytes += static_cast<uint64_t>(share * record.bytes);
    volume.wireBytes += static_cast<uint64_t>(share * framing.GetWireBytes(record.bytes));
    volume.packets += static_cast<uint64_t>(share * framing.GetPieceCount(record.bytes));
    volume.acks += static_cast<uint64_t>(share * framing.GetAckCount(record.bytes));
}

const MessageRecord*
RoutedMessageTransport::FindLeaving(const MessageLane& lane)
{
    uint64_t before = lane.GetLeftCount() - lane.arrivedMessages;
    const MessageRecord* record = lane.m_arriving;
    while (record && before > 0)
    {
        record = record->next;
        before--;
    }
    return record;
}

MessageVolume
RoutedMessageTransport::GetVolumeLeft(const MessageLane& lane) const
{
    MessageVolume volume = lane.GetLeft();
    if (const MessageRecord* record = FindLeaving(lane))
    {
        AddShare(volume, lane, *record, GetShareLeft(lane, *record));
    }
    return volume;
}

MessageVolume
RoutedMessageTransport::GetVolumeTaken(const MessageLane& lane) const
{
    return GetVolumeLeft(lane);
}

std::vector<RoutedLinkLoad>
RoutedMessageTransport::GetLinkLoads() const
{
    const std::vector<RouteResource>& resources = m_router->GetResources();
    std::vector<RoutedLinkLoad> loads(m_router->GetDirectionCount());
    // Parts of a whole by running sums, so that they add up to it.
    const auto part = [](uint64_t whole, uint64_t before, uint64_t share) {
        constexpr uint32_t FULL = MaxMinAllocator::FULL;
        const auto upTo = [whole](uint64_t sum) {
            return static_cast<uint64_t>(static_cast<unsigned __int128>(whole) * sum / FULL);
        };
        return upTo(before + share) - upTo(before);
    };
    for (const auto& lane : m_lanes)
    {
        const MessageVolume left = GetVolumeLeft(*lane);
        const MessageVolume taken = GetVolumeTaken(*lane);
        const MessageFraming& framing = lane->GetFraming();
        const std::vector<MaxMinAllocator::Use>& uses = lane->GetRoute().uses;
        const std::size_t last = uses.size() - lane->GetRoute().hopUses.back();
        uint64_t given = 0; // of all hops so far, each FULL
        for (std::size_t i = 0; i < uses.size(); i++)
        {
            const MaxMinAllocator::Use& use = uses[i];
            const MessageVolume& volume = last > 0 && i >= last ? taken : left;
            const uint64_t hopBefore = given % MaxMinAllocator::FULL;
            const auto hop = [&](uint64_t whole) { return part(whole, hopBefore, use.weight); };
            uint64_t inside = 0;
            for (const RouteLink& link : resources[use.resource].links)
            {
                const auto own = [&](uint64_t whole) {
                    return part(hop(whole), inside, link.share);
                };
                RoutedLinkLoad& load = loads[link.direction];
                load.payloadBytes += own(volume.payloadBytes);
                load.wireBytes += own(volume.wireBytes);
                load.packets += own(volume.packets);
                RoutedLinkLoad& back = loads[link.direction ^ 1];
                back.acks += own(volume.acks);
                back.ackWireBytes += own(volume.acks * framing.ackBytes);
                inside += link.share;
            }
            given += use.weight;
        }
    }
    return loads;
}

RoutedVolume
RoutedMessageTransport::GetVolume() const
{
    RoutedVolume volume{m_sentBytes, m_receivedBytes, 0, 0, 0};
    for (const auto& lane : m_lanes)
    {
        const MessageEnds& ends = lane->GetEnds();
        const MessageVolume left = lane->GetLeft();
        const bool copied =
            ends.kind == MessageKind::MULTICAST || ends.kind == MessageKind::ALL_REDUCE;
        uint64_t bytes = lane->arrivedBytes * (copied ? m_teams.Get(ends.team).size() : 1);
        bytes += ends.kind == MessageKind::UNICAST ? GetPartlyArrived(*lane) : 0;
        volume.packets += left.packets + left.acks;
        volume.deliveredBytes += bytes;
        volume.offloadedBytes += ends.kind == MessageKind::UNICAST ? 0 : bytes;
    }
    return volume;
}

bool
RoutedMessageTransport::SharesLink(const TopologyLink&) const
{
    return true;
}

std::string
RoutedMessageTransport::FindLostBytes(bool finished) const
{
    std::ostringstream text;
    uint64_t arrivedBytes = 0;
    for (const auto& lane : m_lanes)
    {
        const MessageEnds& ends = lane->GetEnds();
        const uint64_t left = lane->GetLeftCount();
        arrivedBytes += lane->arrivedBytes;
        const bool ordered = lane->arrivedMessages <= left && left <= lane->sentMessages;
        if (!ordered || (finished && lane->arrivedMessages != lane->sentMessages))
        {
            text << "of " << lane->sentMessages << " messages from " << DescribeEnds(ends)
                 << " on channel " << ends.channel << " " << left << " have left and "
                 << lane->arrivedMessages << " have arrived";
            return text.str();
        }
    }
    if (arrivedBytes != m_receivedBytes || (finished && m_sentBytes != m_receivedBytes))
    {
        text << "messages of " << m_sentBytes << " bytes were sent, of " << m_receivedBytes
             << " bytes arrived, the lanes have carried " << arrivedBytes << " bytes";
    }
    return text.str();
}

uint64_t
RoutedMessageTransport::GetArrivedBytes(uint32_t src, uint32_t dst, uint32_t channel) const
{
    const auto found = m_bySource[src].find(MakeKey(dst, channel));
    return found == m_bySource[src].end()
               ? 0
               : found->second->arrivedBytes + GetPartlyArrived(*found->second);
}

uint64_t
RoutedMessageTransport::GetPartlyArrived(const MessageLane& lane) const
{
    const MessageRecord* const leaving = FindLeaving(lane);
    uint64_t sum = 0;
    for (const MessageRecord* record = lane.m_arriving; record; record = record->next)
    {
        sum += GetBytesThere(lane, *record, record != leaving);
        if (record == leaving)
        {
            break;
        }
    }
    return sum;
}

uint64_t
RoutedMessageTransport::GetBytesThere(const MessageLane& lane,
                                      const MessageRecord& record,
                                      bool hasLeft) const
{
    const auto getBytes = [&](uint64_t ticks) { // that pass in some time
        const auto bits = static_cast<unsigned __int128>(ticks) * lane.GetRoute().rateBps;
        return static_cast<uint64_t>(
            std::min<unsigned __int128>(bits / 8 / FabricEngine::GetTicksPerSecond(), UINT64_MAX));
    };
    if (!hasLeft)
    {
        const auto left = static_cast<uint64_t>(GetShareLeft(lane, record) * record.bytes);
        return left - std::min(left, getBytes(lane.GetRoute().delay));
    }
    const uint64_t now = m_engine.Now();
    const uint64_t missing = getBytes(record.arriveAt - std::min(now, record.arriveAt));
    return record.bytes - std::min(record.bytes, missing);
}

Time
RoutedMessageTransport::GetIdealTime(const Message& message) const
{
    MessageRoute route = m_router->Find(message.src, message.dst, message.channel);
    const MessageFraming& framing = m_router->GetFraming(route.nvlink);
    const LinkClock clock(route.rateBps, FabricEngine::GetTicksPerSecond());
    const uint64_t fluid = clock.TicksFor(framing.GetWireBytes(message.bytes));
    MessageLane lane;
    lane.Bind(nullptr, message, std::move(route), framing);
    return TimeStep(fluid + lane.GetLatency(message.bytes));
}

std::vector<std::string>
RoutedMessageTransport::DescribePending() const
{
    std::vector<std::string> nvlink;
    std::vector<std::string> ethernet;
    for (const auto& lane : m_lanes)
    {
        const MessageRecord* const leaving = FindLeaving(*lane);
        bool left = true;
        for (const MessageRecord* record = lane->m_first; record; record = record->next)
        {
            left = left && record != leaving;
            if (record->arrived && record->sent)
            {
                continue;
            }
            const MessageEnds& ends = lane->GetEnds();
            std::ostringstream line;
            line << (lane->GetRoute().nvlink ? "NVLink" : "Ethernet") << ": " << DescribeEnds(ends)
                 << " channel " << ends.channel << ": " << record->bytes << " bytes since "
                 << TimeStep(record->since).GetNanoSeconds() << " ns, ";
            if (record->missing > 0)
            {
                line << record->missing << " ranks have not added theirs";
            }
            else if (record->arrived)
            {
                line << "not acknowledged";
            }
            else if (record == leaving)
            {
                line << static_cast<uint64_t>(GetShareLeft(*lane, *record) * record->bytes)
                     << " sent";
            }
            else
            {
                line << (left ? "on its way" : "waits for the one before");
            }
            (lane->GetRoute().nvlink ? nvlink : ethernet).push_back(line.str());
        }
    }
    std::vector<std::string> lines;
    AddMessages(ethernet, "over Ethernet", lines);
    AddMessages(nvlink, "over NVLink", lines);
    return lines;
}

} // namespace ns3
