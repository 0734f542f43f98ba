/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"

#include "ns3/config-error.h"
#include "ns3/route-table.h"
#include "ns3/topology-loader.h"
#include "ns3/topology-structure.h"
#include "ns3/topology-template.h"
#include "ns3/topology-validator.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param spec a topology that is wrong \return the error, empty if there is none */
std::string
ErrorOf(const std::string& spec)
{
    try
    {
        LoadTopology(spec);
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * \param topology a topology
 * \param kind a kind of node
 * \return number of such nodes
 */
uint32_t
Count(const Topology& topology, TopologyNodeKind kind)
{
    uint32_t count = 0;
    for (const TopologyNode& node : topology.nodes)
    {
        count += node.kind == kind ? 1 : 0;
    }
    return count;
}

/**
 * \param topology a topology
 * \param kind a fabric
 * \return number of its links
 */
uint32_t
Count(const Topology& topology, TopologyLinkKind kind)
{
    uint32_t count = 0;
    for (const TopologyLink& link : topology.links)
    {
        count += link.kind == kind ? 1 : 0;
    }
    return count;
}

/** A folder of templates for one test, which RAILYARD_TEMPLATES names while it lives. */
class TemplateFolder
{
  public:
    TemplateFolder()
        : m_path(std::filesystem::path(testing::TempDir()) / "railyard-template-test")
    {
        std::filesystem::create_directories(m_path);
        setenv("RAILYARD_TEMPLATES", m_path.c_str(), 1);
    }

    ~TemplateFolder()
    {
        unsetenv("RAILYARD_TEMPLATES");
        std::filesystem::remove_all(m_path);
    }

    /**
     * \param name name of a file
     * \param text its content
     * \return its path
     */
    std::string Write(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_path / name) << text;
        return (m_path / name).string();
    }

  private:
    std::filesystem::path m_path; //!< the folder
};

/** \param built a topology \param file another one, whose GPUs have the same paths */
void
ExpectSameRoutes(const Topology& built, const Topology& file)
{
    ASSERT_EQ(built.nodes.size(), file.nodes.size());
    ASSERT_EQ(built.links.size(), file.links.size());
    const RouteTable fileRoutes(file, TopologyLinkKind::ETHERNET);
    const RouteTable builtRoutes(built, TopologyLinkKind::ETHERNET);
    for (uint32_t src = 0; src < file.GetGpuCount(); src++)
    {
        for (uint32_t dst = 0; dst < file.GetGpuCount(); dst++)
        {
            EXPECT_EQ(builtRoutes.GetHopCount(src, dst), fileRoutes.GetHopCount(src, dst));
            EXPECT_EQ(builtRoutes.GetPath(src, dst).delay, fileRoutes.GetPath(src, dst).delay);
            EXPECT_EQ(builtRoutes.GetPath(src, dst).rate, fileRoutes.GetPath(src, dst).rate);
        }
    }
}

} // namespace

TEST(FabricTopologyTemplate, EveryShippedTemplateBuildsWithItsDefaults)
{
    const auto names = GetTopologyTemplateNames();
    EXPECT_EQ(names,
              (std::vector<std::string>{"dcn-plus",
                                        "dumbbell",
                                        "fat-tree",
                                        "leaf-spine",
                                        "rail-only",
                                        "rail-optimized",
                                        "single-server",
                                        "star"}));
    for (const std::string& name : names)
    {
        SCOPED_TRACE(name);
        const TopologyTemplate shipped = TopologyTemplate::Read(FindTopologyTemplate(name));
        EXPECT_EQ(shipped.GetName(), name);
        EXPECT_FALSE(shipped.GetDoc().empty());
        for (const TopologyParameter& parameter : shipped.GetParameters())
        {
            EXPECT_FALSE(parameter.doc.empty()) << parameter.name;
        }
        const Topology topology = LoadTopology(name);
        EXPECT_EQ(topology.source, name);
        const TopologyFindings findings = ValidateTopology(topology);
        EXPECT_TRUE(findings.errors.empty());
        EXPECT_TRUE(findings.warnings.empty());
    }
}

