/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAUSE_SERIES_RECORDER_H
#define PAUSE_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "pause": 1 while the neighbour's PAUSE holds a class of a port, else 0.
 *
 * A pause begins when the frame has been received and obeyed, and ends by a RESUME or when its
 * quanta run out. With an interval, one that begins and ends in it is recorded as 1, then 0.
 */
class PauseSeriesRecorder : public PortSeriesRecorder
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

#endif /* PAUSE_SERIES_RECORDER_H */
