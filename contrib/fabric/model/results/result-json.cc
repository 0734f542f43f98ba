/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "result-json.h"

#include "ns3/result-format.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ns3
{

namespace
{

using Json = nlohmann::ordered_json; //!< keeps the order of keys

constexpr std::size_t INDENT = 2; //!< spaces per level

/** Writes JSON as text. */
class JsonFormatter
{
  public:
    /**
     * \param value the value
     * \param depth its nesting, for the indentation
     * \param inList true for an element of a list
     */
    void Write(const Json& value, std::size_t depth, bool inList)
    {
        if (value.is_structured())
        {
            WriteStructure(value, depth, value.empty() || (inList && IsFlat(value)));
        }
        else if (value.is_number_float())
        {
            m_text += FormatReal(value.get<double>());
        }
        else if (value.is_string())
        {
            m_text += QuoteJson(value.get_ref<const std::string&>());
        }
        else
        {
            m_text += value.dump();
        }
    }

    /** \return what was written */
    const std::string& GetText() const
    {
        return m_text;
    }

  private:
    /** \param value a list or object \return true if no element is a list or object itself */
    static bool IsFlat(const Json& value)
    {
        return std::none_of(value.begin(), value.end(), [](const Json& element) {
            return element.is_structured();
        });
    }

    /**
     * \param value a list or object
     * \param depth its nesting
     * \param oneLine true to keep it on one line
     */
    void WriteStructure(const Json& value, std::size_t depth, bool oneLine)
    {
        m_text += value.is_array() ? '[' : '{';
        bool first = true;
        for (const auto& item : value.items())
        {
            m_text += first ? "" : (oneLine ? ", " : ",");
            first = false;
            BreakLine(depth + 1, oneLine);
            if (value.is_object())
            {
                m_text += QuoteJson(item.key()) + ": ";
            }
            Write(item.value(), depth + 1, value.is_array());
        }
        BreakLine(depth, oneLine);
        m_text += value.is_array() ? ']' : '}';
    }

    /**
     * \param depth nesting of what follows
     * \param oneLine true if there is no break
     */
    void BreakLine(std::size_t depth, bool oneLine)
    {
        if (!oneLine)
        {
            m_text += "\n" + std::string(depth * INDENT, ' ');
        }
    }

    std::string m_text; //!< what was written
};

} // namespace

std::string
QuoteJson(const std::string& text)
{
    auto isPlain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::all_of(text.begin(), text.end(), isPlain)) // nearly always, and much faster
    {
        return '"' + text + '"';
    }
    return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string
FormatJson(const Json& value)
{
    JsonFormatter formatter;
    formatter.Write(value, 0, false);
    return formatter.GetText() + "\n";
}

} // namespace ns3
