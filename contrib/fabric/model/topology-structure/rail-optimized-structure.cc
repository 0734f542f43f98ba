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
 * \param perServer GPUs in a server
 * \param perNic GPUs that share a NIC
 * \return rails that the GPUs of a server are spread over
 */
uint64_t
GetRailCount(const TopologyParameters& parameters, uint64_t perServer, uint64_t perNic)
{
    const uint64_t rails = parameters.GetUint("rails", perServer);
    if (perServer % rails != 0 || rails % perNic != 0)
    {
        parameters.Fail("rails",
                        "a divisor of gpusPerServer " + std::to_string(perServer) +
                            " and a multiple of gpusPerNic " + std::to_string(perNic));
    }
    return rails;
}

/**
 * \param parameters values of the template's parameters
 * \param nics GPUs whose NICs a full leaf has
 * \param ports ports of a NIC
 * \return the number of spines given, or for 0 the smallest that does not oversubscribe a leaf
 */
uint64_t
GetSpineCount(const TopologyParameters& parameters, uint64_t nics, uint64_t ports)
{
    const uint64_t given = parameters.GetUint("spines");
    const uint64_t planes = parameters.GetUint("planes", 1);
    if (ports % planes != 0)
    {
        parameters.Fail("planes", "a divisor of portsPerNic " + std::to_string(ports));
    }
    if (given % planes != 0)
    {
        parameters.Fail("spines", "a multiple of the " + std::to_string(planes) + " planes");
    }
    const double up =
        1.0 * parameters.GetDataRate("spineRate").GetBitRate() * parameters.GetUint("linksPerPair");
    const double down = 1.0 * parameters.GetDataRate("nicRate").GetBitRate() *
                        parameters.GetUint("nicsPerGpu") * nics / ports;
    return given > 0 ? given : planes * static_cast<uint64_t>(std::ceil(down / up));
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
    builder.AddServers(gpus, "gpus");
    const uint64_t ports = builder.UsePortsPerNic();
    const uint64_t perNic = builder.UseGpusPerNic();
    const uint64_t perServer = builder.GetGpusPerServer();
    const uint64_t servers = gpus / perServer;
    const uint64_t perSegment = std::min(servers, parameters.GetUint("serversPerSegment"));
    const uint64_t rails = GetRailCount(parameters, perServer, perNic);
    const uint64_t railLeaves = rails / perNic * ports; // of a segment
    const uint64_t leafCount = (servers + perSegment - 1) / perSegment * railLeaves;
    const uint64_t spineCount = GetSpineCount(parameters, perSegment * perServer / rails, ports);
    const uint64_t planes = parameters.GetUint("planes", 1);
    const DataRate rate = parameters.GetDataRate("spineRate");
    const uint64_t count = parameters.GetUint("linksPerPair");
    builder.ReserveEthernet(gpus, leafCount * spineCount / planes * count);
    const uint32_t leaves = builder.AddSwitches(leafCount);
    const uint32_t spines = builder.AddSwitches(spineCount);
    for (uint32_t gpu = 0; gpu < gpus; gpu++)
    {
        const uint32_t segment = gpu / perServer / perSegment;
        const uint32_t rail = gpu % rails / perNic;
        builder.ConnectNics(gpu, leaves + segment * railLeaves + rail * ports);
    }
    const uint64_t perPlane = spineCount / planes;
    for (uint64_t i = 0; i < leafCount * perPlane; i++)
    {
        const uint64_t leaf = i / perPlane;
        const uint64_t spine = leaf % planes * perPlane + i % perPlane;
        builder.ConnectSwitches(leaves + leaf, spines + spine, rate, count);
    }
    return builder.Finish();
}

} // namespace ns3
