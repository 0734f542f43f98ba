/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-message-transport.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/fetch-lines.h"
#include "ns3/link-clock.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FlowMessageTransport);

/** \brief The links of a rank, where messages of one packet take turns. */
class alignas(64) FlowMessageTransport::Port
{
  public:
    /** \param owner its transport \param rateBps rate, bit/s */
    Port(FlowMessageTransport* owner, uint64_t rateBps)
        : clock(rateBps, FabricEngine::GetTicksPerSecond()),
          timer(this),
          m_owner(owner)
    {
        timer.Bind(&owner->GetEngine(), 0);
    }

    /** The links have had time for the packet. */
    void OnTurn()
    {
        m_owner->PassTurn(*this, 0);
        m_owner->RequestUpdate();
    }

    // What every message touches stands first.
    uint32_t sharers{0};                    //!< lanes with longer messages, for whom nobody waits
    Lane* packet{nullptr};                  //!< sends a packet that others wait for
    uint64_t since{0};                      //!< when that began, ticks
    Lane* first{nullptr};                   //!< waits next
    Lane* last{nullptr};                    //!< waits behind all others
    LinkClock clock;                        //!< time on the links
    FabricTimer<Port, &Port::OnTurn> timer; //!< end of the packet on the links, if others wait

  private:
    FlowMessageTransport* m_owner; //!< its transport
};

/** \brief A lane and its flow. */
class FlowMessageTransport::Lane : public MessageLane
{
  public:
    /** \param owner its transport \param flow where its flow's state lies */
    Lane(FlowMessageTransport* owner, const MaxMinAllocator::Places& flow)
        : timer(this, &Lane::FetchForEnd),
          places(flow),
          m_owner(owner)
    {
    }

    /** The last bit leaves. */
    void OnEnd()
    {
        m_owner->End(*this);
    }

    /** Fetches what a message that begins or ends touches beside the lane. */
    void FetchFlow() const
    {
        m_owner->m_allocator.Prefetch(places);
        FetchLines(port);
    }

    // Three lines of cache behind those of MessageLane.
    FabricTimer<Lane, &Lane::OnEnd> timer; //!< when the last bit leaves at this rate
    MessageRecord* record{nullptr};        //!< what it sends, or what waits for its turn
    Volume left{0};                        //!< of what it sends, at `since`
    uint64_t rate{0};                      //!< since then, 2^-10 bit/s
    uint64_t since{0};                     //!< ticks
    Port* port{nullptr};                   //!< of its source, if all of it goes by one resource
    Lane* behind{nullptr};                 //!< waits next there
    MaxMinAllocator::Places places;        //!< its flow of the allocator
    bool sending{false};                   //!< it sends `record`
    bool sharing{false};                   //!< it counts as one of the sharers of its ports

  private:
    /** \param event of the timer, to come \param stage of FabricEvent::Fetcher */
    static void FetchForEnd(const FabricEvent* event, uint32_t stage)
    {
        const Lane& lane = *decltype(timer)::GetOwner(event);
        if (stage == 0)
        {
            lane.Fetch();
            lane.FetchFlow();
            FetchLines(lane.record);
        }
        else if (lane.GetFraming().ackBytes == 0) // its sender will be told, too
        {
            const MessageEnds& ends = lane.GetEnds();
            lane.m_owner->FetchEndpoint(ends.src, ends.channel, stage);
        }
    }

    FlowMessageTransport* m_owner; //!< its transport
};

TypeId
FlowMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowMessageTransport")
                            .SetParent<RoutedMessageTransport>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FlowMessageTransport>()
                            .AddAttribute("MostFilled",
                                          "Flows whose rates are all computed anew when one of "
                                          "them changes; of more, only those that change are "
                                          "(0: always). Results are the same. Source: measured, "
                                          "flow-bench.",
                                          UintegerValue(MaxMinAllocator::MOST_FILLED),
                                          MakeUintegerAccessor(&FlowMessageTransport::m_mostFilled),
                                          MakeUintegerChecker<uint32_t>());
    return tid;
}

FlowMessageTransport::FlowMessageTransport()
    : m_update(this)
{
}

FlowMessageTransport::~FlowMessageTransport() = default;

