/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "topology-parameters.h"

#include "comma-list.h"
#include "config-error.h"
#include "json-object.h"
#include "topology-template.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** Name of the parameter that names the kind of server. */
const std::string SERVER = "server";

/** Before the name of a server's default. */
const std::string SERVER_PREFIX = SERVER + ".";

} // namespace

// ---- TopologyParameter ----

TopologyParameter
TopologyParameter::Read(const JsonObject& json)
{
    json.RequireKeys(
        {"name", "aliases", "type", "unit", "doc", "default", "defaultFrom", "minimum", "maximum"});
    static const std::vector<std::string> types{"integer", "number", "rate", "time", SERVER};
    TopologyParameter parameter;
    parameter.name = json.GetText("name");
    parameter.aliases = json.GetTexts("aliases");
    parameter.type = json.GetText("type");
    if (std::find(types.begin(), types.end(), parameter.type) == types.end())
    {
        json.Fail("type", parameter.type, "integer, number, rate, time or server");
    }
    parameter.unit = json.GetText("unit", "");
    parameter.doc = json.GetText("doc");
    if (json.Has("default") == json.Has("defaultFrom"))
    {
        json.Fail("", parameter.name, "a parameter with either default or defaultFrom");
    }
    parameter.defaultText = json.GetText("default", "");
    parameter.defaultFrom = json.GetText("defaultFrom", "");
    if (parameter.type == "integer" || parameter.type == "number")
    {
        for (auto [key, limit] :
             {std::pair("minimum", &parameter.minimum), std::pair("maximum", &parameter.maximum)})
        {
            const std::string text = json.GetText(key);
            *limit = TextValue(json.GetPath(), json.GetPlace(), text).GetDouble(key);
        }
    }
    return parameter;
}

void
TopologyParameter::Check(const TextValue& value) const
{
    const std::string what = unit.empty() ? name : name + ", " + unit;
    if (type == "integer")
    {
        value.GetUint(what, static_cast<uint64_t>(minimum), static_cast<uint64_t>(maximum));
    }
    else if (type == "number")
    {
        value.GetDouble(what, minimum, maximum);
    }
    else if (type == "rate")
    {
        value.GetDataRate(what);
    }
    else if (type == "time")
    {
        value.GetTime(what);
    }
}

// ---- TopologyParameters ----

TopologyParameters::TopologyParameters(const std::string& source,
                                       const std::vector<TopologyParameter>& declared,
                                       const std::map<std::string, std::string>& given)
    : m_source(source)
{
    for (const auto& [name, text] : given)
    {
        const std::string canonical = FindName(declared, name);
        if (!m_values.emplace(canonical, text).second)
        {
            throw ConfigError(m_source, name, text, "the parameter " + canonical + " once");
        }
        m_given.insert(canonical);
    }
    for (const TopologyParameter& parameter : declared)
    {
        if (m_values.count(parameter.name) == 0)
        {
            SetDefault(parameter);
        }
        const auto found = m_values.find(parameter.name);
        if (found == m_values.end())
        {
            continue; // no default either: an error only if it is asked for
        }
        parameter.Check(TextValue(m_source, std::string_view(found->first), found->second));
        if (parameter.type == SERVER)
        {
            m_server = TopologyServer::Read(FindTopologyServer(m_source, found->second));
        }
    }
}

std::string
TopologyParameters::FindName(const std::vector<TopologyParameter>& declared,
                             const std::string& name) const
{
    std::string known;
    for (const TopologyParameter& parameter : declared)
    {
        const auto& aliases = parameter.aliases;
        if (parameter.name == name ||
            std::find(aliases.begin(), aliases.end(), name) != aliases.end())
        {
            return parameter.name;
        }
        AppendToList(known, parameter.name);
        for (const std::string& alias : aliases)
        {
            known += " (or " + alias + ")";
        }
    }
    throw ConfigError(m_source, "", name, "one of the parameters " + known);
}

void
TopologyParameters::SetDefault(const TopologyParameter& parameter)
{
    if (parameter.defaultFrom.empty())
    {
        m_values[parameter.name] = parameter.defaultText;
        return;
    }
    m_origins[parameter.name] = parameter.defaultFrom;
    const bool isServers = parameter.defaultFrom.rfind(SERVER_PREFIX, 0) == 0;
    const auto& values = isServers ? m_server.defaults : m_values;
    const auto found = values.find(isServers ? parameter.defaultFrom.substr(SERVER_PREFIX.size())
                                             : parameter.defaultFrom);
    if (found != values.end())
    {
        m_values[parameter.name] = found->second;
    }
}

const std::string&
TopologyParameters::GetSource() const
{
    return m_source;
}

TextValue
TopologyParameters::Get(const std::string& name) const
{
    const auto found = m_values.find(name);
    if (found == m_values.end())
    {
        const auto origin = m_origins.find(name);
        const bool hasOrigin =
            origin != m_origins.end() && origin->second.rfind(SERVER_PREFIX, 0) != 0;
        throw ConfigError(m_source,
                          name,
                          "no value",
                          "a value: there is no default for it here" +
                              (hasOrigin ? ", it would be that of " + origin->second : ""));
    }
    m_used.insert(name);
    return TextValue(m_source, std::string_view(found->first), found->second);
}

uint64_t
TopologyParameters::GetUint(const std::string& name) const
{
    return Get(name).GetUint(name);
}

uint64_t
TopologyParameters::GetUint(const std::string& name, uint64_t otherwise) const
{
    return m_values.count(name) ? GetUint(name) : otherwise;
}

double
TopologyParameters::GetDouble(const std::string& name) const
{
    return Get(name).GetDouble(name);
}

double
TopologyParameters::GetDouble(const std::string& name, double otherwise) const
{
    return m_values.count(name) ? GetDouble(name) : otherwise;
}

DataRate
TopologyParameters::GetDataRate(const std::string& name) const
{
    return Get(name).GetDataRate(name);
}

Time
TopologyParameters::GetTime(const std::string& name) const
{
    return Get(name).GetTime(name);
}

const TopologyServer&
TopologyParameters::GetServer() const
{
    m_used.insert(SERVER);
    return m_server;
}

void
TopologyParameters::RequireAllUsed() const
{
    for (const std::string& name : m_given)
    {
        if (m_used.count(name) == 0)
        {
            Get(name).Fail("no value: nothing in this topology depends on " + name);
        }
    }
}

void
TopologyParameters::Fail(const std::string& name, const std::string& expected) const
{
    Get(name).Fail(expected);
}

} // namespace ns3
