/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "json-object.h"

#include "comma-list.h"
#include "config-error.h"
#include "text-scanner.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace ns3
{

namespace
{

/**
 * \param error an error of the JSON library
 * \return its message, without the library's code in brackets before it
 */
std::string
GetReason(const nlohmann::json::exception& error)
{
    const std::string message = error.what();
    const std::size_t bracket = message.find("] ");
    return bracket == std::string::npos ? message : message.substr(bracket + 2);
}

/**
 * \param file a JSON document
 * \return it, parsed; a ConfigError for a syntax error or a key that an object has twice
 */
nlohmann::json
ParseJson(const TextFile& file)
{
    std::vector<std::set<std::string>> keys; // of the objects that are open
    const auto check = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
        if (event == nlohmann::json::parse_event_t::object_start)
        {
            keys.emplace_back();
        }
        else if (event == nlohmann::json::parse_event_t::object_end)
        {
            keys.pop_back();
        }
        else if (event == nlohmann::json::parse_event_t::key &&
                 !keys.back().insert(value.get<std::string>()).second)
        {
            throw ConfigError(file.GetName(), "", value.get<std::string>(), "every key once");
        }
        return true;
    };
    try
    {
        return nlohmann::json::parse(file.GetText(), check);
    }
    catch (const nlohmann::json::parse_error& error)
    {
        const std::string& text = file.GetText();
        const std::size_t end = std::min<std::size_t>(error.byte, text.size());
        const uint64_t line = 1 + std::count(text.begin(), text.begin() + end, '\n');
        throw ConfigError(file.GetName(), line, GetReason(error), "a JSON document");
    }
    catch (const nlohmann::json::exception& error) // a number out of range
    {
        throw ConfigError(file.GetName(), "", GetReason(error), "a JSON document");
    }
}

} // namespace

JsonObject::JsonObject(const std::string& path)
    : JsonObject(path, "", ParseJson(TextFile(path)))
{
}

JsonObject::JsonObject(const std::string& path,
                           const std::string& place,
                           const nlohmann::json& object)
    : m_path(path),
      m_place(place),
      m_object(std::make_shared<nlohmann::json>(object))
{
    if (!m_object->is_object())
    {
        Fail("", m_object->dump(), "a JSON object");
    }
}

const std::string&
JsonObject::GetPath() const
{
    return m_path;
}

const std::string&
JsonObject::GetPlace() const
{
    return m_place;
}

bool
JsonObject::Has(const std::string& key) const
{
    return m_object->contains(key);
}

std::vector<std::string>
JsonObject::GetKeys() const
{
    std::vector<std::string> keys;
    for (const auto& item : m_object->items())
    {
        keys.push_back(item.key());
    }
    return keys;
}

JsonObject
JsonObject::GetObject(const std::string& key) const
{
    return JsonObject(m_path, GetPlaceOf(key), Get(key));
}

std::vector<JsonObject>
JsonObject::GetObjects(const std::string& key) const
{
    std::vector<JsonObject> objects;
    for (const nlohmann::json* element : GetElements(key))
    {
        const std::string index = "[" + std::to_string(objects.size()) + "]";
        objects.push_back(JsonObject(m_path, GetPlaceOf(key) + index, *element));
    }
    return objects;
}

std::string
JsonObject::GetText(const std::string& key) const
{
    return ToText(key, Get(key));
}

std::string
JsonObject::GetText(const std::string& key, const std::string& absent) const
{
    return Has(key) ? GetText(key) : absent;
}

std::string
JsonObject::GetText(const std::string& key, Type type) const
{
    const nlohmann::json& value = Get(key);
    const bool fits = type == Type::STRING   ? value.is_string()
                      : type == Type::NUMBER ? value.is_number()
                                             : value.is_boolean();
    if (!fits)
    {
        Fail(key,
             value.dump(),
             type == Type::STRING   ? "a text in quotes"
             : type == Type::NUMBER ? "a number, without quotes"
                                    : "true or false, without quotes");
    }
    return ToText(key, value);
}

std::vector<std::string>
JsonObject::GetTexts(const std::string& key) const
{
    std::vector<std::string> texts;
    for (const nlohmann::json* element : GetElements(key))
    {
        texts.push_back(ToText(key, *element));
    }
    return texts;
}

void
JsonObject::RequireKeys(const std::vector<std::string>& known) const
{
    for (const std::string& key : GetKeys())
    {
        if (std::find(known.begin(), known.end(), key) == known.end())
        {
            const std::string list = JoinList(known);
            Fail(key, key, "one of the keys " + list);
        }
    }
}

void
JsonObject::Fail(const std::string& key,
                   const std::string& value,
                   const std::string& expected) const
{
    throw ConfigError(m_path, GetPlaceOf(key), value, expected);
}

std::string
JsonObject::GetPlaceOf(const std::string& key) const
{
    return m_place + (m_place.empty() || key.empty() ? "" : ".") + key;
}

std::vector<const nlohmann::json*>
JsonObject::GetElements(const std::string& key) const
{
    std::vector<const nlohmann::json*> elements;
    if (Has(key))
    {
        if (!Get(key).is_array())
        {
            Fail(key, Get(key).dump(), "an array");
        }
        for (const nlohmann::json& element : Get(key))
        {
            elements.push_back(&element);
        }
    }
    return elements;
}

const nlohmann::json&
JsonObject::Get(const std::string& key) const
{
    const auto found = m_object->find(key);
    if (found == m_object->end())
    {
        Fail(key, "nothing", "this key, which is missing");
    }
    return *found;
}

std::string
JsonObject::ToText(const std::string& key, const nlohmann::json& value) const
{
    if (value.is_string())
    {
        return value.get<std::string>();
    }
    if (!value.is_number() && !value.is_boolean())
    {
        Fail(key, value.dump(), "a string or a number");
    }
    return value.dump();
}

} // namespace ns3
