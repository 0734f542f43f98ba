/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "fat-tree-structure.h"

#include "ns3/topology-builder.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(FatTreeStructure);

TypeId
FatTreeStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::FatTreeStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<FatTreeStructure>();
    return tid;
}

Topology
FatTreeStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t k = parameters.GetUint("k");
    const uint64_t half = k / 2;
    if (k % 2 != 0)
    {
        parameters.Fail("k", "an even number");
    }
    const uint64_t gpus = k * half * half;
    builder.AddServers(gpus, "k");
    const uint32_t edges = builder.AddSwitches(k * half);
    const uint32_t aggregations = builder.AddSwitches(k * half);
    const uint32_t cores = builder.AddSwitches(half * half);
    const DataRate rate = parameters.GetDataRate("linkRate");
    const uint64_t count = parameters.GetUint("linksPerPair");
    builder.ReserveEthernet(gpus, 2 * k * half * half * count);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        builder.ConnectNics(gpu, edges + gpu / half);
    }
    for (uint32_t edge = 0; edge < k * half; edge++)
    {
        for (uint32_t j = 0; j < half; j++)
        {
            builder.ConnectSwitches(edges + edge,
                                    aggregations + edge / half * half + j,
                                    rate,
                                    count);
        }
    }
    for (uint32_t aggregation = 0; aggregation < k * half; aggregation++)
    {
        for (uint32_t j = 0; j < half; j++)
        {
            builder.ConnectSwitches(aggregations + aggregation,
                                    cores + aggregation % half * half + j,
                                    rate,
                                    count);
        }
    }
    return builder.Finish();
}

} // namespace ns3
