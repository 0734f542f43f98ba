/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "dumbbell-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DumbbellStructure);

TypeId
DumbbellStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DumbbellStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<DumbbellStructure>();
    return tid;
}

Topology
DumbbellStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t gpus = parameters.GetUint("gpus");
    if (gpus % 2 != 0)
    {
        parameters.Fail("gpus", "an even number: half of them on each side");
    }
    builder.AddServers(gpus, "gpus");
    builder.ReserveEthernet(gpus, 1);
    const uint32_t left = builder.AddSwitches(2);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, gpu < gpus / 2 ? left : left + 1);
    }
    builder.ConnectSwitches(left, left + 1, parameters.GetDataRate("bottleneckRate"), 1);
    return builder.Finish();
}

} // namespace ns3
