/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PATCHED_TIMELY_CONGESTION_CONTROL_H
#define PATCHED_TIMELY_CONGESTION_CONTROL_H

#include "rtt-gradient-congestion-control.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief Patched TIMELY, as in Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of DCQCN and
 * TIMELY", CoNEXT 2016, section 4.3, algorithm 2.
 *
 * Of a completion event within [TLow, THigh] (RttGradientCongestionControl has the rest) the rate R
 * becomes, with RTT_ref = RttReference,
 * \f[ w = \max(0, \min(1, 2g + 1/2)), \quad e = \frac{rtt - RTT_{ref}}{RTT_{ref}}, \quad
 *     R \leftarrow \delta\,(1 - w) + R\,(1 - \beta\,w\,e) \f]
 * so that the queue's length is part of the feedback, and the decision between increase and
 * decrease is a smooth one.
 *
 * Where N queue pairs share a link of rate C, g = 0 and w = 1/2 give the one fixed point
 * delta = beta R e with R = C / N: they are fair, and the round trip time without serialisation is
 * \f[ RTT^* = RTT_{ref}\,(1 + \frac{N\,\delta}{\beta\,C}) \f]
 * of which the queue holds what the idle path's delay leaves.
 */
class PatchedTimelyCongestionControl : public RttGradientCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;

    void Start(const CongestionControlStart& start) override;

  private:
    double FollowGradient(double rtt) override;

    Time m_rttReference;        //!< attribute RTT_ref, 0 = T_low
    double m_referenceTicks{0}; //!< RTT_ref, ticks
};

} // namespace ns3

#endif /* PATCHED_TIMELY_CONGESTION_CONTROL_H */
