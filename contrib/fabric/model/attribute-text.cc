/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "attribute-text.h"

#include "attribute-kind.h"
#include "comma-list.h"
#include "config-error.h"
#include "type-catalogue.h"

#include <algorithm>
#include <ostream>
#include <vector>

namespace ns3
{

namespace
{

/** \param info an attribute \return whether it can be given before a run */
bool
IsSettable(const TypeId::AttributeInformation& info)
{
    return info.flags & TypeId::ATTR_CONSTRUCT && info.accessor->HasSetter();
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
    std::vector<std::string> names;
    std::string list;
    for (std::size_t i = 0; i < type.GetAttributeN(); i++)
    {
        if (IsSettable(type.GetAttribute(i)))
        {
            names.push_back(type.GetAttribute(i).name);
            AppendToList(list, names.back());
        }
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
    if (!IsSettable(m_info))
    {
        name.Fail("an attribute that can be set before a run, this one is set by the program");
    }
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
    const AttributeKind* kind = FindAttributeKind(m_info);
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
    const AttributeKind* kind = FindAttributeKind(m_info);
    return kind ? kind->describe(m_info)
                : "an attribute that text can set, not one with values of class " +
                      m_info.checker->GetValueTypeName();
}

std::string
AttributeText::GetDefault() const
{
    const AttributeKind* kind = FindAttributeKind(m_info);
    return kind && kind->format ? kind->format(m_info)
                                : m_info.initialValue->SerializeToString(m_info.checker);
}

std::string
AttributeText::GetDefaultOf(const std::string& name)
{
    return AttributeText(TextValue("attribute", "", name)).GetDefault();
}

uint64_t
AttributeText::GetDefaultUint(const std::string& name)
{
    const std::string text = GetDefaultOf(name);
    return TextValue("attribute", name, text).GetUint(name);
}

bool
AttributeText::GetDefaultBool(const std::string& name)
{
    const std::string text = GetDefaultOf(name);
    return TextValue("attribute", name, text).GetBool(name);
}

Time
AttributeText::GetDefaultTime(const std::string& name)
{
    const std::string text = GetDefaultOf(name);
    return TextValue("attribute", name, text).GetTime(name);
}

std::string
AttributeText::Format(const Time& time)
{
    return FormatExactTime(time);
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
            if (!IsSettable(attribute.m_info))
            {
                continue;
            }
            out << "  " << attribute.GetFullName() << " [" << attribute.GetDefault() << "]: "
                << attribute.DescribeValues() << "\n      " << attribute.m_info.help << "\n";
        }
        last = !type.HasParent() || type.GetParent() == type;
        type = type.GetParent();
    }
}

} // namespace ns3
