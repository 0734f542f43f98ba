/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "first-fit-selector.h"

#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/text-value.h"
#include "ns3/type-catalogue.h"

#include <sstream>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FirstFitSelector);

TypeId
FirstFitSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::FirstFitSelector")
            .SetParent<CollectiveSelector>()
            .SetGroupName("Collective")
            .AddConstructor<FirstFitSelector>()
            .AddAttribute("Algorithms",
                          "TypeIds of the algorithms to consider, separated by commas, in order of "
                          "preference. Empty: all that are registered, by name.",
                          StringValue(""),
                          MakeStringAccessor(&FirstFitSelector::m_names),
                          MakeStringChecker());
    return tid;
}

std::vector<TypeId>
FirstFitSelector::GetRegisteredAlgorithms()
{
    return TypeCatalogue(CollectiveAlgorithm::GetTypeId()).GetTypes();
}

std::vector<TypeId>
FirstFitSelector::GetCandidates() const
{
    const TypeCatalogue algorithms(CollectiveAlgorithm::GetTypeId());
    if (m_names.empty())
    {
        return algorithms.GetTypes();
    }
    std::vector<TypeId> candidates;
    std::istringstream names(m_names);
    for (std::string name; std::getline(names, name, ',');)
    {
        candidates.push_back(
            algorithms.Find(TextValue("attribute ns3::FirstFitSelector::Algorithms", "", name)));
    }
    return candidates;
}

CollectiveChoice
FirstFitSelector::Select(const CollectiveRequest& request)
{
    if (m_algorithms.empty() || m_createdNames != m_names)
    {
        m_algorithms.clear();
        for (const TypeId& tid : GetCandidates())
        {
            ObjectFactory factory;
            factory.SetTypeId(tid);
            m_algorithms.push_back(factory.Create<CollectiveAlgorithm>());
        }
        m_createdNames = m_names;
    }
    for (const auto& algorithm : m_algorithms)
    {
        if (algorithm->Supports(request))
        {
            return {algorithm, {}};
        }
    }
    return {};
}

void
FirstFitSelector::DoDispose()
{
    m_algorithms.clear();
    CollectiveSelector::DoDispose();
}

} // namespace ns3
