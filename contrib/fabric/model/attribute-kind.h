/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ATTRIBUTE_KIND_H
#define ATTRIBUTE_KIND_H

#include "text-value.h"

#include "ns3/attribute.h"
#include "ns3/type-id.h"

#include <string>

namespace ns3
{

/** \ingroup fabric \brief How attribute values of one class are read from text and written. */
struct AttributeKind
{
    const char* name; //!< class of the values, without ns3::
    /** \return the value of a text; a ConfigError if it has none */
    Ptr<AttributeValue> (*read)(const TextValue& text, const TypeId::AttributeInformation& info);
    /** \return what is allowed, as a phrase */
    std::string (*describe)(const TypeId::AttributeInformation& info);
    /** \return the default as text; nullptr: as ns-3 writes it */
    std::string (*format)(const TypeId::AttributeInformation& info);
    bool explains{false}; //!< read() says more than describe() of a text that is wrong
};

/**
 * \ingroup fabric
 * \param info an attribute
 * \return how its values are read, nullptr if they cannot be
 */
const AttributeKind* FindAttributeKind(const TypeId::AttributeInformation& info);

/** \ingroup fabric \param time a time \return it in the largest unit that has no fraction: 55us */
std::string FormatExactTime(const Time& time);

} // namespace ns3

#endif /* ATTRIBUTE_KIND_H */
