/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "analytic-message-transport.h"

#include "ns3/fetch-lines.h"
#include "ns3/link-clock.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AnalyticMessageTransport);

/** \brief One end of a lane, and its message that ports serve. */
class AnalyticMessageTransport::LaneEnd : public TurnPort::Client
{
  public:
    /** \param l whose end it is */
    explicit LaneEnd(Lane* l)
        : lane(l)
    {
    }

    void Began() override;
    void Served() override;
    void FetchForServed() const override;

    Lane* const lane;               //!< whose end it is
    MessageRecord* record{nullptr}; //!< what is served
    uint32_t ports{0};              //!< that have yet to serve it
    bool begun{false};              //!< a port has begun with it
};

/** \brief A lane, and what ports serve of it: one message each for the source, with what links
 * between both ends serve of that, and for the destination. */
class AnalyticMessageTransport::Lane : public MessageLane
{
  public:
    /** \param owner its transport \param route its way */
    Lane(AnalyticMessageTransport* owner, const MessageRoute& route)
        : source(this),
          sink(this),
          clock(route.rateBps, FabricEngine::GetTicksPerSecond()),
          sourcePort(&owner->m_ports[route.uses.front().resource]),
          sinkPort(&owner->m_ports[route.uses.back().resource]),
          head(this),
          m_owner(owner)
    {
        head.fetch = &Lane::FetchForHead;
    }

    /** The head of a message is there. */
    void OnHead()
    {
        m_owner->HeadArrived(*this);
    }

    /** \return how many links between both ends messages wait for */
    uint32_t GetMiddleUses() const
    {
        const MessageRoute& route = GetRoute();
        const bool hasMiddle = route.nvlink && route.hopUses.size() > 2;
        const auto all = static_cast<uint32_t>(route.uses.size());
        return hasMiddle ? all - route.hopUses.front() - route.hopUses.back() : 0;
    }

    /** \param end with whose message a port has begun */
    void Began(LaneEnd& end)
    {
        if (&end == &source && !end.begun)
        {
            end.begun = true;
            m_owner->Leaving(*this);
        }
    }

    /** \param end whose message a port has served */
    void Served(LaneEnd& end)
    {
        if (--end.ports == 0)
        {
            &end == &source ? m_owner->Left(*this) : m_owner->Taken(*this);
        }
    }

    // What every message touches.
    LaneEnd source;                        //!< where messages leave
    LaneEnd sink;                          //!< where they arrive
    MessageRecord* heading{nullptr};       //!< the oldest whose head is on the way
    LinkClock clock;                       //!< of the slowest link
    const TurnPort* sourcePort;            //!< the first one where messages leave
    const TurnPort* sinkPort;              //!< the last one where they arrive
    MemberEvent<Lane, &Lane::OnHead> head; //!< of `heading`

  private:
    /** \param event `head`, to come \param stage of FabricEvent::Fetcher */
    static void FetchForHead(const FabricEvent* event, uint32_t stage)
    {
        const Lane& lane = *static_cast<const MemberEvent<Lane, &Lane::OnHead>*>(event)->owner;
        if (stage == 0)
        {
            lane.Fetch();
            return;
        }
        FetchLines(lane.heading);
        FetchLines(lane.sinkPort, 3);
    }

    AnalyticMessageTransport* m_owner; //!< its transport

  public:
    uint64_t takenMessages{0}; //!< that the destination has had time for
};

void
AnalyticMessageTransport::LaneEnd::Began()
{
    lane->Began(*this);
}

void
AnalyticMessageTransport::LaneEnd::Served()
{
    lane->Served(*this);
}

void
AnalyticMessageTransport::LaneEnd::FetchForServed() const
{
    lane->Fetch();
    FetchLines(record);
}

TypeId
AnalyticMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AnalyticMessageTransport")
                            .SetParent<RoutedMessageTransport>()
                            .SetGroupName("Fabric")
                            .AddConstructor<AnalyticMessageTransport>();
    return tid;
}

AnalyticMessageTransport::AnalyticMessageTransport() = default;
AnalyticMessageTransport::~AnalyticMessageTransport() = default;

void
AnalyticMessageTransport::NetworkSet()
{
    for (const RouteResource& resource : GetRouter().GetResources())
    {
        m_ports.emplace_back(GetEngine(), resource.capacityBps);
    }
}

bool
AnalyticMessageTransport::SharesLink(const TopologyLink& link) const
{
    // Ports serve the first and last hop, and inside a server all hops (Lane::GetMiddleUses()).
    return link.kind == TopologyLinkKind::NVLINK || link.a < GetRankCount() ||
           link.b < GetRankCount();
}

