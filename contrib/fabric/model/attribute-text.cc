/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-text.h"

#include "config-error.h"
#include "type-catalogue.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/enum.h"
#include "ns3/integer.h"
#include "ns3/nstime.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <ostream>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

using Info = TypeId::AttributeInformation; //!< short in this file

/** Smallest and largest value, as the checker writes them; empty for none. */
struct Range
{
    std::string min; //!< smallest value
    std::string max; //!< largest value
};

/** \param info an attribute \return the range of its checker: "uint32_t 256:4096" */
Range
GetRange(const Info& info)
{
    const std::string text = info.checker->GetUnderlyingTypeInformation();
    const std::size_t blank = text.find(' ');
    const std::size_t colon = text.find(':', blank);
    if (blank == std::string::npos || colon == std::string::npos)
    {
        return {};
    }
    return {text.substr(blank + 1, colon - blank - 1), text.substr(colon + 1)};
}

/** \param what the values \param min smallest \param max largest \return all as a phrase */
std::string
DescribeRange(const std::string& what, const std::string& min, const std::string& max)
{
    if (min.empty() && max.empty())
    {
        return what;
    }
    return what + (max.empty()   ? ", " + min + " or more"
                   : min.empty() ? ", " + max + " or less"
                                 : " from " + min + " to " + max);
}

/** A unit of a quantity. */
struct Unit
{
    int64_t size;     //!< in the smallest unit
    const char* name; //!< name
};

/** \param value a quantity \param units largest first, the last has size 1 \return it, exactly */
template <std::size_t N>
std::string
FormatQuantity(int64_t value, const std::array<Unit, N>& units)
{
    const auto fits = [value](const Unit& unit) { return value != 0 && value % unit.size == 0; };
    const auto unit = std::find_if(units.begin(), units.end(), fits);
    const Unit& chosen = unit == units.end() ? units.back() : *unit;
    return std::to_string(value / chosen.size) + chosen.name;
}

/** \param time a time \return it in the largest unit that has no fraction */
std::string
FormatTime(const Time& time)
{
    constexpr std::array<Unit, 5> UNITS{
        {{1000000000000, "s"}, {1000000000, "ms"}, {1000000, "us"}, {1000, "ns"}, {1, "ps"}}};
    return FormatQuantity(time.GetPicoSeconds(), UNITS);
}

/** \param rate a bit rate \return it in the largest unit that has no fraction */
std::string
FormatRate(const DataRate& rate)
{
    constexpr std::array<Unit, 4> UNITS{
        {{1000000000, "Gbps"}, {1000000, "Mbps"}, {1000, "kbps"}, {1, "bps"}}};
    return FormatQuantity(static_cast<int64_t>(rate.GetBitRate()), UNITS);
}

