/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_RECORD_VALUE_H
#define RESULT_RECORD_VALUE_H

#include "result-schema.h"

#include <optional>
#include <string>

namespace ns3
{

/** \ingroup fabric \brief How the lists of result-record-table.cc write values. */
namespace recordvalue
{

constexpr auto INTEGER = ResultColumnType::INTEGER; //!< short for the lists below
constexpr auto TIME = ResultColumnType::TIME;       //!< short for the lists below
constexpr auto REAL = ResultColumnType::REAL;       //!< short for the lists below
constexpr auto TEXT = ResultColumnType::TEXT;       //!< short for the lists below

/** \param value an unsigned number, a flag or a small signed number \return it as a value */
template <class T>
ResultValue
Int(T value)
{
    return static_cast<int64_t>(value);
}

/** \param value an id, -1 for none \return it as a value, NULL for none */
inline ResultValue
OptionalId(int64_t value)
{
    return value < 0 ? ResultValue() : ResultValue(value);
}

/** \param time a time that may be absent \return it as a value, NULL if absent */
inline ResultValue
OptionalTime(const std::optional<Time>& time)
{
    return time ? ResultValue(*time) : ResultValue();
}

/** \param value a ratio, 0 for unknown \return it as a value, NULL for unknown */
inline ResultValue
OptionalRatio(double value)
{
    return value > 0.0 ? ResultValue(value) : ResultValue();
}

/** \param value a number or none \return it as a value, NULL for none */
inline ResultValue
OptionalReal(const std::optional<double>& value)
{
    return value ? ResultValue(*value) : ResultValue();
}

/** \param text a text that outlives the row \return it as a value */
inline ResultValue
Text(const std::string& text)
{
    return std::string_view(text);
}

} // namespace recordvalue

} // namespace ns3

#endif /* RESULT_RECORD_VALUE_H */
