/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/route-table.h"
#include "ns3/topology-loader.h"
#include "ns3/topology-server.h"
#include "ns3/topology-template.h"
#include "ns3/topology-validator.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000; //!< bit/s

/** What a shipped server must be. */
struct ShippedServer
{
    const char* name;      //!< its name
    const char* gpuType;   //!< Topology::gpuType
    uint32_t gpus;         //!< GPUs
    uint32_t planes;       //!< real number of NVSwitches
    uint32_t pcieSwitches; //!< PCIe switches and root complexes
    uint64_t nvlinkGbps;   //!< NVLink of a GPU, per direction
    bool offload;          //!< NVSwitches multicast and add
    uint64_t nicGbps;      //!< rate of a NIC
    uint32_t gpusPerNic;   //!< GPUs that share one
};

/** All of them, in alphabetical order. */
const ShippedServer SERVERS[] = {
    {"a100-pcie", "A100", 8, 0, 6, 2400, false, 200, 2},
    {"dgx-1-v100", "V100", 8, 0, 0, 1200, false, 100, 2},
    {"dgx-a100", "A100", 8, 6, 0, 2400, false, 200, 1},
    {"dgx-h100", "H100", 8, 4, 0, 3600, true, 400, 1},
    {"dgx-h200", "H200", 8, 4, 0, 3600, true, 400, 1},
    {"gb200-nvl72", "GB200", 72, 18, 0, 7200, true, 400, 1},
    {"h100-nvl", "H100", 8, 0, 6, 2400, false, 400, 2},
    {"hgx-b200", "B200", 8, 2, 0, 7200, true, 400, 1},
    {"host", "", 1, 0, 0, 0, false, 400, 1},
    {"l40s", "L40S", 8, 0, 6, 0, false, 200, 2},
    {"rtx-pro-6000", "RTX-PRO-6000", 8, 0, 6, 0, false, 800, 2},
};

/** \param topology a cluster \param kind a kind \return nodes of that kind */
uint32_t
Count(const Topology& topology, TopologyNodeKind kind)
{
    return std::count_if(topology.nodes.begin(), topology.nodes.end(), [&](const auto& node) {
        return node.kind == kind;
    });
}

/**
 * \param topology a cluster
 * \param gpu one of its GPUs
 * \return rate of its NVLinks together, PCIe apart
 */
uint64_t
GetNvlinkRate(const Topology& topology, uint32_t gpu)
{
    uint64_t sum = 0;
    for (const TopologyLink& link : topology.links)
    {
        const bool touches = link.a == gpu || link.b == gpu;
        const bool isPcie = topology.nodes[link.b].kind == TopologyNodeKind::PCIE_SWITCH;
        if (touches && link.kind == TopologyLinkKind::NVLINK && !isPcie)
        {
            sum += link.rate.GetBitRate();
        }
    }
    return sum;
}

/** \param text a server description \return the error of reading it, empty if there is none */
std::string
ErrorOf(const std::string& text)
{
    const std::string path = testing::TempDir() + "server.json";
    std::ofstream(path) << text;
    try
    {
        TopologyServer::Read(path);
        return "";
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
}

} // namespace

TEST(FabricTopologyServer, ShippedServersAreWhatTheirMakersSay)
{
    std::vector<std::string> names;
    for (const ShippedServer& server : SERVERS)
    {
        SCOPED_TRACE(server.name);
        names.emplace_back(server.name);
        const Topology topology = LoadTopology(std::string("single-server:server=") + server.name);
        EXPECT_EQ(topology.gpuType, server.gpuType);
        EXPECT_EQ(topology.GetGpuCount(), server.gpus);
        EXPECT_EQ(topology.gpusPerServer, server.gpus);
        EXPECT_EQ(Count(topology, TopologyNodeKind::NVSWITCH), server.planes > 0 ? 1U : 0U);
        EXPECT_EQ(Count(topology, TopologyNodeKind::PCIE_SWITCH), server.pcieSwitches);
        for (const TopologyNode& node : topology.nodes)
        {
            EXPECT_EQ(node.server, 0);
            EXPECT_EQ(node.offload, server.offload && node.kind == TopologyNodeKind::NVSWITCH);
        }
        for (uint32_t gpu = 0; gpu < server.gpus; gpu++)
        {
            EXPECT_EQ(GetNvlinkRate(topology, gpu), server.nvlinkGbps * GBPS);
        }
        EXPECT_TRUE(ValidateTopology(topology).errors.empty());
    }
    EXPECT_EQ(GetTopologyServerNames(), names);
}

