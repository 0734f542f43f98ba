/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"
#include "test-paths.h"
#include "xml-under-test.h"

#include "ns3/route-table.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param count a number \return 0 to count - 1 */
std::vector<uint32_t>
InOrder(uint32_t count)
{
    std::vector<uint32_t> order(count);
    for (uint32_t i = 0; i < count; i++)
    {
        order[i] = i;
    }
    return order;
}

/**
 * The time of a ring AllReduce from the rates of its edges: a message leaves when the one that it
 * answers has arrived and the one before it has left.
 * \param topology a server; no two edges of the ring share a link in one direction
 * \param order ranks along the ring
 * \param bytes size of the whole buffer
 * \return seconds
 */
double
GetIdealRing(const Topology& topology, const std::vector<uint32_t>& order, uint64_t bytes)
{
    const RouteTable routes(topology, TopologyLinkKind::NVLINK);
    const std::size_t n = order.size();
    const double bits = bytes / n * 8.0;
    std::vector<double> arrived(n, 0.0); // at the end of each edge
    std::vector<double> free(n, 0.0);    // each edge
    for (std::size_t step = 0; step < 2 * (n - 1); step++)
    {
        std::vector<double> next(n);
        for (std::size_t edge = 0; edge < n; edge++)
        {
            const uint32_t src = order[edge];
            const uint32_t dst = order[(edge + 1) % n];
            const PathProperties path = routes.GetPath(src, dst);
            const double rate =
                static_cast<double>(path.rate.GetBitRate()) * routes.NextPorts(src, dst).count;
            free[edge] = std::max(free[edge], arrived[(edge + n - 1) % n]) + bits / rate;
            next[edge] = free[edge] + path.delay.GetSeconds();
        }
        arrived = next;
    }
    return *std::max_element(arrived.begin(), arrived.end());
}

/** A server, a ring through it, and the edge that sets the pace. */
struct ServerRing
{
    const char* spec;            //!< the server
    std::vector<uint32_t> order; //!< ranks along the ring
    double paceGbps;             //!< rate of the slowest edge
};

/** DGX-1: along the double links where there are any. */
const std::vector<uint32_t> DGX_1_RING{0, 3, 2, 1, 5, 6, 7, 4};

const ServerRing RINGS[] = {
    {"dgx-1-v100", DGX_1_RING, 400},
    {"dgx-1-v100", {0, 1, 2, 3, 7, 6, 5, 4}, 200},
    {"dgx-a100", InOrder(8), 2400},
    {"dgx-h100", InOrder(8), 3600},
    {"dgx-h200", InOrder(8), 3600},
    {"hgx-b200", InOrder(8), 7200},
    {"gb200-nvl72,gpusPerServer=8", InOrder(8), 7200},
    {"l40s", InOrder(8), 176},
    {"a100-pcie", InOrder(8), 128},
    {"h100-nvl", InOrder(8), 176},
    {"l40s,socketRate=400Gbps", InOrder(8), 252.061538461},
};

} // namespace

TEST(NvlinkServer, ARingRunsAtTheRateOfItsSlowestEdge)
{
    const uint64_t bytes = 64 << 20;
    for (const ServerRing& ring : RINGS)
    {
        SCOPED_TRACE(ring.spec);
        const Topology topology = LoadTopology(std::string("single-server:server=") + ring.spec);
        NvlinkTestNetwork network(topology);
        const double end = RunRing(network, ring.order, bytes).GetSeconds();
        const double ideal = GetIdealRing(topology, ring.order, bytes);
        EXPECT_NEAR(end, ideal, ideal * 1e-3);
        const double pace = 14 * (bytes / 8) * 8 / (ring.paceGbps * 1e9);
        EXPECT_GE(end, pace);
        EXPECT_LE(end, pace * 1.15) << "fast edges before a slow one, and delays";
        EXPECT_EQ(network.context->counters.payloadBytesDelivered, 14 * bytes);
    }
}

TEST(NvlinkServer, PlanesAreUsedInProportionToTheirLinks)
{
    const std::pair<const char*, std::vector<uint32_t>> servers[] = {
        {"dgx-a100,nvlinkPlanes=6", {2, 2, 2, 2, 2, 2}},
        {"dgx-h100,nvlinkPlanes=4", {5, 4, 4, 5}},
        {"dgx-h200,nvlinkPlanes=4", {5, 4, 4, 5}},
        {"hgx-b200,nvlinkPlanes=2", {9, 9}},
        {"gb200-nvl72,gpusPerServer=8,nvlinkPlanes=18", std::vector<uint32_t>(18, 1)},
    };
    const uint64_t bytes = 64 << 20;
    for (const auto& [spec, links] : servers)
    {
        SCOPED_TRACE(spec);
        const Topology topology = LoadTopology(std::string("single-server:server=") + spec);
        NvlinkTestNetwork network(topology);
        const double end = RunRing(network, InOrder(8), bytes).GetSeconds();
        uint32_t sum = 0;
        uint64_t rate = 0;
        for (uint32_t plane = 0; plane < links.size(); plane++)
        {
            sum += links[plane];
            rate += topology.links[plane].rate.GetBitRate();
        }
        const double ideal = 14.0 * (bytes / 8) * 8 / rate;
        EXPECT_GE(end, ideal);
        EXPECT_LE(end, ideal * 1.01) << "the planes end up to one smallest packet apart";
        for (uint32_t gpu = 0; gpu < 8; gpu++)
        {
            for (uint32_t plane = 0; plane < links.size(); plane++)
            {
                const double expected = 14.0 * bytes / 8 * links[plane] / sum;
                const FabricPort& port = network.GetDevice(gpu)->GetPort(plane);
                EXPECT_NEAR(port.GetCounters().payloadBytes, expected, expected * 0.02)
                    << "GPU " << gpu << " plane " << plane;
            }
        }
    }
}

