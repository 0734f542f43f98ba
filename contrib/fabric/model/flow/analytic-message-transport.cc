/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "analytic-message-transport.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AnalyticMessageTransport);

/** \brief A lane whose messages have heads. */
class AnalyticMessageTransport::Lane : public MessageLane
{
  public:
    /** \param owner its transport \param rateBps alone on its route, bit/s */
    Lane(AnalyticMessageTransport* owner, uint64_t rateBps)
        : clock(rateBps, FabricEngine::GetTicksPerSecond()),
          head(this),
          m_owner(owner)
    {
    }

    /** The head of a message is there. */
    void OnHead()
    {
        m_owner->HeadArrived(*this);
    }

    LinkClock clock;                       //!< of the slowest link
    MessageRecord* heading{nullptr};       //!< the oldest whose head is on the way
    MemberEvent<Lane, &Lane::OnHead> head; //!< of that

  private:
    AnalyticMessageTransport* m_owner; //!< its transport
};

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
        m_ports.emplace_back();
        m_ports.back().clock = LinkClock(resource.capacityBps, FabricEngine::GetTicksPerSecond());
    }
}

std::unique_ptr<MessageLane>
AnalyticMessageTransport::MakeLane(const Message& ends, const MessageRoute& route)
{
    auto lane = std::make_unique<Lane>(this, route.rateBps);
    lane->head.context = ends.dst;
    return lane;
}

uint64_t
AnalyticMessageTransport::GetBusyBytes(MessageLane& lane, uint64_t bytes)
{
    const MessageSize& size = lane.GetSize(bytes);
    return size.wireBytes + size.acks * lane.GetFraming().ackBytes;
}

uint64_t
AnalyticMessageTransport::Serve(const MessageLane& lane,
                                std::size_t hop,
                                uint64_t bytes,
                                uint64_t& at)
{
    const MessageRoute& route = lane.GetRoute();
    const auto begin = hop == 0 ? route.uses.begin() : route.uses.end() - route.hopUses[hop];
    const auto end = begin + route.hopUses[hop];
    const uint64_t asked = at;
    for (auto use = begin; use != end; use++)
    {
        at = std::max(at, m_ports[use->resource].freeAt);
    }
    uint64_t last = at;
    for (auto use = begin; use != end; use++)
    {
        Port& port = m_ports[use->resource];
        port.remainder = port.freeAt >= asked && port.freeAt == at ? port.remainder : 0;
        const auto own = static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * use->weight /
                                               MaxMinAllocator::FULL);
        port.freeAt = at + port.clock.Serialise(own, port.remainder);
        last = std::max(last, port.freeAt);
    }
    return last;
}

void
AnalyticMessageTransport::Ready(MessageLane& base, MessageRecord& record)
{
    auto& lane = static_cast<Lane&>(base);
    const uint64_t bytes = GetBusyBytes(lane, record.bytes);
    uint64_t start = GetEngine().Now();
    Serve(lane, 0, bytes, start);
    record.headAt = start + lane.GetSize(record.bytes).latency;
    if (!lane.heading)
    {
        lane.heading = &record;
        GetEngine().ScheduleAt(&lane.head, record.headAt);
    }
    if (lane.GetFraming().ackBytes == 0)
    {
        lane.Acknowledge(record, start + lane.clock.TicksFor(bytes));
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
    const uint64_t bytes = GetBusyBytes(lane, record.bytes);
    uint64_t arriveAt = record.headAt + lane.clock.TicksFor(bytes);
    if (lane.GetRoute().hopUses.size() > 1)
    {
        uint64_t at = record.headAt;
        arriveAt = std::max(arriveAt, Serve(lane, lane.GetRoute().hopUses.size() - 1, bytes, at));
    }
    CountLeft(lane, record);
    lane.Arrive(record, arriveAt);
    if (lane.GetFraming().ackBytes > 0)
    {
        lane.Acknowledge(record, record.arriveAt + lane.GetAckLatency());
    }
}

double
AnalyticMessageTransport::GetShareLeft(const MessageLane&, const MessageRecord&) const
{
    return 0; // counted as a whole when its head arrives
}

} // namespace ns3
