/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/config-error.h"
#include "ns3/topology-file-reader.h"
#include "ns3/topology-validator.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param text a topology file \return the topology */
Topology
Read(const std::string& text)
{
    return ReadTopologyFile(TextFile::FromString("file", text));
}

/** \return 2 servers of 2 GPUs with NVLink inside, on 2 rails without a spine */
Topology
MakeRails()
{
    return Read("8 2 2 2 8 H100\n4 5 6 7\n"
                "0 4 2880Gbps 25ns 0\n0 6 400Gbps 500ns 0\n1 4 2880Gbps 25ns 0\n"
                "1 7 400Gbps 500ns 0\n2 5 2880Gbps 25ns 0\n2 6 400Gbps 500ns 0\n"
                "3 5 2880Gbps 25ns 0\n3 7 400Gbps 500ns 0\n");
}

} // namespace

TEST(FabricTopologyValidator, FindsNothingWrongWithARouteForEveryPair)
{
    const TopologyFindings findings =
        ValidateTopology(Read("3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n"));
    EXPECT_TRUE(findings.errors.empty());
    EXPECT_TRUE(findings.warnings.empty());
}

TEST(FabricTopologyValidator, NamesAPairWithoutARoute)
{
    Topology topology = MakeRails();
    topology.links[6].b = topology.links[7].b; // GPU 3 is beside GPU 2's NVSwitch, not on it
    topology.links[6].kind = TopologyLinkKind::ETHERNET;
    const TopologyFindings findings = ValidateTopology(topology);
    EXPECT_TRUE(findings.errors.empty());
    ASSERT_EQ(findings.warnings.size(), 1U);
    EXPECT_EQ(findings.warnings[0],
              "no route joins GPU 0 and GPU 3: no switch or link lies between them (GPUs do not "
              "forward)");
    EXPECT_EQ(ValidateTopology(topology, 3).warnings[1].substr(0, 33),
              "no route joins GPU 1 and GPU 2: n"); // 0-1 NVLink, 0-2 rail
}

TEST(FabricTopologyValidator, PxnJoinsRails)
{
    EXPECT_TRUE(ValidateTopology(MakeRails()).warnings.empty());
}

TEST(FabricTopologyValidator, H14GpusWiredDirectlyDoNotForward)
{
    const Topology ring = Read("4 4 0 0 4 V100\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n"
                               "2 3 1Gbps 1us 0\n3 0 1Gbps 1us 0\n");
    ASSERT_EQ(ValidateTopology(ring).warnings.size(), 1U);
    EXPECT_NE(ValidateTopology(ring).warnings[0].find("GPU 0 and GPU 2"), std::string::npos);
    const Topology mesh =
        Read("3 3 0 0 3 V100\n0 1 1Gbps 1us 0\n1 2 1Gbps 1us 0\n2 0 1Gbps 1us 0\n");
    EXPECT_TRUE(ValidateTopology(mesh).warnings.empty());
}

TEST(FabricTopologyValidator, RatesThatTimeHasNoRoomForAreErrors)
{
    const auto star = [](const std::string& rate) {
        return ValidateTopology(Read("3 1 2\n2\n0 2 " + rate + " 1us 0\n1 2 1Mbps 1us 0\n"));
    };
    ASSERT_EQ(star("999bps").errors.size(), 1U);
    EXPECT_NE(star("999bps").errors[0].find("999 bit/s, less than the 1 kbit/s"),
              std::string::npos);
    EXPECT_TRUE(star("1kbps").errors.empty());
    const TopologyFindings far = ValidateTopology(Read("2 0 1\n\n0 1 1Gbps 1001ms 0\n"));
    ASSERT_EQ(far.errors.size(), 1U);
    EXPECT_NE(far.errors[0].find("more than 1 s"), std::string::npos) << far.errors[0];
}

TEST(FabricTopologyValidator, H13ComparesRanksWithGpus)
{
    EXPECT_EQ(ValidateTopology(MakeRails(), 5).errors,
              std::vector<std::string>{"5 ranks need as many GPUs, the topology has 4"});
    EXPECT_EQ(ValidateTopology(MakeRails(), 2).warnings,
              std::vector<std::string>{"uses GPUs 0 to 1 of 4"});
    EXPECT_THROW(RequireValidTopology(MakeRails(), 128), ConfigError);
    EXPECT_EQ(RequireValidTopology(MakeRails(), 2).size(), 1U);
}

