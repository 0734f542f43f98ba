/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TIMELY_CONGESTION_CONTROL_H
#define TIMELY_CONGESTION_CONTROL_H

#include "rtt-gradient-congestion-control.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief TIMELY, as in Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter",
 * SIGCOMM 2015, algorithm 1, with the constants of Zhu et al., "ECN or Delay", CoNEXT 2016.
 *
 * Of a completion event within [TLow, THigh] (RttGradientCongestionControl has the rest) the rate R
 * becomes
 * - g <= 0: R + N delta, N = HaiFactor after HaiEvents such events in a row, else 1;
 * - g > 0: R (1 - beta g).
 *
 * An event outside the band ends the row.
 *
 * It has no fixed point, as g = 0 raises the rate, and where it raises it only for g < 0 it has any
 * number of them (CoNEXT'16, section 4.2): queue pairs that start with different rates keep them,
 * unless bursts shake them.
 */
class TimelyCongestionControl : public RttGradientCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;

  private:
    double FollowGradient(double rtt) override;
    void LeaveBand() override;

    uint32_t m_haiEvents;        //!< events in a row before N = m_haiFactor
    uint32_t m_haiFactor;        //!< N of hyper active increase
    uint32_t m_fallingEvents{0}; //!< events in a row with g <= 0
};

} // namespace ns3

#endif /* TIMELY_CONGESTION_CONTROL_H */
