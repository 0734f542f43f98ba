/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "test-paths.h"
#include "xml-under-test.h"

#include "ns3/config-error.h"
#include "ns3/hardware-table.h"
#include "ns3/nccl-topology.h"
#include "ns3/route-table.h"
#include "ns3/topology-loader.h"
#include "ns3/topology-validator.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000; //!< bit/s

/** \param body what stands in <system> \return the server */
TopologyServer
Read(const std::string& body)
{
    const std::string text = "<system version=\"1\">\n" + body + "</system>\n";
    return ReadNcclTopology(TextFile::FromString("file.xml", text), HardwareTable::Load());
}

/** \param body what stands in <system> \return the error, empty if there is none */
std::string
ErrorOf(const std::string& body)
{
    try
    {
        Read(body);
        return "";
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
}

/**
 * \param bus PCI bus of the GPU
 * \param attributes of <gpu>
 * \param inside what stands in <gpu>
 * \return a GPU on PCIe 5 x16
 */
std::string
Gpu(const std::string& bus, const std::string& attributes, const std::string& inside = "")
{
    return "<pci busid=\"0000:" + bus +
           ":00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"><gpu " +
           attributes + ">" + inside + "</gpu></pci>\n";
}

/**
 * \param bus PCI bus of the NIC
 * \param mbps speed of each of its ports
 * \param ports number of ports
 * \return a NIC on PCIe 4 x16
 */
std::string
Nic(const std::string& bus, const std::string& mbps, int ports = 1)
{
    std::string text = "<pci busid=\"0000:" + bus +
                       ":00.0\" class=\"0x020000\" link_speed=\"16 GT/s\" link_width=\"16\"><nic>";
    for (int port = 0; port < ports; port++)
    {
        text +=
            "<net name=\"mlx" + bus + "_" + std::to_string(port) + "\" speed=\"" + mbps + "\"/>";
    }
    return text + "</nic></pci>\n";
}

/** \param bus PCI bus \param inside devices \return a PCIe switch, PCIe 5 x16 */
std::string
Switch(const std::string& bus, const std::string& inside)
{
    return "<pci busid=\"0000:" + bus +
           ":00.0\" class=\"0x060400\" link_speed=\"32.0 GT/s PCIe\" link_width=\"16\">\n" +
           inside + "</pci>\n";
}

/** \param inside devices \return a NUMA node of an AMD CPU */
std::string
Cpu(const std::string& inside)
{
    return "<cpu numaid=\"0\" arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"143\" "
           "modelid=\"49\">\n" +
           inside + "</cpu>\n";
}

/** \param target bus \param count links \param tclass class \return NVLinks */
std::string
Nvlink(const std::string& target, int count, const std::string& tclass = "0x068000")
{
    return "<nvlink target=\"0000:" + target + ":00.0\" count=\"" + std::to_string(count) +
           "\" tclass=\"" + tclass + "\"/>";
}

/** \param server a server \return its notes in one text */
std::string
Notes(const TopologyServer& server)
{
    std::string notes;
    for (const std::string& note : server.notes)
    {
        notes += note + "\n";
    }
    return notes;
}

/** \param server a server \param name a parameter \return its default, empty without one */
std::string
Default(const TopologyServer& server, const std::string& name)
{
    const auto found = server.defaults.find(name);
    return found == server.defaults.end() ? "" : found->second;
}

} // namespace

TEST(FabricNcclTopology, ReadsNvSwitches)
{
    RAILYARD_NEED_XML();
    const TopologyServer server =
        Read(Cpu(Gpu("0A", "dev=\"0\" sm=\"90\"", Nvlink("c1", 5) + Nvlink("c0", 4)) +
                 Gpu("0b", "dev=\"1\" sm=\"90\"", Nvlink("C0", 4) + Nvlink("c1", 5))));
    EXPECT_EQ(server.gpuType, "H100");
    EXPECT_EQ(server.gpus, 2U);
    EXPECT_TRUE(server.nvls);
    EXPECT_EQ(server.nvswitchLinks, (std::vector<std::vector<uint32_t>>{{4, 5}, {4, 5}}));
    EXPECT_EQ(Default(server, "nvlinkPlanes"), "2");
    EXPECT_EQ(Default(server, "socketRate"), "128Gbps");
    EXPECT_TRUE(server.bridges.empty());
}