TEST(FabricTopologyServer, ShippedServersBuildWithAllTheirPlanes)
{
    for (const ShippedServer& server : SERVERS)
    {
        SCOPED_TRACE(server.name);
        if (server.planes == 0)
        {
            continue;
        }
        const Topology topology = LoadTopology(std::string("single-server:server=") + server.name +
                                               ",nvlinkPlanes=" + std::to_string(server.planes));
        EXPECT_EQ(Count(topology, TopologyNodeKind::NVSWITCH), server.planes);
        EXPECT_EQ(topology.links.size(), server.gpus * server.planes);
        EXPECT_EQ(GetNvlinkRate(topology, server.gpus - 1), server.nvlinkGbps * GBPS);
        const RouteTable routes(topology, TopologyLinkKind::NVLINK);
        EXPECT_EQ(routes.NextPorts(0, server.gpus - 1).count, server.planes);
        EXPECT_EQ(routes.GetHopCount(0, server.gpus - 1), 2U);
        EXPECT_TRUE(ValidateTopology(topology).warnings.empty());
    }
}

TEST(FabricTopologyServer, ShippedServersHaveTheirNics)
{
    for (const ShippedServer& server : SERVERS)
    {
        SCOPED_TRACE(server.name);
        const uint32_t gpus = 2 * server.gpus;
        const Topology topology =
            LoadTopology("star:gpus=" + std::to_string(gpus) + ",server=" + server.name);
        const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
        for (uint32_t gpu = 0; gpu < gpus; gpu++)
        {
            const uint32_t owner = gpu - gpu % server.gpusPerNic;
            EXPECT_EQ(topology.nodes[gpu].nicOf, gpu == owner ? TopologyNode::NO_ID : owner);
            ASSERT_EQ(ports[gpu].size(), gpu == owner ? 1U : 0U);
            if (gpu == owner)
            {
                EXPECT_EQ(topology.links[ports[gpu][0]].rate.GetBitRate(), server.nicGbps * GBPS);
            }
        }
        const TopologyFindings findings = ValidateTopology(topology);
        EXPECT_TRUE(findings.errors.empty());
        EXPECT_TRUE(findings.warnings.empty());
    }
}

TEST(FabricTopologyServer, H14Dgx1IsAHybridCubeMesh)
{
    const Topology topology = LoadTopology("single-server:server=dgx-1-v100");
    EXPECT_EQ(topology.nodes.size(), 8U);
    EXPECT_EQ(topology.links.size(), 16U);
    const RouteTable routes(topology, TopologyLinkKind::NVLINK);
    uint32_t apart = 0;
    for (uint32_t a = 0; a < 8; a++)
    {
        for (uint32_t b = 0; b < 8; b++)
        {
            const uint32_t hops = routes.GetHopCount(a, b);
            EXPECT_TRUE(a == b || hops == 1 || hops == RouteTable::NO_ROUTE);
            apart += hops == RouteTable::NO_ROUTE;
        }
    }
    EXPECT_EQ(apart, 8U * 3) << "each GPU has links to four of seven";
    const TopologyFindings findings = ValidateTopology(topology);
    ASSERT_EQ(findings.warnings.size(), 1U);
    EXPECT_NE(findings.warnings[0].find("no route joins GPU 0 and GPU 5"), std::string::npos);
}

