/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef QUEUE_PAIR_SERIES_RECORDER_H
#define QUEUE_PAIR_SERIES_RECORDER_H

#include "ns3/roce-congestion-control.h"
#include "ns3/series-sampler.h"

#include <deque>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief A SeriesRecorder of what congestion controls trace: one series for each queue pair that
 * sends.
 *
 * What there is to record is a table in the source file, a row for each metric. Every row is a
 * type of its own, which SeriesRecorder::FindType() and the catalogue know by name.
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

    const MetricRecord& GetMetric() const override;

    /** Timers of congestion controls are lazy: here they are played up to the present. */
    void Finish() override;

    /** A metric and where it comes from. */
    struct Source
    {
        std::string type;                         //!< TypeId name of its recorder
        std::string traceSource;                  //!< of RoceCongestionControl
        CallbackBase (*makeSink)(SeriesSampler*); //!< makes what the trace source calls
        MetricRecord metric;                      //!< name, object, unit, what it is
    };

  protected:
    /** \param source what to record, lives as long as the program */
    explicit QueuePairSeriesRecorder(const Source& source);

  private:
    const Source& m_source;                           //!< what to record
    std::deque<SeriesSampler> m_samplers;             //!< by queue pair, at stable addresses
    std::vector<Ptr<RoceCongestionControl>> m_traced; //!< by queue pair
};

} // namespace ns3

#endif /* QUEUE_PAIR_SERIES_RECORDER_H */