TEST(FabricTopologyTemplate, RailsAloneHaveASwitchEachAndNoneBetween)
{
    const Topology topology = LoadTopology("rail-only:gpus=24,gpusPerNic=2,portsPerNic=2");
    EXPECT_EQ(topology.nodes.size() - 24, 3U + 8) << "an NVSwitch per server, 4 rails of 2 ports";
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    for (uint32_t gpu = 0; gpu < 24; gpu++)
    {
        const bool isOnRail = gpu % 8 < 2 && gpu != 0; // GPU 1: there and back
        EXPECT_EQ(routes.NextPorts(0, gpu).count, isOnRail ? 2 : 0) << gpu;
    }
}

TEST(FabricTopologyTemplate, StarHasTheNumbersOfItsFormula)
{
    const Topology topology =
        LoadTopology("star:hosts=5,nicRate=100Gbps,delay=1us,lossRate=0.01,bitErrorRate=1e-9");
    EXPECT_EQ(topology.GetGpuCount(), 5U);
    EXPECT_EQ(topology.nodes.size(), 6U);
    EXPECT_EQ(topology.links.size(), 5U);
    EXPECT_EQ(topology.gpusPerServer, 1U);
    EXPECT_EQ(topology.links[4].rate.GetBitRate(), 100'000'000'000U);
    EXPECT_EQ(topology.links[4].delay, MicroSeconds(1));
    EXPECT_DOUBLE_EQ(topology.links[4].lossRate, 0.01);
    EXPECT_DOUBLE_EQ(topology.links[4].bitErrorRate, 1e-9);
    EXPECT_EQ(LoadTopology("star:gpus=5,nicsPerGpu=3").links.size(), 15U);
}

TEST(FabricTopologyTemplate, DumbbellHasHalfOfItsHostsOnEachSide)
{
    const Topology topology =
        LoadTopology("dumbbell:hosts=6,nicRate=10Gbps,delay=1us,bottleneckRate=40Gbps");
    EXPECT_EQ(topology.GetGpuCount(), 6U);
    EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 2U);
    ASSERT_EQ(topology.links.size(), 6U + 1);
    EXPECT_EQ(topology.links.back().rate.GetBitRate(), 40'000'000'000U);
    EXPECT_EQ(topology.links.front().rate.GetBitRate(), 10'000'000'000U);
    EXPECT_EQ(topology.nodes[6].tier, topology.nodes[7].tier);
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    for (uint32_t src = 0; src < 6; src++)
    {
        for (uint32_t dst = 0; dst < 6; dst++)
        {
            const bool across = (src < 3) != (dst < 3);
            EXPECT_EQ(routes.GetHopCount(src, dst), src == dst ? 0U : across ? 3U : 2U);
            EXPECT_EQ(routes.GetPath(src, dst).delay, MicroSeconds(routes.GetHopCount(src, dst)));
        }
    }
    const Topology usual = LoadTopology("dumbbell:nicRate=25Gbps");
    EXPECT_EQ(usual.GetGpuCount(), 20U);
    EXPECT_EQ(usual.links.back().rate.GetBitRate(), 25'000'000'000U);
}

TEST(FabricTopologyTemplate, LeafSpineHasTheNumbersOfItsFormula)
{
    const Topology topology =
        LoadTopology("leaf-spine:hosts=24,leaves=4,spines=3,linksPerPair=2,spineRate=800Gbps");
    EXPECT_EQ(topology.nodes.size(), 24U + 4 + 3);
    EXPECT_EQ(topology.links.size(), 24U + 4 * 3 * 2);
    EXPECT_EQ(topology.links.back().rate.GetBitRate(), 800'000'000'000U);
    EXPECT_EQ(topology.links[5].b, 24U); // GPU 5: first leaf
    EXPECT_EQ(topology.links[6].b, 25U); // GPU 6: second
    EXPECT_EQ(topology.nodes[24].tier, 0);
    EXPECT_EQ(topology.nodes[28].tier, 1);
}

TEST(FabricTopologyTemplate, FatTreeHasTheNumbersOfItsFormula)
{
    for (const uint32_t k : {2U, 4U, 8U, 16U})
    {
        const Topology topology = LoadTopology("fat-tree:k=" + std::to_string(k));
        EXPECT_EQ(topology.GetGpuCount(), k * k * k / 4);
        EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 5 * k * k / 4);
        EXPECT_EQ(topology.links.size(), 3 * k * k * k / 4);
        const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
        for (uint32_t node = topology.GetGpuCount(); node < topology.nodes.size(); node++)
        {
            EXPECT_EQ(ports[node].size(), k);
        }
    }
    const Topology servers = LoadTopology("fat-tree:k=4,server=dgx-h100");
    EXPECT_EQ(Count(servers, TopologyNodeKind::NVSWITCH), 2U);
}

TEST(FabricTopologyTemplate, NvSwitchesOffloadFromTheThirdGenerationOn)
{
    EXPECT_TRUE(LoadTopology("single-server:server=dgx-h100").nodes[8].offload);
    EXPECT_FALSE(LoadTopology("single-server:server=dgx-a100").nodes[8].offload);
    EXPECT_FALSE(LoadTopology("rail-optimized:gpus=8").nodes[9].offload); // a leaf
    EXPECT_EQ(LoadTopology("rail-optimized:gpus=8").GetNodeName(8), "nvswitch0");
}

TEST(FabricTopologyTemplate, RailOptimizedHasTheNumbersOfItsFormula)
{
    const Topology topology = LoadTopology("rail-optimized:gpus=64,nicRate=400Gbps");
    EXPECT_EQ(topology.gpuType, "H100");
    EXPECT_EQ(topology.GetGpuCount(), 64U);
    EXPECT_EQ(Count(topology, TopologyNodeKind::NVSWITCH), 8U);
    EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 8U + 8); // 8 NICs per leaf: 8 spines
    EXPECT_EQ(Count(topology, TopologyLinkKind::NVLINK), 64U);
    EXPECT_EQ(Count(topology, TopologyLinkKind::ETHERNET), 64U + 8 * 8);

    const Topology segments =
        LoadTopology("rail-optimized:gpus=64,serversPerSegment=3,spines=5,linksPerPair=2");
    EXPECT_EQ(Count(segments, TopologyNodeKind::SWITCH), 3U * 8 + 5);
    EXPECT_EQ(Count(segments, TopologyLinkKind::ETHERNET), 64U + 24 * 5 * 2);

    const Topology fast = LoadTopology("rail-optimized:gpus=64,spineRate=800Gbps");
    EXPECT_EQ(Count(fast, TopologyNodeKind::SWITCH), 8U + 4);
}

TEST(FabricTopologyTemplate, RailOptimizedPutsEveryGpuOnItsRail)
{
    const Topology topology = LoadTopology("rail-optimized:gpus=32,serversPerSegment=2");
    const uint32_t firstLeaf = 32 + 4;
    for (const TopologyLink& link : topology.links)
    {
        if (link.kind == TopologyLinkKind::ETHERNET && link.a < 32)
        {
            EXPECT_EQ(link.b, firstLeaf + link.a / 16 * 8 + link.a % 8) << "GPU " << link.a;
        }
    }
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetHopCount(0, 8), 2U);  // same rail, same segment
    EXPECT_EQ(routes.GetHopCount(0, 16), 4U); // same rail, other segment
    EXPECT_EQ(routes.GetHopCount(0, 1), 4U);  // other rail
}

TEST(FabricTopologyTemplate, DcnPlusPutsWholeServersOnALeaf)
{
    const Topology topology = LoadTopology("dcn-plus");
    EXPECT_EQ(topology.GetGpuCount(), 512U);
    EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 16U);
    EXPECT_EQ(Count(topology, TopologyLinkKind::ETHERNET), 512U + 64); // 64 NICs : 8 links up
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetHopCount(0, 63), 2U);
    EXPECT_EQ(routes.GetHopCount(0, 64), 4U);
}

