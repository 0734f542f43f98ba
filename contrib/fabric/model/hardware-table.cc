/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hardware-table.h"

#include "config-error.h"
#include "json-object.h"
#include "template-folders.h"
#include "text-value.h"

#include <algorithm>

namespace ns3
{

HardwareTable
HardwareTable::Load()
{
    static const std::string name = "parameters/hardware.json";
    const std::string path = FindInTemplateFolders(name);
    if (path.empty())
    {
        throw ConfigError("topology-templates", name, "no such file", "the hardware parameters");
    }
    return HardwareTable(path);
}

HardwareTable::HardwareTable(const std::string& path)
    : m_path(path)
{
    const JsonObject json(path);
    for (const std::string& section : json.GetKeys())
    {
        if (section == "doc")
        {
            json.GetText(section);
            continue;
        }
        const JsonObject names = json.GetObject(section);
        m_sections[section] = names.GetKeys();
        for (const std::string& name : m_sections[section])
        {
            const JsonObject parameters = names.GetObject(name);
            for (const std::string& key : parameters.GetKeys())
            {
                const JsonObject parameter = parameters.GetObject(key);
                parameter.RequireKeys({"value", "source"});
                m_entries[GetPlace(section, name, key)] = {parameter.GetText("value"),
                                                           parameter.GetText("source")};
            }
        }
    }
}

std::vector<std::string>
HardwareTable::GetNames(const std::string& section) const
{
    const auto found = m_sections.find(section);
    return found == m_sections.end() ? std::vector<std::string>() : found->second;
}

bool
HardwareTable::Has(const std::string& section, const std::string& name) const
{
    const std::vector<std::string> names = GetNames(section);
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool
HardwareTable::Has(const std::string& section,
                   const std::string& name,
                   const std::string& key) const
{
    return m_entries.count(GetPlace(section, name, key)) != 0;
}

const std::string&
HardwareTable::GetText(const std::string& section,
                       const std::string& name,
                       const std::string& key) const
{
    return Find(GetPlace(section, name, key)).value;
}

const std::string&
HardwareTable::GetSource(const std::string& section,
                         const std::string& name,
                         const std::string& key) const
{
    return Find(GetPlace(section, name, key)).source;
}

uint64_t
HardwareTable::GetUint(const std::string& section,
                       const std::string& name,
                       const std::string& key) const
{
    const std::string place = GetPlace(section, name, key);
    return TextValue(m_path, std::string_view(place), Find(place).value).GetUint(key);
}

double
HardwareTable::GetDouble(const std::string& section,
                         const std::string& name,
                         const std::string& key) const
{
    const std::string place = GetPlace(section, name, key);
    return TextValue(m_path, std::string_view(place), Find(place).value).GetDouble(key);
}

bool
HardwareTable::GetBool(const std::string& section,
                       const std::string& name,
                       const std::string& key) const
{
    const std::string place = GetPlace(section, name, key);
    return TextValue(m_path, std::string_view(place), Find(place).value).GetBool(key);
}

DataRate
HardwareTable::GetDataRate(const std::string& section,
                           const std::string& name,
                           const std::string& key) const
{
    const std::string place = GetPlace(section, name, key);
    return TextValue(m_path, std::string_view(place), Find(place).value).GetDataRate(key);
}

Time
HardwareTable::GetTime(const std::string& section,
                       const std::string& name,
                       const std::string& key) const
{
    const std::string place = GetPlace(section, name, key);
    return TextValue(m_path, std::string_view(place), Find(place).value).GetTime(key);
}

std::string
HardwareTable::GetPlace(const std::string& section, const std::string& name, const std::string& key)
{
    return section + "." + name + "." + key;
}

const HardwareTable::Entry&
HardwareTable::Find(const std::string& place) const
{
    const auto found = m_entries.find(place);
    if (found == m_entries.end())
    {
        throw ConfigError(m_path, place, "nothing", "this parameter, which is missing");
    }
    return found->second;
}

} // namespace ns3
