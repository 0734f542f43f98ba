/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-message-transport.h"

#include "ns3/abort.h"
#include "ns3/link-clock.h"

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
    /** \param owner its transport \param number its flow */
    Lane(FlowMessageTransport* owner, uint32_t number)
        : timer(this),
          flow(number),
          m_owner(owner)
    {
    }

    /** \return ticks until what is left has gone at this rate, rounded up */
    Volume Divide()
    {
        if (left != m_divided || rate != m_divisor)
        {
            m_divided = left;
            m_divisor = rate;
            m_quotient = (left + rate - 1) / rate;
        }
        return m_quotient; // of most messages the same as of the one before
    }

    /** The last bit leaves. */
    void OnEnd()
    {
        Prefetch();
        m_owner->m_allocator.Prefetch(places);
        __builtin_prefetch(active, 1);
        __builtin_prefetch(port, 1);
        m_owner->End(*this);
    }

    // The engine fetches ahead what follows the timer's event.
    FabricTimer<Lane, &Lane::OnEnd> timer; //!< when the last bit leaves at this rate
    uint32_t flow;                         //!< of the allocator
    MaxMinAllocator::Places places;        //!< where its state lies
    MessageRecord* active{nullptr};        //!< what it sends
    Volume left{0};                        //!< of that, at `since`
    uint64_t rate{0};                      //!< since then, 2^-10 bit/s
    uint64_t since{0};                     //!< ticks
    Port* port{nullptr};                   //!< of its source, if all of it goes by one resource
    bool sharing{false};                   //!< it counts as one of the sharers of its ports
    MessageRecord* waiting{nullptr};       //!< waits for its turn there
    Lane* behind{nullptr};                 //!< waits next

  private:
    FlowMessageTransport* m_owner; //!< its transport
    Volume m_divided{0};           //!< of the last division
    Volume m_quotient{0};          //!< of the last division
    uint64_t m_divisor{1};         //!< of the last division
};

TypeId
FlowMessageTransport::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FlowMessageTransport")
                            .SetParent<RoutedMessageTransport>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FlowMessageTransport>();
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
    auto lane = std::make_unique<Lane>(this, m_allocator.AddFlow(GetUses(route)));
    lane->places = m_allocator.GetPlaces(lane->flow);
    lane->timer.Bind(&GetEngine(), ends.src);
    lane->port = route.hopUses.front() == 1 ? &m_ports[route.uses.front().resource] : nullptr;
    m_flows.push_back(lane.get());
    return lane;
}

void
FlowMessageTransport::Ready(MessageLane& base, MessageRecord& record)
{
    auto& lane = static_cast<Lane&>(base);
    m_allocator.Prefetch(lane.places);
    if (!lane.active && !lane.waiting)
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
    lane.waiting = &record;
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
        const uint64_t bytes = port.packet->GetSize(port.packet->active->bytes).wireBytes;
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
    MessageRecord& record = *lane.waiting;
    port.first = lane.behind;
    lane.waiting = nullptr;
    Begin(lane, record, credit);
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
    if (m_allocator.IsActive(lane.flow))
    {
        m_allocator.Deactivate(lane.flow);
        lane.rate = 0;
    }
}

void
FlowMessageTransport::Begin(Lane& lane, MessageRecord& record, uint64_t credit)
{
    const Volume volume =
        static_cast<Volume>(lane.GetSize(record.bytes).wireBytes) * m_volumePerByte;
    lane.active = &record;
    lane.left = volume - std::min<Volume>(volume, credit);
    lane.since = GetEngine().Now();
    if (lane.left == 0)
    {
        lane.timer.Set(lane.since);
        return;
    }
    if (!m_allocator.IsActive(lane.flow))
    {
        m_allocator.Activate(lane.flow);
        lane.rate = 0;
    }
    lane.rate = m_allocator.GetRate(lane.flow);
    Await(lane);
}

void
FlowMessageTransport::TakeRate(Lane& lane)
{
    const uint64_t now = GetEngine().Now();
    const Volume gone = static_cast<Volume>(lane.rate) * (now - lane.since);
    lane.left -= std::min(lane.left, gone);
    lane.since = now;
    lane.rate = m_allocator.GetRate(lane.flow);
    Await(lane);
}

void
FlowMessageTransport::Await(Lane& lane)
{
    if (lane.rate == 0)
    {
        lane.timer.Clear(); // until Update()
        return;
    }
    const Volume ticks = lane.Divide();
    NS_ABORT_MSG_IF(ticks > static_cast<uint64_t>(INT64_MAX) - lane.since,
                    "a message of " << lane.active->bytes << " bytes takes longer than time lasts");
    lane.timer.Set(lane.since + static_cast<uint64_t>(ticks));
}

void
FlowMessageTransport::End(Lane& lane)
{
    MessageRecord& record = *lane.active;
    const uint64_t now = GetEngine().Now();
    const Volume gone = static_cast<Volume>(lane.rate) * (now - lane.since);
    // Less than what a tick carries.
    const auto credit = static_cast<uint64_t>(gone > lane.left ? gone - lane.left : 0);
    MessageRecord* const next = record.next && record.next->missing == 0 ? record.next : nullptr;
    lane.active = nullptr;
    CountLeft(lane, record);
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
    for (const uint32_t flow : m_allocator.Update())
    {
        Lane& lane = *m_flows[flow];
        if (lane.active && m_allocator.IsActive(flow))
        {
            TakeRate(lane);
        }
    }
}

double
FlowMessageTransport::GetRateBps(uint32_t src, uint32_t dst, uint32_t channel) const
{
    for (const Lane* lane : m_flows)
    {
        const Message& ends = lane->GetTemplate();
        if (ends.src == src && ends.dst == dst && ends.channel == channel)
        {
            return static_cast<double>(m_allocator.GetRate(lane->flow)) / MaxMinAllocator::BPS;
        }
    }
    return 0;
}

double
FlowMessageTransport::GetShareLeft(const MessageLane& base, const MessageRecord& record) const
{
    const auto& lane = static_cast<const Lane&>(base);
    if (&record != lane.active)
    {
        return 0;
    }
    const double all = static_cast<double>(lane.GetFraming().GetWireBytes(record.bytes)) * 8 *
                       MaxMinAllocator::BPS * FabricEngine::GetTicksPerSecond();
    const double gone = static_cast<double>(lane.rate) * (GetEngine().Now() - lane.since);
    return all > 0 ? std::clamp(1 - (static_cast<double>(lane.left) - gone) / all, 0.0, 1.0) : 0;
}

} // namespace ns3
