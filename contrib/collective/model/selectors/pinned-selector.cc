/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pinned-selector.h"

#include "ns3/object-factory.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PinnedSelector);

TypeId
PinnedSelector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PinnedSelector").SetParent<CollectiveSelector>().SetGroupName("Collective");
    return tid;
}

void
PinnedSelector::Pin(const std::string& parallel, TypeId algorithm)
{
    ObjectFactory factory;
    factory.SetTypeId(algorithm);
    m_algorithms[parallel] = factory.Create<CollectiveAlgorithm>();
}

CollectiveChoice
PinnedSelector::Select(const CollectiveRequest& request)
{
    const auto found = m_algorithms.find(request.parallel);
    const bool isFound = found != m_algorithms.end() && found->second->Supports(request);
    return isFound ? CollectiveChoice{found->second, {}} : CollectiveChoice{};
}

void
PinnedSelector::DoDispose()
{
    m_algorithms.clear();
    CollectiveSelector::DoDispose();
}

} // namespace ns3
