/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SERIES_RECORDER_H
#define SERIES_RECORDER_H

#include "ns3/fabric-port.h"
#include "ns3/object.h"
#include "ns3/result-sink.h"
#include "ns3/text-value.h"

#include <memory>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Records one metric as time series: of each port or queue pair that it is given, a sample
 * whenever the value changes, or one in every interval.
 *
 * Nothing is polled: no event is scheduled, and while nothing changes nothing is recorded. A value
 * holds from its sample to the next. The class of a metric is found by name (FindType()); a new one
 * derives from PortSeriesRecorder, or from a sibling of it for other objects.
 */
class SeriesRecorder : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /** \param name a metric, such as "queue" \return its class; a ConfigError if there is none */
    static TypeId FindType(const TextValue& name);

    /** \return what it records; lives as long as the program */
    virtual const MetricRecord& GetMetric() const = 0;

    /**
     * Records the metric; before any object is given.
     * \param sink where to record, must outlive the recorder
     * \param interval of each object one sample is recorded for every such interval that has any;
     * 0: every change
     */
    void Start(ResultSink& sink, Time interval);

    /** Records what is still held back; the last call. */
    virtual void Finish();

    /** \return interval, ticks; 0 for every change */
    uint64_t GetInterval() const
    {
        return m_interval;
    }

    /** \return where to record */
    ResultSink& GetSink() const
    {
        return *m_sink;
    }

    /** \param object node and the like \param when ticks \param value a sample of it */
    void Record(const SeriesRecord& object, uint64_t when, double value) const;

  private:
    ResultSink* m_sink{nullptr}; //!< where to record
    uint64_t m_interval{0};      //!< ticks
};

/** \ingroup fabric \brief A SeriesRecorder of what can be seen at ports. */
class PortSeriesRecorder : public SeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param node node of the port
     * \param port a connected port
     * \return to be made a tap of the port, and deleted before this object; on deletion it records
     * what it still holds back
     */
    virtual std::unique_ptr<FabricTap> MakeTap(uint32_t node, FabricPort& port) = 0;

  protected:
    /** \param node node of the port \param port a port \return a record that names it */
    static SeriesRecord NamePort(uint32_t node, const FabricPort& port);
};

} // namespace ns3

#endif /* SERIES_RECORDER_H */
