/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "run-recorder.h"

#include "ns3/collective-group.h"

namespace ns3
{

RunRecorder::RunRecorder(ResultSink& sink,
                         const Cluster& cluster,
                         const CollectiveEngineService* service)
    : m_sink(sink),
      m_cluster(cluster),
      m_service(service)
{
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

void
RunRecorder::MessageEnded(const CollectiveInstance& instance, const CollectiveMessage& message)
{
    FlowRecord record;
    record.id = m_nextFlow++;
    record.src = message.src;
    record.dst = message.dst;
    record.bytes = message.bytes;
    record.deliveredBytes = message.bytes;
    record.start = message.start;
    record.end = message.end;
    record.collective = static_cast<int64_t>(instance.id);
    record.step = static_cast<int32_t>(message.step);
    record.channel = message.channel;
    record.path = m_cluster.GetTransport()->UsesNvlink(message.src, message.dst) ? "nvlink" : "nic";
    m_sink.Record(record);
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
    for (const auto& [id, record] : m_open)
    {
        m_sink.Record(record);
    }
    m_open.clear();
}

} // namespace ns3
