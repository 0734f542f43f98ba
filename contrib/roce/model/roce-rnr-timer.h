/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RNR_TIMER_H
#define ROCE_RNR_TIMER_H

#include "ns3/nstime.h"

#include <array>
#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief Value of RnrRetry that sets no limit (IBA 9.7.5.2.8). */
constexpr uint32_t RNR_RETRY_FOREVER = 7;

/**
 * \ingroup roce
 * \param code RNR timer code, 5 bits
 * \return how long it asks the requester to wait, 0.01 ms to 655.36 ms (IBA 9.7.5.2.8, table 45)
 */
inline Time
RnrTime(uint32_t code)
{
    // In units of 10 us.
    static constexpr std::array<uint32_t, 32> TIMES = {
        65536, 1,    2,    3,    4,    6,     8,     12,    16,    24,   32,
        48,    64,   96,   128,  192,  256,   384,   512,   768,   1024, 1536,
        2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152};
    return MicroSeconds(10 * TIMES[code & 31]);
}

} // namespace ns3

#endif /* ROCE_RNR_TIMER_H */