std::unique_ptr<MessageLane>
AnalyticMessageTransport::MakeLane(const Message& ends, const MessageRoute& route)
{
    auto lane = std::make_unique<Lane>(this, route);
    lane->head.context = ends.dst;
    if (!IsSum(ends.kind)) // whose senders hear in events of their own
    {
        for (uint32_t i = 0; i < route.hopUses.front(); i++)
        {
            m_ports[route.uses[i].resource].SetContext(ends.src);
        }
    }
    return lane;
}

uint64_t
AnalyticMessageTransport::GetBusyBytes(const MessageFraming& framing, uint64_t bytes)
{
    return framing.GetWireBytes(bytes) + framing.GetAckCount(bytes) * framing.ackBytes;
}

void
AnalyticMessageTransport::Serve(Lane& lane, bool isSource, MessageRecord& record)
{
    const MessageRoute& route = lane.GetRoute();
    LaneEnd& end = isSource ? lane.source : lane.sink;
    const uint32_t uses = isSource ? route.hopUses.front() : route.hopUses.back();
    const auto first = isSource ? 0 : static_cast<uint32_t>(route.uses.size()) - uses;
    end.record = &record;
    end.ports = uses + (isSource ? lane.GetMiddleUses() : 0);
    end.begun = false;
    AddToPorts(end, first, uses);
}

void
AnalyticMessageTransport::AddToPorts(LaneEnd& end, uint32_t first, uint32_t count)
{
    const MessageFraming& framing = end.lane->GetFraming();
    const uint64_t bytes = GetBusyBytes(framing, end.record->bytes);
    // What several ports serve at a time divides each of them.
    const bool isPacket = end.record->bytes <= framing.unitBytes && count == 1;
    for (uint32_t i = first; i < first + count; i++)
    {
        const MaxMinAllocator::Use& use = end.lane->GetRoute().uses[i];
        m_ports[use.resource].Add(&end, GetPart(bytes, use), isPacket);
    }
}

uint64_t
AnalyticMessageTransport::GetPart(uint64_t bytes, const MaxMinAllocator::Use& use)
{
    return static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * use.weight /
                                 MaxMinAllocator::FULL);
}

void
AnalyticMessageTransport::FetchForSend(const MessageLane& base) const
{
    const auto& lane = static_cast<const Lane&>(base);
    FetchLines(lane.sourcePort, 3);
    FetchLines(lane.GetRoute().uses.data());
}

void
AnalyticMessageTransport::Ready(MessageLane& base, MessageRecord& record)
{
    auto& lane = static_cast<Lane&>(base);
    if (!lane.source.record)
    {
        Serve(lane, true, record);
    }
}

void
AnalyticMessageTransport::Leaving(Lane& lane)
{
    MessageRecord& record = *lane.source.record;
    record.headAt = GetEngine().Now() + lane.GetSize(record.bytes).latency;
    if (!lane.heading)
    {
        lane.heading = &record;
        GetEngine().ScheduleAt(&lane.head, record.headAt);
    }
    if (lane.GetMiddleUses() > 0)
    {
        const MessageRoute& route = lane.GetRoute();
        uint32_t first = 0;
        for (std::size_t hop = 0; hop + 1 < route.hopUses.size(); hop++)
        {
            if (hop > 0)
            {
                AddToPorts(lane.source, first, route.hopUses[hop]);
            }
            first += route.hopUses[hop];
        }
    }
}

void
AnalyticMessageTransport::Left(Lane& lane)
{
    MessageRecord& record = *lane.source.record;
    MessageRecord* const next = record.next && record.next->missing == 0 ? record.next : nullptr;
    const bool isTaken = record.tailAt != MessageRecord::NEVER;
    const uint64_t tailAt = GetEngine().Now() + lane.GetSize(record.bytes).latency;
    record.tailAt = isTaken ? std::max(record.tailAt, tailAt) : tailAt;
    lane.source.record = nullptr;
    lane.CountLeft(record.bytes);
    if (next)
    {
        Serve(lane, true, *next);
    }
    if (isTaken)
    {
        Complete(lane, record);
    }
    if (lane.GetFraming().ackBytes == 0)
    {
        SentNow(lane, record);
    }
}

void
AnalyticMessageTransport::HeadArrived(Lane& lane)
{
    MessageRecord& record = *lane.heading;
    lane.heading =
        record.next && record.next->headAt != MessageRecord::NEVER ? record.next : nullptr;
    if (lane.heading)
    {
        lane.heading->headAt = std::max(lane.heading->headAt, record.headAt);
        GetEngine().ScheduleAt(&lane.head, lane.heading->headAt);
    }
    if (!lane.sink.record)
    {
        Take(lane, record);
    }
}

