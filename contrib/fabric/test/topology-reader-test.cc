/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/topology-file-reader.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** 2 servers of 2 GPUs, an NVSwitch each, 2 rail switches; no spine. */
const std::string SIMAI = "8 2 2 2 8 H100\n"
                          "4 5 6 7\n"
                          "0 4 2880Gbps 0.000025ms 0\n"
                          "0 6 400Gbps 0.0005ms 0\n"
                          "1 4 2880Gbps 0.000025ms 0\n"
                          "1 7 400Gbps 0.0005ms 0\n"
                          "2 5 2880Gbps 0.000025ms 0\n"
                          "2 6 400Gbps 0.0005ms 0\n"
                          "3 5 2880Gbps 0.000025ms 0\n"
                          "3 7 400Gbps 0.0005ms 0.25\n";

/** \param text a topology file \return the topology */
Topology
Read(const std::string& text)
{
    return ReadTopologyFile(TextFile::FromString("file", text));
}

/** \param text a topology file that is wrong \return the error, empty if there is none */
std::string
ErrorOf(const std::string& text)
{
    try
    {
        Read(text);
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "";
}

/**
 * \param text a text
 * \param from a part of it
 * \param to what shall stand there
 * \return the text with its first such part replaced
 */
std::string
Replace(std::string text, const std::string& from, const std::string& to)
{
    return text.replace(text.find(from), from.size(), to);
}

/** \param topology a topology \return its notes in one text */
std::string
Notes(const Topology& topology)
{
    std::string notes;
    for (const std::string& note : topology.notes)
    {
        notes += note + "\n";
    }
    return notes;
}

/**
 * \param announced link count in the first line
 * \param lines link lines that follow
 * \return the file of case H11 a: 8 GPUs, 1 NVSwitch, 9 switches
 */
std::string
MakeH11(uint32_t announced, uint32_t lines)
{
    std::string text =
        "18 8 1 9 " + std::to_string(announced) + " A100\n8 9 10 11 12 13 14 15 16 17\n";
    for (uint32_t i = 0; i < lines; i++)
    {
        const uint32_t peer = i < 8 ? 8 : i < 16 ? i + 1 : 17;
        text += std::to_string(i < 16 ? i % 8 : i - 7) + " " + std::to_string(peer) +
                " 100Gbps 0.0005ms 0\n";
    }
    return text;
}

} // namespace

TEST(FabricTopologyReader, ReadsSimAi)
{
    const Topology topology = Read(SIMAI);
    EXPECT_EQ(topology.source, "file");
    EXPECT_EQ(topology.gpuType, "H100");
    EXPECT_EQ(topology.gpusPerServer, 2U);
    EXPECT_EQ(topology.GetGpuCount(), 4U);
    ASSERT_EQ(topology.nodes.size(), 8U);
    ASSERT_EQ(topology.links.size(), 8U);
    EXPECT_TRUE(topology.notes.empty());
    EXPECT_EQ(topology.nodes[2].server, 1);
    EXPECT_EQ(topology.nodes[4].kind, TopologyNodeKind::NVSWITCH);
    EXPECT_EQ(topology.nodes[5].server, 1);
    EXPECT_TRUE(topology.nodes[5].offload);
    EXPECT_FALSE(topology.nodes[0].offload);
    EXPECT_FALSE(topology.nodes[6].offload);
    EXPECT_EQ(topology.nodes[6].kind, TopologyNodeKind::SWITCH);
    EXPECT_EQ(topology.nodes[6].server, -1);
    EXPECT_EQ(topology.nodes[6].tier, 0);
    EXPECT_EQ(topology.nodes[6].id, 6U);
    EXPECT_EQ(topology.links[0].kind, TopologyLinkKind::NVLINK);
    EXPECT_EQ(topology.links[0].rate.GetBitRate(), 2'880'000'000'000U);
    EXPECT_EQ(topology.links[0].delay, NanoSeconds(25));
    EXPECT_EQ(topology.links[7].kind, TopologyLinkKind::ETHERNET);
    EXPECT_EQ(topology.links[7].a, 3U);
    EXPECT_EQ(topology.links[7].b, 7U);
    EXPECT_DOUBLE_EQ(topology.links[7].lossRate, 0.25);
}

TEST(FabricTopologyReader, TheGpuTypeSaysWhetherNvSwitchesOffload)
{
    for (const auto& [type, offload] : {std::pair("A100", false),
                                        std::pair("V100", false),
                                        std::pair("H20", true),
                                        std::pair("GB200", true),
                                        std::pair("Unknown", false)})
    {
        std::string text = SIMAI;
        text.replace(text.find("H100"), 4, type);
        EXPECT_EQ(Read(text).nodes[4].offload, offload) << type;
    }
}

