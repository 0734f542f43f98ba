/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-internet-test-network.h"

#include "ns3/inet-socket-address.h"
#include "ns3/link-event-player.h"
#include "ns3/roce-address.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

constexpr uint32_t FLOWS = 32;       //!< of SendFlows()
constexpr uint16_t DISCARD_PORT = 9; //!< where they go

/**
 * \param hosts nodes
 * \param switches nodes behind them
 * \param links pairs of nodes
 * \return a cluster
 */
Topology
MakeTopology(uint32_t hosts,
             uint32_t switches,
             const std::vector<std::pair<uint32_t, uint32_t>>& links)
{
    Topology topology;
    topology.nodes.resize(hosts + switches);
    for (uint32_t i = hosts; i < hosts + switches; i++)
    {
        topology.nodes[i].kind = TopologyNodeKind::SWITCH;
    }
    for (const auto& [a, b] : links)
    {
        topology.links.emplace_back();
        topology.links.back().a = a;
        topology.links.back().b = b;
        topology.links.back().rate = DataRate("10Gbps");
        topology.links.back().delay = MicroSeconds(1);
    }
    return topology;
}

/**
 * Sends a datagram from each of many UDP ports.
 * \param network its network
 * \param src sending host
 * \param dst receiving host
 */
void
SendFlows(const RoceInternetTestNetwork& network, uint32_t src, uint32_t dst)
{
    for (uint32_t flow = 0; flow < FLOWS; flow++)
    {
        const Ptr<Socket> socket =
            Socket::CreateSocket(network.GetNode(src),
                                 TypeId::LookupByName("ns3::UdpSocketFactory"));
        socket->Bind();
        socket->Connect(InetSocketAddress(Ipv4Address(RoceAddress::Ipv4OfRank(dst)), DISCARD_PORT));
        Simulator::Schedule(Time(0), [socket] { socket->Send(Create<Packet>(100)); });
    }
}

/** \param device a device \param port its port \return data frames that it sent */
uint64_t
GetSent(const FabricDevice& device, uint32_t port)
{
    return device.GetPort(port).GetCounters().packets[static_cast<int>(FrameClass::DATA)];
}

} // namespace

TEST(RoceInternetPath, FlowsSpreadOverTheSpines)
{
    RoceInternetTestOptions options;
    options.topology = MakeTopology(2, 4, {{0, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}});
    RoceInternetTestNetwork network(2, options);
    SendFlows(network, 0, 1);
    Simulator::Run();
    EXPECT_EQ(network.GetDevice(1).GetCounters().received, FLOWS);
    const FabricDevice& leaf = *network.fabric.switches[2];
    EXPECT_GE(GetSent(leaf, 1), FLOWS / 4);
    EXPECT_GE(GetSent(leaf, 2), FLOWS / 4);
    EXPECT_EQ(GetSent(leaf, 1) + GetSent(leaf, 2), FLOWS);
}

TEST(RoceInternetPath, AFlowStaysOnItsPath)
{
    RoceInternetTestOptions options;
    options.topology = MakeTopology(2, 4, {{0, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 4}, {3, 5}});
    RoceInternetTestNetwork network(2, options);
    network.SendTcp(0, 1, 1000000);
    Simulator::Run();
    const FabricDevice& leaf = *network.fabric.switches[2];
    EXPECT_GT(GetSent(leaf, 1) + GetSent(leaf, 2), 600U);
    EXPECT_TRUE(!GetSent(leaf, 1) || !GetSent(leaf, 2));
}

TEST(RoceInternetPath, HostsUseAllTheirPortsAndLeaveThoseThatAreDown)
{
    for (const bool cut : {false, true})
    {
        RoceInternetTestOptions options;
        options.topology = MakeTopology(2, 2, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
        RoceInternetTestNetwork network(2, options);
        RoceNicDevice& nic = *network.fabric.nics[0];
        nic.GetPort(0).SetUp(!cut, 0);
        SendFlows(network, 0, 1);
        Simulator::Run();
        EXPECT_EQ(network.GetDevice(1).GetCounters().received, FLOWS);
        EXPECT_EQ(GetSent(nic, 0) + GetSent(nic, 1), FLOWS);
        EXPECT_EQ(GetSent(nic, 0) == 0, cut);
        EXPECT_GE(GetSent(nic, 1), FLOWS / 4);
        EXPECT_TRUE(network.GetDevice(0).IsLinkUp());
    }
}

TEST(RoceInternetPath, HostsLeavePortsBehindWhichThePeerCannotBeReached)
{
    RoceInternetTestOptions options;
    options.topology = MakeTopology(2, 2, {{0, 2}, {0, 3}, {1, 2}, {1, 3}});
    RoceInternetTestNetwork network(2, options);
    const RoceNicDevice& nic = *network.fabric.nics[0];
    LinkEventPlayer player(
        {options.topology,
         network.fabric.channels,
         {network.fabric.switches.begin(), network.fabric.switches.end()},
         [&network](const auto& routes) { network.fabric.SetNicRoutes(routes); }});
    const std::vector<uint32_t> peerLink{2}; // of the peer's port 0
    player.Start({{MicroSeconds(10), LinkChange::DOWN, DataRate("1bps"), peerLink},
                  {MicroSeconds(1000), LinkChange::UP, DataRate("1bps"), peerLink}});
    Simulator::Schedule(MicroSeconds(100), [&network] { SendFlows(network, 0, 1); });
    Simulator::Schedule(MicroSeconds(900), [&network, &nic] {
        EXPECT_EQ(network.GetDevice(1).GetCounters().received, FLOWS);
        EXPECT_EQ(GetSent(nic, 0), 0U);
    });
    Simulator::Schedule(MicroSeconds(1100), [&network] { SendFlows(network, 0, 1); });
    Simulator::Run();
    EXPECT_EQ(network.GetDevice(1).GetCounters().received, 2 * FLOWS);
    EXPECT_GE(GetSent(nic, 0), FLOWS / 4) << "the port is used again";
    EXPECT_EQ(network.context->counters.drops + network.context->counters.linkLosses, 0U);
}

} // namespace ns3
