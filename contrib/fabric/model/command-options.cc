/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"

#include "config-error.h"

#include "ns3/config.h"
#include "ns3/string.h"

#include <algorithm>
#include <ostream>

namespace ns3
{

CommandOptions::CommandOptions(const std::string& usage)
    : m_usage(usage)
{
}

void
CommandOptions::Add(const std::string& name, const std::string& help, const std::string& value)
{
    m_options.push_back({name, "--" + name, help, value});
}

bool
CommandOptions::Parse(int argc, char* argv[])
{
    for (int i = 1; i < argc; i++)
    {
        const std::string argument = argv[i];
        if (argument == "--help" || argument == "-h" || argument == "--PrintHelp")
        {
            return false;
        }
        ParseOne(argument);
    }
    return true;
}

void
CommandOptions::ParseOne(const std::string& argument)
{
    const size_t equals = argument.find('=');
    if (argument.rfind("--", 0) != 0 || equals == std::string::npos)
    {
        throw ConfigError("command line", "", argument, "--option=value; --help lists the options");
    }
    const std::string name = argument.substr(2, equals - 2);
    const std::string value = argument.substr(equals + 1);
    m_given.emplace_back(name, value);
    if (name == "set")
    {
        const size_t second = value.find('=');
        if (second == std::string::npos)
        {
            throw ConfigError("command line", "--set", value, "<type>::<attribute>=<value>");
        }
        m_attributes.emplace_back(value.substr(0, second), value.substr(second + 1));
        return;
    }
    if (name.find("::") != std::string::npos)
    {
        m_attributes.emplace_back(name, value);
        return;
    }
    for (Option& option : m_options)
    {
        if (option.name == name)
        {
            option.value = value;
            return;
        }
    }
    throw ConfigError("command line", "", argument, "a known option; --help lists them");
}

void
CommandOptions::ApplyAttributes() const
{
    for (const auto& [attribute, value] : m_attributes)
    {
        const std::string name =
            attribute.rfind("ns3::", 0) == 0 ? attribute : "ns3::" + attribute;
        if (!Config::SetDefaultFailSafe(name, StringValue(value)))
        {
            throw ConfigError("command line",
                              "--set " + attribute,
                              value,
                              "an attribute of a registered type, and a value it allows");
        }
    }
}

const CommandOptions::Option&
CommandOptions::Find(const std::string& name) const
{
    return *std::find_if(m_options.begin(), m_options.end(), [&](const Option& option) {
        return option.name == name;
    });
}

const std::string&
CommandOptions::Get(const std::string& name) const
{
    return Find(name).value;
}

TextValue
CommandOptions::GetValue(const std::string& name) const
{
    const Option& option = Find(name);
    return TextValue("command line", option.flag, option.value);
}

const std::vector<std::pair<std::string, std::string>>&
CommandOptions::GetGiven() const
{
    return m_given;
}

void
CommandOptions::PrintHelp(std::ostream& out) const
{
    out << m_usage << "\n\nOptions, as --name=value:\n";
    for (const Option& option : m_options)
    {
        out << "  --" << option.name << ": " << option.help;
        out << (option.value.empty() ? "" : " [" + option.value + "]") << "\n";
    }
    out << "  --set: default of an ns-3 attribute, <type>::<attribute>=<value>; may be repeated\n"
        << "  --help: this text\n";
}

} // namespace ns3
