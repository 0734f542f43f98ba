/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "message-lane.h"

#include "routed-message-transport.h"

#include "ns3/link-clock.h"

#include <algorithm>
#include <utility>

namespace ns3
{

MessageLane::MessageLane()
    : m_ack(this),
      m_arrival(this)
{
}

MessageLane::~MessageLane() = default;

void
MessageLane::Bind(RoutedMessageTransport* transport,
                  const Message& first,
                  MessageRoute route,
                  const MessageFraming& framing)
{
    m_transport = transport;
    m_ends = {first.src, first.dst, first.channel, first.team, first.kind};
    m_route = std::move(route);
    m_framing = &framing;
    m_arrival.context = first.dst;
    m_arrival.fetch = &MessageLane::FetchForArrival;
    m_ack.fetch = &MessageLane::FetchForAck;
    m_ack.context = first.kind == MessageKind::COMBINE ? first.dst : first.src;
    m_ackLatency = m_route.delay;
    uint64_t slowest = 0;
    for (const uint64_t rateBps : m_route.hopsBps)
    {
        const uint64_t ticks =
            LinkClock(rateBps, FabricEngine::GetTicksPerSecond()).TicksFor(framing.ackBytes);
        m_ackLatency += framing.storeAndForward ? ticks : 0;
        slowest = std::max(slowest, ticks);
    }
    m_ackLatency += framing.storeAndForward ? 0 : slowest;
}

void
MessageLane::SetSize(uint64_t bytes)
{
    m_left = GetLeft();
    m_leftOfSize = 0;
    m_size.bytes = bytes;
    m_size.wireBytes = m_framing->GetWireBytes(bytes);
    m_size.latency = GetLatency(bytes);
}

uint64_t
MessageLane::GetLatency(uint64_t bytes) const
{
    uint64_t latency = m_route.delay;
    for (std::size_t hop = 0; m_framing->storeAndForward && hop < m_route.hopsBps.size(); hop++)
    {
        const LinkClock clock(m_route.hopsBps[hop], FabricEngine::GetTicksPerSecond());
        latency +=
            hop == m_route.slowestHop ? 0 : clock.TicksFor(m_framing->GetPieceWireBytes(bytes));
    }
    return latency;
}

MessageVolume
MessageLane::GetLeft() const
{
    MessageVolume volume = m_left;
    volume.Add(GetVolume(m_size.bytes, m_leftOfSize));
    return volume;
}

MessageVolume
MessageLane::GetFirst(uint64_t count) const
{
    MessageVolume volume = GetLeft();
    const uint64_t left = GetLeftCount();
    uint64_t number = arrivedMessages;
    for (const MessageRecord* record = m_arriving; record; record = record->next, number++)
    {
        if (number >= count && number < left)
        {
            volume.Subtract(GetVolume(record->bytes, 1));
        }
        else if (number >= left && number < count)
        {
            volume.Add(GetVolume(record->bytes, 1));
        }
    }
    return volume;
}

MessageVolume
MessageLane::GetVolume(uint64_t bytes, uint64_t count) const
{
    return count == 0 ? MessageVolume()
                      : MessageVolume{count,
                                      count * bytes,
                                      count * m_framing->GetWireBytes(bytes),
                                      count * m_framing->GetPieceCount(bytes),
                                      count * m_framing->GetAckCount(bytes)};
}

void
MessageLane::FetchForArrival(const FabricEvent* event, uint32_t stage)
{
    using ArrivalEvent = MemberEvent<MessageLane, &MessageLane::OnArrival>;
    const MessageLane& lane = *static_cast<const ArrivalEvent*>(event)->owner;
    lane.m_transport->FetchEndpoint(lane.m_ends.dst, lane.m_ends.channel, stage);
    lane.m_transport->FetchExpectedSend(lane.m_ends.dst, lane.m_ends.channel, stage);
}

void
MessageLane::FetchForAck(const FabricEvent* event, uint32_t stage)
{
    using AckEvent = MemberEvent<MessageLane, &MessageLane::OnAck>;
    const MessageLane& lane = *static_cast<const AckEvent*>(event)->owner;
    if (stage == 0)
    {
        lane.Fetch();
        return;
    }
    FetchLines(lane.m_acking);
    lane.m_transport->FetchEndpoint(lane.m_ends.src, lane.m_ends.channel, stage);
}

void
MessageLane::Arrive(MessageRecord& record, uint64_t at)
{
    m_lastArrival = std::max(m_lastArrival, at);
    record.arriveAt = m_lastArrival;
    if (m_arriving == &record)
    {
        m_arrival.hint = &record;
        m_transport->GetEngine().ScheduleAt(&m_arrival, record.arriveAt);
    }
}

void
MessageLane::Acknowledge(MessageRecord& record)
{
    if (m_acking == &record)
    {
        m_transport->GetEngine().ScheduleAt(&m_ack, record.arriveAt + m_ackLatency);
    }
}

void
MessageLane::OnArrival()
{
    MessageRecord& record = *m_arriving;
    m_arriving = record.next;
    if (m_arriving && m_arriving->arriveAt != MessageRecord::NEVER)
    {
        m_arrival.hint = m_arriving;
        m_transport->GetEngine().ScheduleAt(&m_arrival, m_arriving->arriveAt);
    }
    record.arrived = true;
    arrivedBytes += record.bytes;
    arrivedMessages++;
    const Message message = MakeMessage(record);
    Release();
    m_transport->Arrived(message);
}

void
MessageLane::OnAck()
{
    MessageRecord& record = *m_acking;
    m_acking = record.next;
    if (m_acking && m_acking->arriveAt != MessageRecord::NEVER)
    {
        m_transport->GetEngine().ScheduleAt(&m_ack, m_acking->arriveAt + m_ackLatency);
    }
    record.sent = true;
    const Message message = MakeMessage(record);
    Release();
    m_transport->Acknowledged(message);
}

void
MessageLane::Release()
{
    while (m_first && m_first->arrived && m_first->sent)
    {
        MessageRecord* const done = m_first;
        m_first = done->next;
        m_last = m_first ? m_last : nullptr;
        m_transport->Free(done);
    }
}

} // namespace ns3
