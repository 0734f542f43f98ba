/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "mark-series-recorder.h"

#include "series-sampler.h"

#include <array>
#include <deque>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MarkSeriesRecorder);

/** Sees one port. */
class MarkSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const MarkSeriesRecorder& recorder, SeriesRecord object, FabricPort& port)
        : m_port(port)
    {
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            object.priority = static_cast<int32_t>(priority);
            m_classes.emplace_back(recorder, object, SeriesSampler::Keep::LAST);
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

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        const uint32_t priority = packet.priority;
        if (priority >= FabricPort::PRIORITIES)
        {
            return;
        }
        const uint64_t marks = m_port.GetPriorityCounters(priority).marks;
        if (marks != m_marks[priority])
        {
            m_marks[priority] = marks;
            m_classes[priority].Take(when, static_cast<double>(marks));
        }
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

  private:
    FabricPort& m_port;                                    //!< the port
    std::array<uint64_t, FabricPort::PRIORITIES> m_marks{}; //!< so far, by class
    std::deque<SeriesSampler> m_classes; //!< by class
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
