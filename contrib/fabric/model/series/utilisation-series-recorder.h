/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef UTILISATION_SERIES_RECORDER_H
#define UTILISATION_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "utilisation": share of an interval in which a port sent, gaps between frames
 * included; 0 to 1.
 *
 * A frame that lasts over the end of an interval counts in both, each by its part. Of intervals of
 * equal value only the first is recorded, with the time at which it begins. Without an interval the
 * value is 1 from the start of a frame, and 0 from its end if no other follows at once.
 */
class UtilisationSeriesRecorder : public PortSeriesRecorder
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

#endif /* UTILISATION_SERIES_RECORDER_H */
