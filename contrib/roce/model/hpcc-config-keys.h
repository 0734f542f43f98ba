/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HPCC_CONFIG_KEYS_H
#define HPCC_CONFIG_KEYS_H

#include "hpcc-config.h"

#include "ns3/text-scanner.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace ns3
{

/**
 * \ingroup roce
 * \brief The values of a key: the words of a line between its key and its comment.
 */
class HpccConfigValues
{
  public:
    /** \param line a line with a key */
    explicit HpccConfigValues(const TextLine& line)
        : m_line(line),
          m_key(line.GetWord(0))
    {
        const std::size_t words = line.GetCount();
        while (m_count + 1 < words && !IsComment(line.GetWord(m_count + 1)))
        {
            m_count++;
        }
    }

    /** \param word a word \return whether a comment starts with it */
    static bool IsComment(std::string_view word)
    {
        return word[0] == '#' || word[0] == '{';
    }

    /** \param count the number of values that there must be */
    void RequireCount(std::size_t count) const
    {
        if (m_count != count)
        {
            m_line.Fail(m_key + " with " + std::to_string(count) +
                        (count == 1 ? " value, not " : " values, not ") + std::to_string(m_count));
        }
    }

    /** \param i value, counted from 0 \return the value */
    TextValue Get(std::size_t i) const
    {
        return m_line.Get(i + 1);
    }

    /** \return the only value */
    TextValue GetOnly() const
    {
        RequireCount(1);
        return Get(0);
    }

    /** \return all values, with blanks between them */
    std::string GetText() const
    {
        std::string text;
        for (std::size_t i = 0; i < m_count; i++)
        {
            text += i ? " " : "";
            text += m_line.GetWord(i + 1);
        }
        return text;
    }

    /** \return the number of values */
    std::size_t GetCount() const
    {
        return m_count;
    }

    /** \return the key */
    const std::string& GetKey() const
    {
        return m_key;
    }

    /** \return the line */
    const TextLine& GetLine() const
    {
        return m_line;
    }

  private:
    TextLine m_line;        //!< the line
    std::string m_key;      //!< its first word
    std::size_t m_count{0}; //!< values
};

/** \ingroup roce \brief What is collected while reading and checked at the end. */
struct HpccConfigDraft
{
    /** A map such as KMIN_MAP. */
    struct RateMap
    {
        uint64_t line{0};               //!< its line, 0 = not there
        std::map<uint64_t, double> map; //!< value by rate, bit/s
    };

    HpccConfig config;                //!< the result
    RateMap kmin;                     //!< KMIN_MAP, KB
    RateMap kmax;                     //!< KMAX_MAP, KB
    RateMap pmax;                     //!< PMAX_MAP
    std::optional<uint64_t> flatKmin; //!< KMIN, packets
    std::optional<uint64_t> flatKmax; //!< KMAX, packets
    std::optional<double> flatPmax;   //!< PMAX
};

/**
 * \ingroup roce
 * \brief A key that is known: what it sets, or why it changes nothing, and how its values are read.
 */
struct HpccConfigKey
{
    std::string_view key; //!< the key; a star at one end stands for anything
    const char* unit;     //!< unit of its value, or what kind of value it is; "" = several
    const char* effect;   //!< attribute or option that it sets, "" = none
    const char* reason;   //!< why it changes nothing, "" = it does
    /** Stores the values; nullptr = nothing is stored. */
    void (*set)(HpccConfigDraft& draft, const HpccConfigValues& values){nullptr};
    /** Reads a constant of congestion controls, in the unit of the key; nullptr = it is none. */
    Ptr<AttributeValue> (*read)(const HpccConfigValues& values){nullptr};
    const char* attribute{""}; //!< attribute that the constant sets, which `effect` ends with
};

/**
 * \ingroup roce
 * \param key a key
 * \return what is known of it, nullptr if nothing is
 */
const HpccConfigKey* FindHpccConfigKey(std::string_view key);

} // namespace ns3

#endif /* HPCC_CONFIG_KEYS_H */
