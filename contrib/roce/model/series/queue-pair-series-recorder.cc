/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-series-recorder.h"

#include "ns3/simulator.h"

#include <array>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QueuePairSeriesRecorder);

namespace
{

/** \param sampler gets a sample \param when ticks \param value the value */
void
TakeInteger(SeriesSampler* sampler, uint64_t when, uint64_t value)
{
    sampler->Take(when, static_cast<double>(value));
}

/** \param sampler gets a sample \param when ticks \param value the value */
void
TakeReal(SeriesSampler* sampler, uint64_t when, double value)
{
    sampler->Take(when, value);
}

/** \param sampler gets a sample in ns \param when ticks \param ticks the value */
void
TakeTime(SeriesSampler* sampler, uint64_t when, uint64_t ticks)
{
    const Time time = TimeStep(ticks);
    sampler->Take(when, static_cast<double>(time.GetPicoSeconds()) / 1000.0);
}

/** \param sampler gets the samples \return sink of a trace source \tparam TAKE takes a sample */
template <auto TAKE>
CallbackBase
MakeSink(SeriesSampler* sampler)
{
    return MakeBoundCallback(TAKE, sampler);
}

constexpr size_t SOURCE_COUNT = 4; //!< metrics

/** \return the metrics: type, trace source, sink; name, object, unit, description */
const std::array<QueuePairSeriesRecorder::Source, SOURCE_COUNT>&
GetSources()
{
    static const std::array<QueuePairSeriesRecorder::Source, SOURCE_COUNT> sources{
        {{"ns3::RateSeriesRecorder",
          "Rate",
          &MakeSink<&TakeInteger>,
          {"rate", "queue pair", "bits/s", "rate at which wire bytes may leave"}},
         {"ns3::WindowSeriesRecorder",
          "Window",
          &MakeSink<&TakeInteger>,
          {"window", "queue pair", "bytes", "payload that may be outstanding"}},
         {"ns3::AlphaSeriesRecorder",
          "Alpha",
          &MakeSink<&TakeReal>,
          {"alpha", "queue pair", "", "estimate of the share of marks"}},
         {"ns3::RttSeriesRecorder",
          "Rtt",
          &MakeSink<&TakeTime>,
          {"rtt", "queue pair", "ns", "round trip of the packet answered"}}}};
    return sources;
}

/** \brief The recorder of a row of the table. \tparam ROW its index */
template <size_t ROW>
class SourceSeriesRecorder : public QueuePairSeriesRecorder
{
  public:
    SourceSeriesRecorder()
        : QueuePairSeriesRecorder(GetSources()[ROW])
    {
    }

    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId(GetSources()[ROW].type)
                                .SetParent<QueuePairSeriesRecorder>()
                                .SetGroupName("Roce")
                                .AddConstructor<SourceSeriesRecorder<ROW>>();
        return tid;
    }
};

/** Registers the recorders of all rows. */
const struct Registrar
{
    Registrar()
    {
        Register(std::make_index_sequence<SOURCE_COUNT>());
    }

    /** \tparam ROWS indices of the rows */
    template <size_t... ROWS>
    static void Register(std::index_sequence<ROWS...>)
    {
        (SourceSeriesRecorder<ROWS>::GetTypeId(), ...);
    }
} REGISTRAR; //!< does so before main()

} // namespace

QueuePairSeriesRecorder::QueuePairSeriesRecorder(const Source& source)
    : m_source(source)
{
}

TypeId
QueuePairSeriesRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QueuePairSeriesRecorder").SetParent<SeriesRecorder>().SetGroupName("Roce");
    return tid;
}

const MetricRecord&
QueuePairSeriesRecorder::GetMetric() const
{
    return m_source.metric;
}

void
QueuePairSeriesRecorder::Add(RoceCongestionControl& congestionControl, const SeriesRecord& object)
{
    m_samplers.emplace_back(*this, object, SeriesSampler::Keep::LAST);
    m_traced.push_back(&congestionControl);
    congestionControl.TraceConnectWithoutContext(m_source.traceSource,
                                                 m_source.makeSink(&m_samplers.back()));
}

void
QueuePairSeriesRecorder::Finish()
{
    for (const auto& congestionControl : m_traced)
    {
        congestionControl->CatchUp(Simulator::Now().GetTimeStep());
    }
    for (SeriesSampler& sampler : m_samplers)
    {
        sampler.Flush();
    }
}

} // namespace ns3
