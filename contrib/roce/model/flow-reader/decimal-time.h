/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef DECIMAL_TIME_H
#define DECIMAL_TIME_H

#include "ns3/nstime.h"
#include "ns3/text-value.h"

#include <cstdint>
#include <string_view>

namespace ns3
{

/** \ingroup roce \brief What ParseDecimalTime() made of a word. */
enum class DecimalTimeStatus : uint8_t
{
    OK,         //!< a time
    NOT_A_TIME, //!< no decimal number of 0 or more, or more than 20 significant digits
    TOO_LONG,   //!< a time beyond 2^62 ticks
};

/**
 * \ingroup roce
 * \brief Reads a decimal number without a unit as a time, in integer arithmetic.
 *
 * "2.000000001" seconds is 2,000,000,001 ns and no neighbour of it, whatever the resolution of
 * ns-3; what is finer than a tick is rounded to the nearest, halves up. An exponent is allowed.
 *
 * \param text digits, at most one point, at most one exponent ("1e-05"); no sign before it
 * \param unit what 1 stands for, Time::S to Time::FS
 * \param [out] time the time, if the status is OK
 * \return the status
 */
DecimalTimeStatus ParseDecimalTime(std::string_view text, Time::Unit unit, Time& time);

/**
 * \ingroup roce
 * \param value a word that stands for a decimal number; a ConfigError if it does not
 * \param what name of the value with its unit, for the error ("start time, s")
 * \param unit what 1 stands for, Time::S to Time::FS
 * \return the time, see ParseDecimalTime()
 */
Time ReadDecimalTime(const TextValue& value, std::string_view what, Time::Unit unit);

} // namespace ns3

#endif /* DECIMAL_TIME_H */
