/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef LINK_CLOCK_H
#define LINK_CLOCK_H

#include "ns3/abort.h"

#include <cstdint>
#include <numeric>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Turns bytes into ticks on a link, exactly.
 *
 * A byte takes 8 * ticksPerSecond / rate = numerator / denominator ticks. What is left below a tick
 * is carried by the caller from one frame of a busy period to the next, so that the rate of a busy
 * link has no error at any time resolution. Products of more than 64 bits are computed as such; a
 * link on which the largest frame takes more than 2^63 ticks is refused.
 */
class LinkClock
{
  public:
    /** Largest frame for which every link is accurate, bytes. */
    static constexpr uint64_t MAX_FRAME_BYTES = 1ULL << 21;

    LinkClock() = default;

    /**
     * \param rateBps rate, bit/s, above 0
     * \param ticksPerSecond ns-3's time resolution
     */
    LinkClock(uint64_t rateBps, uint64_t ticksPerSecond)
    {
        const uint64_t ticks = 8 * ticksPerSecond;
        const uint64_t divisor = std::gcd(ticks, rateBps);
        m_numerator = ticks / divisor;
        m_denominator = rateBps / divisor;
        NS_ABORT_MSG_IF(m_numerator / m_denominator >= (1ULL << 63) / MAX_FRAME_BYTES,
                        "a link of " << rateBps << " bit/s takes longer for a frame of "
                                     << MAX_FRAME_BYTES << " bytes than a time of "
                                     << ticksPerSecond
                                     << " ticks per second can hold: choose a coarser resolution");
    }

    /**
     * \param bytes bytes on the wire, at most MAX_FRAME_BYTES
     * \param remainder carried fraction of a tick, in units of 1 / denominator; updated
     * \return whole ticks until the last bit has left
     */
    uint64_t Serialise(uint64_t bytes, uint64_t& remainder) const
    {
        if (m_denominator == 1)
        {
            return bytes * m_numerator;
        }
        uint64_t total;
        if (__builtin_mul_overflow(bytes, m_numerator, &total) ||
            __builtin_add_overflow(total, remainder, &total))
        {
            return SerialiseWide(bytes, remainder);
        }
        remainder = total % m_denominator;
        return total / m_denominator;
    }

    /**
     * Takes frames back that were serialised last.
     * \param bytes their bytes in all
     * \param remainder remainder after the last of them
     * \return remainder before the first of them
     */
    uint64_t RemainderBefore(uint64_t bytes, uint64_t remainder) const
    {
        if (m_denominator == 1)
        {
            return 0;
        }
        const auto taken = static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) *
                                                 m_numerator % m_denominator);
        return (remainder + m_denominator - taken) % m_denominator;
    }

    /**
     * \param bytes bytes on the wire
     * \return ticks that they take, rounded up
     */
    uint64_t TicksFor(uint64_t bytes) const
    {
        const auto total = static_cast<unsigned __int128>(bytes) * m_numerator;
        return static_cast<uint64_t>((total + m_denominator - 1) / m_denominator);
    }

  private:
    /** As Serialise(), for products beyond 64 bits. \copydetails Serialise() */
    uint64_t SerialiseWide(uint64_t bytes, uint64_t& remainder) const
    {
        const auto total = static_cast<unsigned __int128>(bytes) * m_numerator + remainder;
        remainder = static_cast<uint64_t>(total % m_denominator);
        return static_cast<uint64_t>(total / m_denominator);
    }

    uint64_t m_numerator{0};   //!< ticks per byte, numerator
    uint64_t m_denominator{1}; //!< ticks per byte, denominator
};

} // namespace ns3

#endif /* LINK_CLOCK_H */