TEST(FabricNcclTopology, AGpuMayLackLinks)
{
    RAILYARD_NEED_XML();
    const std::string path = testing::TempDir() + "degraded.xml";
    std::ofstream(path) << "<system version='1'>"
                        << Cpu(Gpu("0a", "sm=\"80\"", Nvlink("c0", 6) + Nvlink("c1", 6)) +
                               Gpu("0b", "sm=\"80\"", Nvlink("c0", 6)))
                        << "</system>";
    const Topology topology = LoadTopology(path);
    ASSERT_EQ(topology.links.size(), 3U);
    for (const TopologyLink& link : topology.links)
    {
        EXPECT_EQ(link.rate.GetBitRate(), 1200 * GBPS);
    }
    const Topology merged = LoadTopology("single-server:nvlinkPlanes=1,server=" + path);
    ASSERT_EQ(merged.links.size(), 2U);
    EXPECT_EQ(merged.links[0].rate.GetBitRate(), 2400 * GBPS);
    EXPECT_EQ(merged.links[1].rate.GetBitRate(), 1200 * GBPS);
    EXPECT_FALSE(merged.nodes[2].offload);
}

TEST(FabricNcclTopology, ReadsDirectLinksAndXgmi)
{
    RAILYARD_NEED_XML();
    const TopologyServer nvlink =
        Read(Cpu(Gpu("0a", "dev=\"0\" sm=\"80\"", Nvlink("0b", 12, "0x030200")) +
                 Gpu("0b", "dev=\"1\" sm=\"80\"", Nvlink("0a", 12, "0x030200")) +
                 Gpu("0c",
                     "dev=\"2\" sm=\"80\"",
                     Nvlink("0c", 12, "0x030200") + Nvlink("0d", 4, "0x030200"))));
    ASSERT_EQ(nvlink.bridges.size(), 1U);
    EXPECT_EQ(nvlink.bridges[0].a, 0U);
    EXPECT_EQ(nvlink.bridges[0].b, 1U);
    EXPECT_EQ(nvlink.bridges[0].count, 12U);
    EXPECT_EQ(Default(nvlink, "nvlinkPlanes"), "0");
    EXPECT_NE(Notes(nvlink).find("ignores 12 NVLinks of a GPU to itself"), std::string::npos);
    EXPECT_NE(Notes(nvlink).find("ignores 4 NVLinks to devices"), std::string::npos);
    const TopologyServer xgmi = Read(
        Cpu(Gpu("0a", "sm=\"304\" gcn=\"gfx942\"", "<xgmi target=\"0000:0b:00.0\" count=\"1\"/>") +
            Gpu("0b", "sm=\"304\" gcn=\"gfx942\"")));
    EXPECT_EQ(xgmi.gpuType, "MI300X");
    ASSERT_EQ(xgmi.bridges.size(), 1U);
    EXPECT_FALSE(xgmi.nvls);
}

TEST(FabricNcclTopology, NumbersGpusAsCudaDoes)
{
    RAILYARD_NEED_XML();
    const auto order = [](const std::string& a, const std::string& b) {
        const TopologyServer server =
            Read(Cpu(Gpu("0b", a, Nvlink("c0", 1)) + Gpu("0a", b, Nvlink("c0", 2))));
        return server.nvswitchLinks[0][0]; // of GPU 0: 1 is the first of the file
    };
    EXPECT_EQ(order("dev=\"0\"", "dev=\"1\""), 1U);
    EXPECT_EQ(order("dev=\"1\"", "dev=\"0\""), 2U);
    EXPECT_EQ(order("dev=\"0\" rank=\"3\"", "dev=\"0\" rank=\"2\""), 2U);
    EXPECT_EQ(order("dev=\"0\" rank=\"2\"", "dev=\"0\" rank=\"3\""), 1U);
    EXPECT_EQ(order("", ""), 2U) << "by bus id";
    EXPECT_EQ(order("dev=\"0\"", ""), 2U) << "by bus id";
}

TEST(FabricNcclTopology, KnowsGpusByDeviceThenByArchitecture)
{
    RAILYARD_NEED_XML();
    const auto type = [](const std::string& device, const std::string& gpu) {
        return Read(Cpu("<pci busid=\"0\" class=\"0x030200\"" + device + "><gpu " + gpu +
                        "/></pci>\n"))
            .gpuType;
    };
    EXPECT_EQ(type(" device=\"0x2335\"", "sm=\"90\""), "H200");
    EXPECT_EQ(type(" device=\"0xffff\"", "sm=\"90\""), "H100");
    EXPECT_EQ(type("", "sm=\"70\""), "V100");
    EXPECT_EQ(type("", "sm=\"90\" gcn=\"gfx942\""), "MI300X");
    EXPECT_EQ(type("", "sm=\"12\""), "");
    EXPECT_EQ(type("", ""), "");
}

