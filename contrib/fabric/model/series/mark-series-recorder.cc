/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mark-series-recorder.h"

#include "class-series-tap.h"

#include <array>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MarkSeriesRecorder);

/** Sees one port. */
class MarkSeriesRecorder::Tap : public ClassSeriesTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const MarkSeriesRecorder& recorder, const SeriesRecord& object, FabricPort& port)
        : ClassSeriesTap(recorder, object, SeriesSampler::Keep::LAST),
          m_port(port)
    {
    }

  private:
    void ClassSent(const FabricPacket& packet, uint64_t when) override
    {
        const uint64_t marks = m_port.GetPriorityCounters(packet.priority).marks;
        if (marks != m_marks[packet.priority])
        {
            m_marks[packet.priority] = marks;
            Take(packet.priority, when, static_cast<double>(marks));
        }
    }

    FabricPort& m_port;                                     //!< the port
    std::array<uint64_t, FabricPort::PRIORITIES> m_marks{}; //!< so far, by class
};

TypeId
MarkSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MarkSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<MarkSeriesRecorder>();
    return tid;
}

const MetricRecord&
MarkSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"mark",
                                     "class of a port",
                                     "packets",
                                     "packets that the port has marked CE so far"};
    return metric;
}

std::unique_ptr<FabricTap>
MarkSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port), port);
}

} // namespace ns3
