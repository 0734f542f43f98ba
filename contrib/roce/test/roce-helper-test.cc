/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

TEST(RoceHelper, BuildsTheEthernetFabricOfATopology)
{
    // Two GPUs with NICs, one without, an NVSwitch and its links in between.
    Topology topology;
    topology.nodes.resize(5);
    topology.nodes[3].kind = TopologyNodeKind::NVSWITCH;
    topology.nodes[4].kind = TopologyNodeKind::SWITCH;
    const auto link = [&](uint32_t a, uint32_t b, TopologyLinkKind kind, uint64_t gbps) {
        topology.links.emplace_back();
        topology.links.back().a = a;
        topology.links.back().b = b;
        topology.links.back().kind = kind;
        topology.links.back().rate = DataRate(gbps * 1000000000);
        topology.links.back().delay = NanoSeconds(gbps);
    };
    link(0, 3, TopologyLinkKind::NVLINK, 900);
    link(1, 4, TopologyLinkKind::ETHERNET, 400);
    link(2, 3, TopologyLinkKind::NVLINK, 900);
    link(0, 4, TopologyLinkKind::ETHERNET, 200);
    RoceTestOptions options;
    options.gapBytes = 20;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("BufferBytes", UintegerValue(5000000));
    };
    RoceTestNetwork network(topology, options);
    const RoceFabric& fabric = network.fabric;
    EXPECT_TRUE(fabric.nics[0] && fabric.nics[1]);
    EXPECT_FALSE(fabric.nics[2]);
    EXPECT_FALSE(fabric.switches[3]);
    ASSERT_TRUE(fabric.switches[4]);
    EXPECT_FALSE(fabric.channels[0]);
    ASSERT_TRUE(fabric.channels[3]);
    EXPECT_EQ(fabric.nics[0]->GetRank(), 0U);
    EXPECT_EQ(fabric.nics[0]->GetMtuBytes(), 1000U);
    // Port p of a device is its p-th Ethernet link.
    const FabricLinkParameters& first = fabric.switches[4]->GetPort(0).GetLink();
    EXPECT_EQ(first.rateBps, 400000000000U);
    EXPECT_EQ(first.delay, 400000U);
    EXPECT_EQ(first.gapBytes, 20U);
    EXPECT_EQ(fabric.switches[4]->GetPort(1).GetPeer(), &fabric.nics[0]->GetPort(0));
    const uint64_t headroom =
        fabric.switches[4]->GetHeadroomBytes(0) + fabric.switches[4]->GetHeadroomBytes(1);
    EXPECT_EQ(fabric.switches[4]->GetBuffer().GetPool(), 5000000 - headroom);
    EXPECT_TRUE(network.transport->CanReach(0, 1));
    EXPECT_FALSE(network.transport->CanReach(0, 2)) << "it has no NIC";
    network.Send(0, 1, 100000);
    network.Run();
}

TEST(RoceHelper, StreamsOfAllDevicesFollowEachOther)
{
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)));
    // A stream of losses per port, and one of marks per port of a switch.
    EXPECT_EQ(network.fabric.AssignStreams(100), 3 + 2 * 3);
}

} // namespace
