/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef POWERS_OF_TWO_H
#define POWERS_OF_TWO_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup collective
 * \param number a number, at least 1
 * \return the largest power of two that is not larger
 */
constexpr uint32_t
GetPowerOfTwoBelow(uint32_t number)
{
    uint32_t power = 1;
    while (power <= number / 2)
    {
        power *= 2;
    }
    return power;
}

/**
 * \ingroup collective
 * \param number a number, at least 1
 * \return true if it is a power of two
 */
constexpr bool
IsPowerOfTwo(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

/**
 * \ingroup collective
 * \param number a number, at least 1
 * \return the smallest power of two that is not smaller
 */
constexpr uint32_t
GetPowerOfTwoAbove(uint32_t number)
{
    return IsPowerOfTwo(number) ? number : 2 * GetPowerOfTwoBelow(number);
}

} // namespace ns3

#endif /* POWERS_OF_TWO_H */
