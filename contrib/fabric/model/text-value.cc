/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "text-value.h"

#include "config-error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <sstream>
#include <system_error>
#include <type_traits>

namespace ns3
{

namespace
{

/** A unit and how many base units it holds. */
struct TextUnit
{
    std::string_view name; //!< as written
    long double factor;    //!< base units
};

/** Units of bit rates that ns-3 knows, in bits per second; units of bytes are left out. */
constexpr TextUnit RATE_UNITS[] = {
    {"bps", 1.0L},
    {"b/s", 1.0L},
    {"kbps", 1e3L},
    {"kb/s", 1e3L},
    {"Kbps", 1e3L},
    {"Kb/s", 1e3L},
    {"Kib/s", 1024.0L},
    {"Mbps", 1e6L},
    {"Mb/s", 1e6L},
    {"Mib/s", 1048576.0L},
    {"Gbps", 1e9L},
    {"Gb/s", 1e9L},
    {"Gib/s", 1073741824.0L},
};

/** Units of time that ns-3 knows, in femtoseconds. */
constexpr TextUnit TIME_UNITS[] = {
    {"fs", 1.0L},
    {"ps", 1e3L},
    {"ns", 1e6L},
    {"us", 1e9L},
    {"ms", 1e12L},
    {"s", 1e15L},
    {"min", 60e15L},
    {"h", 3600e15L},
    {"d", 86400e15L},
    {"y", 365 * 86400e15L},
};

/** A plain number of bits per second below this lacks its unit. */
constexpr long double MIN_PLAIN_RATE = 1e6L;

/**
 * \param text a number, with or without a unit behind it
 * \param [out] value the number
 * \param [out] unit what follows the number
 * \return true if the text starts with a finite number of digits, point and exponent
 */
bool
SplitNumber(std::string_view text, long double& value, std::string_view& unit)
{
    const char* end = text.data() + text.size();
    const auto result = std::from_chars(text.data(), end, value);
    unit = text.substr(result.ptr - text.data());
    return result.ec == std::errc() && std::isfinite(value);
}

/**
 * \param units the units known
 * \param name a unit
 * \return its factor, 0 if it is not known
 */
template <std::size_t N>
long double
FindFactor(const TextUnit (&units)[N], std::string_view name)
{
    const auto found = std::find_if(std::begin(units), std::end(units), [&](const TextUnit& unit) {
        return unit.name == name;
    });
    return found == std::end(units) ? 0.0L : found->factor;
}

/** \return femtoseconds per tick of the present resolution */
long double
GetTickFemtoSeconds()
{
    switch (Time::GetResolution())
    {
    case Time::Y:
        return FindFactor(TIME_UNITS, "y");
    case Time::D:
        return FindFactor(TIME_UNITS, "d");
    case Time::H:
        return FindFactor(TIME_UNITS, "h");
    case Time::MIN:
        return FindFactor(TIME_UNITS, "min");
    case Time::S:
        return FindFactor(TIME_UNITS, "s");
    case Time::MS:
        return FindFactor(TIME_UNITS, "ms");
    case Time::US:
        return FindFactor(TIME_UNITS, "us");
    case Time::PS:
        return FindFactor(TIME_UNITS, "ps");
    case Time::FS:
        return FindFactor(TIME_UNITS, "fs");
    default:
        return FindFactor(TIME_UNITS, "ns");
    }
}

/**
 * \param what name of a value
 * \param type what it must be
 * \return both as a phrase
 */
std::string
Describe(std::string_view what, std::string_view type)
{
    std::string phrase(what);
    phrase += " (";
    phrase += type;
    phrase += ")";
    return phrase;
}

/**
 * \param what name of a value
 * \param type its type
 * \param min smallest value
 * \param max largest value
 * \return all as a phrase; a limit that is the type's own is left out
 */
template <typename T>
std::string
DescribeRange(std::string_view what, std::string_view type, T min, T max)
{
    std::ostringstream phrase;
    phrase.precision(12);
    phrase << what << " (" << type;
    const bool hasMin = std::is_unsigned_v<T> || min != std::numeric_limits<T>::lowest();
    const bool hasMax = max != std::numeric_limits<T>::max();
    if (hasMin && hasMax)
    {
        phrase << " from " << min << " to " << max;
    }
    else if (hasMin)
    {
        phrase << ", at least " << min;
    }
    else if (hasMax)
    {
        phrase << ", at most " << max;
    }
    phrase << ")";
    return phrase.str();
}

} // namespace

TextValue::TextValue(std::string_view source, uint64_t line, std::string_view text)
    : m_source(source),
      m_line(line),
      m_text(text)
{
}

TextValue::TextValue(std::string_view source, std::string_view place, std::string_view text)
    : m_source(source),
      m_place(place),
      m_line(0),
      m_text(text)
{
}

std::string_view
TextValue::GetText() const
{
    return m_text;
}

uint64_t
TextValue::GetLine() const
{
    return m_line;
}

uint64_t
TextValue::GetUint(std::string_view what, uint64_t min, uint64_t max) const
{
    uint64_t value = 0;
    const char* end = m_text.data() + m_text.size();
    const auto result = std::from_chars(m_text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < min || value > max)
    {
        Fail(DescribeRange(what, "integer", min, max));
    }
    return value;
}

int64_t
TextValue::GetInt(std::string_view what, int64_t min, int64_t max) const
{
    int64_t value = 0;
    const char* end = m_text.data() + m_text.size();
    const auto result = std::from_chars(m_text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || value < min || value > max)
    {
        Fail(DescribeRange(what, "integer", min, max));
    }
    return value;
}

double
TextValue::GetDouble(std::string_view what, double min, double max) const
{
    double value = 0.0;
    const char* end = m_text.data() + m_text.size();
    const auto result = std::from_chars(m_text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end || !std::isfinite(value) || value < min ||
        value > max)
    {
        Fail(DescribeRange(what, "number", min, max));
    }
    return value;
}

bool
TextValue::GetBool(std::string_view what) const
{
    static constexpr std::string_view yes[] = {"1", "true", "yes", "on"};
    static constexpr std::string_view no[] = {"0", "false", "no", "off"};
    if (std::find(std::begin(yes), std::end(yes), m_text) != std::end(yes))
    {
        return true;
    }
    if (std::find(std::begin(no), std::end(no), m_text) == std::end(no))
    {
        Fail(Describe(what, "true or false"));
    }
    return false;
}

DataRate
TextValue::GetDataRate(std::string_view what) const
{
    constexpr std::string_view form = "bit rate greater than 0, such as 400Gbps";
    long double value = 0.0L;
    std::string_view unit;
    if (!SplitNumber(m_text, value, unit))
    {
        Fail(Describe(what, form));
    }
    if (unit.empty() && value > 0.0L && value < MIN_PLAIN_RATE)
    {
        Fail(Describe(what, "bit rate with its unit, such as 400Gbps"));
    }
    if (unit.find('B') != std::string_view::npos)
    {
        Fail(Describe(what, "bit rate in bits, such as 400Gbps; B stands for bytes"));
    }
    const long double bitsPerSecond =
        std::round(value * (unit.empty() ? 1.0L : FindFactor(RATE_UNITS, unit)));
    if (!(bitsPerSecond >= 1.0L) || bitsPerSecond >= 18446744073709551616.0L)
    {
        Fail(Describe(what, form));
    }
    return DataRate(static_cast<uint64_t>(bitsPerSecond));
}

Time
TextValue::GetTime(std::string_view what) const
{
    constexpr std::string_view form = "time, 0 or more, with its unit, such as 500ns";
    long double value = 0.0L;
    std::string_view unit;
    if (!SplitNumber(m_text, value, unit) || std::signbit(value) || (unit.empty() && value != 0.0L))
    {
        Fail(Describe(what, form));
    }
    const long double factor = unit.empty() ? 1.0L : FindFactor(TIME_UNITS, unit);
    const long double ticks = std::round(value * factor / GetTickFemtoSeconds());
    if (factor == 0.0L || ticks > 4611686018427387904.0L) // 2^62: half of what Time can hold
    {
        Fail(Describe(what, form));
    }
    return Time(static_cast<int64_t>(ticks));
}

void
TextValue::Fail(const std::string& expected) const
{
    Fail(m_text, expected);
}

void
TextValue::Fail(std::string_view read, const std::string& expected) const
{
    if (m_line > 0)
    {
        throw ConfigError(std::string(m_source), m_line, std::string(read), expected);
    }
    throw ConfigError(std::string(m_source), std::string(m_place), std::string(read), expected);
}

} // namespace ns3