TEST(FabricTopologyReader, ALinkMayHaveABitErrorRate)
{
    const Topology topology = ReadTopologyFile(
        TextFile::FromString("hpcc", "3 1 2\n2\n0 2 100Gbps 1us 0.25 1e-9\n1 2 100Gbps 1us 0\n"));
    EXPECT_DOUBLE_EQ(topology.links[0].lossRate, 0.25);
    EXPECT_DOUBLE_EQ(topology.links[0].bitErrorRate, 1e-9);
    EXPECT_EQ(topology.links[1].bitErrorRate, 0.0);
}

TEST(FabricTopologyReader, ReadsAnyBlanksAndLineEnds)
{
    std::string text = SIMAI;
    for (std::size_t i = 0; (i = text.find('\n', i)) != std::string::npos; i += 4)
    {
        text.replace(i, 1, " \t\r\n");
    }
    for (std::size_t i = 0; (i = text.find("Gbps ", i)) != std::string::npos; i += 4)
    {
        text.replace(i, 5, "Gbps\t ");
    }
    const Topology clean = Read(SIMAI);
    const Topology topology = Read("\n\r\n" + Replace(text, "4 5 6 7", "4\r\n5 6\r\n\r\n7"));
    ASSERT_EQ(topology.links.size(), clean.links.size());
    for (std::size_t i = 0; i < clean.links.size(); i++)
    {
        EXPECT_EQ(topology.links[i].a, clean.links[i].a);
        EXPECT_EQ(topology.links[i].b, clean.links[i].b);
        EXPECT_EQ(topology.links[i].rate, clean.links[i].rate);
        EXPECT_EQ(topology.links[i].delay, clean.links[i].delay);
        EXPECT_EQ(topology.links[i].kind, clean.links[i].kind);
    }
}

TEST(FabricTopologyReader, NumbersGpusFirstWhateverTheirIds)
{
    const Topology topology = Read("5 1 4\n2\n0 2 10Gbps 1us 0\n2 1 10Gbps 1us 0\n"
                                   "2 3 10Gbps 1us 0\n4 2 10Gbps 1us 0\n");
    EXPECT_EQ(topology.GetGpuCount(), 4U);
    EXPECT_EQ(topology.nodes[2].id, 3U);
    EXPECT_EQ(topology.nodes[4].id, 2U);
    EXPECT_EQ(topology.nodes[4].kind, TopologyNodeKind::SWITCH);
    EXPECT_EQ(topology.links[3].a, 3U);
    EXPECT_EQ(topology.links[3].b, 4U);
    EXPECT_EQ(topology.GetNodesByFileId(), (std::vector<uint32_t>{0, 1, 4, 2, 3}));
    EXPECT_NE(Notes(topology).find("rank 0 is node 0"), std::string::npos);

    Topology plain;
    plain.nodes.resize(3);
    EXPECT_EQ(plain.GetNodesByFileId(), (std::vector<uint32_t>{0, 1, 2}));
}

TEST(FabricTopologyReader, H14ReadsGpusWiredDirectly)
{
    const Topology topology = Read("4 4 0 0 3 V100\n\n0 1 200Gbps 5us 0\n1 2 400Gbps 5us 0\n"
                                   "2 3 200Gbps 5us 0\n");
    EXPECT_EQ(topology.GetGpuCount(), 4U);
    for (const TopologyLink& link : topology.links)
    {
        EXPECT_EQ(link.kind, TopologyLinkKind::NVLINK);
    }
    EXPECT_EQ(Read("2 2 0 0 1 V100\n0 1 200Gbps 5us 0\n").links.size(), 1U);
    EXPECT_EQ(Read("2 0 1\n0 1 200Gbps 5us 0\n").links[0].kind, TopologyLinkKind::ETHERNET);
}

TEST(FabricTopologyReader, H15ReadsSeveralNvswitchPlanes)
{
    const Topology topology = Read("4 2 2 0 4 H100\n2 3\n0 2 1000Gbps 25ns 0\n0 3 800Gbps 25ns 0\n"
                                   "1 2 1000Gbps 25ns 0\n1 3 800Gbps 25ns 0\n");
    EXPECT_EQ(topology.GetPorts(TopologyLinkKind::NVLINK)[0].size(), 2U);
    EXPECT_EQ(topology.nodes[2].server, 0);
    EXPECT_EQ(topology.nodes[3].server, 0);
}

TEST(FabricTopologyReader, LeavesAnNvswitchOfSeveralServersInNone)
{
    const Topology topology = Read("3 1 1 0 2 H100\n2\n0 2 1000Gbps 25ns 0\n1 2 1000Gbps 25ns 0\n");
    EXPECT_EQ(topology.nodes[1].server, 1);
    EXPECT_EQ(topology.nodes[2].server, -1);
}

