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
PinnedSelector::SetCosts(Ptr<NcclSelector> costs)
{
    m_costs = costs;
}

void
PinnedSelector::Pin(const std::string& parallel,
                    std::optional<TypeId> algorithm,
                    const std::string& protocol)
{
    Pinned pinned{{algorithm, protocol}, nullptr};
    if (algorithm)
    {
        ObjectFactory factory;
        factory.SetTypeId(*algorithm);
        pinned.free = factory.Create<CollectiveAlgorithm>();
    }
    m_pins[parallel] = pinned;
}

CollectiveChoice
PinnedSelector::Select(const CollectiveRequest& request)
{
    const auto found = m_pins.find(request.parallel);
    if (found == m_pins.end())
    {
        return {};
    }
    if (m_costs)
    {
        return m_costs->Select(request, found->second.pin);
    }
    const Ptr<CollectiveAlgorithm>& algorithm = found->second.free;
    return algorithm && algorithm->Supports(request) ? CollectiveChoice{algorithm, {}}
                                                     : CollectiveChoice{};
}

CollectiveRefusal
PinnedSelector::Explain(const CollectiveRequest& request)
{
    const auto found = m_pins.find(request.parallel);
    return m_costs && found != m_pins.end() ? m_costs->Explain(request, found->second.pin)
                                            : CollectiveRefusal{};
}

void
PinnedSelector::DoDispose()
{
    m_pins.clear();
    m_costs = nullptr;
    CollectiveSelector::DoDispose();
}

} // namespace ns3
