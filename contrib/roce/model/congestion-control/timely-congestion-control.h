/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TIMELY_CONGESTION_CONTROL_H
#define TIMELY_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief TIMELY, as in Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter",
 * SIGCOMM 2015, algorithm 1, with the constants of Zhu et al., "ECN or Delay", CoNEXT 2016.
 *
 * A completion event is the first acknowledgement after which another segment has been acknowledged:
 * SegmentBytes, rounded down to whole packets. Its round trip time new gives
 * \f[ d \leftarrow (1-\alpha)\,d + \alpha\,(new - prev), \quad g = d / D_{minRTT} \f]
 * and the rate R becomes
 * - new < TLow: R + delta;
 * - new > THigh: R (1 - beta (1 - THigh / new));
 * - g <= 0: R + N delta, N = HaiFactor after HaiEvents such events in a row, else 1;
 * - g > 0: R (1 - beta g),
 *
 * kept between MinRate and the line rate. An event outside [TLow, THigh] ends the row. The first
 * event has no predecessor, its gradient is 0. A queue pair starts at the line rate divided by
 * the queue pairs that send on the NIC.
 *
 * The paper takes the segment's own serialisation off the round trip, because its time stamp is
 * that of the whole segment. Here the packet that asked for the acknowledgement carries the
 * stamp, so only its serialisation at line rate is taken off: for a segment that leaves as a burst
 * the two are the same number.
 *
 * The paper sends segments as bursts at line rate and paces the bursts; BurstPacing = false paces
 * every packet instead.
 *
 * Not modelled: time stamping noise; Patched TIMELY (CoNEXT 2016, section 4.3). Losses and CNPs
 * change nothing.
 */
class TimelyCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;

    /** \return the rate, bit/s, unrounded */
    double GetRate() const;

    /** \return the gradient g of the last completion event */
    double GetGradient() const;

  private:
    /**
     * A completion event.
     * \param now ticks
     * \param rtt round trip time without the packet's serialisation, ticks
     */
    void Complete(uint64_t now, double rtt);

    /** \return the rate that the gradient asks for between TLow and THigh, bit/s */
    double FollowGradient();

    // Attributes.
    uint32_t m_segmentBytes;     //!< bytes per completion event
    bool m_burstPacing;          //!< segments leave as bursts
    Time m_tLow;                 //!< T_low
    Time m_tHigh;                //!< T_high
    Time m_minRtt;               //!< D_minRTT
    DataRate m_additiveIncrease; //!< delta
    double m_beta;               //!< beta
    double m_ewmaWeight;         //!< alpha
    uint32_t m_haiEvents;        //!< events in a row before N = m_haiFactor
    uint32_t m_haiFactor;        //!< N of hyper active increase
    DataRate m_minRate;          //!< floor of the rate

    // State; times in ticks, rates in bit/s.
    double m_lowTicks{0};        //!< T_low
    double m_highTicks{0};       //!< T_high
    double m_minRttTicks{0};     //!< D_minRTT
    double m_step{0};            //!< delta
    double m_floor{0};           //!< floor of the rate
    double m_lineRate{0};        //!< ceiling of the rate
    uint64_t m_packetTicks{0};   //!< serialisation of a full packet
    uint64_t m_eventBytes{0};    //!< bytes per completion event, whole packets
    uint64_t m_ackedBytes{0};    //!< acknowledged since the last completion event
    bool m_hasPrevious{false};   //!< whether there was a completion event
    double m_previousRtt{0};     //!< its round trip time
    double m_difference{0};      //!< d, smoothed difference of round trip times
    uint32_t m_fallingEvents{0}; //!< events in a row with g <= 0
    double m_rate{0};            //!< R
    uint64_t m_rateBps{0};       //!< R, rounded down
};

} // namespace ns3

#endif /* TIMELY_CONGESTION_CONTROL_H */
