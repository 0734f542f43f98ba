/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_CONGESTION_CONTROL_H
#define HPCC_CONGESTION_CONTROL_H

#include "paced-window-congestion-control.h"
#include "telemetry-history.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief HPCC, as in Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * algorithm 1.
 *
 * Every data packet carries in-band telemetry (INT): each switch writes when the packet left, the
 * bytes its port had sent by then, the queue it left behind and the port's rate B. The
 * acknowledgement brings it back. Compared with the packet before, port i has (lines 4 and 5)
 * \f[ u_i = \frac{\min(q_i, q_i')}{B_i T} + \frac{txRate_i}{B_i} \f]
 * The largest of them, u, measured over the time tau at that port, at most T, moves the
 * utilisation (line 9)
 * \f[ U \leftarrow (1 - \tau/T)\,U + (\tau/T)\,u \f]
 * Every acknowledgement computes the window from the reference W_c (lines 11 to 19):
 * - U >= eta, or MaxStage additive steps were taken: W = W_c / (U / eta) + W_AI;
 * - otherwise: W = W_c + W_AI,
 *
 * and the rate R = W / T. The first acknowledgement of a packet sent after the last update of W_c
 * makes W the new W_c and counts the step: once a round trip, so that no measurement is reacted to
 * twice.
 *
 * A queue pair starts with W = W_c = line rate x T; W never exceeds that. N queue pairs settle at
 * \f[ U^* = \eta + N\,W_{AI} / (B T), \f]
 * without a standing queue while that is below 1.
 *
 * What the paper leaves open:
 * - U starts at 1: a queue pair starts at line rate.
 * - The first acknowledgement of a queue pair, or of a new path, has nothing to be compared with:
 *   it is kept, and changes no window.
 * - Telemetry is exact, not in the header's fields of fixed width (figure 7), which would know
 *   some rates only, wrap within 16.8 ms and end after five hops. Its bytes on the wire are those
 *   of that header: 2 + 8 per switch, 42 at least.
 *
 * Not modelled: HPCC-PINT. Losses, CNPs and marks change nothing.
 */
class HpccCongestionControl : public PacedWindowCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;

    /** \return the utilisation U of the busiest port of the path */
    double GetUtilization() const
    {
        return m_utilization;
    }

    /** \return the reference window W_c, bytes on the wire */
    double GetReferenceWindow() const
    {
        return m_reference;
    }

    /** \return additive steps since the last multiplicative one */
    uint32_t GetStage() const
    {
        return m_stage;
    }

  private:
    double GetCeiling() const override;
    /** \param lineRateBps bit/s; sets W_AI */
    void SetStep(uint64_t lineRateBps);
    /** \param stack telemetry that can be compared with the packet before; moves U */
    void MeasureInflight(const TelemetryStack& stack);

    // Attributes.
    double m_target;             //!< eta
    uint32_t m_maxStage;         //!< greatest number of additive steps in a row
    DataRate m_additiveIncrease; //!< W_AI / T, 0 = share of the line rate

    // State.
    TelemetryHistory m_history;   //!< telemetry of the packet before
    double m_ticksPerSecond{0};   //!< ns-3's time resolution
    double m_step{0};             //!< W_AI, bytes on the wire
    double m_utilization{1};      //!< U
    double m_reference{0};        //!< W_c, bytes on the wire
    uint32_t m_stage{0};          //!< additive steps since the last multiplicative one
    uint64_t m_lastUpdateNext{0}; //!< first packet sent after the last update of W_c
    bool m_measured{false};       //!< whether any telemetry came back
};

} // namespace ns3

#endif /* HPCC_CONGESTION_CONTROL_H */
