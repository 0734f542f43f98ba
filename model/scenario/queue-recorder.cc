/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-recorder.h"

namespace ns3
{

QueueRecorder::QueueRecorder(ResultSink& sink,
                             uint32_t node,
                             const FabricPort& port,
                             Time interval)
    : m_sink(sink),
      m_node(node),
      m_port(port),
      m_interval(interval.GetTimeStep())
{
}

QueueRecorder::~QueueRecorder()
{
    for (uint32_t priority = 0; priority < m_queues.size(); priority++)
    {
        Flush(priority);
    }
}

void
QueueRecorder::FrameSent(const FabricPacket& packet, uint64_t when)
{
    const uint32_t priority = packet.priority;
    if (priority >= m_queues.size())
    {
        return;
    }
    Queue& queue = m_queues[priority];
    const uint64_t left = m_port.GetQueueBytes(priority);
    if (left == 0 && !queue.waiting)
    {
        return;
    }
    Take(priority, {when, left + packet.frameBytes});
    if (left == 0)
    {
        Take(priority, {when, 0});
    }
    queue.waiting = left > 0;
}

void
QueueRecorder::FrameReceived(const FabricPacket&, uint64_t)
{
}

void
QueueRecorder::Take(uint32_t priority, const Sample& sample)
{
    if (m_interval == 0)
    {
        Record(priority, sample);
        return;
    }
    Queue& queue = m_queues[priority];
    const uint64_t index = sample.when / m_interval;
    if (queue.held && queue.index != index)
    {
        Flush(priority);
    }
    if (!queue.held || sample.bytes > queue.deepest.bytes)
    {
        queue.deepest = sample;
    }
    queue.held = true;
    queue.index = index;
    queue.last = sample;
}

void
QueueRecorder::Flush(uint32_t priority)
{
    Queue& queue = m_queues[priority];
    if (!queue.held)
    {
        return;
    }
    queue.held = false;
    Record(priority, queue.deepest);
    if (queue.last.bytes == 0)
    {
        Record(priority, queue.last);
    }
}

void
QueueRecorder::Record(uint32_t priority, const Sample& sample)
{
    SeriesRecord record;
    record.time = TimeStep(sample.when);
    record.node = m_node;
    record.port = m_port.GetIndex();
    record.priority = priority;
    record.queueBytes = sample.bytes;
    m_sink.Record(record);
}

} // namespace ns3
