/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "star-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(StarStructure);

TypeId
StarStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::StarStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<StarStructure>();
    return tid;
}

Topology
StarStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t gpus = parameters.GetUint("gpus");
    builder.AddServers(gpus, "gpus");
    builder.UseGpusPerNic();
    const uint32_t hub = builder.AddSwitches(builder.UsePortsPerNic());
    builder.ReserveEthernet(gpus, 0);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, hub);
    }
    return builder.Finish();
}

} // namespace ns3
