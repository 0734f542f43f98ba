/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "single-server-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SingleServerStructure);

TypeId
SingleServerStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SingleServerStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<SingleServerStructure>();
    return tid;
}

Topology
SingleServerStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    builder.AddServers(builder.GetGpusPerServer(), "gpusPerServer");
    return builder.Finish();
}

} // namespace ns3
