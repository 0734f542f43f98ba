/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "command-options.h"

#include "attribute-text.h"
#include "config-error.h"
#include "type-catalogue.h"

#include "ns3/abort.h"

#include <algorithm>
#include <ostream>

namespace ns3
{

namespace
{

/** \param attribute with or without ns3:: in front \return with it */
std::string
WithNamespace(const std::string& attribute)
{
    return attribute.rfind("ns3::", 0) == 0 ? attribute : "ns3::" + attribute;
}

constexpr const char* COMMAND_LINE = "command line"; //!< source of what is given there

/** \param before first value of an option or attribute \param now its second one */
[[noreturn]] void
RefuseTwice(const TextValue& before, const TextValue& now)
{
    now.Fail("it only once, " + std::string(before.GetSource()) + ": " +
             std::string(before.GetPlace()) + " has '" + std::string(before.GetText()) + "'");
}

/** \param options some options \param name one of them, which there must be \return the option */
template <class Options>
auto&
FindIn(Options& options, const std::string& name)
{
    const auto found = std::find_if(options.begin(), options.end(), [&](const auto& option) {
        return option.name == name;
    });
    NS_ABORT_MSG_IF(found == options.end(), "no option --" << name << ": Add() it first");
    return *found;
}

} // namespace

CommandOptions::CommandOptions(const std::string& usage)
    : m_usage(usage)
{
}

void
CommandOptions::Add(const std::string& name, const std::string& help, const std::string& value)
{
    m_options.push_back({name, "--" + name, help, "", value, COMMAND_LINE, "--" + name});
}

void
CommandOptions::AddLetter(char letter, const std::string& name)
{
    for (Option& option : m_options)
    {
        if (option.name == name)
        {
            option.letter = letter;
        }
    }
}

bool
CommandOptions::Parse(int argc, char* argv[])
{
    for (int i = 1; i < argc; i++)
    {
        const std::string argument = argv[i];
        if (argument == "--help" || argument == "-h" || argument == "--PrintHelp")
        {
            m_request = [this](std::ostream& out) { PrintOptions(out); };
            return false;
        }
        if (argument == "--list")
        {
            m_request = TypeCatalogue::PrintAll;
            return false;
        }
        const std::string attributes = "--attributes=";
        if (argument.rfind(attributes, 0) == 0)
        {
            const std::string name = argument.substr(attributes.size());
            const TypeId type =
                AttributeText::FindType(TextValue(COMMAND_LINE, "--attributes", name));
            m_request = [type](std::ostream& out) { AttributeText::PrintAll(type, out); };
            return false;
        }
        i += ParseOne(argument, i + 1 < argc ? argv[i + 1] : nullptr);
    }
    RefuseBoth();
    return true;
}

void
CommandOptions::StandFor(const std::string& name, const std::string& attribute)
{
    Find(name).attribute = attribute;
}

void
CommandOptions::Set(const std::string& name, const TextValue& value)
{
    Give(Find(name), value);
}

bool
CommandOptions::ParseOne(const std::string& argument, const char* next)
{
    if (const auto usedNext = ParseLettered(argument, next))
    {
        return *usedNext;
    }
    ParseNamed(argument);
    return false;
}

std::optional<bool>
CommandOptions::ParseLettered(const std::string& argument, const char* next)
{
    for (Option& option : m_options)
    {
        const bool isLetter = option.letter != 0 && argument.size() > 1 && argument[0] == '-' &&
                              argument[1] == option.letter;
        if (isLetter && argument.size() > 2)
        {
            const std::string value = argument.substr(argument[2] == '=' ? 3 : 2);
            Give(option, TextValue(COMMAND_LINE, option.flag, value));
            return false;
        }
        if (isLetter || (option.letter != 0 && argument == option.flag))
        {
            if (!next)
            {
                throw ConfigError(COMMAND_LINE, option.flag, "", "a value behind " + argument);
            }
            Give(option, TextValue(COMMAND_LINE, option.flag, next));
            return true;
        }
    }
    return std::nullopt;
}

void
CommandOptions::Give(Option& option, const TextValue& value)
{
    if (option.given)
    {
        RefuseTwice(TextValue(option.source, option.place, option.value), value);
    }
    option.value = value.GetText();
    option.source = value.GetSource();
    option.place = value.GetLine() ? "line " + std::to_string(value.GetLine())
                                   : std::string(value.GetPlace());
    option.given = true;
}

void
CommandOptions::ParseNamed(const std::string& argument)
{
    const size_t equals = argument.find('=');
    if (argument.rfind("--", 0) != 0 || equals == std::string::npos)
    {
        throw ConfigError(COMMAND_LINE, "", argument, "--option=value; --help lists the options");
    }
    const std::string name = argument.substr(2, equals - 2);
    const std::string value = argument.substr(equals + 1);
    if (name == "set")
    {
        const size_t second = value.find('=');
        if (second == std::string::npos)
        {
            throw ConfigError(COMMAND_LINE, "--set", value, "<class>::<attribute>=<value>");
        }
        AddAttribute(value.substr(0, second), value.substr(second + 1));
        return;
    }
    if (name.find("::") != std::string::npos)
    {
        AddAttribute(name, value);
        return;
    }
    std::vector<std::string> names;
    for (Option& option : m_options)
    {
        if (option.name == name)
        {
            Give(option, TextValue(COMMAND_LINE, option.flag, value));
            return;
        }
        names.push_back(option.flag);
    }
    throw ConfigError(COMMAND_LINE,
                      "",
                      argument,
                      "a known option; --help lists them" + SuggestSimilar("--" + name, names));
}

void
CommandOptions::AddAttribute(const std::string& name, const std::string& value)
{
    for (const auto& [other, before] : m_attributes)
    {
        if (WithNamespace(other) == WithNamespace(name))
        {
            const std::string first = "--set=" + other;
            const std::string second = "--set=" + name;
            RefuseTwice(TextValue(COMMAND_LINE, first, before),
                        TextValue(COMMAND_LINE, second, value));
        }
    }
    m_attributes.emplace_back(name, value);
}

void
CommandOptions::ApplyAttributes(ScopedDefaults& defaults) const
{
    for (const auto& [name, text] : m_attributes)
    {
        const AttributeText attribute(TextValue(COMMAND_LINE, "--set", name));
        const std::string place = "--set=" + name;
        defaults.Set(attribute.GetType(),
                     attribute.GetIndex(),
                     *attribute.Read(TextValue(COMMAND_LINE, place, text)));
    }
}

void
CommandOptions::RefuseAttribute(const std::string& attribute, const std::string& expected) const
{
    for (const auto& [name, text] : m_attributes)
    {
        if (WithNamespace(name) == attribute)
        {
            throw ConfigError(COMMAND_LINE, "--set=" + name, text, expected);
        }
    }
}

void
CommandOptions::RefuseBoth() const
{
    for (const Option& option : m_options)
    {
        if (option.given && !option.attribute.empty())
        {
            RefuseAttribute(option.attribute, "this or " + option.flag + ", not both");
        }
    }
}

CommandOptions::Option&
CommandOptions::Find(const std::string& name)
{
    return FindIn(m_options, name);
}

const CommandOptions::Option&
CommandOptions::Find(const std::string& name) const
{
    return FindIn(m_options, name);
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
    return TextValue(option.source, option.place, option.value);
}

bool
CommandOptions::Has(const std::string& name) const
{
    return std::any_of(m_options.begin(), m_options.end(), [&](const Option& option) {
        return option.name == name;
    });
}

std::vector<std::string>
CommandOptions::GetGivenAttributes() const
{
    std::vector<std::string> names;
    for (const auto& [name, value] : m_attributes)
    {
        names.push_back(AttributeText(TextValue(COMMAND_LINE, "--set", name)).GetFullName());
    }
    return names;
}

bool
CommandOptions::IsGiven(const std::string& name) const
{
    return Find(name).given;
}

std::vector<std::pair<std::string, std::string>>
CommandOptions::GetEffective() const
{
    std::vector<std::pair<std::string, std::string>> effective;
    for (const Option& option : m_options)
    {
        const auto set =
            std::find_if(m_attributes.begin(), m_attributes.end(), [&](const auto& attribute) {
                return WithNamespace(attribute.first) == option.attribute;
            });
        effective.emplace_back(option.name,
                               set == m_attributes.end() ? option.value : set->second);
    }
    for (const auto& [attribute, value] : m_attributes)
    {
        effective.emplace_back(WithNamespace(attribute), value);
    }
    return effective;
}

void
CommandOptions::PrintHelp(std::ostream& out) const
{
    m_request ? m_request(out) : PrintOptions(out);
}

void
CommandOptions::PrintOptions(std::ostream& out) const
{
    out << m_usage << "\n\nOptions, as --name=value:\n";
    for (const Option& option : m_options)
    {
        const std::string letter = option.letter ? std::string(", -") + option.letter : "";
        out << "  --" << option.name << letter << ": " << option.help;
        out << (option.value.empty() ? "" : " [" + option.value + "]") << "\n";
    }
    out << "  --set: default of an ns-3 attribute, <class>::<attribute>=<value>; may be repeated\n"
        << "  --list: prints the classes that can be named, and those with attributes\n"
        << "  --attributes: prints the attributes of a class, such as ns3::RoceNicDevice\n"
        << "  --help: this text\n";
}

} // namespace ns3