TEST(FabricTopologyServer, PcieIsATree)
{
    const Topology topology = LoadTopology("single-server:server=l40s");
    ASSERT_EQ(topology.nodes.size(), 8U + 2 + 4);
    EXPECT_EQ(topology.links.size(), 8U + 4 + 1);
    EXPECT_EQ(topology.GetNodeName(8), "pcie0");
    const RouteTable routes(topology, TopologyLinkKind::NVLINK);
    EXPECT_EQ(routes.GetHopCount(0, 1), 2U);
    EXPECT_EQ(routes.GetHopCount(1, 2), 4U);
    EXPECT_EQ(routes.GetHopCount(3, 4), 5U);
    EXPECT_EQ(routes.GetPath(1, 2).rate.GetBitRate(), 252'061'538'461U);
    EXPECT_EQ(routes.GetPath(3, 4).rate.GetBitRate(), 176 * GBPS);
    EXPECT_EQ(routes.GetPath(3, 4).delay, NanoSeconds(5 * 150));
    const Topology slow =
        LoadTopology("single-server:server=l40s,pcieRate=126Gbps,pcieEfficiency=0.5,"
                     "socketRate=50Gbps,pcieDelay=1us");
    const RouteTable slowRoutes(slow, TopologyLinkKind::NVLINK);
    EXPECT_EQ(slowRoutes.GetPath(1, 2).rate.GetBitRate(), 63 * GBPS);
    EXPECT_EQ(slowRoutes.GetPath(3, 4).rate.GetBitRate(), 50 * GBPS);
    EXPECT_EQ(slowRoutes.GetPath(3, 4).delay, MicroSeconds(5));
}

TEST(FabricTopologyServer, BridgesCarryWhatTheyJoinAndPcieTheRest)
{
    const Topology topology = LoadTopology("rail-optimized:gpus=16,server=a100-pcie,spines=1");
    const RouteTable routes(topology, TopologyLinkKind::NVLINK);
    for (const uint32_t first : {0U, 8U})
    {
        EXPECT_EQ(routes.GetHopCount(first, first + 1), 1U);
        EXPECT_EQ(routes.GetPath(first, first + 1).rate.GetBitRate(), 2400 * GBPS);
        EXPECT_EQ(routes.GetHopCount(first + 1, first + 2), 4U);
    }
    EXPECT_EQ(routes.GetHopCount(7, 8), RouteTable::NO_ROUTE) << "another server";
    EXPECT_EQ(topology.nodes[16 + 6].server, 1);
    EXPECT_EQ(topology.nodes[16 + 12].kind, TopologyNodeKind::SWITCH);
    const Topology none = LoadTopology("single-server:server=a100-pcie,nvlinkPlanes=1");
    EXPECT_EQ(Count(none, TopologyNodeKind::PCIE_SWITCH), 0U) << "an NVSwitch joins all";
}

TEST(FabricTopologyServer, EfficiencyTakesItsShareOfTheRawRate)
{
    const Topology h100 = LoadTopology("single-server:server=dgx-h100,nvlinkEfficiency=0.824");
    EXPECT_NEAR(h100.links[0].rate.GetBitRate(), 0.824 * 3600e9, 1.0);
    const Topology dgx1 = LoadTopology("single-server:server=dgx-1-v100,nvlinkEfficiency=0.8");
    EXPECT_NEAR(dgx1.links[0].rate.GetBitRate(), 160e9, 1.0);
    EXPECT_NEAR(dgx1.links[2].rate.GetBitRate(), 320e9, 1.0);
}

TEST(FabricTopologyServer, AnNvl72HasItsDomainAndItsRails)
{
    const Topology topology = LoadTopology("rail-optimized:server=gb200-nvl72,gpus=144,spines=2");
    EXPECT_EQ(Count(topology, TopologyNodeKind::NVSWITCH), 2U);
    EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 4U + 2);
    const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
    for (uint32_t gpu = 0; gpu < 144; gpu++)
    {
        EXPECT_EQ(topology.links[ports[gpu][0]].b, 146 + gpu % 4);
    }
    const Topology small =
        LoadTopology("rail-optimized:server=gb200-nvl72,gpusPerServer=36,gpus=72,spines=2");
    EXPECT_EQ(Count(small, TopologyNodeKind::NVSWITCH), 2U);
    EXPECT_EQ(Count(small, TopologyNodeKind::SWITCH), 4U + 2);
    const Topology leaves = LoadTopology("rail-optimized:server=gb200-nvl72,gpus=144");
    EXPECT_EQ(Count(leaves, TopologyNodeKind::SWITCH), 4U + 36) << "36 NICs on a leaf";
}

