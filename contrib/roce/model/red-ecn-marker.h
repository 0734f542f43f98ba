/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RED_ECN_MARKER_H
#define RED_ECN_MARKER_H

#include "ns3/data-rate.h"

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief Thresholds of ECN marking at an egress queue. */
struct EcnThresholds
{
    uint64_t kminBytes{0}; //!< up to here nothing is marked, bytes
    uint64_t kmaxBytes{0}; //!< above this everything is marked, bytes
    double pmax{0.0};      //!< probability at kmaxBytes, 0 to 1

    /**
     * Thresholds that grow with the rate: Kmin = 100 KB and Kmax = 400 KB per 25 Gb/s, Pmax = 0.2
     * (the rule behind the DCQCN settings in the evaluation scripts of HPCC, SIGCOMM 2019); KB =
     * 1000 bytes.
     *
     * \param rate rate of the port
     * \return the thresholds
     */
    static EcnThresholds ScaleByRate(DataRate rate);
};

/**
 * \ingroup roce
 * \brief Decides whether a packet gets the congestion experienced code point: RED on the present
 * queue length, DCQCN's congestion point (Zhu et al., SIGCOMM 2015, section 3.1, figure 5).
 *
 * \f[ p(q) = \begin{cases} 0 & q \le K_{min} \\
 *     P_{max} \frac{q - K_{min}}{K_{max} - K_{min}} & K_{min} < q \le K_{max} \\
 *     1 & q > K_{max} \end{cases} \f]
 *
 * There is a step from Pmax to 1 right above Kmax. Kmin = Kmax marks by threshold alone, as DCTCP
 * does. The queue length is not averaged. When to ask (the paper's chips mark at departure) is
 * the caller's choice.
 */
class RedEcnMarker
{
  public:
    /** Marks nothing. */
    RedEcnMarker() = default;

    /** \param thresholds the thresholds, Kmin at most Kmax and Pmax from 0 to 1 */
    explicit RedEcnMarker(const EcnThresholds& thresholds);

    /** \return the thresholds */
    const EcnThresholds& GetThresholds() const
    {
        return m_thresholds;
    }

    /**
     * \param queueBytes length of the egress queue, bytes
     * \return the probability that a packet is marked
     */
    double GetProbability(uint64_t queueBytes) const
    {
        if (queueBytes <= m_thresholds.kminBytes)
        {
            return 0.0;
        }
        if (queueBytes > m_thresholds.kmaxBytes)
        {
            return 1.0;
        }
        return m_slope * static_cast<double>(queueBytes - m_thresholds.kminBytes);
    }

  private:
    EcnThresholds m_thresholds{UINT64_MAX, UINT64_MAX, 0.0}; //!< thresholds
    double m_slope{0.0}; //!< probability per byte between the thresholds
};

} // namespace ns3

#endif /* RED_ECN_MARKER_H */
