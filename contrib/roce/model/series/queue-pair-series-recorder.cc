/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "queue-pair-series-recorder.h"

#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(QueuePairSeriesRecorder);
NS_OBJECT_ENSURE_REGISTERED(RateSeriesRecorder);
NS_OBJECT_ENSURE_REGISTERED(WindowSeriesRecorder);
NS_OBJECT_ENSURE_REGISTERED(AlphaSeriesRecorder);
NS_OBJECT_ENSURE_REGISTERED(RttSeriesRecorder);

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

} // namespace

TypeId
QueuePairSeriesRecorder::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::QueuePairSeriesRecorder").SetParent<SeriesRecorder>().SetGroupName("Roce");
    return tid;
}

void
QueuePairSeriesRecorder::Add(RoceCongestionControl& congestionControl, const SeriesRecord& object)
{
    m_samplers.emplace_back(*this, object, SeriesSampler::Keep::LAST);
    m_traced.push_back(&congestionControl);
    Connect(congestionControl, m_samplers.back());
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

TypeId
RateSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RateSeriesRecorder")
                            .SetParent<QueuePairSeriesRecorder>()
                            .SetGroupName("Roce")
                            .AddConstructor<RateSeriesRecorder>();
    return tid;
}

const MetricRecord&
RateSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"rate",
                                     "queue pair",
                                     "bits/s",
                                     "rate at which wire bytes may leave"};
    return metric;
}

void
RateSeriesRecorder::Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler)
{
    congestionControl.TraceConnectWithoutContext("Rate",
                                                 MakeBoundCallback(&TakeInteger, &sampler));
}

TypeId
WindowSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::WindowSeriesRecorder")
                            .SetParent<QueuePairSeriesRecorder>()
                            .SetGroupName("Roce")
                            .AddConstructor<WindowSeriesRecorder>();
    return tid;
}

const MetricRecord&
WindowSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"window",
                                     "queue pair",
                                     "bytes",
                                     "payload that may be outstanding"};
    return metric;
}

void
WindowSeriesRecorder::Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler)
{
    congestionControl.TraceConnectWithoutContext("Window",
                                                 MakeBoundCallback(&TakeInteger, &sampler));
}

TypeId
AlphaSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::AlphaSeriesRecorder")
                            .SetParent<QueuePairSeriesRecorder>()
                            .SetGroupName("Roce")
                            .AddConstructor<AlphaSeriesRecorder>();
    return tid;
}

const MetricRecord&
AlphaSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"alpha",
                                     "queue pair",
                                     "",
                                     "estimate of the share of marks"};
    return metric;
}

void
AlphaSeriesRecorder::Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler)
{
    congestionControl.TraceConnectWithoutContext("Alpha",
                                                 MakeBoundCallback(&TakeReal, &sampler));
}

TypeId
RttSeriesRecorder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RttSeriesRecorder")
                            .SetParent<QueuePairSeriesRecorder>()
                            .SetGroupName("Roce")
                            .AddConstructor<RttSeriesRecorder>();
    return tid;
}

const MetricRecord&
RttSeriesRecorder::GetMetric() const
{
    static const MetricRecord metric{"rtt",
                                     "queue pair",
                                     "ns",
                                     "round trip of the packet answered"};
    return metric;
}

void
RttSeriesRecorder::Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler)
{
    congestionControl.TraceConnectWithoutContext("Rtt",
                                                 MakeBoundCallback(&TakeTime, &sampler));
}

} // namespace ns3