/** \brief A file of SimAI's generator and the template that builds the same. */
struct GeneratedTopology
{
    const char* file; //!< below the folder of SimAI's files
    const char* spec; //!< template and parameters
};

TEST(FabricTopologyTemplate, BuildWhatSimAiGenerates)
{
    RAILYARD_NEED_SHARED_FILES();
    const GeneratedTopology cases[] = {
        {"Spectrum-X_16g_8gps_400Gbps_H100", "rail-optimized:gpus=16,spines=4,nvlinkRate=2880Gbps"},
        {"DCN+SingleToR_64g_8gps_400Gbps_H100", "dcn-plus:gpus=64,spines=4,nvlinkRate=2880Gbps"},
        {"AlibabaHPN_64g_8gps_DualToR_SinglePlane_200Gbps_H800",
         "rail-optimized:gpus=64,portsPerNic=2,spines=4,nvlinkRate=2880Gbps"},
        {"AlibabaHPN_64g_8gps_DualToR_DualPlane_200Gbps_H800",
         "rail-optimized:gpus=64,portsPerNic=2,planes=2,spines=4,nvlinkRate=2880Gbps"},
    };
    for (const GeneratedTopology& generated : cases)
    {
        SCOPED_TRACE(generated.file);
        ExpectSameRoutes(LoadTopology(generated.spec),
                         LoadTopology(SharedDir() + "/data/realfiles/simai-generated-topologies/" +
                                      generated.file));
    }
}

