/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-series-recorder.h"

#include "class-series-tap.h"

#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QueueSeriesRecorder);

/** Sees the frames of one port. */
class QueueSeriesRecorder::Tap : public ClassSeriesTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const QueueSeriesRecorder& recorder, const SeriesRecord& object, FabricPort& port)
        : ClassSeriesTap(recorder, object, SeriesSampler::Keep::GREATEST),
          m_port(port)
    {
    }

  private:
    void ClassSent(const FabricPacket& packet, uint64_t when) override
    {
        const uint32_t priority = packet.priority;
        const uint64_t left = m_port.GetQueueBytes(priority);
        if (left > 0 || m_waiting[priority])
        {
            Take(priority, when, static_cast<double>(left + packet.frameBytes));
        }
        if (left == 0 && m_waiting[priority])
        {
            Take(priority, when, 0);
        }
        m_waiting[priority] = left > 0;
    }

    FabricPort& m_port;                                   //!< the port
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
