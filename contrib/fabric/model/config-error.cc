/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "config-error.h"

namespace ns3
{

namespace
{

/**
 * \param source where the error is
 * \param place place inside the source, may be empty
 * \param value value read
 * \param expected what was expected
 * \return the message on one line; control characters of the value are shown as '?'
 */
std::string
FormatMessage(const std::string& source,
              const std::string& place,
              const std::string& value,
              const std::string& expected)
{
    std::string message = source;
    if (!place.empty())
    {
        message += ": " + place;
    }
    message += ": read '" + value.substr(0, 200) + "', expected " + expected;
    for (char& c : message)
    {
        if (static_cast<unsigned char>(c) < 0x20)
        {
            c = '?';
        }
    }
    return message;
}

} // namespace

ConfigError::ConfigError(const std::string& source,
                         const std::string& place,
                         const std::string& value,
                         const std::string& expected)
    : std::runtime_error(FormatMessage(source, place, value, expected))
{
}

ConfigError::ConfigError(const std::string& source,
                         uint64_t line,
                         const std::string& value,
                         const std::string& expected)
    : ConfigError(source, "line " + std::to_string(line), value, expected)
{
}

} // namespace ns3
