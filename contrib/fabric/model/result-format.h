/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_FORMAT_H
#define RESULT_FORMAT_H

#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <string_view>

/**
 * \file
 * \ingroup fabric
 * Numbers as text for result files and reports: the same text for the same value on every machine
 * and under every locale.
 */

namespace ns3
{

/**
 * \param time an instant or a duration
 * \return its nanoseconds, exact, with up to three decimals (no trailing zeros): "87044.96"
 */
std::string FormatNanoseconds(const Time& time);

/**
 * \param time an instant or a duration
 * \return its microseconds, exact, with up to six decimals (no trailing zeros): "87.04496"
 */
std::string FormatMicroseconds(const Time& time);

/**
 * \param time a duration
 * \return it for a person, in the unit that fits, with three decimals: "87.045 us"
 */
std::string FormatDuration(const Time& time);

/**
 * \param value a number; NaN and infinity, which no result may hold, throw std::logic_error
 * \return the number
 */
double RequireFinite(double value);

/**
 * \param value a finite number
 * \return the shortest decimal text that reads back as the same number
 */
std::string FormatReal(double value);

/**
 * \param value a finite number
 * \param decimals digits after the point
 * \return the number with that many decimals
 */
std::string FormatFixed(double value, int decimals);

/**
 * \param bytes a number of bytes
 * \return it for a person: "4 B", "13.87 MB" (1 MB = 1e6 B)
 */
std::string FormatBytes(uint64_t bytes);

/**
 * \param count a number
 * \param what one of them
 * \return both, in the plural if need be: "1 flow", "2 flows"
 */
std::string CountOf(std::size_t count, const std::string& what);

/**
 * \param text any text
 * \return the text as a field of a CSV line, quoted where RFC 4180 asks for it
 */
std::string QuoteCsv(std::string_view text);

} // namespace ns3

#endif /* RESULT_FORMAT_H */
