/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DISCOUNTING_RATE_ESTIMATOR_H
#define DISCOUNTING_RATE_ESTIMATOR_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Load of a link by CONGA's discounting rate estimator (Alizadeh et al., SIGCOMM 2014,
 * section 3.2).
 *
 * A register X grows by the size of every packet sent and shrinks by X <- X (1 - alpha) at every
 * multiple of an interval T. Traffic of rate R settles at X = R tau with tau = T / alpha, just
 * before it shrinks. What the register has lost is computed when it is looked at, exactly as if it
 * had been done on time.
 */
class DiscountingRateEstimator
{
  public:
    /**
     * \param when ticks, not before earlier ones
     * \param bytes that leave then
     * \param interval T, ticks
     * \param alpha part that is lost per interval
     */
    void Add(uint64_t when, uint32_t bytes, uint64_t interval, double alpha)
    {
        m_bytes = GetBytes(when, interval, alpha) + bytes;
        m_interval = when / interval;
    }

    /**
     * \param when ticks, not before those of Add()
     * \param interval T, ticks
     * \param alpha part that is lost per interval
     * \return X, bytes
     */
    double GetBytes(uint64_t when, uint64_t interval, double alpha) const
    {
        constexpr double NOTHING = 1e-3;
        double bytes = m_bytes;
        for (uint64_t i = m_interval; i < when / interval && bytes > 0; i++)
        {
            bytes *= 1 - alpha;
            bytes = bytes < NOTHING ? 0 : bytes; // an idle link costs no endless product
        }
        return bytes;
    }

  private:
    double m_bytes{0};      //!< X, as of the last Add()
    uint64_t m_interval{0}; //!< interval of the last Add()
};

} // namespace ns3

#endif /* DISCOUNTING_RATE_ESTIMATOR_H */
