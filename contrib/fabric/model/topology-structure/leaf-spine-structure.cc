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
    const uint64_t ports = builder.UsePortsPerNic();
    const uint64_t groups = leafCount / ports; // leaves that the ports of a NIC are attached to
    if (leafCount % ports != 0)
    {
        parameters.Fail("leaves", "a multiple of portsPerNic " + std::to_string(ports));
    }
    if (gpus % groups != 0)
    {
        const std::string what = ports > 1 ? " groups of leaves" : " leaves";
        parameters.Fail("gpus", "a multiple of the " + std::to_string(groups) + what);
    }
    const uint64_t perNic = builder.UseGpusPerNic();
    if (gpus / groups % perNic != 0)
    {
        parameters.Fail("gpusPerNic",
                        "a divisor of the " + std::to_string(gpus / groups) + " GPUs of a leaf");
    }
    builder.AddServers(gpus, "gpus");
    const DataRate rate = parameters.GetDataRate("spineRate");
    const uint64_t count = parameters.GetUint("linksPerPair");
    builder.ReserveEthernet(gpus, leafCount * spineCount * count);
    const uint32_t leaves = builder.AddSwitches(leafCount);
    const uint32_t spines = builder.AddSwitches(spineCount);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, leaves + gpu / (gpus / groups) * ports);
    }
    for (uint64_t i = 0; i < leafCount * spineCount; i++)
    {
        builder.ConnectSwitches(leaves + i / spineCount, spines + i % spineCount, rate, count);
    }
    return builder.Finish();
}

} // namespace ns3
