/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-format.h"

#include <array>
#include <cmath>
#include <iomanip>
#include <locale>
#include <sstream>
#include <stdexcept>

namespace ns3
{

namespace
{

/**
 * \param value an integer count of the smallest unit
 * \param decimals decimals that the smallest unit stands for
 * \return value / 10^decimals, exact, without trailing zeros
 */
std::string
FormatDecimal(int64_t value, int decimals)
{
    bool negative = value < 0;
    uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
    std::string digits = std::to_string(magnitude);
    if (digits.size() <= static_cast<std::size_t>(decimals))
    {
        digits.insert(0, decimals + 1 - digits.size(), '0');
    }
    digits.insert(digits.size() - decimals, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.')
    {
        digits.pop_back();
    }
    return negative ? "-" + digits : digits;
}

/** \return a stream whose numbers look the same under every locale */
std::ostringstream
MakeClassicStream()
{
    std::ostringstream stream;
    stream.imbue(std::locale::classic());
    return stream;
}

/** \param text a number \return its value, whatever the locale */
double
ParseReal(const std::string& text)
{
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    double value = 0.0;
    stream >> value;
    return value;
}

} // namespace

double
RequireFinite(double value)
{
    if (!std::isfinite(value))
    {
        throw std::logic_error("a result is not a finite number");
    }
    return value;
}

std::string
FormatNanoseconds(const Time& time)
{
    return FormatDecimal(time.GetPicoSeconds(), 3);
}

std::string
FormatMicroseconds(const Time& time)
{
    return FormatDecimal(time.GetPicoSeconds(), 6);
}

std::string
FormatDuration(const Time& time)
{
    int64_t picoseconds = time.GetPicoSeconds();
    double magnitude = std::fabs(static_cast<double>(picoseconds));

    struct Unit
    {
        double picoseconds;
        const char* name;
    };

    constexpr std::array<Unit, 3> units{{{1e12, " s"}, {1e9, " ms"}, {1e6, " us"}}};
    for (const Unit& unit : units)
    {
        if (magnitude >= unit.picoseconds)
        {
            return FormatFixed(static_cast<double>(picoseconds) / unit.picoseconds, 3) + unit.name;
        }
    }
    return FormatFixed(static_cast<double>(picoseconds) / 1e3, 3) + " ns";
}

std::string
FormatReal(double value)
{
    RequireFinite(value);
    std::string text;
    for (int digits = 15; digits <= 17; digits++) // 15 always survive, 17 always suffice
    {
        std::ostringstream stream = MakeClassicStream();
        stream << std::setprecision(digits) << value;
        text = stream.str();
        if (ParseReal(text) == value)
        {
            break;
        }
    }
    return text;
}

std::string
FormatFixed(double value, int decimals)
{
    RequireFinite(value);
    std::ostringstream stream = MakeClassicStream();
    stream << std::fixed << std::setprecision(decimals) << value;
    return stream.str();
}

std::string
FormatBytes(uint64_t bytes)
{
    if (bytes < 1000)
    {
        return std::to_string(bytes) + " B";
    }
    double value = static_cast<double>(bytes) / 1000.0;
    std::string unit = " kB";
    for (const char* larger : {" MB", " GB", " TB"})
    {
        if (value < 1000.0)
        {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    return FormatFixed(value, 2) + unit;
}

std::string
CountOf(std::size_t count, const std::string& what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

std::string
QuoteCsv(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
    {
        return std::string(text);
    }
    std::string quoted = "\"";
    for (char c : text)
    {
        quoted += c;
        if (c == '"')
        {
            quoted += '"';
        }
    }
    return quoted + '"';
}

} // namespace ns3
