/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include <nlohmann/json_fwd.hpp>
#include <string>

/**
 * \file
 * \ingroup fabric
 * JSON as text. nlohmann::json alone writes null for NaN and does not promise the shortest digits.
 */

namespace ns3
{

/**
 * \param text a text; bytes that are not UTF-8 become U+FFFD
 * \return the text as a JSON string, quotes included
 */
std::string QuoteJson(const std::string& text);

/**
 * \param value a JSON value; its keys keep their order
 * \return it as indented text, lists and objects of numbers and texts alone on one line inside a
 * list, with a line feed at the end; NaN and infinity throw std::logic_error
 */
std::string FormatJson(const nlohmann::ordered_json& value);

} // namespace ns3

#endif /* RESULT_JSON_H */
