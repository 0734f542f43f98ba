/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FIXED_RATE_CONGESTION_CONTROL_H
#define FIXED_RATE_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief A rate that nothing changes, for control experiments.
 *
 * Every packet is paced at Rate (wire bytes, gaps included), at most the line rate. There is no
 * window; marks, delays, CNPs and losses change nothing.
 */
class FixedRateCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;

  private:
    /** \param now ticks \param lineRateBps bit/s; bounds the rate */
    void SetRate(uint64_t now, uint64_t lineRateBps);

    DataRate m_rate;       //!< attribute, 0 = line rate
    uint64_t m_rateBps{0}; //!< rate in use, bit/s
};

} // namespace ns3

#endif /* FIXED_RATE_CONGESTION_CONTROL_H */
