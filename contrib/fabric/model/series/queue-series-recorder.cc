/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-series-recorder.h"

#include "series-sampler.h"

#include <array>
#include <deque>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QueueSeriesRecorder);

/** Sees the frames of one port. */
class QueueSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const QueueSeriesRecorder& recorder, SeriesRecord object, FabricPort& port)
        : m_port(port)
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            object.priority = static_cast<int32_t>(priority);
            m_queues.emplace_back(recorder, object, SeriesSampler::Keep::GREATEST);
        }
    }

    ~Tap() override
    {
        for (SeriesSampler& queue : m_queues)
        {
            queue.Flush();
        }
    }

    bool WantsEvents() const override
    {
        return false; // whenever it is told, the queue was that deep at the departure
    }

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        const uint32_t priority = packet.priority;
        if (priority >= FabricPort::PRIORITIES)
        {
            return;
        }
        const uint64_t left = m_port.GetQueueBytes(priority);
        if (left > 0 || m_waiting[priority])
        {
            m_queues[priority].Take(when, static_cast<double>(left + packet.frameBytes));
        }
        if (left == 0 && m_waiting[priority])
        {
            m_queues[priority].Take(when, 0);
        }
        m_waiting[priority] = left > 0;
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

  private:
    FabricPort& m_port;                                  //!< the port
    std::deque<SeriesSampler> m_queues;                  //!< by class
    std::array<bool, FabricPort::PRIORITIES> m_waiting{}; //!< the last departure left frames behind
};

TypeId
QueueSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::QueueSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<QueueSeriesRecorder>();
    return tid;
}

const MetricRecord&
QueueSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"queue",
                                     "class of a port",
                                     "bytes",
                                     "bytes queued, right before a frame leaves; 0 when empty"};
    return metric;
}

std::unique_ptr<FabricTap>
QueueSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port), port);
}

} // namespace ns3
