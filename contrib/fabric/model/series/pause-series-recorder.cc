/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pause-series-recorder.h"

#include "class-series-tap.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PauseSeriesRecorder);

/** Sees one port. */
class PauseSeriesRecorder::Tap : public ClassSeriesTap
{
  public:
    /** \param recorder gets the samples \param object names the port */
    Tap(const PauseSeriesRecorder& recorder, const SeriesRecord& object)
        : ClassSeriesTap(recorder, object, SeriesSampler::Keep::GREATEST)
    {
    }

    void PauseChanged(uint32_t priority, bool paused, uint64_t when) override
    {
        Take(priority, when, paused);
    }
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
