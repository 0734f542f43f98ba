/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef QUEUE_SERIES_RECORDER_H
#define QUEUE_SERIES_RECORDER_H

#include "series-recorder.h"

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Metric "queue": how deep the egress queues of a port are, by class, at the departures of
 * its frames.
 *
 * A queue only shrinks by a departure, so its length right before one, the departing frame
 * included, is its greatest since the one before: no peak is missed. A queue that empties is
 * recorded as 0. A frame that leaves at once, with nothing before or behind it, is no queue. MAC
 * control frames are left out. With an interval, the deepest sample in it is kept, and when the
 * queue emptied.
 */
class QueueSeriesRecorder : public PortSeriesRecorder
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

#endif /* QUEUE_SERIES_RECORDER_H */
