/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DEPTH_HISTOGRAM_SERIES_RECORDER_H
#define DEPTH_HISTOGRAM_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "depthHistogram": for how long a port had how many bytes queued.
 *
 * It has no samples: at the end it records histogram "depth" of each port, with bars of 1000 bytes,
 * from the start of the recording on. Their durations add up to the length of the run.
 */
class DepthHistogramSeriesRecorder : public PortSeriesRecorder
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    // From PortSeriesRecorder.
    const MetricRecord& GetMetric() const override;
    std::unique_ptr<FabricTap> MakeTap(uint32_t node, FabricPort& port) override;

  private:
    class Tap;
};

} // namespace ns3

#endif /* DEPTH_HISTOGRAM_SERIES_RECORDER_H */
