/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef POWER_TCP_CONGESTION_CONTROL_H
#define POWER_TCP_CONGESTION_CONTROL_H

#include "paced-window-congestion-control.h"
#include "telemetry-history.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief PowerTCP and theta-PowerTCP, as in Addanki et al., "PowerTCP: Pushing the Performance
 * Limits of Datacenter Networks", NSDI 2022, algorithms 1 and 2.
 *
 * Power is the product of current lambda (what arrives at a queue) and voltage nu (what the queue
 * and the link hold). With telemetry (Telemetry = true, algorithm 1) port i of rate b, queue q and
 * transmission rate mu has
 * \f[ \lambda = \dot q + \mu, \quad \nu = q + b\,\tau, \quad
 *     \Gamma_i = \frac{\lambda\,\nu}{b^2 \tau} \f]
 * and the largest of the path counts. Without it (algorithm 2) power follows from the round trip
 * time theta alone:
 * \f[ \Gamma = (\dot\theta + 1)\,\theta / \tau \f]
 * Either is smoothed over the base round trip time tau, dt being the time between two measurements,
 * at most tau:
 * \f[ \Gamma_{smooth} \leftarrow (\Gamma_{smooth} (\tau - dt) + \Gamma\,dt) / \tau \f]
 * and gives the window and the rate (equation 7)
 * \f[ w \leftarrow \gamma\,(w_{old} / \Gamma_{smooth} + \beta) + (1 - \gamma)\,w,
 *     \quad R = w / \tau \f]
 * where w_old is the window at the time when the acknowledged packet was sent, which is remembered
 * once per round trip (section 3.3). With telemetry every acknowledgement does this, without it one
 * in a round trip: that of the last packet sent before the last change (algorithm 2 goes on when
 * ack.seq, the number that the receiver expects next, is no longer below the snd_nxt of then). So
 * power and w_old speak of the same packets. One packet later w_old would be the new window, whose
 * effect no round trip has seen yet, and flows that start at one instant would swing.
 *
 * beta = line rate x tau / ExpectedFlows. N queue pairs into a link of rate b settle at the sum of
 * windows b tau + N beta, and N beta bytes stand in the queue (theorem 1).
 *
 * What the paper leaves open:
 * - gamma is the gain per base round trip time, as in the paper's fluid model (appendix A, gamma_r
 * = gamma / delta t): with telemetry an acknowledgement that comes dt after the last one has the
 * gain gamma dt / tau. By the letter of algorithm 1 each has all of it (WholeGainPerAck). As lambda
 *   holds the derivative of the queue, that loop is not stable: two to four queue pairs on a link
 * then swing between an empty queue and several times N beta.
 * - Smoothed power starts at 1, the idle network's at line rate, and never falls below MinPower.
 * - w starts at line rate x tau, and never exceeds that plus beta.
 * - The first acknowledgement of a queue pair, or of a new path, has nothing to be compared with:
 *   it is kept, and changes no window.
 *
 * Losses, CNPs and marks change nothing.
 */
class PowerTcpCongestionControl : public PacedWindowCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    Ptr<RoceCongestionControl> Fork() const override;
    CongestionControlNeeds GetNeeds() const override;
    void Start(const CongestionControlStart& start) override;
    void OnAck(const AckEvent& event) override;
    void OnLineRate(const LineRateEvent& event) override;

    /** \return smoothed power, 1 in equilibrium without a queue */
    double GetPower() const
    {
        return m_power;
    }

    /** \return beta, bytes on the wire */
    double GetAdditiveIncrease() const;

  private:
    double GetCeiling() const override;
    /** \param event an acknowledgement \return whether it moved the power, from telemetry */
    bool MeasureTelemetry(const AckEvent& event);
    /** \param event an acknowledgement \return whether it moved the power, from the round trip */
    bool MeasureDelay(const AckEvent& event);
    /** \param power of a measurement \param ticks time since the one before */
    void Smooth(double power, double ticks);

    // Attributes.
    bool m_telemetry;       //!< PowerTCP, or theta-PowerTCP
    double m_gamma;         //!< weight of the new window
    bool m_wholeGain;       //!< every acknowledgement moves the window by gamma
    double m_expectedFlows; //!< N in beta
    double m_minPower;      //!< floor of the smoothed power

    // State.
    TelemetryHistory m_history; //!< telemetry of the packet before
    double m_ticksPerSecond{0}; //!< ns-3's time resolution
    double m_power{1};          //!< smoothed power
    uint64_t m_lastUpdate{0};   //!< time of the last change of the window, ticks
    bool m_measured{false};     //!< whether there was a round trip time before
    uint64_t m_previousRtt{0};  //!< that, ticks
    uint64_t m_previousTime{0}; //!< when, ticks
    double m_old{0};            //!< w_old, wire bytes
    double m_next{0};           //!< w_old of the next round trip, wire bytes
    uint64_t m_roundTripEnd{0}; //!< first packet sent after the present round trip began
};

} // namespace ns3

#endif /* POWER_TCP_CONGESTION_CONTROL_H */
