/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PACED_WINDOW_CONGESTION_CONTROL_H
#define PACED_WINDOW_CONGESTION_CONTROL_H

#include "roce-congestion-control.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

namespace ns3
{

/**
 * \ingroup roce
 * \brief A window W and the rate W / T that spreads it over the base round trip time T: what HPCC
 * and PowerTCP have in common.
 *
 * W counts bytes on the wire, as do the rates and queues that it is computed from; the window that
 * the transport sees is the payload in it. T is BaseRtt, or the round trip of a full packet in the
 * idle path where that is 0. W starts at the line rate times T. The rate stays between MinRate
 * and the line rate.
 */
class PacedWindowCongestionControl : public RoceCongestionControl
{
  public:
    void Start(const CongestionControlStart& start) override;
    void OnLineRate(const LineRateEvent& event) override;
    uint64_t GetRateBps(uint64_t now) override;
    uint64_t GetWindowBytes() const override;

    /** \return W, bytes on the wire, unrounded */
    double GetWireWindow() const
    {
        return m_window;
    }

    /** \return T, ticks */
    double GetBaseRttTicks() const
    {
        return m_baseRttTicks;
    }

  protected:
    /**
     * Each kind has the attributes as its own, so that each has its own defaults.
     * \param tid of a kind
     * \return the same, with the attributes of this class
     */
    static TypeId AddCommonAttributes(TypeId tid);

    /**
     * \param rateBps of a link, bit/s
     * \return bytes that it carries in T
     */
    double BytesPerRtt(double rateBps) const
    {
        return rateBps * m_bytesPerRttAndBps;
    }

    /**
     * Changes window and rate.
     * \param now ticks
     * \param window W, bytes on the wire, kept between MinRate x T and GetCeiling()
     */
    void SetWindow(uint64_t now, double window);

    /** \return greatest W at the present line rate, bytes on the wire */
    virtual double GetCeiling() const = 0;

    /** \return line rate x T, bytes on the wire */
    double GetLineWindow() const
    {
        return BytesPerRtt(m_lineRate);
    }

  private:
    /** \param lineRateBps bit/s; with it the floor */
    void SetLineRate(uint64_t lineRateBps);
    /** \param now ticks; works out what the transport sees */
    void Publish(uint64_t now);

    Time m_baseRtt;     //!< attribute, 0 = the path's
    DataRate m_minRate; //!< attribute

    double m_baseRttTicks{0};      //!< T
    double m_bytesPerRttAndBps{0}; //!< T / 8 s
    double m_lineRate{0};          //!< bit/s
    double m_floor{0};             //!< smallest rate, bit/s
    double m_payloadShare{1};      //!< payload of a full packet over its bytes on the wire
    double m_window{0};            //!< W, bytes on the wire
    uint64_t m_windowBytes{1};     //!< payload bytes in W
    uint64_t m_rateBps{0};         //!< W / T
};

} // namespace ns3

#endif /* PACED_WINDOW_CONGESTION_CONTROL_H */
