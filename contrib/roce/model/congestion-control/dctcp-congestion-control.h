/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DCTCP_CONGESTION_CONTROL_H
#define DCTCP_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief DCTCP for RDMA: the window of Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, on
 * a reliable connection, as HPCC's authors compare it.
 *
 * Acknowledgements tell how many bytes arrived with CE. Once per window of data, with F the
 * fraction of marked bytes in it (equation 1),
 * \f[ \alpha \leftarrow (1-g)\,\alpha + g\,F \f]
 * At the first mark the window W is cut (equation 2), and not again before all that was outstanding
 * then is acknowledged:
 * \f[ W \leftarrow W\,(1 - \alpha/2) \f]
 * Without such a cut under way every acknowledgement of a bytes adds IncreasePackets x MTU x a / W:
 * one packet per round trip; but only where the window was what held the queue pair back (RFC 7661,
 * section 3): one that its NIC port or its messages limit would grow it for ever. A loss halves W
 * under the same rule as a mark (RFC 8257, section 3.5).
 *
 * A queue pair starts with what fills the path at line rate; there is no slow start. Within the
 * window packets leave at line rate, clocked by the acknowledgements. When the line rate changes
 * the window stays, and marks or their absence move it.
 *
 * With switches that mark at one threshold (EcnKmin = EcnKmax = K, EcnPmax = 1) N synchronised
 * queue pairs fill the queue up to K + N packets (equation 10); the link stays full with
 * K > C RTT / 7 (equation 13).
 *
 * Not modelled: slow start; the two-state acknowledgement of section 3.2, which the exact count of
 * marked bytes replaces. CNPs change nothing.
 */
class DctcpCongestionControl : public RoceCongestionControl
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

    /** \return alpha, the smoothed fraction of marked bytes */
    double GetAlpha() const
    {
        return m_alpha;
    }

    /** \return the window W, payload bytes, unrounded */
    double GetWindow() const
    {
        return m_window;
    }

  private:
    /** \param event an acknowledgement; closes a window of data and moves alpha */
    void CountMarks(const AckEvent& event);
    /** \param now ticks \param window payload bytes */
    void SetWindow(uint64_t now, double window);

    // Attributes.
    double m_gain;            //!< g
    double m_initialAlpha;    //!< alpha at the start
    uint64_t m_initialWindow; //!< payload bytes, 0 = the path's
    double m_increasePackets; //!< growth per round trip, full packets
    double m_minPackets;      //!< smallest window, full packets

    // State; bytes are payload.
    uint64_t m_lineRateBps{0}; //!< rate of the NIC port, bit/s
    double m_packetBytes{0};   //!< of a full packet
    double m_alpha{0};         //!< alpha
    double m_window{0};        //!< W
    uint64_t m_windowBytes{1}; //!< W, rounded down
    uint64_t m_ackedBytes{0};  //!< acknowledged in the present window of data
    uint64_t m_markedBytes{0}; //!< of them marked
    uint64_t m_windowEnd{0};   //!< first packet beyond the present window of data
    uint64_t m_nextPsn{0};     //!< first packet never sent
    uint64_t m_cutEnd{0};      //!< no further cut before this packet is acknowledged
};

} // namespace ns3

#endif /* DCTCP_CONGESTION_CONTROL_H */
