/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "type-catalogue.h"

#include "comma-list.h"

#include <algorithm>
#include <array>
#include <boost/algorithm/string/case_conv.hpp>
#include <cctype>
#include <numeric>
#include <ostream>

namespace ns3
{

namespace
{

const std::string NAMESPACE = "ns3::"; //!< of all classes

/** \param name name of a class \return it without the namespace */
std::string
StripNamespace(const std::string& name)
{
    return name.rfind(NAMESPACE, 0) == 0 ? name.substr(NAMESPACE.size()) : name;
}

/** \param name a name in CamelCase \return where its words begin, the last first */
std::vector<std::size_t>
FindWords(const std::string& name)
{
    std::vector<std::size_t> begins;
    for (std::size_t i = name.size(); i-- > 0;)
    {
        if (std::isupper(static_cast<unsigned char>(name[i])))
        {
            begins.push_back(i);
        }
    }
    return begins;
}

/** \param a a word \param b another \return letters to change, add or leave out between them */
std::size_t
GetDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 1; i <= a.size(); i++)
    {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); j++)
        {
            const std::size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

/** \param type a class \return whether it belongs to one of our modules */
bool
IsOurs(TypeId type)
{
    constexpr std::array<const char*, 5> GROUPS{"Fabric", "Roce", "Nvlink", "Collective", "Railyard"};
    return std::find(GROUPS.begin(), GROUPS.end(), type.GetGroupName()) != GROUPS.end();
}

/** \param types classes; sorted by name, each once */
void
Sort(std::vector<TypeId>& types)
{
    std::sort(types.begin(), types.end(), [](const TypeId& a, const TypeId& b) {
        return a.GetName() < b.GetName();
    });
    types.erase(std::unique(types.begin(), types.end()), types.end());
}

} // namespace

TypeCatalogue::TypeCatalogue(TypeId base)
    : m_base(base)
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(base) && type.HasConstructor())
        {
            m_types.push_back(type);
        }
    }
    Sort(m_types);
}

TypeId
TypeCatalogue::GetKind(TypeId member)
{
    while (member.HasParent() && member.GetParent().GetName() != "ns3::Object" &&
           member.GetParent().HasParent())
    {
        member = member.GetParent();
    }
    return member;
}

std::vector<TypeId>
TypeCatalogue::GetKinds()
{
    std::vector<TypeId> kinds;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        const bool isTop = !IsOurs(type.GetParent());
        if (IsOurs(type) && isTop && !type.HasConstructor() &&
            TypeCatalogue(type).m_types.size() > 1)
        {
            kinds.push_back(type);
        }
    }
    Sort(kinds);
    return kinds;
}

std::vector<TypeId>
TypeCatalogue::GetTypes() const
{
    return m_types;
}

std::string
TypeCatalogue::GetShortName(TypeId type) const
{
    const std::string name = StripNamespace(type.GetName());
    const std::string base = StripNamespace(m_base.GetName());
    std::size_t length = name.size();
    for (const std::size_t begin : FindWords(name))
    {
        const std::string tail = name.substr(begin);
        const bool common = base.size() >= tail.size() &&
                            base.compare(base.size() - tail.size(), tail.size(), tail) == 0;
        if (!common || begin == 0)
        {
            break;
        }
        length = begin;
    }
    return name.substr(0, length);
}

std::string
TypeCatalogue::DescribeNames() const
{
    std::string names;
    for (const TypeId& type : m_types)
    {
        AppendToList(names, GetShortName(type));
    }
    return names;
}

TypeId
TypeCatalogue::Find(const TextValue& name) const
{
    const std::string wanted(name.GetText());
    std::vector<std::string> names;
    for (const TypeId& type : m_types)
    {
        const std::string full = type.GetName();
        names.push_back(GetShortName(type));
        if (wanted == full || wanted == StripNamespace(full) || wanted == names.back())
        {
            return type;
        }
    }
    name.Fail("one of " + DescribeNames() + SuggestSimilar(StripNamespace(wanted), names));
}

void
TypeCatalogue::PrintAll(std::ostream& out)
{
    out << "Classes by kind; where a class is asked for, the short name will do:\n";
    for (const TypeId& kind : GetKinds())
    {
        out << "  " << kind.GetName() << ": " << TypeCatalogue(kind).DescribeNames() << "\n";
    }
    out << "Classes with attributes; --attributes=<class> lists them:\n";
    std::vector<TypeId> types;
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); i++)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (IsOurs(type) && type.GetAttributeN() > 0)
        {
            types.push_back(type);
        }
    }
    Sort(types);
    for (const TypeId& type : types)
    {
        out << "  " << type.GetName() << "\n";
    }
}

std::string
SuggestSimilar(const std::string& word, const std::vector<std::string>& choices)
{
    std::size_t nearest = std::max<std::size_t>(2, word.size() / 3) + 1;
    std::string meant;
    for (const std::string& choice : choices)
    {
        const std::size_t distance =
            GetDistance(boost::to_lower_copy(word), boost::to_lower_copy(choice));
        if (distance < nearest && distance < choice.size())
        {
            nearest = distance;
            meant = choice;
        }
    }
    return meant.empty() ? "" : "; did you mean " + meant + "?";
}

} // namespace ns3
