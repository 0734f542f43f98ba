/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SWIFT_CONGESTION_CONTROL_H
#define SWIFT_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief Swift, as in Kumar et al., "Swift: Delay is Simple and Effective for Congestion Control in
 * the Datacenter", SIGCOMM 2020, algorithm 1 and section 3.
 *
 * The window cwnd counts full packets and may be a fraction of one. An acknowledgement of a packets
 * whose round trip took delay does
 * - delay < target, cwnd >= 1: cwnd += ai a / cwnd;
 * - delay < target, cwnd < 1: cwnd += ai a;
 * - otherwise, if the last decrease is a round trip ago:
 *   cwnd *= max(1 - beta (delay - target) / delay, 1 - max_mdf).
 *
 * Section 3.5, where hops are the switches on the way to the receiver:
 * \f[ target = base + hops\,h +
 *     \max(0, \min(\frac{\alpha}{\sqrt{cwnd}} + \beta_{fs}, fs\_range)) \f]
 * \f[ \alpha = \frac{fs\_range}{1/\sqrt{fs\_min\_cwnd} - 1/\sqrt{fs\_max\_cwnd}}, \quad
 *     \beta_{fs} = -\alpha / \sqrt{fs\_max\_cwnd} \f]
 *
 * A loss found by a NAK (fast recovery) or by the timer multiplies cwnd by 1 - max_mdf, if the last
 * decrease is a round trip ago; from the RetransmitResetThreshold-th timeout in a row on cwnd is
 * MinWindow. An acknowledgement or a NAK ends the row.
 *
 * cwnd stays between MinWindow and MaxWindow. Below 1 packets are paced: one per delay / cwnd
 * (section 3.4). From 1 on they leave at line rate, clocked by acknowledgements.
 *
 * What the paper leaves open, or what differs:
 * - The paper's two windows react to fabric delay and host delay. Hosts of this model take no time
 *   and stamps are those of the NIC: the round trip is fabric delay, and there is one window.
 * - The time of the last decrease is that of a true decrease. By the letter of lines 27 and 28 a
 *   window that stays the same counts as one, so that a delay which stays above the target could
 *   forbid every decrease.
 * - The paper does not publish its constants but for sizes of experiments: the defaults are those
 *   of htsim's Swift, declared guesses there.
 * - A queue pair starts with what fills the path at line rate.
 *
 * CNPs and marks change nothing.
 */
class SwiftCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    void OnLoss(const LossEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;
    uint64_t GetWindowBytes() const override;

    /** \return the window cwnd, packets */
    double GetWindow() const
    {
        return m_window;
    }

    /** \return the target delay at the present window, ticks */
    double GetTargetDelay() const;

  private:
    /** \param now ticks \return whether the last decrease is a round trip ago */
    bool CanDecrease(uint64_t now) const;
    /** \return largest cwnd at the present line rate, packets */
    double ComputeCeiling() const;
    /** \param now ticks \param window packets; bounds and sets it */
    void SetWindow(uint64_t now, double window);
    /** \param now ticks; works out what the transport sees */
    void Publish(uint64_t now);

    // Attributes.
    Time m_baseTarget;         //!< base target delay
    Time m_hopScale;           //!< h, per switch
    Time m_fsRange;            //!< fs_range
    double m_fsMinWindow;      //!< fs_min_cwnd, packets
    double m_fsMaxWindow;      //!< fs_max_cwnd, packets
    double m_increase;         //!< ai, packets
    double m_beta;             //!< beta
    double m_maxDecrease;      //!< max_mdf
    double m_minWindow;        //!< smallest cwnd, packets
    double m_maxWindow;        //!< largest cwnd, packets, 0 = what fills the path at the target
    double m_initialWindow;    //!< first cwnd, packets, 0 = what fills the path
    uint32_t m_resetThreshold; //!< timeouts in a row before cwnd is the smallest

    // State; times in ticks.
    double m_fixedTarget{0};    //!< base + hops h
    double m_rangeTicks{0};     //!< fs_range
    double m_fsAlpha{0};        //!< alpha of flow scaling
    double m_fsBeta{0};         //!< beta of flow scaling
    double m_ceiling{1};        //!< largest cwnd, packets
    double m_packetBits{0};     //!< of a full packet on the wire, x ticks per second
    uint32_t m_packetBytes{0};  //!< payload of a full packet
    uint64_t m_lineRateBps{0};  //!< rate of the NIC port, bit/s
    double m_window{0};         //!< cwnd, packets
    uint64_t m_windowBytes{1};  //!< what the transport sees
    uint64_t m_rateBps{0};      //!< what the transport sees
    uint64_t m_rtt{0};          //!< last round trip
    uint64_t m_lastDecrease{0}; //!< time of the last decrease
    bool m_decreased{false};    //!< whether there was one
    uint32_t m_timeouts{0};     //!< in a row
};

} // namespace ns3

#endif /* SWIFT_CONGESTION_CONTROL_H */
