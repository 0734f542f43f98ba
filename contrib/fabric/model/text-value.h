/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef TEXT_VALUE_H
#define TEXT_VALUE_H

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief One word that a user wrote, and where: the base of every text reader.
 *
 * The accessors check the whole word and throw ConfigError, which names the place, the word and
 * what was expected, unless it is what they return. They never call an ns-3 parser: those abort
 * the process on bad input.
 *
 * The object only views its strings: they must outlive it.
 */
class TextValue
{
  public:
    /**
     * A word in a file.
     * \param source file
     * \param line line in it, counted from 1
     * \param text the word
     */
    TextValue(std::string_view source, uint64_t line, std::string_view text);

    /**
     * A word that stands in no line: an option, a key of a JSON document.
     * \param source file or option
     * \param place key, may be empty
     * \param text the word
     */
    TextValue(std::string_view source, std::string_view place, std::string_view text);

    /** \return the word */
    std::string_view GetText() const;

    /** \return file or option */
    std::string_view GetSource() const
    {
        return m_source;
    }

    /** \return key, may be empty */
    std::string_view GetPlace() const
    {
        return m_place;
    }

    /** \return the line of the word, 0 if it stands in no line */
    uint64_t GetLine() const;

    /**
     * \param what name of the value, for the error
     * \param min smallest value allowed
     * \param max largest value allowed
     * \return the unsigned integer; digits only, no sign, no fraction
     */
    uint64_t GetUint(std::string_view what,
                     uint64_t min = 0,
                     uint64_t max = std::numeric_limits<uint64_t>::max()) const;

    /**
     * \param what name of the value, for the error
     * \param min smallest value allowed
     * \param max largest value allowed
     * \return the signed integer
     */
    int64_t GetInt(std::string_view what,
                   int64_t min = std::numeric_limits<int64_t>::min(),
                   int64_t max = std::numeric_limits<int64_t>::max()) const;

    /**
     * \param what name of the value, for the error
     * \param min smallest value allowed
     * \param max largest value allowed
     * \return the finite number
     */
    double GetDouble(std::string_view what,
                     double min = std::numeric_limits<double>::lowest(),
                     double max = std::numeric_limits<double>::max()) const;

    /**
     * \param what name of the value, for the error
     * \return true for 1, true, yes, on; false for 0, false, no, off
     */
    bool GetBool(std::string_view what) const;

    /**
     * A bit rate: ns-3's units of bits ("400Gbps", "50Mb/s", "1Gib/s"), or a plain number of bits
     * per second ("25000000000.0"). Refused: byte units ("400GBps" is 3.2 Tbps to ns-3, and
     * always meant otherwise), zero, and plain numbers below 1,000,000, which lack their unit.
     *
     * \param what name of the value, for the error
     * \return the rate, greater than 0
     */
    DataRate GetDataRate(std::string_view what) const;

    /**
     * A duration with ns-3's units ("0.001ms", "1000ns", "2us"), or a plain 0. It is rounded to
     * the nearest tick of the resolution that is set now.
     *
     * \param what name of the value, for the error
     * \return the duration, 0 or more
     */
    Time GetTime(std::string_view what) const;

    /**
     * \param expected what was expected instead of the word, as a phrase
     */
    [[noreturn]] void Fail(const std::string& expected) const;

    /**
     * \param read what to quote instead of the word alone
     * \param expected what was expected instead, as a phrase
     */
    [[noreturn]] void Fail(std::string_view read, const std::string& expected) const;

  private:
    std::string_view m_source; //!< file or option
    std::string_view m_place;  //!< key, may be empty
    uint64_t m_line;           //!< line, 0 for none
    std::string_view m_text;   //!< the word
};

} // namespace ns3

#endif /* TEXT_VALUE_H */
