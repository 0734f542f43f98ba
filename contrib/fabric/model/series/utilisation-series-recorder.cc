/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "utilisation-series-recorder.h"

#include "series-sampler.h"

#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(UtilisationSeriesRecorder);

/** Sees the frames of one port. */
class UtilisationSeriesRecorder::Tap : public FabricTap
{
  public:
    /** \param recorder gets the samples \param object names the port \param port the port */
    Tap(const UtilisationSeriesRecorder& recorder, const SeriesRecord& object, FabricPort& port)
        : m_interval(recorder.GetInterval()),
          m_port(port),
          m_share(recorder, object, SeriesSampler::Keep::LAST)
    {
    }

    ~Tap() override
    {
        const uint64_t now = Simulator::Now().GetTimeStep();
        const bool sending = m_until > now;
        AddBusy(m_from, std::min(m_until, now), !sending);
        if (m_interval > 0)
        {
            End(now);
        }
        m_share.Flush();
    }

    bool WantsEvents() const override
    {
        return false; // whenever it is told, the frame left when it left
    }

    void FrameSent(const FabricPacket& packet, uint64_t when) override
    {
        if (when > m_until)
        {
            AddBusy(m_from, m_until, true);
            m_from = when;
            m_remainder = 0;
        }
        const uint32_t bytes = packet.frameBytes + m_port.GetGapBytes();
        m_until = when + m_port.GetClock().Serialise(bytes, m_remainder);
    }

    void FrameReceived(const FabricPacket&, uint64_t) override
    {
    }

  private:
    /**
     * Counts a time in which the port sent.
     * \param from its begin, ticks
     * \param until its end, ticks
     * \param ended whether the port was idle afterwards
     */
    void AddBusy(uint64_t from, uint64_t until, bool ended)
    {
        if (from >= until)
        {
            return;
        }
        if (m_interval == 0)
        {
            m_share.Take(from, 1);
            if (ended)
            {
                m_share.Take(until, 0);
            }
            return;
        }
        while (from < until)
        {
            MoveTo(from / m_interval);
            const uint64_t end = std::min(until, (m_index + 1) * m_interval);
            m_busy += end - from;
            from = end;
        }
    }

    /** \param index interval that is counted from now on; those before it have ended */
    void MoveTo(uint64_t index)
    {
        if (index == m_index)
        {
            return;
        }
        m_share.Take(m_index * m_interval, GetShare(m_interval));
        if (index > m_index + 1)
        {
            m_share.Take((m_index + 1) * m_interval, 0);
        }
        m_index = index;
        m_busy = 0;
    }

    /** \param now ticks; the last interval ends now */
    void End(uint64_t now)
    {
        MoveTo(now / m_interval);
        const uint64_t ticks = now - m_index * m_interval;
        if (ticks > 0)
        {
            m_share.Take(m_index * m_interval, GetShare(ticks));
        }
    }

    /** \param ticks length of the interval \return share of it in which the port sent */
    double GetShare(uint64_t ticks) const
    {
        return static_cast<double>(m_busy) / static_cast<double>(ticks);
    }

    uint64_t m_interval;     //!< ticks, 0 for every change
    FabricPort& m_port;      //!< the port
    SeriesSampler m_share;   //!< of the port
    uint64_t m_from{0};      //!< it sends since then, ticks
    uint64_t m_until{0};     //!< up to then, ticks
    uint64_t m_remainder{0}; //!< fraction of a tick beyond
    uint64_t m_index{0};     //!< interval that is counted
    uint64_t m_busy{0};      //!< ticks of it in which it sent
};

TypeId
UtilisationSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::UtilisationSeriesRecorder")
                            .SetParent<PortSeriesRecorder>()
                            .SetGroupName("Fabric")
                            .AddConstructor<UtilisationSeriesRecorder>();
    return tid;
}

const MetricRecord&
UtilisationSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"utilisation",
                                     "port",
                                     "",
                                     "share of the interval that begins then in which it sent"};
    return metric;
}

std::unique_ptr<FabricTap>
UtilisationSeriesRecorder::MakeTap(uint32_t node, FabricPort& port)
{
    return std::make_unique<Tap>(*this, NamePort(node, port), port);
}

} // namespace ns3
