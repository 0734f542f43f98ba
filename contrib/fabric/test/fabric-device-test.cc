/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "port-under-test.h"

#include "ns3/fabric-channel.h"
#include "ns3/packet.h"
#include "ns3/topology.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

/** \param context shared state \return a device on a node of its own, without ports */
Ptr<NotingDevice>
NewDevice(Ptr<FabricContext> context)
{
    auto device = CreateObject<NotingDevice>();
    device->SetFabric(context);
    CreateObject<Node>()->AddDevice(device);
    return device;
}

TEST(FabricDevice, IsANetDeviceOnAPlainNode)
{
    EngineUnderTest engine;
    auto context = Create<FabricContext>();
    Ptr<NotingDevice> device = NewDevice(context);
    EXPECT_EQ(device->GetNode()->GetDevice(0), device);
    EXPECT_FALSE(device->IsLinkUp());
    EXPECT_FALSE(device->GetChannel());
    Ptr<NotingDevice> peer = NewDevice(context);
    const auto channel = FabricChannel::Connect(device, peer, {100000000000, 1000, 20, 0});
    EXPECT_TRUE(device->IsLinkUp());
    EXPECT_EQ(device->GetChannel(), channel);
    EXPECT_EQ(channel->GetNDevices(), 2U);
    EXPECT_EQ(channel->GetDevice(0), device);
    EXPECT_EQ(channel->GetDevice(1), peer);
    EXPECT_EQ(channel->GetPort(1)->GetPeer(), channel->GetPort(0));
    device->SetIfIndex(7);
    EXPECT_EQ(device->GetIfIndex(), 7U);
    EXPECT_FALSE(device->Send(Create<Packet>(10), device->GetBroadcast(), 0x800));
}

TEST(FabricDevice, PortsStayWhereTheyAre)
{
    EngineUnderTest engine;
    auto context = Create<FabricContext>();
    Ptr<NotingDevice> hub = NewDevice(context);
    std::vector<FabricPort*> ports;
    for (uint32_t i = 0; i < 1000; i++)
    {
        const auto channel = FabricChannel::Connect(hub, NewDevice(context), {1000 + i, i, 0, 0});
        ports.push_back(channel->GetPort(0));
    }
    ASSERT_EQ(hub->GetPortCount(), 1000U);
    for (uint32_t i = 0; i < 1000; i++)
    {
        EXPECT_EQ(&hub->GetPort(i), ports[i]);
        EXPECT_EQ(ports[i]->GetIndex(), i);
        EXPECT_EQ(ports[i]->GetLink().rateBps, 1000 + i);
        EXPECT_EQ(ports[i]->GetPeer()->GetLink().delay, i);
        EXPECT_EQ(ports[i]->GetOwner(), PeekPointer(hub));
    }
}

TEST(FabricDevice, EveryLossyPortHasItsOwnStream)
{
    for (const bool bits : {false, true})
    {
        EngineUnderTest engine;
        auto context = Create<FabricContext>();
        Ptr<NotingDevice> hub = NewDevice(context);
        std::vector<Ptr<NotingDevice>> peers;
        for (uint32_t i = 0; i < 2; i++)
        {
            peers.push_back(NewDevice(context));
            FabricChannel::Connect(
                hub,
                peers.back(),
                {100000000000, 1000, 20, bits ? 0 : 0.5, bits ? 8.6e-4 : 0});
        }
        EXPECT_EQ(hub->AssignStreams(5), bits ? 4 : 2);
        for (uint64_t id = 0; id < 100; id++)
        {
            for (uint32_t i = 0; i < 2; i++)
            {
                FabricPacket* packet = context->pool.Allocate();
                packet->cookie = id;
                packet->frameBytes = 100;
                hub->GetPort(i).Enqueue(packet, 0);
            }
        }
        Simulator::Run();
        EXPECT_GT(peers[0]->arrivals.size(), 20U);
        EXPECT_FALSE(peers[0]->arrivals == peers[1]->arrivals);
    }
}

TEST(FabricDevice, NameIsThatOfTheTopologyOrTheNode)
{
    EngineUnderTest engine;
    Ptr<NotingDevice> device = NewDevice(Create<FabricContext>());
    EXPECT_EQ(device->GetName(), "node " + std::to_string(device->GetNode()->GetId()));
    device->SetName("leaf");
    EXPECT_EQ(device->GetName(), "leaf");

    Topology topology;
    topology.nodes.resize(5);
    topology.nodes[2].kind = topology.nodes[3].kind = TopologyNodeKind::SWITCH;
    topology.nodes[3].id = 17;
    topology.nodes[4].kind = TopologyNodeKind::NVSWITCH;
    EXPECT_EQ(topology.GetNodeName(1), "gpu1");
    EXPECT_EQ(topology.GetNodeName(2), "switch0");
    EXPECT_EQ(topology.GetNodeName(3), "node 17");
    EXPECT_EQ(topology.GetNodeName(4), "nvswitch2");
}

} // namespace
