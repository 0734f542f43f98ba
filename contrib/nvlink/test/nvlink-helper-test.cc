/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/config-error.h"
#include "ns3/config.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <string>

using namespace ns3;

namespace
{

/**
 * \param topology a topology that is refused
 * \return the text of the error
 */
std::string
RefusalOf(const Topology& topology)
{
    try
    {
        NvlinkHelper::Validate(topology);
    }
    catch (const ConfigError& error)
    {
        return error.what();
    }
    return "accepted";
}

/** \param text a text \param part a part \return whether it is in there */
bool
Contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace

TEST(NvlinkHelper, PortsFollowTheOrderOfTheLinks)
{
    NvlinkTestNetwork network(DirectTopology(8, H14Links(), MicroSeconds(5)));
    // GPU 3 appears in 0-3 (400), 1-3 (200), 2-3 (400), 3-7 (200).
    const Ptr<FabricDevice> gpu = network.GetDevice(3);
    ASSERT_EQ(gpu->GetPortCount(), 4U);
    const std::vector<uint32_t> peers{0, 1, 2, 7};
    const std::vector<uint64_t> gbps{400, 200, 400, 200};
    for (uint32_t port = 0; port < 4; port++)
    {
        EXPECT_EQ(gpu->GetPort(port).GetPeer()->GetOwner()->GetNode()->GetId(),
                  network.nodes.Get(peers[port])->GetId());
        EXPECT_EQ(gpu->GetPort(port).GetLink().rateBps, gbps[port] * 1000000000);
        EXPECT_EQ(gpu->GetPort(port).GetLink().delay, 5000000U);
        ASSERT_TRUE(gpu->GetPortChannel(port));
    }
    EXPECT_EQ(network.devices.GetN(), 8U);
}

TEST(NvlinkHelper, NodesWithoutNvlinkGetNoDevice)
{
    Topology topology = PlanesTopology(2, {400}, NanoSeconds(25));
    topology.nodes.push_back({TopologyNodeKind::SWITCH, -1, 0, TopologyNode::NO_ID});
    TopologyLink ethernet;
    ethernet.a = 0;
    ethernet.b = 3;
    ethernet.rate = DataRate("400Gbps");
    topology.links.insert(topology.links.begin(), ethernet);
    NvlinkTestNetwork network(topology);
    EXPECT_EQ(network.devices.GetN(), 3U);
    EXPECT_EQ(network.nodes.Get(3)->GetNDevices(), 0U);
    EXPECT_EQ(network.GetDevice(0)->GetPortCount(), 1U);
    EXPECT_TRUE(network.transport->CanReach(0, 1));
}

TEST(NvlinkHelper, GpuWithoutNvlinkCannotBeReached)
{
    Topology topology = DirectTopology(3, {{0, 1, 400}}, NanoSeconds(25));
    NvlinkTestNetwork network(topology);
    EXPECT_EQ(network.transport->GetRankCount(), 3U);
    EXPECT_FALSE(network.transport->GetDevice(2));
    EXPECT_FALSE(network.transport->CanReach(0, 2));
    EXPECT_FALSE(network.transport->CanReach(2, 0));
}

TEST(NvlinkHelperDeathTest, WhatHasNoRouteIsNamed)
{
    NvlinkTestNetwork network(DirectTopology(3, {{0, 1, 400}}, NanoSeconds(25)));
    EXPECT_DEATH(network.Send(0, 2, 1), "no NVLink route from rank 0 to rank 2");
    EXPECT_DEATH(network.Send(2, 0, 1), "no NVLink route from rank 2 to rank 0");
    EXPECT_DEATH(network.Send(1, 1, 1), "no NVLink route from rank 1 to rank 1");
    EXPECT_DEATH(network.Send(1, 3, 1), "no NVLink route from rank 1 to rank 3");
    EXPECT_DEATH(network.Send(3, 1, 1), "no NVLink route from rank 3 to rank 1");
}

TEST(NvlinkHelper, RefusesLinksThatCannotBe)
{
    const Topology good = PlanesTopology(2, {400}, NanoSeconds(25));
    EXPECT_EQ(RefusalOf(good), "accepted");

    Topology lossy = good;
    lossy.links[1].lossRate = 0.25;
    EXPECT_TRUE(Contains(RefusalOf(lossy), "NVLink between gpu1 and nvswitch0: "))
        << RefusalOf(lossy);
    EXPECT_TRUE(Contains(RefusalOf(lossy), "0.25")) << RefusalOf(lossy);

    Topology noisy = good;
    noisy.links[1].bitErrorRate = 1e-12;
    EXPECT_TRUE(Contains(RefusalOf(noisy), "bit error rate 1e-12")) << RefusalOf(noisy);

    Topology stopped = good;
    stopped.links[0].rate = DataRate(0);
    EXPECT_TRUE(Contains(RefusalOf(stopped), "NVLink between gpu0 and nvswitch0: "))
        << RefusalOf(stopped);

    Topology network = good;
    network.nodes[2].kind = TopologyNodeKind::SWITCH;
    network.nodes[2].id = 77;
    EXPECT_TRUE(Contains(RefusalOf(network), "NVLink between gpu0 and node 77: "))
        << RefusalOf(network);
    EXPECT_TRUE(Contains(RefusalOf(network),
                         "read 'node 77, a network switch', expected a GPU, an NVSwitch or a PCIe "
                         "switch at both ends"))
        << RefusalOf(network);
}

TEST(NvlinkHelper, RefusesFramesThatTheLinkArithmeticCannotHold)
{
    const auto make = [](uint64_t headerBytes) {
        NvlinkTestNetwork network(DirectTopology(2, {{0, 1, 400}}, NanoSeconds(25)),
                                  [&](NvlinkHelper& helper) {
                                      helper.SetDeviceAttribute("HeaderBytes",
                                                                UintegerValue(headerBytes));
                                  });
    };
    EXPECT_NO_THROW(make(256));
    EXPECT_THROW(make(1 << 20), ConfigError);
}

TEST(NvlinkHelper, SaysWhatIsUnderWay)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, MicroSeconds(1)));
    EXPECT_TRUE(network.transport->DescribePending().empty());
    network.Send(0, 1, 1000000, 0, 3);
    network.Send(0, 1, 70000, 1, 3);
    // At 400 Gbit/s a packet takes 1.31 us: by 5 us four are taken and two have arrived.
    Simulator::Stop(MicroSeconds(5));
    network.Run();
    const auto lines = network.transport->DescribePending();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0],
              "NVLink: rank 0 to rank 1 channel 3: 1000000 bytes since 0 ns, 262144 sent, "
              "131072 received");
    EXPECT_EQ(lines[1],
              "NVLink: rank 0 to rank 1 channel 3: 70000 bytes since 0 ns, 0 sent, 0 received");
    network.Run();
    EXPECT_TRUE(network.transport->DescribePending().empty());
}

