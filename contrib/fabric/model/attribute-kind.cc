/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-kind.h"

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
#include <sstream>

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
                         least.IsZero() ? "" : FormatExactTime(least),
                         open ? "" : FormatExactTime(Time(max)));
}

/** The values that attributes can have on a command line. */
const std::array<AttributeKind, 9> KINDS{{
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
         return FormatExactTime(DynamicCast<const TimeValue>(info.initialValue)->Get());
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

} // namespace

std::string
FormatExactTime(const Time& time)
{
    constexpr std::array<Unit, 5> UNITS{
        {{1000000000000, "s"}, {1000000000, "ms"}, {1000000, "us"}, {1000, "ns"}, {1, "ps"}}};
    return FormatQuantity(time.GetPicoSeconds(), UNITS);
}

const AttributeKind*
FindAttributeKind(const Info& info)
{
    std::string name = info.checker->GetValueTypeName();
    name = name.rfind("ns3::", 0) == 0 ? name.substr(5) : name;
    const auto found = std::find_if(KINDS.begin(), KINDS.end(), [&](const AttributeKind& kind) {
        return name == kind.name;
    });
    return found == KINDS.end() ? nullptr : found;
}

} // namespace ns3
