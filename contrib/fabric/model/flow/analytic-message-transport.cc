/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "analytic-message-transport.h"

#include "ns3/link-clock.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(AnalyticMessageTransport);

/** \brief A lane, and what ports at its ends serve of it: one message each at a time. */
class AnalyticMessageTransport::Lane : public MessageLane
{
  public:
    /** \brief One end, at whose ports a message is served. */
    class End : public TurnPort::Client
    {
      public:
        /** \param lane whose end it is */
        explicit End(Lane* lane)
            : m_lane(lane)
        {
        }

        void Began() override
        {
            if (this == &m_lane->source && !begun)
            {
                begun = true;
                m_lane->m_owner->Leaving(*m_lane);
            }
        }

        void Served() override
        {
            if (--ports > 0)
            {
                return;
            }
            this == &m_lane->source ? m_lane->m_owner->Left(*m_lane)
                                    : m_lane->m_owner->Taken(*m_lane);
        }

        MessageRecord* record{nullptr}; //!< what is served
        uint32_t ports{0};              //!< that have yet to serve it
        bool begun{false};              //!< a port has begun with it

      private:
        Lane* m_lane; //!< whose end it is
    };

    /** \param owner its transport \param rateBps alone on its route, bit/s */
    Lane(AnalyticMessageTransport* owner, uint64_t rateBps)
        : clock(rateBps, FabricEngine::GetTicksPerSecond()),
          source(this),
          sink(this),
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
    End source;                            //!< where messages leave
    End sink;                              //!< where they arrive
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
        m_ports.emplace_back(GetEngine(), resource.capacityBps);
    }
}

std::unique_ptr<MessageLane>
AnalyticMessageTransport::MakeLane(const Message& ends, const MessageRoute& route)
{
    auto lane = std::make_unique<Lane>(this, route.rateBps);
    lane->head.context = ends.dst;
    if (ends.kind != MessageKind::COMBINE) // whose senders hear in events of their own
    {
        for (uint32_t i = 0; i < route.hopUses.front(); i++)
        {
            m_ports[route.uses[i].resource].SetContext(ends.src);
        }
    }
    return lane;
}

uint64_t
AnalyticMessageTransport::GetBusyBytes(MessageLane& lane, uint64_t bytes)
{
    const MessageFraming& framing = lane.GetFraming();
    return lane.GetSize(bytes).wireBytes + framing.GetAckCount(bytes) * framing.ackBytes;
}

void
AnalyticMessageTransport::Serve(Lane& lane, bool isSource, MessageRecord& record)
{
    const MessageRoute& route = lane.GetRoute();
    Lane::End& end = isSource ? lane.source : lane.sink;
    const uint32_t uses = isSource ? route.hopUses.front() : route.hopUses.back();
    const auto first = isSource ? route.uses.begin() : route.uses.end() - uses;
    const uint64_t bytes = GetBusyBytes(lane, record.bytes);
    // What several ports serve at a time divides each of them.
    const bool isPacket = record.bytes <= lane.GetFraming().unitBytes && uses == 1;
    end.record = &record;
    end.ports = uses;
    end.begun = false;
    for (auto use = first; use != first + uses; use++)
    {
        const auto own = static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * use->weight /
                                               MaxMinAllocator::FULL);
        m_ports[use->resource].Add(&end, own, isPacket);
    }
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
    CountLeft(lane, record);
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
    const uint64_t at =
        std::max(GetEngine().Now(),
                 record.headAt + lane.clock.TicksFor(GetBusyBytes(lane, record.bytes)));
    record.tailAt = hasLeft ? std::max(record.tailAt, at) : at;
    lane.sink.record = nullptr;
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
    if (&record != lane.source.record)
    {
        return 0;
    }
    const MessageFraming& framing = lane.GetFraming();
    const uint64_t bytes = framing.GetWireBytes(record.bytes) +
                           framing.GetAckCount(record.bytes) * framing.ackBytes;
    const MessageRoute& route = lane.GetRoute();
    double most = 0;
    for (uint32_t i = 0; i < route.hopUses.front(); i++)
    {
        const auto own = static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) *
                                               route.uses[i].weight / MaxMinAllocator::FULL);
        most = std::max(most, m_ports[route.uses[i].resource].GetShareLeft(&lane.source, own));
    }
    return std::clamp(1 - most, 0.0, 1.0);
}

} // namespace ns3