TEST(FabricTopologyValidator, NamesNodesWithoutALink)
{
    const Topology topology = Read("6 2 2\n3 4\n0 3 1Gbps 1us 0\n1 3 1Gbps 1us 0\n");
    EXPECT_EQ(ValidateTopology(topology).errors,
              std::vector<std::string>{"GPU 2 (and 1 more) has no link"});
    const TopologyFindings two = ValidateTopology(topology, 2);
    EXPECT_TRUE(two.errors.empty());
    EXPECT_EQ(two.warnings,
              (std::vector<std::string>{"uses GPUs 0 to 1 of 4",
                                        "GPU 2 (and 1 more) has no link",
                                        "switch 5 has no link"}));
    EXPECT_TRUE(ValidateTopology(Read("1 1 0 0 0 H100\n")).errors.empty());
}

TEST(FabricTopologyValidator, RefusesLinksThatCannotCarryAnything)
{
    Topology topology = MakeRails();
    topology.links[2].rate = DataRate(0);
    EXPECT_EQ(ValidateTopology(topology).errors,
              std::vector<std::string>{"link 2 (nodes 1 and 4) is an NVLink of rate 0"});
    topology = MakeRails();
    topology.links[1].rate = DataRate(0);
    EXPECT_EQ(ValidateTopology(topology).errors,
              std::vector<std::string>{"link 1 (nodes 0 and 6) has a port of rate 0"});
    topology = MakeRails();
    topology.links[1].lossRate = 1.0;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology.links[1].lossRate = std::nan("");
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology.links[1].lossRate = 0;
    topology.links[1].bitErrorRate = 1.0;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology = MakeRails();
    topology.links[1].delay = NanoSeconds(-1);
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology = MakeRails();
    topology.links[1].b = 8;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology.links[1].b = topology.links[1].a;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
}

TEST(FabricTopologyValidator, RefusesNicsWithoutPorts)
{
    Topology topology = MakeRails();
    topology.nodes[2].nics = 0;
    EXPECT_EQ(ValidateTopology(topology).errors,
              std::vector<std::string>{
                  "GPU 2 has 0 NICs and 1 Ethernet ports: 1 to 1 NICs have a port each"});
    topology.nodes[2].nics = 2; // NVLinks are no ports
    EXPECT_EQ(ValidateTopology(topology).errors,
              std::vector<std::string>{
                  "GPU 2 has 2 NICs and 1 Ethernet ports: 1 to 1 NICs have a port each"});
    topology.links.push_back(topology.links[5]); // from GPU 2 to its rail
    EXPECT_TRUE(ValidateTopology(topology).errors.empty());
    topology.nodes[2].nics = 3;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology.nodes[2].nics = 2;
    topology.nodes[3].nics = 0;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
    topology = Read("3 1 2\n2\n0 2 10Gbps 1us 0\n1 2 10Gbps 1us 0\n");
    topology.nodes[2].nics = 0; // a switch has none
    EXPECT_TRUE(ValidateTopology(topology).errors.empty());
    topology = MakeRails();
    topology.links.erase(topology.links.begin() + 7);
    topology.nodes[3].nicOf = 2; // no port of its own
    EXPECT_TRUE(ValidateTopology(topology).errors.empty());
    topology.nodes[3].nics = 2;
    EXPECT_EQ(ValidateTopology(topology).errors.size(), 1U);
}

TEST(FabricTopologyValidator, RefusesOddNumbering)
{
    Topology topology = MakeRails();
    topology.nodes[1].kind = TopologyNodeKind::SWITCH;
    EXPECT_EQ(ValidateTopology(topology).errors[0],
              "node 1 is no GPU: the 3 GPUs must be the first nodes of a topology");
    EXPECT_EQ(ValidateTopology(Topology()).errors,
              std::vector<std::string>{"the topology has no GPU"});
}
