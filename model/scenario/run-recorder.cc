/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-recorder.h"

#include "ns3/assert.h"
#include "ns3/collective-group.h"
#include "ns3/collective-tag.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

RunRecorder::RunRecorder(ResultSink& sink, Cluster& cluster, const CollectiveEngineService* service)
    : m_sink(sink),
      m_cluster(cluster),
      m_service(service)
{
    m_cluster.GetTransport()->SetSentObserver(
        [this](const Message& message) { MessageAcknowledged(message); });
}

RunRecorder::~RunRecorder()
{
    m_cluster.GetTransport()->SetSentObserver({});
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
    record.path = m_cluster.GetTransport()->UsesNvlink(message.src, message.dst) ? "nvlink" : "nic";
    m_lanes[GetLane(instance, message)].open.push_back(
        {static_cast<uint16_t>(instance.sequence), std::move(record)});
}

void
RunRecorder::MessageEnded(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    Lane& lane = m_lanes[GetLane(instance, message)];
    const auto open = Find(lane, static_cast<uint16_t>(instance.sequence), message.step);
    open->record.deliveredBytes = message.bytes;
    open->record.end = message.end;
    lane.arrivedBytes += message.bytes;
    RecordIfFinished(lane, open);
}

void
RunRecorder::MessageAcknowledged(const Message& message)
{
    const CollectiveTag tag = CollectiveTag::Decode(message.tag);
    Lane& lane = m_lanes[{message.src, message.dst, message.channel}];
    const auto open = Find(lane, tag.sequence, tag.message);
    open->record.senderEnd = Simulator::Now();
    RecordIfFinished(lane, open);
}

std::deque<RunRecorder::OpenMessage>::iterator
RunRecorder::Find(Lane& lane, uint16_t sequence, uint32_t step)
{
    const auto found =
        std::find_if(lane.open.begin(), lane.open.end(), [&](const OpenMessage& message) {
            return message.sequence == sequence &&
                   message.record.step == static_cast<int32_t>(step);
        });
    NS_ASSERT_MSG(found != lane.open.end(), "a message that was not started");
    return found;
}

void
RunRecorder::RecordIfFinished(Lane& lane, std::deque<OpenMessage>::iterator message)
{
    if (message->record.end && message->record.senderEnd)
    {
        message->record.id = m_nextFlow++;
        m_sink.Record(message->record);
        lane.open.erase(message);
    }
}

CollectiveRecord
RunRecorder::MakeRecord(const CollectiveInstance& instance) const
{
    CollectiveRecord record;
    record.id = instance.id;
    record.kind = ToString(instance.call.kind);
    record.group = instance.group->parallel;
    record.ranks = instance.group->ranks.size();
    record.bytes = instance.call.bytes;
    record.busFactor = GetBusbwFactor(instance.call.kind, record.ranks);
    record.start = instance.firstJoin;
    record.lastStart = instance.lastJoin;
    if (m_service)
    {
        const CollectiveEngineService::Origin origin = m_service->GetOrigin(instance.id);
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
        for (auto& [sequence, record] : lane.open)
        {
            record.id = m_nextFlow++;
            if (!record.end)
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
