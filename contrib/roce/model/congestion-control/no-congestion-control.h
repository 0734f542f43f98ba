/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NO_CONGESTION_CONTROL_H
#define NO_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief No congestion control: every queue pair sends at line rate, whatever happens.
 *
 * What is left is priority flow control, or drops where that is off.
 */
class NoCongestionControl : public RoceCongestionControl
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
    uint64_t m_lineRateBps{0}; //!< rate of the NIC port, bit/s
};

} // namespace ns3

#endif /* NO_CONGESTION_CONTROL_H */
