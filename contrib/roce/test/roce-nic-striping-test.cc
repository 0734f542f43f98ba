/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ports-under-test.h"

#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

/**
 * \file
 * Hosts with several NICs: where the packets of a channel leave and arrive.
 */

using namespace ns3;
using namespace ns3::portstest;

namespace
{

/**
 * \param nics NICs of each host, of which it has two ports
 * \return TwoSwitches(), with a link between them by which every NIC reaches every other
 */
Topology
JoinedSwitches(uint32_t nics)
{
    Topology topology = TwoSwitches();
    topology.links.push_back(topology.links.back());
    topology.links.back().a = HOSTS;
    topology.links.back().b = HOSTS + 1;
    for (uint32_t host = 0; host < HOSTS; host++)
    {
        topology.nodes[host].nics = nics;
    }
    return topology;
}

/** Frames that a port of a host has sent. */
struct Sent
{
    uint64_t data; //!< data frames
    uint64_t acks; //!< acknowledgements

    /** \param o another \return whether both are the same */
    bool operator==(const Sent& o) const
    {
        return data == o.data && acks == o.acks;
    }
};

/** \param network a network \param host a host \param port of it \return what it has sent there */
Sent
GetSent(const RoceTestNetwork& network, uint32_t host, uint32_t port)
{
    const auto counters = network.fabric.nics[host]->GetPort(port).GetCounters();
    return {counters.packets[static_cast<size_t>(FrameClass::DATA)],
            counters.packets[static_cast<size_t>(FrameClass::ACK)]};
}

} // namespace

TEST(RoceNicStriping, AChannelUsesOneNicAtBothEndsAndBothWays)
{
    for (const uint32_t channel : {0U, 1U, 2U, 3U})
    {
        RoceTestNetwork network(JoinedSwitches(2));
        network.Send(0, 3, 100000, channel);
        network.Send(3, 0, 50000, channel);
        network.Run();
        const uint32_t nic = channel % 2;
        EXPECT_EQ(GetSent(network, 0, nic), (Sent{100, 50}));
        EXPECT_EQ(GetSent(network, 3, nic), (Sent{50, 100}));
        EXPECT_EQ(GetSent(network, 0, 1 - nic), (Sent{0, 0}));
        EXPECT_EQ(GetSent(network, 3, 1 - nic), (Sent{0, 0}));
        for (const uint32_t hub : {HOSTS, HOSTS + 1}) // nothing crosses rails
        {
            EXPECT_EQ(network.fabric.switches[hub]->GetPort(HOSTS).GetCounters().packets[0], 0U);
        }
    }
}

TEST(RoceNicStriping, AHostWithOneNicIsReachedFromAllOfAnother)
{
    Topology topology = JoinedSwitches(2);
    topology.nodes[3].nics = 1; // its two ports are a bond
    RoceTestNetwork network(topology);
    for (uint32_t channel = 0; channel < 4; channel++)
    {
        network.Send(0, 3, 100000, channel);
    }
    network.Run();
    EXPECT_EQ(GetSent(network, 0, 0).data, 200U);
    EXPECT_EQ(GetSent(network, 0, 1).data, 200U);
}

TEST(RoceNicStriping, PortsOfANicAreABond)
{
    const Topology topology = LoadTopology("star:gpus=2,nicsPerGpu=2,portsPerNic=2,delay=1us");
    RoceTestNetwork network(topology, Options());
    for (uint32_t channel = 0; channel < 400; channel++)
    {
        network.Send(0, 1, 1000, channel);
    }
    network.Run();
    // Ports 0 and 2 are of NIC 0.
    EXPECT_EQ(GetSent(network, 0, 0).data + GetSent(network, 0, 2).data, 200U);
    EXPECT_NEAR(GetSent(network, 0, 0).data, 100, 36) << "binomial, five standard deviations";
    EXPECT_NEAR(GetSent(network, 0, 1).data, 100, 36);
}

TEST(RoceNicStriping, PacketsSpreadOverThePortsOfTheirNicAlone)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
    RoceTestNetwork network(LoadTopology("star:gpus=2,nicsPerGpu=2,portsPerNic=2,delay=1us"),
                            Options(true));
    network.Send(0, 1, 100000, 1);
    network.Run();
    EXPECT_EQ(GetSent(network, 0, 1).data, 50U);
    EXPECT_EQ(GetSent(network, 0, 3).data, 50U);
    EXPECT_EQ(GetSent(network, 0, 0).data, 0U);
}

TEST(RoceNicStriping, AWarningOfSpreadPacketsTakesPortsToSpreadThemOver)
{
    for (const auto& [nics, expected] :
         {std::pair<std::string, std::size_t>{"nicsPerGpu=2", 0}, {"portsPerNic=2", 1}})
    {
        SCOPED_TRACE(nics);
        RoceTestNetwork network(LoadTopology("star:gpus=2,delay=1us," + nics), Options(true));
        network.Send(0, 1, 100000);
        network.Run();
        const std::vector<std::string> warnings = network.fabric.GetWarnings();
        ASSERT_EQ(warnings.size(), expected);
        if (expected > 0)
        {
            EXPECT_NE(warnings[0].find("NICs choose a port for every packet"), std::string::npos);
        }
    }
}

TEST(RoceNicStriping, TheIdealTimeIsThatOfTheNicOfTheChannel)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(4096));
    for (const bool perPacket : {false, true})
    {
        Topology topology = LoadTopology("star:gpus=2,nicsPerGpu=2,nicRate=100Gbps,delay=1us");
        topology.links[1].rate = DataRate("50Gbps"); // of NIC 1 of the sender
        RoceTestNetwork network(topology, Options(perPacket));
        for (const uint32_t channel : {0U, 1U})
        {
            network.Send(0, 1, 1000000, channel);
        }
        network.Run();
        for (const RoceTestNetwork::Flow& flow : network.flows)
        {
            const Time ideal = network.transport->GetIdealTime(flow.message);
            EXPECT_EQ(flow.received, ideal) << "channel " << flow.message.channel;
            EXPECT_GT(ideal, PicoSeconds(84960000 * (flow.message.channel + 1)));
        }
    }
}

TEST(RoceNicStriping, AChannelWaitsForItsNicWhoseLinkIsDown)
{
    const Topology topology = JoinedSwitches(2);
    RoceTestNetwork network(topology, Options());
    LinkEventPlayer player({topology,
                            network.fabric.channels,
                            {network.fabric.switches.begin(), network.fabric.switches.end()},
                            [&](const auto& routes) { network.fabric.SetNicRoutes(routes); }});
    player.Start({{MicroSeconds(10), LinkChange::DOWN, DataRate("1bps"), {0}},
                  {MicroSeconds(700), LinkChange::UP, DataRate("1bps"), {0}}});
    network.Send(0, 3, 1000000, 0);
    network.Send(0, 3, 1000000, 1);
    network.Run();
    EXPECT_EQ(GetSent(network, 0, 1).data, 1000U) << "of channel 1 alone";
    EXPECT_GT(network.Counters().retransmittedPackets, 0U);
    EXPECT_GT(LastArrival(network), 700);
}

TEST(RoceNicStriping, APinnedChannelStaysOnItsPort)
{
    RoceTestNetwork network(JoinedSwitches(2));
    network.transport->PinChannel(0, 1);
    network.Send(0, 3, 100000, 0);
    network.Run();
    EXPECT_EQ(GetSent(network, 0, 1).data, 100U);
}
