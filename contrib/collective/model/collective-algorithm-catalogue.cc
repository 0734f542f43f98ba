/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-algorithm-catalogue.h"

#include "collective-algorithm.h"

#include "ns3/type-catalogue.h"

#include <boost/algorithm/string/case_conv.hpp>


namespace ns3
{

CollectiveAlgorithmCatalogue::CollectiveAlgorithmCatalogue(CollectiveKind kind)
    : m_kind(ToString(kind)),
      m_types(TypeCatalogue(CollectiveAlgorithm::GetTypeId()).GetTypes())
{
}

std::string
CollectiveAlgorithmCatalogue::GetLabel(TypeId type) const
{
    const std::string name = TypeCatalogue(CollectiveAlgorithm::GetTypeId()).GetShortName(type);
    const bool isOfKind = name.size() > m_kind.size() &&
                          name.compare(name.size() - m_kind.size(), m_kind.size(), m_kind) == 0;
    return isOfKind ? name.substr(0, name.size() - m_kind.size()) : name;
}

std::string
CollectiveAlgorithmCatalogue::GetLabel(const std::string& typeName) const
{
    return typeName.empty() ? "" : GetLabel(TypeId::LookupByName(typeName));
}

TypeId
CollectiveAlgorithmCatalogue::Find(const TextValue& name, const std::vector<TypeId>& among) const
{
    const TypeCatalogue all(CollectiveAlgorithm::GetTypeId());
    const std::string wanted = boost::to_lower_copy(std::string(name.GetText()));
    std::vector<std::string> labels;
    std::string list;
    for (const TypeId& type : among)
    {
        const std::string label = GetLabel(type);
        for (const std::string& known : {label, all.GetShortName(type), type.GetName()})
        {
            if (wanted == boost::to_lower_copy(known))
            {
                return type;
            }
        }
        labels.push_back(label);
        list += (list.empty() ? "" : ", ") + label;
    }
    name.Fail("an algorithm for " + m_kind + ": " + (list.empty() ? "there is none" : list) +
              SuggestSimilar(std::string(name.GetText()), labels));
}

} // namespace ns3