void
FlowMessageTransport::NetworkSet()
{
    m_allocator = MaxMinAllocator(m_mostFilled);
    m_volumePerByte = 8 * MaxMinAllocator::BPS * FabricEngine::GetTicksPerSecond();
    const std::vector<RouteResource>& resources = GetRouter().GetResources();
    for (const RouteResource& resource : resources)
    {
        m_allocator.AddResource(resource.capacityBps);
        m_ports.emplace_back(this, resource.capacityBps);
    }
    for (uint32_t i = 0; i < resources.size(); i++)
    {
        const RouteResource& resource = resources[i];
        const MessageFraming& framing =
            GetRouter().GetFraming(resource.kind == TopologyLinkKind::NVLINK);
        if (resource.reverse > i && framing.ackBytes > 0)
        {
            m_allocator.JoinDirections(i, resource.reverse, framing.GetAckShare());
        }
    }
}

std::vector<MaxMinAllocator::Use>
FlowMessageTransport::GetUses(const MessageRoute& route) const
{
    std::vector<MaxMinAllocator::Use> uses = route.uses;
    if (route.reduction)
    {
        // It fills both directions and, unlike other messages, has no acknowledgement per packet,
        // for which directions are joined: with w = 1 / (1 + share) w + share w is the whole.
        const double share = GetRouter().GetFraming(false).GetAckShare();
        for (MaxMinAllocator::Use& use : uses)
        {
            use.weight = static_cast<uint32_t>(use.weight / (1 + share));
        }
    }
    return uses;
}

std::unique_ptr<MessageLane>
FlowMessageTransport::MakeLane(const Message& ends, const MessageRoute& route)
{
    const uint32_t flow = m_allocator.AddFlow(GetUses(route));
    auto lane = std::make_unique<Lane>(this, m_allocator.GetPlaces(flow));
    lane->timer.Bind(&GetEngine(), ends.src);
    lane->port = route.hopUses.front() == 1 ? &m_ports[route.uses.front().resource] : nullptr;
    m_flows.push_back(lane.get());
    return lane;
}

void
FlowMessageTransport::FetchForSend(const MessageLane& lane) const
{
    static_cast<const Lane&>(lane).FetchFlow();
}

void
FlowMessageTransport::Ready(MessageLane& base, MessageRecord& record)
{
    auto& lane = static_cast<Lane&>(base);
    if (!lane.record)
    {
        Start(lane, record, 0);
        RequestUpdate();
    }
}

void
FlowMessageTransport::Start(Lane& lane, MessageRecord& record, uint64_t credit)
{
    const bool isPacket = lane.port && record.bytes <= lane.GetFraming().unitBytes;
    if (lane.sharing == isPacket)
    {
        SetSharing(lane, !isPacket);
    }
    if (!isPacket || lane.port->sharers > 0)
    {
        Begin(lane, record, credit);
        return;
    }
    Port& port = *lane.port;
    if (!port.packet)
    {
        port.packet = &lane;
        port.since = GetEngine().Now();
        Begin(lane, record, credit);
        return;
    }
    lane.record = &record;
    lane.behind = nullptr;
    (port.first ? port.last->behind : port.first) = &lane;
    port.last = &lane;
    AwaitTurn(port);
    Rest(lane);
}

void
FlowMessageTransport::AwaitTurn(Port& port)
{
    if (port.packet && port.first)
    {
        const uint64_t bytes = port.packet->GetSize(port.packet->record->bytes).wireBytes;
        port.timer.Set(std::max(GetEngine().Now(), port.since + port.clock.TicksFor(bytes)));
        return;
    }
    port.timer.Clear();
}

void
FlowMessageTransport::SetSharing(Lane& lane, bool sharing)
{
    lane.sharing = sharing;
    if (lane.port)
    {
        SetSharing(*lane.port, sharing);
        return;
    }
    const MessageRoute& route = lane.GetRoute();
    for (uint32_t i = 0; i < route.hopUses.front(); i++)
    {
        SetSharing(m_ports[route.uses[i].resource], sharing);
    }
}

void
FlowMessageTransport::SetSharing(Port& port, bool sharing)
{
    port.sharers += sharing ? 1 : -1;
    if (sharing && port.first)
    {
        while (port.first)
        {
            BeginFirst(port, 0);
        }
        port.timer.Clear();
    }
}

void
FlowMessageTransport::BeginFirst(Port& port, uint64_t credit)
{
    Lane& lane = *port.first;
    port.first = lane.behind;
    Begin(lane, *lane.record, credit);
}

bool
FlowMessageTransport::PassTurn(Port& port, uint64_t credit)
{
    port.packet = port.first;
    port.since = GetEngine().Now();
    const bool hasWaiting = port.first;
    if (hasWaiting)
    {
        BeginFirst(port, credit);
    }
    AwaitTurn(port);
    return hasWaiting;
}

void
FlowMessageTransport::Rest(Lane& lane)
{
    if (m_allocator.IsActive(lane.places.flow))
    {
        m_allocator.Deactivate(lane.places.flow);
        lane.rate = 0;
    }
}

