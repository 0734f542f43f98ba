/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef QUEUE_PAIR_SERIES_RECORDER_H
#define QUEUE_PAIR_SERIES_RECORDER_H

#include "ns3/roce-congestion-control.h"
#include "ns3/series-sampler.h"

#include <deque>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief A SeriesRecorder of what congestion controls trace: one series for each queue pair that
 * sends.
 */
class QueuePairSeriesRecorder : public SeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * Records a queue pair from now on.
     * \param congestionControl of its sending half, not started yet
     * \param object names the queue pair
     */
    void Add(RoceCongestionControl& congestionControl, const SeriesRecord& object);

    /** Timers of congestion controls are lazy: here they are played up to the present. */
    void Finish() override;

  private:
    /** \param congestionControl to be traced \param sampler gets what it traces */
    virtual void Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler) = 0;

    std::deque<SeriesSampler> m_samplers;            //!< by queue pair, at stable addresses
    std::vector<Ptr<RoceCongestionControl>> m_traced; //!< by queue pair
};

/** \ingroup roce \brief Metric "rate": at which wire bytes may leave; trace source "Rate". */
class RateSeriesRecorder : public QueuePairSeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();
    const MetricRecord& GetMetric() const override;

  private:
    void Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler) override;
};

/** \ingroup roce \brief Metric "window": what may be outstanding; trace source "Window". */
class WindowSeriesRecorder : public QueuePairSeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();
    const MetricRecord& GetMetric() const override;

  private:
    void Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler) override;
};

/** \ingroup roce \brief Metric "alpha": estimate of the share of marks; trace source "Alpha". */
class AlphaSeriesRecorder : public QueuePairSeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();
    const MetricRecord& GetMetric() const override;

  private:
    void Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler) override;
};

/** \ingroup roce \brief Metric "rtt": round trip of the packet answered; trace source "Rtt". */
class RttSeriesRecorder : public QueuePairSeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();
    const MetricRecord& GetMetric() const override;

  private:
    void Connect(RoceCongestionControl& congestionControl, SeriesSampler& sampler) override;
};

} // namespace ns3

#endif /* QUEUE_PAIR_SERIES_RECORDER_H */