TEST(FabricTopologyTemplate, GivesEveryPortOfANicALeafOfItsOwn)
{
    const Topology star = LoadTopology("star:gpus=2,portsPerNic=2,nicRate=400Gbps");
    ASSERT_EQ(star.links.size(), 4U);
    for (uint32_t i = 0; i < 4; i++)
    {
        EXPECT_EQ(star.links[i].a, i / 2);
        EXPECT_EQ(star.links[i].b, 2 + i % 2);
        EXPECT_EQ(star.links[i].rate, DataRate("200Gbps"));
    }
    // DCN+ with dual ToR: 512 GPUs, two leaves per 128 NICs, 128 ports of 200 Gbit/s on each.
    const Topology dcn = LoadTopology("dcn-plus:portsPerNic=2,nicRate=400Gbps");
    const auto ports = dcn.GetPorts(TopologyLinkKind::ETHERNET);
    EXPECT_EQ(Count(dcn, TopologyNodeKind::SWITCH), 16U);
    for (uint32_t i = 0; i < 512; i++)
    {
        ASSERT_EQ(ports[i].size(), 2U);
        const uint32_t leaf = dcn.nodes.size() - 16 + i / 128 * 2;
        EXPECT_EQ(dcn.links[ports[i][0]].b, leaf);
        EXPECT_EQ(dcn.links[ports[i][1]].b, leaf + 1);
    }
    EXPECT_EQ(ports[dcn.nodes.size() - 16].size(), 128U + 8);
    // Two planes: from a leaf of port 1 no spine of plane 0 is in reach.
    const Topology hpn = LoadTopology("rail-optimized:gpus=16,portsPerNic=2,planes=2,spines=4");
    const RouteTable routes(hpn, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.NextPorts(0, 8).count, 2U) << "one by each leaf of its rail";
    EXPECT_EQ(routes.NextPorts(0, 9).count, 2U);
    EXPECT_EQ(routes.GetHopCount(0, 9), 4U);
    const uint32_t leaf = routes.GetPeer(0, 1);
    for (const uint16_t port : routes.NextPorts(leaf, 9))
    {
        EXPECT_GE(routes.GetPeer(leaf, port), hpn.nodes.size() - 2) << "the second plane";
    }
    EXPECT_NE(ErrorOf("star:gpus=2,portsPerNic=3,nicRate=100bps").find("splits evenly"),
              std::string::npos);
    EXPECT_NE(ErrorOf("leaf-spine:leaves=3,portsPerNic=2").find("leaves"), std::string::npos);
    EXPECT_NE(ErrorOf("rail-optimized:portsPerNic=2,planes=3").find("planes"), std::string::npos);
    EXPECT_NE(ErrorOf("rail-optimized:portsPerNic=2,planes=2,spines=3").find("spines"),
              std::string::npos);
    EXPECT_NE(ErrorOf("fat-tree:portsPerNic=2").find("portsPerNic"), std::string::npos)
        << "a fat tree has no such thing";
}