void
AnalyticMessageTransport::Take(Lane& lane, MessageRecord& record)
{
    if (lane.GetRoute().hopUses.size() > 1)
    {
        Serve(lane, false, record);
        return;
    }
    lane.sink.record = &record; // its only link is the source's
    Taken(lane);
}

void
AnalyticMessageTransport::Taken(Lane& lane)
{
    MessageRecord& record = *lane.sink.record;
    MessageRecord* const next = record.next;
    const bool hasLeft = record.tailAt != MessageRecord::NEVER;
    const uint64_t bytes = GetBusyBytes(lane.GetFraming(), record.bytes);
    const uint64_t at = std::max(GetEngine().Now(), record.headAt + lane.clock.TicksFor(bytes));
    record.tailAt = hasLeft ? std::max(record.tailAt, at) : at;
    lane.sink.record = nullptr;
    lane.takenMessages++;
    if (hasLeft)
    {
        Complete(lane, record);
    }
    if (next && next != lane.heading && next->headAt != MessageRecord::NEVER)
    {
        Take(lane, *next);
    }
}

void
AnalyticMessageTransport::Complete(Lane& lane, MessageRecord& record)
{
    lane.Arrive(record, record.tailAt);
    if (lane.GetFraming().ackBytes > 0)
    {
        lane.Acknowledge(record);
    }
}

double
AnalyticMessageTransport::GetShareLeft(const MessageLane& base, const MessageRecord& record) const
{
    const auto& lane = static_cast<const Lane&>(base);
    return &record == lane.source.record
               ? GetServedShare(lane.source,
                                0,
                                lane.GetRoute().hopUses.front() + lane.GetMiddleUses())
               : 0;
}

double
AnalyticMessageTransport::GetTakenShare(const Lane& lane) const
{
    const MessageRoute& route = lane.GetRoute();
    const uint32_t uses = route.hopUses.back();
    return GetServedShare(lane.sink, static_cast<uint32_t>(route.uses.size()) - uses, uses);
}

MessageVolume
AnalyticMessageTransport::GetVolumeTaken(const MessageLane& base) const
{
    const auto& lane = static_cast<const Lane&>(base);
    MessageVolume volume = lane.GetFirst(lane.takenMessages);
    if (const MessageRecord* record = lane.sink.record)
    {
        AddShare(volume, lane, *record, GetTakenShare(lane));
    }
    return volume.GetLesser(GetVolumeLeft(lane));
}

uint64_t
AnalyticMessageTransport::GetBytesThere(const MessageLane& base,
                                        const MessageRecord& record,
                                        bool hasLeft) const
{
    const auto& lane = static_cast<const Lane&>(base);
    const uint64_t now = GetEngine().Now();
    if (now <= record.headAt) // or nobody knows yet when that is
    {
        return 0;
    }
    const auto since = static_cast<double>(now - record.headAt);
    const auto divide = [](double ticks, uint64_t by) {
        return std::min(1.0, ticks / std::max<uint64_t>(by, 1));
    };
    const uint64_t busy = GetBusyBytes(lane.GetFraming(), record.bytes);
    double share = divide(since, lane.clock.TicksFor(busy));
    if (hasLeft)
    {
        const bool isKnown = record.arriveAt != MessageRecord::NEVER;
        const uint64_t end = std::max(isKnown ? record.arriveAt : record.tailAt, record.headAt);
        share = std::min(share, divide(since, end - record.headAt));
    }
    else
    {
        const double sent = GetShareLeft(lane, record); // of which some is on the way
        share = std::min(share, sent * since / (since + lane.GetLatency(record.bytes)));
    }
    const bool hasTime = !hasLeft && record.tailAt != MessageRecord::NEVER;
    if (lane.GetRoute().hopUses.size() > 1 && record.arriveAt == MessageRecord::NEVER && !hasTime)
    {
        share = std::min(share, &record == lane.sink.record ? GetTakenShare(lane) : 0);
    }
    return static_cast<uint64_t>(share * record.bytes);
}

double
AnalyticMessageTransport::GetServedShare(const LaneEnd& end, uint32_t first, uint32_t count) const
{
    const uint64_t bytes = GetBusyBytes(end.lane->GetFraming(), end.record->bytes);
    double most = 0;
    for (uint32_t i = first; i < first + count; i++)
    {
        const MaxMinAllocator::Use& use = end.lane->GetRoute().uses[i];
        most = std::max(most, m_ports[use.resource].GetShareUnserved(&end, GetPart(bytes, use)));
    }
    return std::clamp(1 - most, 0.0, 1.0);
}

} // namespace ns3