TEST(FabricTopologyReader, KeepsParallelLinks)
{
    const Topology topology =
        Read("3 1 3\n2\n0 2 10Gbps 1us 0\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n");
    const auto ports = topology.GetPorts(TopologyLinkKind::ETHERNET);
    EXPECT_EQ(ports[0], (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(ports[2], (std::vector<uint32_t>{0, 1, 2}));
}

TEST(FabricTopologyReader, ReadsNs3Datacenter)
{
    const Topology four = Read("3 1 1 2\n2\n0 2 25000000000.0 1us 0\n1 2 25000000000.0 1us 0\n");
    EXPECT_EQ(four.links[1].rate.GetBitRate(), 25'000'000'000U);
    EXPECT_EQ(four.gpusPerServer, 1U);
    EXPECT_EQ(four.nodes[1].server, 1);
    const Topology six = Read("3 1 1 2 25000000000 25000000000\n2\n0 2 25000000000 1us 0\n"
                              "1 2 25000000000 1us 0\n");
    EXPECT_EQ(six.links.size(), 2U);
}

TEST(FabricTopologyReader, AssignsTiers)
{
    const Topology topology = Read("5 3 4\n2 3 4\n0 2 10Gbps 1us 0\n1 3 10Gbps 1us 0\n"
                                   "2 4 10Gbps 1us 0\n3 4 10Gbps 1us 0\n");
    EXPECT_EQ(topology.nodes[0].tier, -1);
    EXPECT_EQ(topology.nodes[2].tier, 0);
    EXPECT_EQ(topology.nodes[3].tier, 0);
    EXPECT_EQ(topology.nodes[4].tier, 1);
}

TEST(FabricTopologyReader, H11aMoreLinkLinesThanAnnounced)
{
    const Topology topology = Read(MakeH11(20, 24));
    EXPECT_EQ(topology.links.size(), 20U);
    ASSERT_EQ(topology.notes.size(), 1U);
    EXPECT_EQ(topology.notes[0],
              "line 1 announces 20 links, 24 link lines follow: loads the first 20 links, ignores "
              "4 more link lines");
    EXPECT_TRUE(Read(MakeH11(24, 24)).notes.empty());
}

TEST(FabricTopologyReader, H11aFewerLinkLinesThanAnnounced)
{
    EXPECT_EQ(ErrorOf(MakeH11(24, 20)),
              "file: line 1: read '24', expected link count (20 link lines follow)");
}

TEST(FabricTopologyReader, H11bIgnoresTrailingText)
{
    const std::string text = "3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n";
    const Topology trailer = Read(text + "\nFirst line: total node #, switch node #\n...\n");
    EXPECT_EQ(Notes(trailer), "loads 2 links, ignores trailing text (2 lines)\n");
    const Topology both = Read(text + "0 7 10Gbps 1us 0\nsrc0 dst0 rate\n");
    EXPECT_EQ(Notes(both),
              "line 1 announces 2 links, 3 link lines follow: loads the first 2 links, ignores 1 "
              "more link line and trailing text (1 line)\n");
    EXPECT_EQ(both.links.size(), 2U);
}

/** A wrong file and what its error must say. */
struct BadTopology
{
    const char* what;     //!< what is wrong
    std::string text;     //!< the file
    const char* expected; //!< part of the error
};

TEST(FabricTopologyReader, H11RefusesBadFiles)
{
    const std::string link = "3 5 2880Gbps 0.000025ms 0";
    const BadTopology cases[] = {
        {"c: split rate",
         Replace(SIMAI, link, "3 5 2880 Gbps 0.000025ms 0"),
         "line 9: read '2880 Gbps'"},
        {"c: bytes", Replace(SIMAI, link, "3 5 400GBps 1us 0"), "line 9: read '400GBps'"},
        {"c: no rate", Replace(SIMAI, link, "3 5 1us 0"), "line 9: read '3 5 1us 0', expected 5"},
        {"rate without unit", Replace(SIMAI, link, "3 5 400 1us 0"), "line 9: read '400'"},
        {"rate 0", Replace(SIMAI, link, "3 5 0Gbps 1us 0"), "line 9: read '0Gbps'"},
        {"negative rate", Replace(SIMAI, link, "3 5 -1Gbps 1us 0"), "line 9: read '-1Gbps'"},
        {"d: node id",
         Replace(SIMAI, link, "3 8 1Gbps 1us 0"),
         "line 9: read '8', expected destination node (integer from 0 to 7)"},
        {"d: source id",
         Replace(SIMAI, link, "99 5 1Gbps 1us 0"),
         "line 9: read '99', expected source node"},
        {"d: self link", Replace(SIMAI, link, "3 3 1Gbps 1us 0"), "line 9: read '3'"},
        {"negative id", Replace(SIMAI, link, "-3 5 1Gbps 1us 0"), "line 9: read '-3 5"},
        {"fractional id", Replace(SIMAI, link, "3.0 5 1Gbps 1us 0"), "line 9: read '3.0 5"},
        {"delay without unit", Replace(SIMAI, link, "3 5 1Gbps 5 0"), "line 9: read '5'"},
        {"negative delay", Replace(SIMAI, link, "3 5 1Gbps -5ns 0"), "line 9: read '-5ns'"},
        {"delay overflow", Replace(SIMAI, link, "3 5 1Gbps 1e99s 0"), "line 9: read '1e99s'"},
        {"error rate 1", Replace(SIMAI, link, "3 5 1Gbps 1us 1"), "line 9: read '1'"},
        {"error rate negative", Replace(SIMAI, link, "3 5 1Gbps 1us -0.1"), "line 9: read '-0.1'"},
        {"error rate nan", Replace(SIMAI, link, "3 5 1Gbps 1us nan"), "line 9: read 'nan'"},
        {"bit error rate 1", Replace(SIMAI, link, "3 5 1Gbps 1us 0 1"), "line 9: read '1'"},
        {"bit error rate negative",
         Replace(SIMAI, link, "3 5 1Gbps 1us 0 -1e-9"),
         "line 9: read '-1e-9', expected bit error rate"},
        {"no error rate", Replace(SIMAI, link, "3 5 1Gbps 1us"), "5 fields"},
        {"seven fields", Replace(SIMAI, link, "3 5 1Gbps 1us 0 0 0"), "5 fields"},
        {"prose among links",
         Replace(SIMAI, link, "the rails"),
         "link line 7 of the 8 that line 1"},
        {"truncated",
         SIMAI.substr(0, SIMAI.find(link)),
         "expected link count (6 link lines follow)"},
        {"only a header", "8 2 2 2 8 H100\n", "4 more switch ids of the 4"},
        {"duplicate id", Replace(SIMAI, "4 5 6 7", "4 5 6 6"), "line 2: read '6'"},
        {"id too large", Replace(SIMAI, "4 5 6 7", "4 5 6 8"), "line 2: read '8'"},
        {"too many ids", Replace(SIMAI, "4 5 6 7", "3 4 5 6 7"), "line 2: read '3 4 5 6 7'"},
        {"too few ids", Replace(SIMAI, "4 5 6 7", "4 5 6"), "line 3: read '0 4"},
        {"ids are words", Replace(SIMAI, "4 5 6 7", "4 5 a b"), "line 2: read '4 5 a b'"},
        {"no GPUs per server",
         Replace(SIMAI, "8 2 2 2 8", "8 0 2 2 8"),
         "line 1: read '0', expected GPUs per server"},
        {"no GPU",
         Replace(SIMAI, "8 2 2 2 8", "4 2 2 2 8"),
         "line 1: read '4', expected node count"},
        {"more switches than nodes",
         Replace(SIMAI, "8 2 2 2 8", "8 2 2 9 8"),
         "line 1: read '9', expected switch count"},
        {"node count overflow",
         Replace(SIMAI, "8 2 2 2 8", "99999999999999999999 2 2 2 8"),
         "line 1: read '99999999999999999999'"},
        {"huge node count",
         Replace(SIMAI, "8 2 2 2 8", "4000000000 2 2 2 8"),
         "line 1: read '4000000000'"},
        {"negative link count", Replace(SIMAI, "8 2 2 2 8", "8 2 2 2 -8"), "line 1: read '-8'"},
        {"NVSwitch to switch", Replace(SIMAI, link, "5 6 1Gbps 1us 0"), "line 9: read '5 6"},
        {"fields missing",
         Replace(SIMAI, "8 2 2 2 8 H100", "8 2 2 2 8"),
         "first line of a topology file"},
        {"prose", "hello world\n", "SimAI: nodes gpus_per_server"},
        {"more tors than switches",
         "3 1 2 2\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
         "line 1: read '2', expected count of top"},
        {"bad nominal rate",
         "3 1 1 2 5 5\n2\n0 2 1Gbps 1us 0\n1 2 1Gbps 1us 0\n",
         "line 1: read '5', expected nominal"},
    };
    for (const BadTopology& c : cases)
    {
        const std::string error = ErrorOf(c.text);
        EXPECT_NE(error.find(c.expected), std::string::npos) << c.what << " gave: " << error;
        EXPECT_EQ(error.find("file: line "), 0U) << c.what << " gave: " << error;
    }
}