TEST(FabricNcclTopology, KeepsThePcieTree)
{
    RAILYARD_NEED_XML();
    // A switch of which one downstream port has a GPU and one a switch with two; a bridge to one
    // GPU.
    const std::string slow = "<pci busid=\"0000:20:00.0\" class=\"0x060400\" link_speed=\"5.0 GT/s "
                             "PCIe\" link_width=\"8\">" +
                             Gpu("21", "") + "</pci>\n";
    const TopologyServer server = Read(
        Cpu(Switch("10",
                   Switch("11", Gpu("12", "")) + Switch("13", Gpu("14", "") + Gpu("15", ""))) +
            slow) +
        Cpu("<pci busid=\"0000:30:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"0\"/>\n") +
        Cpu(Nic("40", "100000")));
    ASSERT_EQ(server.gpus, 5U);
    constexpr uint32_t ROOT = TopologyServerPcieSwitch::ROOT;
    ASSERT_EQ(server.pcieSwitches.size(), 4U) << "the third NUMA node has no GPU";
    EXPECT_EQ(server.pcieSwitches[0].parent, ROOT);
    EXPECT_EQ(server.pcieSwitches[1].parent, 0U);
    EXPECT_EQ(server.pcieSwitches[2].parent, 1U);
    EXPECT_EQ(server.pcieSwitches[3].parent, ROOT);
    const uint64_t gen5 = 504'123'076'923;
    EXPECT_EQ(server.pcieSwitches[2].rateBps, gen5);
    const uint32_t above[] = {1, 2, 2, 0, 3};
    const uint64_t rate[] = {gen5, gen5, gen5, 32 * GBPS, 126'030'769'230};
    for (uint32_t gpu = 0; gpu < 5; gpu++)
    {
        EXPECT_EQ(server.pciePorts[gpu].above, above[gpu]) << gpu;
        EXPECT_EQ(server.pciePorts[gpu].rateBps, rate[gpu]) << gpu;
    }
    EXPECT_NE(Notes(server).find("1 PCIe links have no speed or width"), std::string::npos);
}

TEST(FabricNcclTopology, GivesGpusTheNicsNextToThem)
{
    RAILYARD_NEED_XML();
    // Per switch two GPUs and a NIC; a NIC at the root is farther away.
    const std::string two = Gpu("11", "") + Nic("12", "200000") + Gpu("13", "");
    const std::string more = Gpu("21", "") + Gpu("22", "") + Nic("23", "200000");
    const TopologyServer shared =
        Read(Cpu(Nic("05", "25000") + Switch("10", two) + Switch("20", more)));
    EXPECT_EQ(Default(shared, "gpusPerNic"), "2");
    EXPECT_EQ(Default(shared, "nicsPerGpu"), "1");
    EXPECT_EQ(Default(shared, "nicRate"), "200000000000bps");
    EXPECT_NE(Notes(shared).find("no GPU uses mlx05_0"), std::string::npos);

    const TopologyServer several =
        Read(Cpu(Switch("10", Gpu("11", "") + Nic("12", "100000", 2) + Nic("13", "100000"))) +
             Cpu(Switch("20", Gpu("21", "") + Nic("22", "100000", 3))));
    EXPECT_EQ(Default(several, "nicsPerGpu"), "3");
    EXPECT_EQ(Default(several, "gpusPerNic"), "1");

    const TopologyServer far =
        Read(Cpu(Switch("10", Gpu("11", "") + Nic("12", "100000"))) + Cpu(Gpu("21", "")));
    EXPECT_EQ(Default(far, "gpusPerNic"), "2") << "by the link between sockets";

    const TopologyServer uneven =
        Read(Cpu(Switch("10", Gpu("11", "") + Nic("12", "100000")) +
                 Switch("20", Gpu("21", "") + Nic("22", "100000") + Nic("23", "100000"))));
    EXPECT_EQ(Default(uneven, "nicsPerGpu"), "");
    EXPECT_NE(Notes(uneven).find("not spread evenly"), std::string::npos);

    const TopologyServer apart = Read(
        Cpu(Switch("10", Gpu("11", "dev=\"0\"") + Gpu("12", "dev=\"2\"") + Nic("13", "100000")) +
            Switch("20", Gpu("21", "dev=\"1\"") + Gpu("22", "dev=\"3\"") + Nic("23", "100000"))));
    EXPECT_NE(Notes(apart).find("not spread evenly"), std::string::npos)
        << "those that share a NIC are no neighbours";

    const TopologyServer mixed = Read(Cpu(Switch("10", Gpu("11", "") + Nic("12", "100000")) +
                                          Switch("20", Gpu("21", "") + Nic("22", "200000"))));
    EXPECT_EQ(Default(mixed, "nicsPerGpu"), "1");
    EXPECT_EQ(Default(mixed, "nicRate"), "");
    EXPECT_NE(Notes(mixed).find("not equally fast"), std::string::npos);

    const TopologyServer limited = Read(Cpu(Gpu("11", "") + Nic("12", "400000")));
    EXPECT_EQ(Default(limited, "nicRate"), "252061538461bps");
    EXPECT_NE(Notes(limited).find("slower than the NIC"), std::string::npos);

    const TopologyServer host =
        Read(Cpu(Gpu("11", "") + "<nic><net name=\"eth0\" speed=\"10000\"/></nic>"));
    EXPECT_EQ(Default(host, "nicRate"), "10000000000bps");
    EXPECT_NE(Notes(Read(Cpu(Gpu("11", "")))).find("has no NICs"), std::string::npos);
    EXPECT_NE(Notes(Read(Cpu(Gpu("11", "") + "<pci busid=\"1\" class=\"0x020700\"/>")))
                  .find("no speed of NICs"),
              std::string::npos);
}

TEST(FabricNcclTopology, IsATopologyAndTheServerOfATemplate)
{
    RAILYARD_NEED_XML();
    const std::string path = testing::TempDir() + "server.xml";
    const std::string links = Nvlink("c0", 2);
    std::ofstream(path) << "<!-- a comment -->\n<system version='2'>"
                        << Cpu(Switch("10", Gpu("11", "sm=\"80\"", links) + Nic("12", "200000")) +
                               Switch("20", Gpu("21", "sm=\"80\"", links) + Nic("22", "200000")))
                        << "</system>";
    const Topology alone = LoadTopology(path);
    EXPECT_EQ(alone.source, path);
    EXPECT_EQ(alone.gpuType, "A100");
    EXPECT_EQ(alone.GetGpuCount(), 2U);
    ASSERT_EQ(alone.links.size(), 2U);
    EXPECT_EQ(alone.links[0].rate.GetBitRate(), 400 * GBPS);
    EXPECT_TRUE(ValidateTopology(alone).errors.empty());
    const Topology cluster = LoadTopology("rail-optimized:gpus=8,spines=1,server=" + path);
    EXPECT_EQ(cluster.nodes.size(), 8U + 4 + 2 + 1);
    const RouteTable routes(cluster, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(routes.GetPath(0, 2).rate.GetBitRate(), 200 * GBPS);
    const Topology pcie = LoadTopology("single-server:nvlinkPlanes=0,server=" + path);
    EXPECT_EQ(pcie.GetNodeName(2), "pcie0");
    std::ofstream(path) << "<system version='1'>"
                        << Cpu(Gpu("11", "") + "<pci busid=\"1\" class=\"0x020700\"/>")
                        << "</system>";
    try
    {
        LoadTopology("rail-optimized:gpus=2,server=" + path);
        ADD_FAILURE() << "built a network of NICs without a speed";
    }
    catch (const ConfigError& error)
    {
        EXPECT_NE(std::string(error.what()).find("it would be that of nicRate"), std::string::npos)
            << error.what();
    }
    EXPECT_THROW(LoadTopology("single-server:gpusPerServer=4,server=" + path), ConfigError);
    EXPECT_THROW(LoadTopology("single-server:server=no-such-file.xml"), ConfigError);
}

TEST(FabricNcclTopology, SaysWhatIsWrongAndWhere)
{
    RAILYARD_NEED_XML();
    const std::pair<std::string, const char*> cases[] = {
        {Cpu(""), "line 1: read 'no GPU'"},
        {Cpu("<pci busid=\"1\"/>"), "read 'no GPU'"},
        {Gpu("11", ""), "read 'no GPU'"}, // outside a <cpu>
        {Cpu("<pci class=\"0x030200\"/>"), "line 3: read '<pci> without busid'"},
        {Cpu(Gpu("11", "") + Gpu("11", "")), "line 4: read '0000:11:00.0', expected every bus id"},
        {Cpu(Gpu("11", "", "<nvlink count=\"1\"/>")), "read '<nvlink> without target'"},
        {Cpu(Gpu("11", "", "<nvlink target=\"1\"/>")), "read '<nvlink> without count'"},
        {Cpu(Gpu("11", "", Nvlink("c0", 0))), "line 3: read '0', expected number of links"},
        {Cpu(Gpu("11", "", "<nvlink target=\"1\" count=\"two\"/>")), "read 'two'"},
        {Cpu(Gpu("11", "", Nvlink("12", 2, "0x030200")) +
             Gpu("12", "", Nvlink("11", 1, "0x030200"))),
         "line 3: read '2 links', expected 1, as many as the other GPU has"},
        {Cpu(Gpu("11", "", Nvlink("c0", 2)) + Gpu("12", "")),
         "line 4: read 'GPU 0000:12:00.0 without NVLinks'"},
        {Cpu(Gpu("11", "") + Nic("12", "fast")), "line 4: read 'fast', expected speed"},
        {Cpu("<pci busid=\"1\" class=\"0x030200\" link_width=\"64\"/>"), "read '64'"},
    };
    for (const auto& [body, expected] : cases)
    {
        const std::string error = ErrorOf(body);
        EXPECT_NE(error.find(expected), std::string::npos) << body << " gave: " << error;
    }
    EXPECT_NE(Notes(Read("<gin/>" + Cpu(Gpu("11", "", "<abc/>") + "<def/>")))
                  .find("ignores elements <abc>, <def>, <gin>"),
              std::string::npos);
    const std::pair<const char*, const char*> roots[] = {
        {"<graphs version=\"1\"/>",
         "line 1: read '<graphs>', expected <system>: this is a dump of"},
        {"<algo/>", "read '<algo>', expected <system>"},
        {"<system/>", "read '<system> without version'"},
        {"<system version=\"3\"/>", "read '3'"},
        {"<system version=\"1\">", "an XML document"},
    };
    for (const auto& [text, expected] : roots)
    {
        try
        {
            ReadNcclTopology(TextFile::FromString("file.xml", text), HardwareTable::Load());
            ADD_FAILURE() << "accepted " << text;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

namespace
{

/** What a real file must give. */
struct RealNccl
{
    const char* name;        //!< name of the file
    const char* gpuType;     //!< GPU type
    uint32_t gpus;           //!< GPUs
    uint32_t nvswitches;     //!< NVSwitches
    uint32_t bridges;        //!< pairs of GPUs with direct links
    uint32_t pcieSwitches;   //!< PCIe switches and root complexes with GPUs below
    const char* nicsPerGpu;  //!< default
    const char* gpusPerNic;  //!< default
    const char* nicRateMbps; //!< default, empty if there is none
};

const RealNccl REAL_FILES[] = {
    {"aws-p4d-24xl-topo.xml", "A100", 8, 0, 0, 6, "1", "2", ""},
    {"aws-p4de-24xl-topo.xml", "A100", 8, 0, 0, 6, "1", "2", ""},
    {"aws-p5.48xl-topo.xml", "H100", 8, 0, 0, 9, "4", "1", "100000"},
    {"azure-ncv4-topo.xml", "A100", 4, 0, 0, 4, "1", "4", "100000"},
    {"azure-ndv2-topo.xml", "", 8, 0, 0, 2, "1", "8", ""},
    {"azure-ndv4-topo.xml", "", 8, 0, 0, 8, "1", "1", ""},
    {"azure-ndv5-topo.xml", "", 8, 0, 0, 10, "1", "1", ""},
    {"oci-H100-topology-kubernetes.xml", "H100", 8, 4, 0, 10, "2", "1", "200000"},
    {"oci-H100-topology.xml", "H100", 8, 4, 0, 10, "2", "1", "180000"},
    {"oci-topo-flattened-b4.xml", "", 8, 0, 0, 8, "1", "1", ""},
    {"oci-topo-flattened.xml", "", 8, 0, 0, 8, "1", "1", ""},
    {"rccl-topo_16p1h.xml", "MI250X", 16, 0, 28, 16, "1", "2", "200000"},
    {"rccl-topo_8p_940.xml", "MI300X", 8, 0, 28, 10, "1", "1", "400000"},
    {"rccl-topo_8p_rome_4nics.xml", "MI100", 8, 0, 12, 8, "1", "2", "200000"},
    {"rccl-topo_collnet_n4.xml", "MI100", 8, 0, 12, 8, "1", "2", "200000"},
    {"simccl-topo_1A100_1CX6.xml", "A100", 1, 6, 0, 2, "1", "1", "200000"},
    {"simccl-topo_8A100_4CX6.xml", "A100", 8, 6, 0, 10, "1", "2", "200000"},
};

} // namespace

TEST(FabricNcclTopology, RealFilesLoadUnedited)
{
    RAILYARD_NEED_SHARED_FILES();
    RAILYARD_NEED_XML();
    std::size_t seen = 0;
    for (const auto& file :
         std::filesystem::directory_iterator(SharedDir() + "/data/realfiles/nccl-topo"))
    {
        SCOPED_TRACE(file.path());
        const std::string name = file.path().filename().string();
        const auto real = std::find_if(std::begin(REAL_FILES),
                                       std::end(REAL_FILES),
                                       [&](const RealNccl& one) { return one.name == name; });
        if (real == std::end(REAL_FILES))
        {
            EXPECT_THROW(LoadTopology(file.path().string()), ConfigError);
            continue;
        }
        seen++;
        const TopologyServer server = TopologyServer::Read(file.path().string());
        EXPECT_EQ(server.bridges.size(), real->bridges);
        EXPECT_EQ(server.pcieSwitches.size(), real->pcieSwitches);
        EXPECT_EQ(Default(server, "nicsPerGpu"), real->nicsPerGpu);
        EXPECT_EQ(Default(server, "gpusPerNic"), real->gpusPerNic);
        const std::string mbps = real->nicRateMbps;
        EXPECT_EQ(Default(server, "nicRate"), mbps.empty() ? "" : mbps + "000000bps");
        const Topology topology = LoadTopology(file.path().string());
        EXPECT_EQ(topology.gpuType, real->gpuType);
        EXPECT_EQ(topology.GetGpuCount(), real->gpus);
        EXPECT_EQ(topology.notes, server.notes);
        const auto nvswitches =
            std::count_if(topology.nodes.begin(), topology.nodes.end(), [](const auto& node) {
                return node.kind == TopologyNodeKind::NVSWITCH;
            });
        EXPECT_EQ(nvswitches, real->nvswitches);
        const TopologyFindings findings = ValidateTopology(topology);
        EXPECT_TRUE(findings.errors.empty());
        EXPECT_TRUE(findings.warnings.empty()) << "every pair of GPUs has a route";
        const std::string network =
            "rail-optimized:spines=1,nicRate=100Gbps,gpus=" + std::to_string(2 * real->gpus);
        EXPECT_TRUE(ValidateTopology(LoadTopology(network + ",server=" + file.path().string()))
                        .errors.empty());
    }
    EXPECT_EQ(seen, std::size(REAL_FILES));
}

TEST(FabricNcclTopology, RealGraphsAndEmptyTopologiesAreRefusedWithTheReason)
{
    RAILYARD_NEED_SHARED_FILES();
    RAILYARD_NEED_XML();
    for (const auto& [name, expected] :
         {std::pair("azure-ncv4-graph.xml", "line 1: read '<graphs>'"),
          std::pair("aws-g5.48xl-topo.xml", "line 12: read 'no GPU'")})
    {
        try
        {
            LoadTopology(SharedDir() + "/data/realfiles/nccl-topo/" + name);
            ADD_FAILURE() << "loaded " << name;
        }
        catch (const ConfigError& error)
        {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST(FabricNcclTopology, EveryTruncationOfARealFileIsAnError)
{
    RAILYARD_NEED_SHARED_FILES();
    RAILYARD_NEED_XML();
    const TextFile file(SharedDir() + "/data/realfiles/nccl-topo/simccl-topo_1A100_1CX6.xml");
    const std::string text = file.GetText();
    const std::size_t complete = text.find_last_of('>') + 1;
    const HardwareTable table = HardwareTable::Load();
    for (std::size_t size = 1; size < complete; size++)
    {
        EXPECT_THROW(ReadNcclTopology(TextFile::FromString("cut", text.substr(0, size)), table),
                     ConfigError)
            << "cut at byte " << size;
    }
}
