/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-recorder.h"

#include "ns3/abort.h"
#include "ns3/collective-algorithm-catalogue.h"
#include "ns3/collective-group.h"
#include "ns3/collective-tag.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RunRecorder::RunRecorder(ResultSink& sink,
                         Cluster& cluster,
                         const CollectiveEngineService* service,
                         bool messages)
    : m_sink(sink),
      m_cluster(cluster),
      m_service(service),
      m_messages(messages)
{
    if (m_messages)
    {
        m_cluster.GetTransport()->SetSentObserver(
            [this](const Message& message) { MessageAcknowledged(message); });
    }
}

RunRecorder::~RunRecorder()
{
    if (m_messages)
    {
        m_cluster.GetTransport()->SetSentObserver({});
    }
}

bool
RunRecorder::ObservesMessages() const
{
    return m_messages;
}

void
RunRecorder::OperationDone(const WorkloadSpan& span)
{
    SpanRecord record;
    record.rank = span.rank;
    record.stream = span.stream->name;
    record.name = span.GetName();
    record.category = span.group ? "collective" : span.peer >= 0 ? "p2p" : "compute";
    record.start = span.start;
    record.end = span.end;
    record.iteration = span.iteration;
    record.collective = span.collective;
    if (const auto* collective = std::get_if<CollectiveWork>(&span.op->work))
    {
        record.bytes = collective->bytes;
    }
    else if (const auto* transfer = std::get_if<TransferWork>(&span.op->work))
    {
        record.bytes = transfer->bytes;
    }
    m_sink.Record(record);
}

RunRecorder::LaneKey
RunRecorder::GetLane(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    return {message.src, message.dst, instance.group->firstChannel + message.channel};
}

void
RunRecorder::MessageStarted(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    FlowRecord record;
    record.src = message.src;
    record.dst = message.dst;
    record.bytes = message.bytes;
    record.start = message.start;
    record.collective = static_cast<int64_t>(instance.id);
    record.step = static_cast<int32_t>(message.step);
    record.channel = message.channel;
    record.path = GetPath(message);
    m_lanes[GetLane(instance, message)].open.push_back(
        {GetTag(instance, message), std::move(record)});
}

std::string
RunRecorder::GetPath(const CollectiveMessage& message) const
{
    const NetworkMessageTransport& transport = *m_cluster.GetTransport();
    if (message.kind != MessageKind::UNICAST)
    {
        return message.kind == MessageKind::ALL_REDUCE ? "collnet" : "nvls";
    }
    if (transport.UsesNvlink(message.src, message.dst))
    {
        return "nvlink";
    }
    return transport.GetRelay(message.src, message.dst) == message.src ? "nic" : "pxn";
}

uint64_t
RunRecorder::GetTag(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    CollectiveTag tag;
    tag.group = instance.call.group;
    tag.sequence = static_cast<uint16_t>(instance.sequence);
    tag.channel = message.channel;
    tag.message = message.step;
    return tag.Encode();
}

void
RunRecorder::MessageEnded(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    const LaneKey key = GetLane(instance, message);
    Lane& lane = m_lanes[key];
    const auto open = Find(lane, GetTag(instance, message));
    open->record.deliveredBytes = message.bytes;
    open->record.end = message.end;
    lane.arrivedBytes += message.kind == MessageKind::UNICAST ? message.bytes : 0;
    RecordIfFinished(key, open);
}

void
RunRecorder::MessageAcknowledged(const Message& message)
{
    const LaneKey key{message.src, message.dst, message.channel};
    const auto open = Find(m_lanes[key], message.tag);
    open->record.senderEnd = Simulator::Now();
    RecordIfFinished(key, open);
}

std::deque<RunRecorder::OpenMessage>::iterator
RunRecorder::Find(Lane& lane, uint64_t tag)
{
    const auto found =
        std::find_if(lane.open.begin(), lane.open.end(), [&](const OpenMessage& message) {
            return message.tag == tag;
        });
    NS_ABORT_MSG_IF(found == lane.open.end(), "message " << tag << " ended but never started");
    return found;
}

