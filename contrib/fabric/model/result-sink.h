/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_SINK_H
#define RESULT_SINK_H

#include "result-records.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Where models and executors leave what they recorded; they know no file and no format.
 *
 * Every method does nothing by default: a sink takes what it cares for. Nodes are recorded before
 * everything else. A sink keeps the order in which records of a kind come, so that the same
 * simulation gives the same files.
 */
class ResultSink
{
  public:
    virtual ~ResultSink() = default;

    /** \param record a node of the cluster */
    virtual void Record(const NodeRecord& record)
    {
    }

    /** \param record how a rank spent the run */
    virtual void Record(const RankRecord& record)
    {
    }

    /** \param record one part of a rank's time */
    virtual void Record(const RankPartRecord& record)
    {
    }

    /** \param record a collective that ended (or never will) */
    virtual void Record(const CollectiveRecord& record)
    {
    }

    /** \param record a row of a benchmark of collectives */
    virtual void Record(const CollectiveBenchRecord& record)
    {
    }

    /** \param record a message that arrived (or never will) */
    virtual void Record(const FlowRecord& record)
    {
    }

    /** \param record a bar of the timeline */
    virtual void Record(const SpanRecord& record)
    {
    }

    /** \param record one direction of a link */
    virtual void Record(const LinkRecord& record)
    {
    }

    /** \param record one priority of a port */
    virtual void Record(const PortRecord& record)
    {
    }

    /** \param record a PAUSE or RESUME frame */
    virtual void Record(const PauseRecord& record)
    {
    }

    /** \param record what a time series shows */
    virtual void Record(const MetricRecord& record)
    {
    }

    /** \param record a sample of a time series */
    virtual void Record(const SeriesRecord& record)
    {
    }

    /** \param record how long flows of some sizes took */
    virtual void Record(const FlowSizeRecord& record)
    {
    }

    /** \param record a bar of a histogram */
    virtual void Record(const HistogramRecord& record)
    {
    }

    /** \param record an event worth a line */
    virtual void Record(const EventRecord& record)
    {
    }
};

/**
 * \ingroup fabric
 * \brief Hands every kind of record to one template method of the derived class.
 *
 * \tparam Derived the class that inherits, with `template <class R> void Take(const R&)`
 * \tparam Base ResultSink or an interface derived from it
 */
template <class Derived, class Base = ResultSink>
class ResultSinkTemplate : public Base
{
  public:
    // Each of them, as documented in ResultSink, calls Take().
    // clang-format off
    void Record(const NodeRecord& record) override { Self().Take(record); }
    void Record(const RankRecord& record) override { Self().Take(record); }
    void Record(const RankPartRecord& record) override { Self().Take(record); }
    void Record(const CollectiveRecord& record) override { Self().Take(record); }
    void Record(const CollectiveBenchRecord& record) override { Self().Take(record); }
    void Record(const FlowRecord& record) override { Self().Take(record); }
    void Record(const SpanRecord& record) override { Self().Take(record); }
    void Record(const LinkRecord& record) override { Self().Take(record); }
    void Record(const PortRecord& record) override { Self().Take(record); }
    void Record(const PauseRecord& record) override { Self().Take(record); }
    void Record(const MetricRecord& record) override { Self().Take(record); }
    void Record(const SeriesRecord& record) override { Self().Take(record); }
    void Record(const FlowSizeRecord& record) override { Self().Take(record); }
    void Record(const HistogramRecord& record) override { Self().Take(record); }
    void Record(const EventRecord& record) override { Self().Take(record); }

    // clang-format on

  private:
    /** \return this object as what it is */
    Derived& Self()
    {
        return static_cast<Derived&>(*this);
    }
};

} // namespace ns3

#endif /* RESULT_SINK_H */
