/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "leaf-spine-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(LeafSpineStructure);

TypeId
LeafSpineStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::LeafSpineStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<LeafSpineStructure>();
    return tid;
}

Topology
LeafSpineStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t gpus = parameters.GetUint("gpus");
    const uint64_t leafCount = parameters.GetUint("leaves");
    const uint64_t spineCount = parameters.GetUint("spines");
    if (gpus % leafCount != 0)
    {
        parameters.Fail("gpus", "a multiple of the " + std::to_string(leafCount) + " leaves");
    }
    builder.AddServers(gpus, "gpus");
    const DataRate rate = parameters.GetDataRate("spineRate");
    const uint64_t count = parameters.GetUint("linksPerPair");
    builder.ReserveEthernet(gpus, leafCount * spineCount * count);
    const uint32_t leaves = builder.AddSwitches(leafCount);
    const uint32_t spines = builder.AddSwitches(spineCount);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, leaves + gpu / (gpus / leafCount));
    }
    for (uint64_t i = 0; i < leafCount * spineCount; i++)
    {
        builder.ConnectSwitches(leaves + i / spineCount, spines + i % spineCount, rate, count);
    }
    return builder.Finish();
}

} // namespace ns3