/** \param value a number \return the shortest text that means it */
std::string
FormatNumber(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

/** \param info an attribute whose values are classes \return the classes it can name */
TypeCatalogue
GetCatalogue(const Info& info)
{
    const auto value = DynamicCast<const TypeIdValue>(info.initialValue);
    return TypeCatalogue(TypeCatalogue::GetKind(value->Get()));
}

/** How values of one class are read and written. */
struct Kind
{
    const char* name; //!< class of the values, without ns3::
    /** \return the value of a text; a ConfigError if it has none */
    Ptr<AttributeValue> (*read)(const TextValue& text, const Info& info);
    /** \return what is allowed, as a phrase */
    std::string (*describe)(const Info& info);
    /** \return the default as text; nullptr: as ns-3 writes it */
    std::string (*format)(const Info& info);
    bool explains{false}; //!< read() says more than describe() of a text that is wrong
};

/** \return the value of a text that ns-3 can read without aborting \tparam Value its class */
template <class Value>
Ptr<AttributeValue>
ReadText(const TextValue& text, const Info&)
{
    return Create<Value>(std::string(text.GetText()));
}

/** \param text a bit rate, 0 too \return it */
Ptr<AttributeValue>
ReadRate(const TextValue& text, const Info& info)
{
    const bool zero = text.GetText() == "0" || text.GetText() == "0bps";
    return Create<DataRateValue>(zero ? DataRate(0) : text.GetDataRate(info.name));
}

/** \param info an attribute with named values \return the names */
std::string
DescribeNames(const Info& info)
{
    std::string names = info.checker->GetUnderlyingTypeInformation();
    std::replace(names.begin(), names.end(), '|', ' ');
    return "one of " + names;
}

/** \param text one of the names \param info an attribute with named values \return the value */
Ptr<AttributeValue>
ReadName(const TextValue& text, const Info& info)
{
    std::istringstream names(info.checker->GetUnderlyingTypeInformation());
    for (std::string name; std::getline(names, name, '|');)
    {
        if (name == text.GetText())
        {
            const Ptr<AttributeValue> value = info.checker->Create();
            value->DeserializeFromString(name, info.checker);
            return value;
        }
    }
    text.Fail(DescribeNames(info));
}

/** \param info an attribute that takes whole numbers \return which */
std::string
DescribeWhole(const Info& info)
{
    const auto [min, max] = GetRange(info);
    const bool open = max == std::to_string(std::numeric_limits<uint64_t>::max());
    return DescribeRange("a whole number", min, open ? "" : max);
}

/** \param info an attribute that takes numbers \return which */
std::string
DescribeReal(const Info& info)
{
    const auto [min, max] = GetRange(info);
    const bool bottom = min.find("e+308") != std::string::npos;
    const bool top = max.find("e+308") != std::string::npos;
    return DescribeRange("a number", bottom ? "" : min, top ? "" : max);
}

/** \param info an attribute that takes times \return which */
std::string
DescribeTime(const Info& info)
{
    const auto [min, max] = GetRange(info);
    const Time least = min.empty() ? Time(0) : std::max(Time(min), Time(0));
    const bool open = max.empty() || max.find("e+18") != std::string::npos;
    return DescribeRange("a time with its unit, such as 55us",
                         least.IsZero() ? "" : FormatTime(least),
                         open ? "" : FormatTime(Time(max)));
}

/** The values that attributes can have on a command line. */
const std::array<Kind, 9> KINDS{{
    {"UintegerValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<UintegerValue>(text.GetUint(info.name));
     },
     DescribeWhole,
     nullptr},
    {"IntegerValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<IntegerValue>(text.GetInt(info.name));
     },
     DescribeWhole,
     nullptr},
    {"DoubleValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<DoubleValue>(text.GetDouble(info.name));
     },
     DescribeReal,
     [](const Info& info) {
         return FormatNumber(DynamicCast<const DoubleValue>(info.initialValue)->Get());
     }},
    {"BooleanValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<BooleanValue>(text.GetBool(info.name));
     },
     [](const Info&) -> std::string { return "true or false"; },
     nullptr},
    {"TimeValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<TimeValue>(text.GetTime(info.name));
     },
     DescribeTime,
     [](const Info& info) {
         return FormatTime(DynamicCast<const TimeValue>(info.initialValue)->Get());
     }},
    {"DataRateValue",
     ReadRate,
     [](const Info&) -> std::string { return "a bit rate with its unit, such as 40Mbps"; },
     [](const Info& info) {
         return FormatRate(DynamicCast<const DataRateValue>(info.initialValue)->Get());
     }},
    {"TypeIdValue",
     [](const TextValue& text, const Info& info) -> Ptr<AttributeValue> {
         return Create<TypeIdValue>(GetCatalogue(info).Find(text));
     },
     [](const Info& info) { return "one of " + GetCatalogue(info).DescribeNames(); },
     [](const Info& info) {
         return GetCatalogue(info).GetShortName(
             DynamicCast<const TypeIdValue>(info.initialValue)->Get());
     },
     true},
    {"StringValue",
     ReadText<StringValue>,
     [](const Info&) -> std::string { return "a text"; },
     nullptr},
    {"EnumValue", ReadName, DescribeNames, nullptr},
}};

/** \param info an attribute \return how its values are read, nullptr if they cannot be */
const Kind*
FindKind(const Info& info)
{
    std::string name = info.checker->GetValueTypeName();
    name = name.rfind("ns3::", 0) == 0 ? name.substr(5) : name;
    const auto found = std::find_if(KINDS.begin(), KINDS.end(), [&](const Kind& kind) {
        return name == kind.name;
    });
    return found == KINDS.end() ? nullptr : found;
}

/** \param type a class \return names of the attributes that it defines itself */
std::vector<std::string>
GetNames(TypeId type)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < type.GetAttributeN(); i++)
    {
        names.push_back(type.GetAttribute(i).name);
    }
    return names;
}

