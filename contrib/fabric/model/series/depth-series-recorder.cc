/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "depth-series-recorder.h"

#include "series-sampler.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DepthSeriesRecorder);

/** Sees the frames of one port. */
class DepthSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const DepthSeriesRecorder& recorder, const SeriesRecord& object, FabricPort& port)
        : m_port(port),
          m_depth(recorder, object, SeriesSampler::Keep::GREATEST)
    {
    }

    ~Tap() override
    {
        m_depth.Flush();
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
        const uint64_t bytes = m_port.GetTotalQueueBytes();
        if (bytes != m_bytes)
        {
            m_bytes = bytes;
            m_depth.Take(when, static_cast<double>(bytes));
        }
    }

  private:
    FabricPort& m_port;    //!< the port
    uint64_t m_bytes{0};   //!< queued since the last change
    SeriesSampler m_depth; //!< of the port
};

TypeId
DepthSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DepthSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DepthSeriesRecorder>();
    return tid;
}

const MetricRecord&
DepthSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"depth",
                                     "port",
                                     "bytes",
                                     "bytes in all egress queues, MAC control frames included"};
    return metric;
}

std::unique_ptr<FabricTap>
DepthSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port), port);
}

} // namespace ns3
