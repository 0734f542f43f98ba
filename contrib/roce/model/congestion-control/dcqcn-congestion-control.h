/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DCQCN_CONGESTION_CONTROL_H
#define DCQCN_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief DCQCN's reaction point, as in Zhu et al., "Congestion Control for Large-Scale RDMA
 * Deployments", SIGCOMM 2015, section 3.
 *
 * Per queue pair: current rate R_C, target rate R_T, reduction factor alpha. A queue pair starts
 * at line rate (R_C = R_T = line rate, alpha = InitialAlpha); there is no slow start.
 *
 * A CNP does, in this order (equation 1 of the paper; the cut uses the alpha from before it):
 * \f[ R_T \leftarrow R_C, \quad R_C \leftarrow R_C (1 - \alpha/2), \quad
 *     \alpha \leftarrow (1-g)\,\alpha + g \f]
 * and restarts both timers, the byte counter and both stage counters. The first CNP is no
 * exception: as alpha starts at 1 it halves the rate.
 *
 * Without a CNP for AlphaTimer (equation 2), repeatedly:
 * \f[ \alpha \leftarrow (1-g)\,\alpha \f]
 *
 * IncreaseTimer counts the stage T, every ByteCounter bytes count the stage BC; each such event
 * does (equations 3 and 4; figure 7, after QCN, IEEE 802.1Qau):
 * - max(T, BC) < F: fast recovery, R_T stays;
 * - min(T, BC) > F: hyper increase, R_T <- R_T + (min(T, BC) - F) R_HAI;
 * - otherwise: additive increase, R_T <- R_T + R_AI;
 *
 * and in all three R_C <- (R_T + R_C) / 2. R_T never exceeds the line rate; R_C never falls below
 * MinRate.
 *
 * What the paper leaves open:
 * - The byte counter counts bytes on the wire, headers and gaps included, as does the rate.
 * - The alpha timer runs from the start of the queue pair, by the letter of equation 2. NICs set
 *   a rate limiter up at a flow's first CNP with the initial alpha: AlphaTimerBeforeFirstCnp =
 *   false gives that. They differ in the very first cut alone.
 * - A timer that expires at the very time of a CNP expires before it.
 * - With MinimumDecreaseInterval above 0, a CNP that follows the last cut by less changes
 *   nothing, neither rate nor alpha nor timers. The default 0 is the paper: each CNP cuts, and
 *   the notification point's interval alone limits them.
 *
 * - The paper's steps are those of 40 Gb/s. By default they grow with the line rate, so that
 * recovery takes as long at 400 Gb/s; AdditiveIncrease = 40Mbps gives the paper's number. When the
 * line rate changes in mid-run they follow; a rate or target at the old one goes to the new one.
 *
 * Not modelled: the rest of the firmware variant of NVIDIA's NICs (fixed point alpha, its own
 * alpha period); QCN's extra steps which the paper does not have. Losses change nothing.
 *
 * The timers are no events: what they would have done is computed when an event comes or the
 * rate is asked for, with the operations in the order of their time stamps, so the result is the
 * same to the last bit. Once R_C and R_T cannot change any more the remaining expirations are
 * counted, not played.
 */
class DcqcnCongestionControl : public RoceCongestionControl
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

    /**
     * \param now ticks
     * \return the current rate R_C, bit/s, unrounded
     */
    double GetCurrentRate(uint64_t now);

    /**
     * \param now ticks
     * \return the target rate R_T, bit/s, unrounded
     */
    double GetTargetRate(uint64_t now);

    /**
     * \param now ticks
     * \return the reduction factor alpha
     */
    double GetAlpha(uint64_t now);

    /**
     * \param now ticks
     * \return expirations of the increase timer since the last cut (stage T)
     */
    uint64_t GetTimerStage(uint64_t now);

    /** \return expirations of the byte counter since the last cut (stage BC) */
    uint64_t GetByteStage() const;

  private:
    /** \param lineRateBps bit/s; with it what depends on it */
    void SetLineRate(uint64_t lineRateBps);

    /**
     * Plays the increase timer up to and including now, if it expired.
     * \param now ticks
     */
    void CatchUpIncrease(uint64_t now)
    {
        if (m_nextIncrease <= now)
        {
            PlayIncrease(now);
        }
    }

    /** \param now ticks; plays the increase timer up to and including now */
    void PlayIncrease(uint64_t now);

    /** \param now ticks; plays the alpha timer up to and including now */
    void CatchUpAlpha(uint64_t now);

    /** \param when ticks; one increase event, its stage counted already */
    void Increase(uint64_t when);

    /** \return true if the increase timer's next event does what the last one did, nothing */
    bool IsSettled() const;

    /**
     * \param when ticks
     * \param rate the new R_C, bit/s
     */
    void SetRate(uint64_t when, double rate);

    // Attributes.
    double m_gain;                   //!< g
    double m_initialAlpha;           //!< alpha at the start
    Time m_alphaTimer;               //!< alpha's timer
    bool m_alphaTimerBeforeFirstCnp; //!< whether it runs from the start
    Time m_increaseTimer;            //!< T
    uint64_t m_byteCounter;          //!< B, bytes, 0 = off
    uint32_t m_fastRecoveryStages;   //!< F
    bool m_clampTargetRate;          //!< every CNP lowers the target
    DataRate m_additiveIncrease;     //!< R_AI
    DataRate m_hyperIncrease;        //!< R_HAI
    DataRate m_minRate;              //!< floor of R_C
    Time m_minimumDecreaseInterval;  //!< smallest time between two cuts

    // The attributes as the arithmetic wants them.
    uint64_t m_alphaPeriod{0};      //!< ticks
    uint64_t m_increasePeriod{0};   //!< ticks
    uint64_t m_decreaseInterval{0}; //!< ticks
    double m_additiveStep{0};       //!< bit/s
    double m_hyperStep{0};          //!< bit/s
    double m_floor{0};              //!< bit/s
    double m_lineRate{0};           //!< bit/s

    // State.
    uint64_t m_rateBps{0};      //!< m_rate, rounded down
    uint64_t m_nextIncrease{0}; //!< next expiration of the increase timer, ticks
    uint64_t m_bytes{0};        //!< bytes since the byte counter last expired
    double m_rate{0};           //!< R_C, bit/s
    double m_target{0};         //!< R_T, bit/s
    double m_alpha{0};          //!< alpha
    uint64_t m_nextAlpha{0};    //!< next expiration of the alpha timer, ticks
    uint64_t m_timerStage{0};   //!< T
    uint64_t m_byteStage{0};    //!< BC
    uint64_t m_lastCut{0};      //!< time of the last cut, ticks
    bool m_hasCut{false};       //!< whether there was one
};

} // namespace ns3

#endif /* DCQCN_CONGESTION_CONTROL_H */
