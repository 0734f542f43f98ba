/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RTT_GRADIENT_CONGESTION_CONTROL_H
#define RTT_GRADIENT_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief What TIMELY and Patched TIMELY have in common: completion events, the gradient of their
 * round trip times, and the rate outside the band [TLow, THigh].
 *
 * A completion event is the first acknowledgement after which another segment has been
 * acknowledged: SegmentBytes, rounded down to whole packets. Its round trip time new gives \f[ d
 * \leftarrow (1-\alpha)\,d + \alpha\,(new - prev), \quad g = d / D_{minRTT} \f] and the rate R
 * becomes
 * - new < TLow: R + delta;
 * - new > THigh: R (1 - beta (1 - THigh / new));
 * - otherwise what FollowGradient() says,
 *
 * kept between MinRate and the line rate. The first event has no predecessor, its gradient is 0. A
 * queue pair starts at InitialRate; where that is 0, at the line rate divided by the queue pairs
 * that send on the NIC.
 *
 * The papers take the segment's own serialisation off the round trip, because their time stamp is
 * that of the whole segment. Here the packet that asked for the acknowledgement carries the
 * stamp, so only its serialisation at line rate is taken off: for a segment that leaves as a burst
 * the two are the same number.
 *
 * The papers send segments as bursts at line rate and pace the bursts; BurstPacing = false paces
 * every packet instead.
 *
 * Not modelled: time stamping noise. Losses and CNPs change nothing.
 */
class RttGradientCongestionControl : public RoceCongestionControl
{
  public:
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;

    /** \return the rate, bit/s, unrounded */
    double GetRate() const;

    /** \return the gradient g of the last completion event */
    double GetGradient() const;

  protected:
    /**
     * Each kind has the attributes as its own, so that each has its own defaults.
     * \param tid of a kind
     * \return the same, with the attributes of this class
     */
    static TypeId AddCommonAttributes(TypeId tid);

    /**
     * A completion event within the band.
     * \param rtt its round trip time, ticks
     * \return the rate that the gradient asks for, bit/s
     */
    virtual double FollowGradient(double rtt) = 0;

    /** A completion event outside the band. */
    virtual void LeaveBand();

    /** \return delta, bit/s */
    double GetStep() const
    {
        return m_step;
    }

    /** \return T_low, ticks */
    double GetLowTicks() const
    {
        return m_lowTicks;
    }

    double m_beta{0}; //!< beta, an attribute of each kind

  private:
    /**
     * A completion event.
     * \param now ticks
     * \param rtt round trip time without the packet's serialisation, ticks
     */
    void Complete(uint64_t now, double rtt);
    /** \param lineRateBps bit/s; with it what depends on it */
    void SetLineRate(uint64_t lineRateBps);
    /** \param now ticks \param rate bit/s; bounds and sets it */
    void SetRate(uint64_t now, double rate);

    // Attributes.
    uint32_t m_segmentBytes;     //!< bytes per completion event
    bool m_burstPacing;          //!< segments leave as bursts
    Time m_tLow;                 //!< T_low
    Time m_tHigh;                //!< T_high
    Time m_minRtt;               //!< D_minRTT
    DataRate m_additiveIncrease; //!< delta
    double m_ewmaWeight;         //!< alpha
    DataRate m_initialRate;      //!< first rate, 0 = share of the line rate
    DataRate m_minRate;          //!< floor of the rate

    // State; times in ticks, rates in bit/s.
    double m_lowTicks{0};      //!< T_low
    double m_highTicks{0};     //!< T_high
    double m_minRttTicks{0};   //!< D_minRTT
    double m_step{0};          //!< delta
    double m_floor{0};         //!< floor of the rate
    double m_lineRate{0};      //!< ceiling of the rate
    double m_packetBitTicks{0}; //!< bits of a full packet on the wire, x ticks per second
    uint64_t m_packetTicks{0}; //!< serialisation of a full packet
    uint64_t m_eventBytes{0};  //!< bytes per completion event, whole packets
    uint64_t m_ackedBytes{0};  //!< acknowledged since the last completion event
    bool m_hasPrevious{false}; //!< whether there was a completion event
    double m_previousRtt{0};   //!< its round trip time
    double m_difference{0};    //!< d, smoothed difference of round trip times
    double m_rate{0};          //!< R
    uint64_t m_rateBps{0};     //!< R, rounded down
};

} // namespace ns3

#endif /* RTT_GRADIENT_CONGESTION_CONTROL_H */