/** \param type a class \param name an attribute \return its number in the class, if it is there */
std::size_t
FindIndex(TypeId type, const std::string& name)
{
    const std::vector<std::string> names = GetNames(type);
    return std::find(names.begin(), names.end(), name) - names.begin();
}

/**
 * \param text what was written
 * \param type the class in it
 * \param attribute the attribute in it, which the class does not define
 */
[[noreturn]] void
RefuseAttribute(const TextValue& text, TypeId type, const std::string& attribute)
{
    for (TypeId parent = type; parent.HasParent();)
    {
        parent = parent.GetParent();
        if (FindIndex(parent, attribute) < parent.GetAttributeN())
        {
            text.Fail(parent.GetName() + "::" + attribute + ", the class that defines it");
        }
        if (parent == parent.GetParent())
        {
            break;
        }
    }
    const std::vector<std::string> names = GetNames(type);
    std::string list;
    for (const std::string& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    text.Fail(list.empty() ? "a class with attributes, " + type.GetName() + " has none"
                           : "an attribute of " + type.GetName() + ": " + list +
                                 SuggestSimilar(attribute, names));
}

} // namespace

TypeId
AttributeText::FindType(const TextValue& name)
{
    const std::string text(name.GetText());
    const std::string full = text.rfind("ns3::", 0) == 0 ? text : "ns3::" + text;
    TypeId type;
    if (TypeId::LookupByNameFailSafe(full, &type))
    {
        return type;
    }
    std::vector<std::string> names;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        names.push_back(TypeId::GetRegistered(i).GetName());
    }
    std::sort(names.begin(), names.end());
    name.Fail("a class that is there, see --list" + SuggestSimilar(full, names));
}

AttributeText::AttributeText(const TextValue& name)
{
    const std::string text(name.GetText());
    const std::size_t split = text.rfind("::");
    if (split == std::string::npos || split == 0)
    {
        name.Fail("<class>::<attribute>, such as ns3::RoceNicDevice::MtuBytes");
    }
    const std::string attribute = text.substr(split + 2);
    m_type = FindType(TextValue(name.GetSource(), name.GetPlace(), name.GetText().substr(0, split)));
    m_index = FindIndex(m_type, attribute);
    if (m_index == m_type.GetAttributeN())
    {
        RefuseAttribute(name, m_type, attribute);
    }
    m_info = m_type.GetAttribute(m_index);
}

AttributeText::AttributeText(TypeId type, std::size_t index)
    : m_type(type),
      m_index(index),
      m_info(type.GetAttribute(index))
{
}

std::string
AttributeText::GetFullName() const
{
    return m_type.GetAttributeFullName(m_index);
}

Ptr<AttributeValue>
AttributeText::Read(const TextValue& text) const
{
    const Kind* kind = FindKind(m_info);
    if (!kind)
    {
        text.Fail(DescribeValues());
    }
    Ptr<AttributeValue> value;
    try
    {
        value = kind->read(text, m_info);
    }
    catch (const ConfigError&)
    {
        if (kind->explains)
        {
            throw;
        }
    }
    if (!value || !m_info.checker->Check(*value))
    {
        text.Fail(DescribeValues());
    }
    return value;
}

std::string
AttributeText::DescribeValues() const
{
    const Kind* kind = FindKind(m_info);
    return kind ? kind->describe(m_info)
                : "an attribute that text can set, not one with values of class " +
                      m_info.checker->GetValueTypeName();
}

std::string
AttributeText::GetDefault() const
{
    const Kind* kind = FindKind(m_info);
    return kind && kind->format ? kind->format(m_info)
                                : m_info.initialValue->SerializeToString(m_info.checker);
}

std::string
AttributeText::Format(const Time& time)
{
    return FormatTime(time);
}

void
AttributeText::PrintAll(TypeId type, std::ostream& out)
{
    out << "Attributes of " << type.GetName() << ", for --set=<class>::<attribute>=<value>:\n";
    for (bool last = false; !last;)
    {
        for (std::size_t i = 0; i < type.GetAttributeN(); i++)
        {
            const AttributeText attribute(type, i);
            out << "  " << attribute.GetFullName() << " [" << attribute.GetDefault() << "]: "
                << attribute.DescribeValues() << "\n      " << attribute.m_info.help << "\n";
        }
        last = !type.HasParent() || type.GetParent() == type;
        type = type.GetParent();
    }
}

} // namespace ns3
