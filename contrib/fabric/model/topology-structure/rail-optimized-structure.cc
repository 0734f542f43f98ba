/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-optimized-structure.h"

#include "ns3/topology-builder.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RailOptimizedStructure);

namespace
{

/**
 * \param parameters values of the template's parameters
 * \param servers servers whose NICs a full leaf has
 * \return the number of spines given, or for 0 the smallest that does not oversubscribe a leaf
 */
uint64_t
GetSpineCount(const TopologyParameters& parameters, uint64_t servers)
{
    const uint64_t given = parameters.GetUint("spines");
    const double up =
        1.0 * parameters.GetDataRate("spineRate").GetBitRate() * parameters.GetUint("linksPerPair");
    const double down = 1.0 * parameters.GetDataRate("nicRate").GetBitRate() *
                        parameters.GetUint("nicsPerGpu") * servers;
    return given > 0 ? given : static_cast<uint64_t>(std::ceil(down / up));
}

} // namespace

TypeId
RailOptimizedStructure::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RailOptimizedStructure")
                            .SetParent<TopologyStructure>()
                            .SetGroupName("Fabric")
                            .AddConstructor<RailOptimizedStructure>();
    return tid;
}

Topology
RailOptimizedStructure::Build(const TopologyParameters& parameters) const
{
    TopologyBuilder builder(parameters);
    const uint64_t gpus = parameters.GetUint("gpus");
    const uint64_t rails = builder.GetGpusPerServer();
    builder.AddServers(gpus, "gpus");
    const uint64_t servers = gpus / rails;
    const uint64_t perSegment = std::min(servers, parameters.GetUint("serversPerSegment"));
    const uint64_t leafCount = (servers + perSegment - 1) / perSegment * rails;
    const uint64_t spineCount = GetSpineCount(parameters, perSegment);
    const DataRate rate = parameters.GetDataRate("spineRate");
    const uint64_t count = parameters.GetUint("linksPerPair");
    builder.ReserveEthernet(gpus, leafCount * spineCount * count);
    const uint32_t leaves = builder.AddSwitches(leafCount);
    const uint32_t spines = builder.AddSwitches(spineCount);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        const uint32_t segment = gpu / rails / perSegment;
        builder.ConnectNics(gpu, leaves + segment * rails + gpu % rails);
    }
    for (uint64_t i = 0; i < leafCount * spineCount; i++)
    {
        builder.ConnectSwitches(leaves + i / spineCount, spines + i % spineCount, rate, count);
    }
    return builder.Finish();
}

} // namespace ns3