TEST(NvlinkServer, AnNvl72ExchangesAllToAllAtTheRateOfItsGpus)
{
    const Topology topology = LoadTopology("single-server:server=gb200-nvl72");
    NvlinkTestNetwork network(topology);
    const uint64_t bytes = 128 << 10; // per pair: two packets
    for (uint32_t step = 1; step < 72; step++)
    {
        for (uint32_t src = 0; src < 72; src++)
        {
            network.Send(src, (src + step) % 72, bytes, 0, step);
        }
    }
    const double end = network.Run().GetSeconds();
    const double ideal = 71.0 * bytes * 8 / 7200e9 + 50e-9;
    EXPECT_GE(end, ideal - 1e-12); // a tick
    EXPECT_LE(end, ideal * 1.10);
    EXPECT_EQ(network.context->counters.payloadBytesDelivered, 72 * 71 * bytes);
    EXPECT_EQ(network.context->counters.drops, 0U);
}

TEST(NvlinkServer, PcieSharesItsUplinks)
{
    // Both GPUs of a switch send to the other switch of their socket: one uplink for two.
    NvlinkTestNetwork network(LoadTopology("single-server:server=l40s"));
    const uint64_t bytes = 16 << 20;
    network.Send(0, 2, bytes);
    network.Send(1, 3, bytes);
    const double end = network.Run().GetSeconds();
    const double ideal = 2.0 * bytes * 8 / 252061538461.0 + 4 * 150e-9;
    EXPECT_GE(end, ideal - 1e-12); // a tick
    EXPECT_LE(end, ideal * 1.01);
    EXPECT_EQ(network.context->counters.drops, 0U);
}

TEST(NvlinkServer, H14Dgx1NamesPairsWithoutALink)
{
    NvlinkTestNetwork network(LoadTopology("single-server:server=dgx-1-v100"));
    EXPECT_TRUE(network.transport->CanReach(0, 4));
    EXPECT_FALSE(network.transport->CanReach(0, 5));
    EXPECT_FALSE(network.transport->CanReach(3, 4));
}

TEST(NvlinkServerDeathTest, H14Dgx1RefusesToSendToThem)
{
    NvlinkTestNetwork network(LoadTopology("single-server:server=dgx-1-v100"));
    EXPECT_DEATH(network.Send(0, 5, 1000), "no NVLink route from rank 0 to rank 5");
}

TEST(NvlinkServer, ADumpOfNcclRunsLikeTheServerThatItIsOf)
{
    RAILYARD_NEED_SHARED_FILES();
    RAILYARD_NEED_XML();
    const std::string folder = SharedDir() + "/data/realfiles/nccl-topo/";
    const auto ring = [](const Topology& topology) {
        NvlinkTestNetwork network(topology);
        return RunRing(network, InOrder(8), 64 << 20).GetSeconds();
    };
    for (const auto& [dump, server] :
         {std::pair("oci-H100-topology.xml", "dgx-h100,nvlinkPlanes=4"),
          std::pair("simccl-topo_8A100_4CX6.xml", "dgx-a100,nvlinkPlanes=6")})
    {
        SCOPED_TRACE(dump);
        const Topology described = LoadTopology(std::string("single-server:server=") + server);
        const Topology dumped = LoadTopology(folder + dump);
        EXPECT_EQ(dumped.nodes.back().offload, described.nodes.back().offload);
        const double expected = ring(described);
        EXPECT_NEAR(ring(dumped), expected, expected * 1e-3);
    }
}

TEST(NvlinkServer, ADumpWithDirectLinksRunsAtTheirRate)
{
    RAILYARD_NEED_SHARED_FILES();
    RAILYARD_NEED_XML();
    // MI300X: each GPU has one link to every other; MI100: in two groups of four.
    const std::pair<const char*, double> dumps[] = {
        {"rccl-topo_8p_940.xml", 512},
        {"rccl-topo_8p_rome_4nics.xml", 128}, // from group to group by the link between sockets
    };
    for (const auto& [dump, paceGbps] : dumps)
    {
        SCOPED_TRACE(dump);
        const Topology topology = LoadTopology(SharedDir() + "/data/realfiles/nccl-topo/" + dump);
        NvlinkTestNetwork network(topology);
        const uint64_t bytes = 64 << 20;
        const double end = RunRing(network, InOrder(8), bytes).GetSeconds();
        const double ideal = GetIdealRing(topology, InOrder(8), bytes);
        EXPECT_NEAR(end, ideal, ideal * 1e-3);
        EXPECT_GE(end, 14 * (bytes / 8) * 8 / (paceGbps * 1e9));
    }
}
