/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVIDIA_DCQCN_CONGESTION_CONTROL_H
#define NVIDIA_DCQCN_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief DCQCN's reaction point as the firmware of NVIDIA's NICs (ConnectX-4 and later) has it,
 * with its parameters by their names there and its defaults.
 *
 * Sources: NVIDIA, "DCQCN CC Parameters" (DOCA documentation; Mellanox community DOC-2790), the
 * parameters' descriptions in the drivers, and the defaults that mlxconfig shows.
 *
 * A queue pair sends at line rate, without timers and counters, until its first CNP gives it a rate
 * limiter: current rate R_C and target rate R_T are RateToSetOnFirstCnp (0: line rate), alpha is
 * InitialAlphaValue, and these clocks start:
 *
 * - Every DceTcpRtt, with G = DceTcpG and alpha in 1/1024, at least 1 and at most 1023:
 *   \f[ \alpha \leftarrow G\,\alpha / 1024 + (1024 - G) \f] if a CNP came in the period, and
 *   \f[ \alpha \leftarrow G\,\alpha / 1024 \f] if none did.
 * - Every RateReduceMonitorPeriod, if a CNP came in the period:
 *   \f[ R_C \leftarrow R_C \cdot \max(1 - \alpha / 2^{Gd},\ MinDecFac / 100\,\%) \f]
 *   but not below RpgMinRate. R_T becomes the R_C from before if ClampTgtRate is set, or if the
 *   byte counter raised the rate since the last cut, or, with ClampTgtRateAfterTimeInc, the timer
 *   did. Stages, timer and byte counter start anew.
 * - Every RpgTimeReset counts the time stage, every RpgByteReset x 64 bytes sent count the byte
 *   stage. Each then does, with F = RpgThreshold: below F both, R_T stays (fast recovery); above F
 *   both, R_T += i RpgHaiRate with i the smaller stage less F (hyper increase, IEEE 802.1Qau);
 *   otherwise R_T += RpgAiRate; and R_C <- (R_T + R_C) / 2 in all three.
 *
 * R_T and R_C never exceed RpgMaxRate (0: line rate). Once R_C has come within 1 Mb/s of it, the
 * unit in which the firmware keeps rates, and no cut is pending, the limiter is released: the queue
 * pair sends at line rate until the next CNP, which is a first one again.
 *
 * CNP generation is the other end's: MinTimeBetweenCnps is asked of it. Priority and DSCP of CNPs
 * (CNP_802P_PRIO 6, CNP_DSCP 48) are attributes of the NIC and of the frame.
 *
 * What the sources leave open: at one time, alpha's clock comes first, then the increase timer,
 * then the cut, then the CNP; a CNP counts for the period that it falls in, so the first cut comes
 * one RateReduceMonitorPeriod after the first CNP. Alpha is not rounded to 1/1024, as the rounding
 * is not told. Losses change nothing.
 *
 * As in DcqcnCongestionControl no clock is an event: each is played up to the present when somebody
 * looks, in time order, with the same result to the last bit. The work is bounded: alpha's clock
 * stops being played at its floor, the increase timer when the limiter is released, which it is in
 * the end unless RpgAiRate is 0.
 */
class NvidiaDcqcnCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnSend(const SendEvent& event) override;
    void OnCnp(const CnpEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;
    uint64_t GetNextChange(uint64_t now) override;
    void CatchUp(uint64_t now) override;

    /** \param now ticks \return whether the queue pair has a rate limiter */
    bool IsLimited(uint64_t now);
    /** \param now ticks \return current rate R_C, bit/s, unrounded */
    double GetCurrentRate(uint64_t now);
    /** \param now ticks \return target rate R_T, bit/s, unrounded */
    double GetTargetRate(uint64_t now);
    /** \param now ticks \return alpha in 1/1024 */
    double GetAlpha(uint64_t now);
    /** \param now ticks \return expirations of the increase timer since the last cut */
    uint64_t GetTimeStage(uint64_t now);
    /** \param now ticks \return expirations of the byte counter since the last cut */
    uint64_t GetByteStage(uint64_t now);

  private:
    /** \param now ticks; plays cuts and increases up to and including now */
    void CatchUpRate(uint64_t now);
    /** \param now ticks; plays the increase timer up to and including now */
    void PlayIncrease(uint64_t now);
    /** \param now ticks; plays alpha's clock up to and including now */
    void PlayAlpha(uint64_t now);
    /** \param when ticks; the cut that is due then */
    void Cut(uint64_t when);
    /** \param when ticks; one increase, its stage counted already */
    void Increase(uint64_t when);
    /** \param now ticks; gives the queue pair a rate limiter */
    void Limit(uint64_t now);
    /** \param lineRateBps bit/s; with it what depends on it */
    void SetLineRate(uint64_t lineRateBps);
    /** \param when ticks \param rate of the limiter, which is released if that is its ceiling */
    void SetLimit(uint64_t when, double rate);
    /** \param when ticks \param rate of the limiter, or line rate without, bit/s */
    void SetRate(uint64_t when, double rate);

    // Attributes.
    bool m_clampTargetRate;        //!< CLAMP_TGT_RATE
    bool m_clampAfterTimeIncrease; //!< CLAMP_TGT_RATE_AFTER_TIME_INC
    Time m_timeReset;              //!< RPG_TIME_RESET
    uint32_t m_byteReset;          //!< RPG_BYTE_RESET, 64 bytes
    uint32_t m_threshold;          //!< RPG_THRESHOLD
    DataRate m_additiveIncrease;   //!< RPG_AI_RATE
    DataRate m_hyperIncrease;      //!< RPG_HAI_RATE
    uint32_t m_gdShift;            //!< RPG_GD
    uint32_t m_minDecreaseFactor;  //!< RPG_MIN_DEC_FAC, per cent
    DataRate m_minRate;            //!< RPG_MIN_RATE
    DataRate m_maxRate;            //!< RPG_MAX_RATE
    DataRate m_firstRate;          //!< RATE_TO_SET_ON_FIRST_CNP
    uint32_t m_alphaWeight;        //!< DCE_TCP_G
    Time m_alphaPeriod;            //!< DCE_TCP_RTT
    uint32_t m_initialAlpha;       //!< INITIAL_ALPHA_VALUE
    Time m_reducePeriod;           //!< RATE_REDUCE_MONITOR_PERIOD
    Time m_cnpInterval;            //!< MIN_TIME_BETWEEN_CNPS

    // The attributes as the arithmetic wants them.
    uint64_t m_alphaTicks{0};    //!< alpha's period
    uint64_t m_reduceTicks{0};   //!< period of cuts
    uint64_t m_increaseTicks{0}; //!< period of increases
    uint64_t m_counterBytes{0};  //!< byte counter, 0 = off
    double m_alphaDecay{0};      //!< G / 1024
    double m_alphaGain{0};       //!< 1024 - G
    double m_cutScale{0};        //!< 1 / 2^Gd
    double m_cutFloor{0};        //!< smallest factor of a cut
    double m_lineRate{0};        //!< bit/s
    double m_ceiling{0};         //!< RPG_MAX_RATE, bit/s
    double m_floor{0};           //!< RPG_MIN_RATE, bit/s

    // State.
    bool m_limited{false};      //!< whether there is a rate limiter; what follows is its state
    double m_rate{0};           //!< R_C, bit/s; line rate without a limiter
    uint64_t m_rateBps{0};      //!< m_rate, rounded down
    double m_target{0};         //!< R_T, bit/s
    double m_alpha{0};          //!< alpha, 1/1024
    uint64_t m_nextAlpha{0};    //!< next period of alpha ends, ticks
    bool m_alphaCnp{false};     //!< a CNP came in the present one
    uint64_t m_limitedSince{0}; //!< start of the periods of cuts, ticks
    uint64_t m_cutDue{NEVER};   //!< time of the pending cut, ticks
    uint64_t m_nextIncrease{0}; //!< next expiration of the increase timer, ticks
    uint64_t m_bytes{0};        //!< bytes since the byte counter last expired
    uint64_t m_timeStage{0};    //!< expirations of the timer since the last cut
    uint64_t m_byteStage{0};    //!< expirations of the byte counter since the last cut
};

} // namespace ns3

#endif /* NVIDIA_DCQCN_CONGESTION_CONTROL_H */
