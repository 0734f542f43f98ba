/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SERIES_COLLECTOR_H
#define SERIES_COLLECTOR_H

#include "port-finder.h"
#include "port-taps.h"

#include "ns3/queue-pair-series-recorder.h"
#include "ns3/result-sink.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class RoceQueuePair;

/** \ingroup railyard \brief Which time series a run records, and of what. */
struct SeriesOptions
{
    std::vector<TypeId> recorders; //!< classes of SeriesRecorder
    Time interval;                 //!< see SeriesRecorder::Start()
    std::vector<PortName> ports;   //!< ports; none: those of all switches
    bool allPorts{false};          //!< every Ethernet port
    std::vector<std::pair<std::string, std::string>> pairs; //!< source, destination; none: all
};

/**
 * \ingroup railyard
 * \brief Records the time series that a run was asked for: gives ports and queue pairs to the
 * recorders.
 */
class SeriesCollector
{
  public:
    /**
     * \param cluster whose ports and queue pairs, must outlive Finish()
     * \param options what to record; a ConfigError if a port or node is not there
     */
    SeriesCollector(Cluster& cluster, const SeriesOptions& options);
    ~SeriesCollector();
    SeriesCollector(const SeriesCollector&) = delete;
    SeriesCollector& operator=(const SeriesCollector&) = delete;

    /** \param sink where to record, must outlive Finish() \param taps gets those of the ports */
    void Start(ResultSink& sink, PortTaps& taps);

    /** Records what is held back; the taps must have been taken off before. */
    void Finish();

  private:
    /** \param qp a queue pair that starts to send */
    void QueuePairStarts(const RoceQueuePair& qp);
    /** \param qp a queue pair \return whether it was asked for */
    bool IsWanted(const RoceQueuePair& qp) const;

    Cluster& m_cluster;               //!< whose ports and queue pairs
    SeriesOptions m_options;          //!< what to record
    std::vector<FabricPort*> m_ports; //!< whose series
    std::vector<std::pair<uint32_t, uint32_t>> m_pairs;        //!< ranks; none: all
    std::vector<Ptr<SeriesRecorder>> m_recorders;              //!< in the order asked for
    std::vector<Ptr<QueuePairSeriesRecorder>> m_pairRecorders; //!< those for queue pairs
};

} // namespace ns3

#endif /* SERIES_COLLECTOR_H */