void
RunRecorder::RecordIfFinished(const LaneKey& key, std::deque<OpenMessage>::iterator message)
{
    if (message->record.end && message->record.senderEnd)
    {
        Lane& lane = m_lanes[key];
        message->record.id = m_nextFlow++;
        AddNicFigures(key, lane, message->record);
        m_sink.Record(message->record);
        lane.open.erase(message);
    }
}

void
RunRecorder::AddNicFigures(const LaneKey& key, Lane& lane, FlowRecord& record)
{
    const ClusterNetwork& network = m_cluster.GetNetwork();
    const auto& [src, dst, channel] = key;
    if (record.path == "pxn")
    {
        const uint32_t relay = m_cluster.GetTransport()->GetRelay(src, dst);
        const uint32_t own = PxnMessageTransport::GetRelayChannel(channel);
        uint64_t& before = m_relayed[{relay, dst, own}];
        const uint64_t all = network.GetRetransmissions(relay, dst, own);
        record.retransmittedPackets = all - before;
        before = all;
    }
    else if (record.path == "nic")
    {
        const uint64_t all = network.GetRetransmissions(src, dst, channel);
        record.retransmittedPackets = all - lane.retransmissions;
        lane.retransmissions = all;
        record.ideal = network.GetIdealTime({src, dst, channel, record.bytes});
    }
}

const std::string&
RunRecorder::GetLabel(const CollectiveInstance& instance)
{
    const auto [place, isNew] =
        m_labels.try_emplace({instance.call.kind, instance.algorithm}, std::string());
    if (isNew)
    {
        place->second =
            CollectiveAlgorithmCatalogue(instance.call.kind).GetLabel(instance.algorithm);
    }
    return place->second;
}

CollectiveRecord
RunRecorder::MakeRecord(const CollectiveInstance& instance)
{
    CollectiveRecord record;
    record.id = instance.id;
    record.kind = ToString(instance.call.kind);
    record.group = instance.group->parallel;
    record.ranks = instance.group->ranks.size();
    record.algorithm = GetLabel(instance);
    record.protocol = instance.protocol;
    record.bytes = instance.call.bytes;
    record.busFactor = GetBusbwFactor(instance.call.kind, record.ranks);
    record.start = instance.firstJoin;
    record.lastStart = instance.lastJoin;
    if (m_service)
    {
        const CollectiveEngineService::Origin origin = m_service->GetOrigin(instance);
        record.label = origin.label;
        record.iteration = origin.iteration;
    }
    return record;
}

void
RunRecorder::RankJoined(const CollectiveInstance& instance, uint32_t)
{
    if (instance.joined == 1)
    {
        CollectiveRecord record = MakeRecord(instance);
        const auto [place, isNew] = m_groupIndex.try_emplace(instance.group->name, 0);
        if (isNew)
        {
            place->second = m_groupCount[record.group]++;
        }
        record.groupIndex = place->second;
        m_open[instance.id] = record;
    }
    else
    {
        m_open[instance.id].lastStart = instance.lastJoin;
    }
}

void
RunRecorder::CollectiveEnded(const CollectiveInstance& instance)
{
    const auto open = m_open.find(instance.id);
    CollectiveRecord record = MakeRecord(instance);
    if (open != m_open.end())
    {
        record.groupIndex = open->second.groupIndex;
        m_open.erase(open);
    }
    record.end = instance.end;
    m_sink.Record(record);
}

void
RunRecorder::RecordUnfinished()
{
    for (auto& [key, lane] : m_lanes)
    {
        const auto& [src, dst, channel] = key;
        uint64_t left =
            m_cluster.GetTransport()->GetArrivedBytes(src, dst, channel) - lane.arrivedBytes;
        for (auto& [tag, record] : lane.open)
        {
            record.id = m_nextFlow++;
            AddNicFigures(key, lane, record);
            if (!record.end && !record.IsOfTeam()) // of a team's, only what is there as a whole
            {
                record.deliveredBytes = std::min(left, record.bytes);
                left -= record.deliveredBytes;
            }
            m_sink.Record(record);
        }
        lane.open.clear();
    }
    for (const auto& [id, record] : m_open)
    {
        m_sink.Record(record);
    }
    m_open.clear();
}

} // namespace ns3
