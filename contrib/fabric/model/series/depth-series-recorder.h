/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DEPTH_SERIES_RECORDER_H
#define DEPTH_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "depth": bytes in all egress queues of a port together, at every change.
 *
 * Unlike metric "queue" it tells how long each depth lasted, for which it has an event for every
 * departure. A frame that leaves at once changes nothing.
 */
class DepthSeriesRecorder : public PortSeriesRecorder
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

#endif /* DEPTH_SERIES_RECORDER_H */
