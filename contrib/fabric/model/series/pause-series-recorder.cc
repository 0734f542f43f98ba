/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pause-series-recorder.h"

#include "series-sampler.h"

#include <deque>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PauseSeriesRecorder);

/** Sees one port. */
class PauseSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the samples \param object names the port */
    Tap(const PauseSeriesRecorder& recorder, SeriesRecord object)
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            object.priority = static_cast<int32_t>(priority);
            m_classes.emplace_back(recorder, object, SeriesSampler::Keep::GREATEST);
        }
    }

    ~Tap() override
    {
        for (SeriesSampler& sampler : m_classes)
        {
            sampler.Flush();
        }
    }

    bool WantsEvents() const override
    {
        return false;
    }

    void FrameSent(const FabricPacket&, uint64_t) override
    {
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

    void PauseChanged(uint32_t priority, bool paused, uint64_t when) override
    {
        m_classes[priority].Take(when, paused);
    }

  private:
    std::deque<SeriesSampler> m_classes; //!< by class
};

TypeId
PauseSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PauseSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<PauseSeriesRecorder>();
    return tid;
}

const MetricRecord&
PauseSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"pause",
                                     "class of a port",
                                     "",
                                     "1 while the neighbour's PAUSE holds the class, else 0"};
    return metric;
}

std::unique_ptr<FabricTap>
PauseSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port));
}

} // namespace ns3
