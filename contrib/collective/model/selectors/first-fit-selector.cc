/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "first-fit-selector.h"

#include "ns3/comma-list.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"
#include "ns3/text-value.h"
#include "ns3/type-catalogue.h"

#include <algorithm>
#include <string_view>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FirstFitSelector);

namespace
{

/**
 * What is preferred without the attribute: files of MSCCL if there are any, then what
 * bandwidth-bound operands want, one per kind.
 */
const char* const PREFERRED[] = {"ns3::MscclAlgorithm",
                                 "ns3::RingAllReduceAlgorithm",
                                 "ns3::RingAllGatherAlgorithm",
                                 "ns3::RingReduceScatterAlgorithm",
                                 "ns3::RingBroadcastAlgorithm",
                                 "ns3::RingReduceAlgorithm",
                                 "ns3::DirectAllToAllAlgorithm",
                                 "ns3::DirectAllToAllVAlgorithm",
                                 "ns3::DirectGatherAlgorithm",
                                 "ns3::DirectScatterAlgorithm",
                                 "ns3::SendRecvAlgorithm"};

/**
 * \param types TypeIds
 * \return the same, those that are preferred first
 */
std::vector<TypeId>
PutPreferredFirst(std::vector<TypeId> types)
{
    auto next = types.begin();
    for (const char* const name : PREFERRED)
    {
        const auto found = std::find_if(next, types.end(), [name](const TypeId& type) {
            return type.GetName() == name;
        });
        if (found != types.end())
        {
            std::rotate(next, found, found + 1);
            next++;
        }
    }
    return types;
}

} // namespace

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
                          "preference. Empty: files of MSCCL, rings and direct exchanges first, "
                          "then all others that are registered, by name.",
                          StringValue(""),
                          MakeStringAccessor(&FirstFitSelector::m_names),
                          MakeStringChecker());
    return tid;
}

std::vector<TypeId>
FirstFitSelector::GetCandidates() const
{
    const TypeCatalogue algorithms(CollectiveAlgorithm::GetTypeId());
    if (m_names.empty())
    {
        return PutPreferredFirst(algorithms.GetTypes());
    }
    std::vector<TypeId> candidates;
    for (const std::string_view name : SplitList(m_names))
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
            if (std::find(m_leftOut.begin(), m_leftOut.end(), tid) != m_leftOut.end())
            {
                continue;
            }
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