TEST(FabricTopologyTemplate, LetsGpusShareNics)
{
    const Topology topology = LoadTopology("rail-optimized:gpus=16,gpusPerNic=2,spines=1");
    EXPECT_EQ(Count(topology, TopologyLinkKind::ETHERNET), 8U + 4);
    EXPECT_EQ(Count(topology, TopologyNodeKind::SWITCH), 4U + 1);
    const RouteTable routes(topology, TopologyLinkKind::ETHERNET);
    for (uint32_t gpu = 0; gpu < 16; gpu++)
    {
        const uint32_t owner = gpu - gpu % 2;
        EXPECT_EQ(topology.nodes[gpu].nicOf, gpu == owner ? TopologyNode::NO_ID : owner);
        EXPECT_EQ(routes.GetPlace(gpu), owner);
        for (uint32_t dst = 0; dst < 16; dst++)
        {
            const uint32_t rail = gpu % 8 / 2;
            const uint32_t hops = gpu == dst ? 0 : dst % 8 / 2 == rail ? 2 : 4;
            EXPECT_EQ(routes.GetHopCount(gpu, dst), hops) << gpu << " to " << dst;
            EXPECT_EQ(routes.GetPath(gpu, dst).links.size(), hops);
        }
    }
    EXPECT_TRUE(ValidateTopology(topology, 16).errors.empty());
    EXPECT_TRUE(ValidateTopology(topology, 16).warnings.empty());
    EXPECT_NE(ErrorOf("rail-optimized:gpus=16,gpusPerNic=3").find("gpusPerNic"),
              std::string::npos);
}

