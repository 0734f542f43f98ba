/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "depth-histogram-series-recorder.h"

#include "ns3/simulator.h"

#include <map>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DepthHistogramSeriesRecorder);

/** Sees the frames of one port. */
class DepthHistogramSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the histogram \param object names the port \param port the port */
    Tap(const DepthHistogramSeriesRecorder& recorder, const SeriesRecord& object, FabricPort& port)
        : m_recorder(recorder),
          m_object(object),
          m_port(port),
          m_since(Simulator::Now().GetTimeStep())
    {
    }

    ~Tap() override
    {
        QueueChanged(Simulator::Now().GetTimeStep());
        for (const auto& [bar, ticks] : m_bars)
        {
            HistogramRecord record;
            record.quantity = "depth";
            record.node = m_object.node;
            record.port = m_object.port;
            record.lower = static_cast<double>(bar * BAR_BYTES);
            record.upper = static_cast<double>((bar + 1) * BAR_BYTES);
            record.duration = TimeStep(ticks);
            m_recorder.GetSink().Record(record);
        }
    }

    void FrameSent(const FabricPacket&, uint64_t when) override
    {
        QueueChanged(when);
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

    void QueueChanged(uint64_t when) override
    {
        if (when > m_since)
        {
            m_bars[m_bytes / BAR_BYTES] += when - m_since;
            m_since = when;
        }
        m_bytes = m_port.GetTotalQueueBytes();
    }

  private:
    static constexpr uint64_t BAR_BYTES = 1000; //!< width of a bar

    const DepthHistogramSeriesRecorder& m_recorder; //!< gets the histogram
    SeriesRecord m_object;                 //!< names the port
    FabricPort& m_port;                    //!< the port
    uint64_t m_since;                      //!< last change, ticks
    uint64_t m_bytes{0};                   //!< queued since then
    std::map<uint64_t, uint64_t> m_bars;   //!< ticks by bar
};

TypeId
DepthHistogramSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DepthHistogramSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DepthHistogramSeriesRecorder>();
    return tid;
}

const MetricRecord&
DepthHistogramSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"depthHistogram",
                                     "port",
                                     "ns",
                                     "how long it had how many bytes queued: table histograms"};
    return metric;
}

std::unique_ptr<FabricTap>
DepthHistogramSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port), port);
}

} // namespace ns3