TEST(NvlinkHelper, SaysWhatHasLeftAndNotArrived)
{
    NvlinkTestNetwork network(PlanesTopology(2, {400}, MicroSeconds(100)));
    network.Send(0, 1, 1000);
    Simulator::Stop(MicroSeconds(5));
    network.Run();
    EXPECT_EQ(
        network.transport->DescribePending(),
        std::vector<std::string>{"NVLink: rank 0 to rank 1 channel 0: a message that has left "
                                 "and of which nothing has arrived"});
}

TEST(NvlinkHelper, SwitchesFollowTheDefaultsOfTheirOwnKind)
{
    const auto arrival = [](bool cutThrough) {
        Config::SetDefault("ns3::NvSwitchDevice::CutThrough", BooleanValue(cutThrough));
        NvlinkTestNetwork network(PlanesTopology(2, {400}, NanoSeconds(25)));
        network.Send(0, 1, 65536);
        network.Run();
        return network.endpoints[1].received.at(0).first;
    };
    const Time forwarded = arrival(false);
    const Time cut = arrival(true); // the default, which stays in force
    EXPECT_EQ(forwarded - cut, PicoSeconds(65536 * 20));
    EXPECT_FALSE(
        Config::SetDefaultFailSafe("ns3::FabricSwitchDevice::CutThrough", BooleanValue(true)))
        << "it belongs to each kind of switch";
}