TEST(FabricTopologyServer, RefusesBadDescriptions)
{
    const std::string begin = R"({"name": "x", "doc": "d", "gpuType": "H100", )";
    const std::string end = R"("defaults": {"gpusPerServer": 2, "nvlinkPlanes": 0}})";
    EXPECT_EQ(ErrorOf(begin + end), "");
    const std::pair<const char*, const char*> cases[] = {
        {R"("nvlinks": [{"gpus": [0, 1]}], )", "nvlinks[0].count"},
        {R"("nvlinks": [{"gpus": [0, 0], "count": 1}], )", "two different GPUs"},
        {R"("nvlinks": [{"gpus": [0], "count": 1}], )", "two different GPUs"},
        {R"("nvlinks": [{"gpus": [0, 1024], "count": 1}], )", "read '1024'"},
        {R"("nvlinks": [{"gpus": [0, 1], "count": 0}], )", "read '0'"},
        {R"("nvlinks": 1, )", "an array"},
        {R"("nvswitchLinks": [0], )", "nvswitchLinks: read '0'"},
        {R"("nvls": 2, )", "nvls: read '2'"},
        {R"("pcie": [{"gpus": [0, 1]}], )", "pcie[0].socket"},
        {R"("pcie": [{"socket": 64, "gpus": [0, 1]}], )", "read '64'"},
        {R"("pcie": [{"socket": 0, "gpus": [0, 0]}], )", "every GPU once"},
        {R"("pcie": [{"socket": 0, "gpus": [1]}], )", "no GPU 0"},
        {R"("pcie": [{"socket": 0, "gpus": [0, 1], "switch": "maybe"}], )", "read 'maybe'"},
        {R"("cpu": "abacus", )", "cpu: read 'abacus'"},
        {R"("nic": "abacus", )", "nic: read 'abacus'"},
        {R"("gpus": 2, )", "one of the keys"},
    };
    for (const auto& [text, expected] : cases)
    {
        const std::string error = ErrorOf(begin + text + end);
        EXPECT_NE(error.find(expected), std::string::npos) << text << " gave: " << error;
    }
}

TEST(FabricTopologyServer, GpusMayHangOnTheRootComplex)
{
    const std::string path = testing::TempDir() + "root.json";
    std::ofstream(path) << R"({"name": "x", "doc": "d", "gpuType": "L40S", "cpu": "amd",
"pcie": [{"socket": 0, "gpus": [0, 1], "switch": false}, {"socket": 1, "gpus": [2], "switch": false}],
"defaults": {"gpusPerServer": 3, "nvlinkPlanes": 0}})";
    const Topology topology = LoadTopology("single-server:server=" + path);
    EXPECT_EQ(Count(topology, TopologyNodeKind::PCIE_SWITCH), 2U);
    const RouteTable routes(topology, TopologyLinkKind::NVLINK);
    EXPECT_EQ(routes.GetHopCount(0, 1), 2U);
    EXPECT_EQ(routes.GetHopCount(0, 2), 3U);
    EXPECT_EQ(routes.GetPath(0, 2).rate.GetBitRate(), 128 * GBPS);
}
