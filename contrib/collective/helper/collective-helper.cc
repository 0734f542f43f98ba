/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-helper.h"

#include "collective-group-maker.h"

#include <numeric>

namespace ns3
{

CollectiveHelper::CollectiveHelper()
{
    m_factory.SetTypeId(CollectiveEngine::GetTypeId());
}

void
CollectiveHelper::SetEngineAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<CollectiveEngine>
CollectiveHelper::Install(Ptr<MessageTransport> transport) const
{
    const auto engine = m_factory.Create<CollectiveEngine>();
    engine->SetTransport(transport);
    return engine;
}

CollectiveGroup
CollectiveHelper::MakeGroup(const Topology& topology,
                            const std::string& name,
                            const std::string& parallel,
                            const std::vector<uint32_t>& ranks)
{
    return CollectiveGroupMaker(topology).Make(name, parallel, ranks);
}

CollectiveGroup
CollectiveHelper::MakeGroup(const Topology& topology,
                            const std::string& name,
                            const std::string& parallel)
{
    std::vector<uint32_t> ranks(topology.GetGpuCount());
    std::iota(ranks.begin(), ranks.end(), 0);
    return MakeGroup(topology, name, parallel, ranks);
}

} // namespace ns3
