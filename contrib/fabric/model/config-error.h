/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CONFIG_ERROR_H
#define CONFIG_ERROR_H

#include <cstdint>
#include <stdexcept>
#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief An error in something the user gave: a file, a database, the command line.
 *
 * Thrown while parsing and validating, before any simulation object exists; caught once in
 * `main()`, which prints what() on one line and exits with status 2.
 */
class ConfigError : public std::runtime_error
{
  public:
    /**
     * \param source the file, database or option that holds the error
     * \param place line ("line 12"), key or option inside the source; may be empty
     * \param value the value that was read
     * \param expected what was expected instead, as a phrase
     */
    ConfigError(const std::string& source,
                const std::string& place,
                const std::string& value,
                const std::string& expected);

    /**
     * \param source the file that holds the error
     * \param line its line, counted from 1
     * \param value the value that was read
     * \param expected what was expected instead, as a phrase
     */
    ConfigError(const std::string& source,
                uint64_t line,
                const std::string& value,
                const std::string& expected);
};

} // namespace ns3

#endif /* CONFIG_ERROR_H */