TEST(FabricTopologyTemplate, H15SplitsNvlinkOverPlanes)
{
    const Topology merged = LoadTopology("single-server:server=dgx-h100");
    ASSERT_EQ(merged.links.size(), 8U);
    EXPECT_EQ(merged.links[0].rate.GetBitRate(), 3'600'000'000'000U);
    const Topology wired = LoadTopology("single-server:server=dgx-h100,nvlinkPlanes=4");
    ASSERT_EQ(wired.links.size(), 32U);
    EXPECT_EQ(wired.nodes.size(), 12U);
    const uint64_t gbps[] = {1000, 800, 800, 1000};
    for (uint32_t i = 0; i < 32; i++)
    {
        EXPECT_EQ(wired.links[i].rate.GetBitRate(), gbps[i % 4] * 1'000'000'000U);
        EXPECT_EQ(wired.links[i].b, 8 + i % 4);
    }
    const Topology a100 = LoadTopology("single-server:server=dgx-a100,nvlinkPlanes=6");
    EXPECT_EQ(a100.links[47].rate.GetBitRate(), 400'000'000'000U);
    const Topology even = LoadTopology("single-server:nvlinkPlanes=7,nvlinkRate=1000000001bps");
    uint64_t sum = 0;
    for (uint32_t plane = 0; plane < 7; plane++)
    {
        sum += even.links[plane].rate.GetBitRate();
    }
    EXPECT_EQ(sum, 1'000'000'001U);
    EXPECT_EQ(LoadTopology("star:gpus=8,server=dgx-h100,nvlinkPlanes=0").nodes.size(), 9U);
}

TEST(FabricTopologyTemplate, RefusesBadParameters)
{
    const struct
    {
        const char* spec;
        const char* expected;
    } cases[] = {
        {"star:gpuz=4", "read 'gpuz', expected one of the parameters server, "},
        {"star:gpuz=4", "gpus (or hosts)"},
        {"star:gpus=0", "gpus: read '0', expected gpus, GPUs (integer from 1 to 65535)"},
        {"star:gpus=65536", "read '65536'"},
        {"star:gpus=-4", "read '-4'"},
        {"star:gpus=4.5", "read '4.5'"},
        {"star:gpus=", "read ''"},
        {"star:gpus", "read 'gpus', expected key=value"},
        {"star:=4", "read '=4', expected key=value"},
        {"star:,gpus=4", "read '', expected key=value"},
        {"star:gpus=4,gpus=5", "read 'gpus=5', expected gpus only once"},
        {"star:gpus=4,hosts=5", "the parameter gpus once"},
        {"star:nicRate=400GBps", "nicRate: read '400GBps'"},
        {"star:nicRate=0Gbps", "nicRate: read '0Gbps'"},
        {"star:nicRate=400", "nicRate: read '400'"},
        {"star:delay=5", "delay: read '5'"},
        {"star:lossRate=1", "lossRate: read '1'"},
        {"star:bitErrorRate=1", "bitErrorRate: read '1'"},
        {"star:lossRate=nan", "lossRate: read 'nan'"},
        {"star:server=dgx-h1000", "one of the servers a100-pcie, dgx-1-v100, dgx-a100, "},
        {"star:server=", "one of the servers"},
        {"dumbbell:hosts=5", "gpus: read '5', expected an even number"},
        {"star:gpus=12,server=dgx-h100", "12 GPUs are no multiple of gpusPerServer 8"},
        {"star:nvlinkRate=1Gbps", "nothing in this topology depends on nvlinkRate"},
        {"star:nvlinkPlanes=1", "nvlinkDelay: read 'no value'"},
        {"single-server:nvlinkPlanes=64,nvlinkRate=7bps", "at least 1 bps for each"},
        {"single-server:nvlinkEfficiency=0", "nvlinkEfficiency: read '0'"},
        {"single-server:nvlinkEfficiency=1.1", "nvlinkEfficiency: read '1.1'"},
        {"single-server:pcieEfficiency=0.5", "nothing in this topology depends on pcieEfficiency"},
        {"single-server:server=l40s,nvlinkEfficiency=0.5", "depends on nvlinkEfficiency"},
        {"single-server:server=l40s,gpusPerServer=4", "gpusPerServer: read '4', expected 8"},
        {"star:gpus=8,server=l40s,gpusPerNic=3", "gpusPerNic: read '3', expected a divisor"},
        {"fat-tree:k=8,server=l40s", "gpusPerNic: read '2', expected 1"},
        {"single-server:server=host,nvlinkPlanes=1,nvlinkDelay=1ns", "nvlinkRate: read 'no value'"},
        {"rail-optimized:gpus=8,rails=3", "rails: read '3', expected a divisor of gpusPerServer 8"},
        {"rail-optimized:gpus=8,rails=4,gpusPerNic=8", "a multiple of gpusPerNic 8"},
        {"single-server:nicRate=1Gbps", "read 'nicRate', expected one of the parameters"},
        {"leaf-spine:gpus=10,leaves=4", "a multiple of the 4 leaves"},
        {"leaf-spine:leaves=0", "leaves: read '0'"},
        {"leaf-spine:gpus=65535,leaves=65535,spines=65535", "a topology of up to 16777216 links"},
        {"fat-tree:k=5", "k: read '5', expected an even number"},
        {"fat-tree:k=130", "k: read '130'"},
        {"fat-tree:k=2,server=dgx-h100", "2 GPUs are no multiple"},
        {"rail-optimized:gpus=4", "4 GPUs are no multiple of gpusPerServer 8"},
        {"rail-optimised:gpus=64", "templates: dcn-plus, dumbbell, fat-tree, leaf-spine, rail-only, rail-optimized"},
        {"no/such/file.txt",
         "no/such/file.txt: read 'no such file or template', expected a topology file"},
        {"no/such/file.json:gpus=4", "expected a topology file, or a template"},
        {"", "expected a topology file, or a template"},
        {"/", "/: read 'a directory', expected a topology file"},
    };

    for (const auto& c : cases)
    {
        EXPECT_NE(ErrorOf(c.spec).find(c.expected), std::string::npos)
            << c.spec << " gave: " << ErrorOf(c.spec);
    }
}

TEST(FabricTopologyTemplate, FindsTemplatesOfTheUser)
{
    const TemplateFolder folder;
    const std::string path =
        folder.Write("mine.json",
                     R"({"name": "mine", "doc": "three hosts", "structure": "ns3::StarStructure",
                         "include": ["parameters/server.json", "parameters/network.json"],
                         "defaults": {"nicRate": "10Gbps"},
                         "parameters": [{"name": "gpus", "type": "integer", "minimum": 1,
                                         "maximum": 4, "default": 3, "doc": "hosts"}]})");
    EXPECT_EQ(LoadTopology("mine").GetGpuCount(), 3U);
    EXPECT_EQ(LoadTopology("mine").links[0].rate.GetBitRate(), 10'000'000'000U);
    EXPECT_EQ(LoadTopology("mine:gpus=2").GetGpuCount(), 2U);
    EXPECT_EQ(LoadTopology(path).GetGpuCount(), 3U);
    EXPECT_EQ(LoadTopology(path + ":gpus=4").GetGpuCount(), 4U);
    EXPECT_NE(ErrorOf("mine:gpus=5").find("integer from 1 to 4"), std::string::npos);
    EXPECT_EQ(LoadTopology("star:gpus=2").GetGpuCount(), 2U); // the shipped ones are still there
}

TEST(FabricTopologyTemplate, RefusesBadTemplates)
{
    const TemplateFolder folder;
    const std::string head = R"({"name": "bad", "doc": "d", "structure": "ns3::StarStructure")";

    const struct
    {
        std::string text;
        const char* expected;
    } cases[] = {
        {"{\"name\": \"bad\",\n oops}", "bad.json: line 2: read '"},
        {"{\"name\": 1, \"name\": 2}", "read 'name', expected every key once"},
        {head + "", "a JSON document"},
        {head + R"(, "size": 1e999})", "a JSON document"},
        {head + ", \"size\": \"\xFF\"}", "a JSON document"},
        {"[1]", "a JSON object"},
        {R"({"name": "bad", "doc": "d"})", "structure: read 'nothing'"},
        {R"({"name": "bad", "doc": "d", "structure": "ns3::Node"})",
         "structure: read 'ns3::Node', expected the TypeId name"},
        {head + R"(, "size": 1})", "size: read 'size', expected one of the keys"},
        {head + R"(, "include": ["nowhere.json"]})", "include: read 'nowhere.json'"},
        {head + R"(, "defaults": {"gpus": 1}})", "defaults.gpus: read 'gpus'"},
        {head + R"(, "parameters": {"gpus": 1}})", "an array"},
        {head + R"(, "parameters": [{"name": "gpus"}]})", "parameters[0].type"},
        {head + R"(, "parameters": [{"name": "gpus", "type": "int"}]})",
         "parameters[0].type: read 'int'"},
        {head + R"(, "parameters": [{"name": "gpus", "type": "rate", "doc": ""}]})",
         "either default or defaultFrom"},
        {head + R"(, "parameters": [{"name": "x", "type": "integer", "doc": "", "default": 1,
                   "minimum": "a", "maximum": 2}]})",
         "read 'a', expected minimum"},
        {head + R"(, "include": ["parameters/server.json"]})", "read 'no value'"},
    };

    for (const auto& c : cases)
    {
        folder.Write("bad.json", c.text);
        EXPECT_NE(ErrorOf("bad").find(c.expected), std::string::npos)
            << c.text << " gave: " << ErrorOf("bad");
    }
    setenv("RAILYARD_TEMPLATES", "/nonexistent/folder", 1);
    EXPECT_NE(ErrorOf("star").find("RAILYARD_TEMPLATES: read '/nonexistent/folder'"),
              std::string::npos);
}