void
FlowMessageTransport::Begin(Lane& lane, MessageRecord& record, uint64_t credit)
{
    const Volume volume =
        static_cast<Volume>(lane.GetSize(record.bytes).wireBytes) * m_volumePerByte;
    lane.record = &record;
    lane.sending = true;
    lane.left = volume - std::min<Volume>(volume, credit);
    lane.since = GetEngine().Now();
    if (lane.left == 0)
    {
        lane.timer.Set(lane.since);
        return;
    }
    if (!m_allocator.IsActive(lane.places.flow))
    {
        m_allocator.Activate(lane.places.flow);
        lane.rate = 0;
    }
    lane.rate = m_allocator.GetRate(lane.places.flow);
    Await(lane);
}

void
FlowMessageTransport::TakeRate(Lane& lane)
{
    const uint64_t now = GetEngine().Now();
    const Volume gone = static_cast<Volume>(lane.rate) * (now - lane.since);
    lane.left -= std::min(lane.left, gone);
    lane.since = now;
    lane.rate = m_allocator.GetRate(lane.places.flow);
}

uint64_t
FlowMessageTransport::FindEnd(const Lane& lane)
{
    NS_ASSERT_MSG(lane.rate > 0, "a message without a rate has no end");
    const Volume ticks = (lane.left + lane.rate - 1) / lane.rate;
    NS_ABORT_MSG_IF(ticks > static_cast<uint64_t>(INT64_MAX) - lane.since,
                    "a message of " << lane.record->bytes << " bytes takes longer than time lasts");
    return lane.since + static_cast<uint64_t>(ticks);
}

void
FlowMessageTransport::Await(Lane& lane)
{
    if (lane.rate == 0)
    {
        lane.timer.Clear(); // until Update()
        return;
    }
    lane.timer.Set(FindEnd(lane));
}

void
FlowMessageTransport::End(Lane& lane)
{
    MessageRecord& record = *lane.record;
    const uint64_t now = GetEngine().Now();
    const Volume gone = static_cast<Volume>(lane.rate) * (now - lane.since);
    // Less than what a tick carries.
    const auto credit = static_cast<uint64_t>(gone > lane.left ? gone - lane.left : 0);
    MessageRecord* const next = record.next && record.next->missing == 0 ? record.next : nullptr;
    lane.record = nullptr;
    lane.sending = false;
    lane.CountLeft(record.bytes);
    const bool hasTurn = lane.port && lane.port->packet == &lane;
    const bool hasWaiting = hasTurn && PassTurn(*lane.port, credit);
    if (next)
    {
        Start(lane, *next, hasWaiting ? 0 : credit);
    }
    else
    {
        if (lane.sharing)
        {
            SetSharing(lane, false);
        }
        Rest(lane);
    }
    RequestUpdate();
    lane.Arrive(record, now + lane.GetSize(record.bytes).latency);
    if (lane.GetFraming().ackBytes > 0)
    {
        lane.Acknowledge(record);
    }
    else
    {
        SentNow(lane, record);
    }
}

void
FlowMessageTransport::Update()
{
    m_updateRequested = false;
    m_earlier.clear();
    for (const uint32_t flow : m_allocator.Update())
    {
        Lane& lane = *m_flows[flow];
        if (!lane.sending || !m_allocator.IsActive(flow))
        {
            continue;
        }
        TakeRate(lane);
        const uint64_t end = FindEnd(lane);
        if (end < lane.timer.GetDue())
        {
            m_earlier.emplace_back(end, flow);
            continue;
        }
        lane.timer.Set(end);
    }
    // In the order of flows, in whatever order rates were found. Where an end moves later, nothing
    // was scheduled: an event at its former time is pending.
    std::sort(m_earlier.begin(), m_earlier.end());
    for (const auto& [end, flow] : m_earlier)
    {
        m_flows[flow]->timer.Set(end);
    }
}

double
FlowMessageTransport::GetShareLeft(const MessageLane& base, const MessageRecord& record) const
{
    const auto& lane = static_cast<const Lane&>(base);
    if (&record != lane.record || !lane.sending)
    {
        return 0;
    }
    const double all = static_cast<double>(lane.GetFraming().GetWireBytes(record.bytes)) * 8 *
                       MaxMinAllocator::BPS * FabricEngine::GetTicksPerSecond();
    const double gone = static_cast<double>(lane.rate) * (GetEngine().Now() - lane.since);
    return all > 0 ? std::clamp(1 - (static_cast<double>(lane.left) - gone) / all, 0.0, 1.0) : 0;
}

} // namespace ns3
