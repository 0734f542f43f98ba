/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef FIXED_WINDOW_CONGESTION_CONTROL_H
#define FIXED_WINDOW_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief A window that nothing changes, for control experiments.
 *
 * At most Window payload bytes are outstanding; within it packets leave at line rate, clocked by
 * the acknowledgements. Marks, delays, CNPs and losses change nothing. N queue pairs into one link
 * of rate C keep N Window - C RTT bytes in its queue, where that is more than 0.
 * The default window follows the line rate when that changes.
 */
class FixedWindowCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;
    uint64_t GetWindowBytes() const override;

  private:
    /** \param now ticks; sets the window by the attribute and the present line rate */
    void SetWindow(uint64_t now);

    uint64_t m_attribute;           //!< attribute Window, payload bytes, 0 = the path's
    uint64_t m_windowBytes{0};      //!< window in use, payload bytes
    CongestionControlStart m_start; //!< the path, with the present line rate
};

} // namespace ns3

#endif /* FIXED_WINDOW_CONGESTION_CONTROL_H */
