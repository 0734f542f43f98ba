/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MARK_SERIES_RECORDER_H
#define MARK_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "mark": packets that a port has marked CE so far, by class.
 *
 * With an interval, the count at its end.
 */
class MarkSeriesRecorder : public PortSeriesRecorder
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

#endif /* MARK_SERIES_RECORDER_H */
