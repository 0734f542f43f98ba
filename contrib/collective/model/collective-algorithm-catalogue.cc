/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm-catalogue.h"

#include "collective-algorithm.h"

#include "ns3/comma-list.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>

namespace ns3
{

CollectiveAlgorithmCatalogue::CollectiveAlgorithmCatalogue(CollectiveKind kind)
    : m_kind(ToString(kind)),
      m_all(CollectiveAlgorithm::GetTypeId())
{
}

std::string
CollectiveAlgorithmCatalogue::GetLabel(TypeId type) const
{
    const std::string name = m_all.GetShortName(type);
    const bool isOfKind = name.size() > m_kind.size() &&
                          name.compare(name.size() - m_kind.size(), m_kind.size(), m_kind) == 0;
    return isOfKind ? name.substr(0, name.size() - m_kind.size()) : name;
}

std::string
CollectiveAlgorithmCatalogue::GetLabel(const std::string& typeName) const
{
    return typeName.empty() ? "" : GetLabel(TypeId::LookupByName(typeName));
}

bool
CollectiveAlgorithmCatalogue::IsCalled(TypeId type, const std::string& name) const
{
    for (const std::string& known : {GetLabel(type), m_all.GetShortName(type), type.GetName()})
    {
        if (boost::to_lower_copy(name) == boost::to_lower_copy(known))
        {
            return true;
        }
    }
    return false;
}

TypeId
CollectiveAlgorithmCatalogue::Find(const TextValue& name, const std::vector<TypeId>& among) const
{
    const std::string wanted(name.GetText());
    std::vector<std::string> labels;
    std::string list;
    for (const TypeId& type : among)
    {
        if (IsCalled(type, wanted))
        {
            return type;
        }
        labels.push_back(GetLabel(type));
        AppendToList(list, labels.back());
    }
    const std::vector<TypeId> all = GetTypes();
    const bool isKnown = std::any_of(all.begin(), all.end(), [&](const TypeId& type) {
        return IsCalled(type, wanted);
    });
    name.Fail((isKnown ? "an algorithm that can do this " : "an algorithm for ") + m_kind + ": " +
              (list.empty() ? "there is none" : list) +
              (isKnown ? "" : SuggestSimilar(wanted, labels)));
}

} // namespace ns3
