/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ATTRIBUTE_TEXT_H
#define ATTRIBUTE_TEXT_H

#include "text-value.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <iosfwd>
#include <string>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief An ns-3 attribute as a user writes and reads it: its name, values and default as text.
 *
 * ns-3's own conversion from text aborts the process on bad input and takes a time without a unit
 * for seconds; this one throws ConfigError, which says what the attribute accepts.
 */
class AttributeText
{
  public:
    /**
     * \param name <class>::<attribute>, the class with or without ns3:: in front; a ConfigError
     * says whether class or attribute is unknown, and what was perhaps meant
     */
    explicit AttributeText(const TextValue& name);

    /** \param type a class \param index number of an attribute that it defines itself */
    AttributeText(TypeId type, std::size_t index);

    /**
     * \param name a class, with or without ns3:: in front
     * \return it; a ConfigError if there is none
     */
    static TypeId FindType(const TextValue& name);

    /** \return the class that defines it */
    TypeId GetType() const
    {
        return m_type;
    }

    /** \return its number in the class */
    std::size_t GetIndex() const
    {
        return m_index;
    }

    /** \return ns3::<class>::<attribute> */
    std::string GetFullName() const;

    /** \param text a value \return it, which the attribute allows; else a ConfigError */
    Ptr<AttributeValue> Read(const TextValue& text) const;

    /** \return the values allowed, as a phrase: "a whole number from 256 to 4096" */
    std::string DescribeValues() const;

    /** \return the default, in a form that Read() takes */
    std::string GetDefault() const;

    /** \param name <class>::<attribute>, of one that is there \return its GetDefault() */
    static std::string GetDefaultOf(const std::string& name);

    /** \param name full name of a whole number that is there \return its default */
    static uint64_t GetDefaultUint(const std::string& name);

    /** \param name full name of a flag that is there \return its default */
    static bool GetDefaultBool(const std::string& name);

    /** \param name full name of a duration that is there \return its default */
    static Time GetDefaultTime(const std::string& name);

    /** \param time a time \return it in the largest unit that has no fraction, such as 55us */
    static std::string Format(const Time& time);

    /** \param type a class \param out where to print its attributes, inherited ones included */
    static void PrintAll(TypeId type, std::ostream& out);

  private:
    TypeId m_type;                       //!< class that defines it
    std::size_t m_index;                 //!< number there
    TypeId::AttributeInformation m_info; //!< what ns-3 knows of it
};

} // namespace ns3

#endif /* ATTRIBUTE_TEXT_H */
