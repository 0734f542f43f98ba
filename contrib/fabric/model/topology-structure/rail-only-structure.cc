/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-only-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RailOnlyStructure);

TypeId
RailOnlyStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RailOnlyStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<RailOnlyStructure>();
    return tid;
}

Topology
RailOnlyStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t gpus = parameters.GetUint("gpus");
    builder.AddServers(gpus, "gpus");
    const uint64_t ports = builder.UsePortsPerNic();
    const uint64_t perNic = builder.UseGpusPerNic();
    const uint64_t perServer = builder.GetGpusPerServer();
    builder.ReserveEthernet(gpus, 0);
    const uint32_t rails = builder.AddSwitches(perServer / perNic * ports);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, rails + gpu % perServer / perNic * ports);
    }
    return builder.Finish();
}

} // namespace ns3
