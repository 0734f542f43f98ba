/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "decimal-time.h"

#include "ns3/abort.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace ns3
{

namespace
{

using Wide = unsigned __int128; //!< holds 38 digits

constexpr int MAX_DIGITS = 20;            //!< significant digits of a number
constexpr Wide MAX_TICKS = Wide{1} << 62; //!< half of what Time can hold
constexpr int MAX_EXPONENT = 1000;        //!< beyond it every number is 0 or too long

/** A decimal number: mantissa times ten to the exponent. */
struct Decimal
{
    Wide mantissa{0}; //!< its digits
    int exponent{0};  //!< power of ten
};

/** \param unit a unit from FS to S \return femtoseconds in it, as a power of ten */
int
GetPowerOfTen(Time::Unit unit)
{
    switch (unit)
    {
    case Time::S:
        return 15;
    case Time::MS:
        return 12;
    case Time::US:
        return 9;
    case Time::NS:
        return 6;
    case Time::PS:
        return 3;
    case Time::FS:
        return 0;
    default:
        NS_ABORT_MSG("Decimal times need a unit and a resolution from seconds to femtoseconds");
    }
}

/** \param c a character \return whether it is a digit */
bool
IsDigit(char c)
{
    return c >= '0' && c <= '9';
}

/**
 * Takes digits with at most one point from the front of a text.
 * \param [in,out] text what is left of it
 * \param [out] number the number
 * \return false if there is no digit or there are too many
 */
bool
TakeDigits(std::string_view& text, Decimal& number)
{
    bool hasDigit = false;
    bool hasPoint = false;
    int digits = 0;
    int zeros = 0; // not taken into the mantissa yet: they may be the last
    std::size_t i = 0;
    for (; i < text.size() && (IsDigit(text[i]) || (text[i] == '.' && !hasPoint)); i++)
    {
        if (text[i] == '.')
        {
            hasPoint = true;
            continue;
        }
        hasDigit = true;
        number.exponent -= hasPoint;
        if (text[i] == '0')
        {
            zeros += number.mantissa != 0;
            continue;
        }
        digits += zeros + 1;
        if (digits > MAX_DIGITS)
        {
            return false;
        }
        for (; zeros > 0; zeros--)
        {
            number.mantissa *= 10;
        }
        number.mantissa = number.mantissa * 10 + (text[i] - '0');
    }
    number.exponent += zeros;
    text.remove_prefix(i);
    return hasDigit;
}

/**
 * Takes an exponent from the front of a text, if there is one.
 * \param [in,out] text what is left of it
 * \param [in,out] number its exponent is added to
 * \return false if what starts like an exponent is none
 */
bool
TakeExponent(std::string_view& text, Decimal& number)
{
    if (text.empty() || (text[0] != 'e' && text[0] != 'E'))
    {
        return true;
    }
    text.remove_prefix(1);
    if (text.size() > 1 && text[0] == '+' && IsDigit(text[1]))
    {
        text.remove_prefix(1);
    }
    int exponent = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (result.ec != std::errc() || std::abs(exponent) > MAX_EXPONENT)
    {
        return false;
    }
    number.exponent += exponent;
    text.remove_prefix(result.ptr - text.data());
    return true;
}

/**
 * \param number a number of ticks
 * \return it as an integer, rounded to the nearest; MAX_TICKS + 1 if it is more than MAX_TICKS
 */
Wide
RoundToTicks(Decimal number)
{
    for (; number.exponent > 0 && number.mantissa != 0 && number.mantissa <= MAX_TICKS;
         number.exponent--)
    {
        number.mantissa *= 10;
    }
    bool roundUp = false;
    for (; number.exponent < 0 && (number.mantissa != 0 || roundUp); number.exponent++)
    {
        roundUp = number.mantissa % 10 >= 5;
        number.mantissa /= 10;
    }
    return std::min(number.mantissa + (roundUp ? 1 : 0), MAX_TICKS + 1);
}

} // namespace

DecimalTimeStatus
ParseDecimalTime(std::string_view text, Time::Unit unit, Time& time)
{
    Decimal number;
    if (!TakeDigits(text, number) || !TakeExponent(text, number) || !text.empty())
    {
        return DecimalTimeStatus::NOT_A_TIME;
    }
    number.exponent += GetPowerOfTen(unit) - GetPowerOfTen(Time::GetResolution());
    const Wide ticks = RoundToTicks(number);
    if (ticks > MAX_TICKS)
    {
        return DecimalTimeStatus::TOO_LONG;
    }
    time = Time(static_cast<int64_t>(ticks));
    return DecimalTimeStatus::OK;
}

Time
ReadDecimalTime(const TextValue& value, std::string_view what, Time::Unit unit)
{
    Time time;
    if (ParseDecimalTime(value.GetText(), unit, time) != DecimalTimeStatus::OK)
    {
        value.Fail(std::string(what) +
                   " (decimal number, 0 or more, within the simulator's range)");
    }
    return time;
}

} // namespace ns3
