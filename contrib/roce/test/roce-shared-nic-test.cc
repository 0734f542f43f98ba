/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ports-under-test.h"

#include "ns3/topology-loader.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::portstest;

TEST(RocePorts, TwoGpusThatShareANicEachGetHalfOfIt)
{
    // GPUs 0 and 1 share a NIC of 100 Gbit/s, as do 2 and 3.
    RoceTestNetwork network(
        LoadTopology("star:gpus=4,gpusPerServer=2,gpusPerNic=2,nicRate=100Gbps,delay=1us"));
    EXPECT_EQ(network.fabric.nics[0], network.fabric.nics[1]);
    EXPECT_EQ(network.fabric.GetNics().size(), 2U);
    network.Send(0, 2, 1000000);
    network.Send(1, 3, 1000000);
    std::vector<uint64_t> received;
    Simulator::Schedule(MicroSeconds(102), [&] {
        received = {network.GetReceivedBytes(0, 2), network.GetReceivedBytes(1, 3)};
    });
    network.Run();
    EXPECT_NEAR(static_cast<double>(received[0]), 100e6 * 0.5 * 12.5 / 1062, 2000);
    EXPECT_NEAR(static_cast<double>(received[1]), static_cast<double>(received[0]), 2000);
    EXPECT_NEAR(LastArrival(network), 2000 * 0.08496 + 0.08496 + 2, 0.001);
    const FabricPortCounters counters = network.fabric.nics[0]->GetPort(0).GetCounters();
    EXPECT_EQ(counters.packets[0], 2000U);
    EXPECT_EQ(counters.wireBytes[0], 2000U * 1062);
    EXPECT_EQ(network.fabric.nics[0]->GetPortCount(), 1U);
}

TEST(RocePorts, GpusOfOneNicShareByQueuePairsAndReachEachOther)
{
    RoceTestNetwork network(
        LoadTopology("star:gpus=4,gpusPerServer=2,gpusPerNic=2,nicRate=100Gbps,delay=1us"));
    for (uint32_t channel = 0; channel < 3; channel++)
    {
        network.Send(0, 2, 1000000, channel);
    }
    network.Send(1, 3, 1000000);
    network.Run();
    // One of four queue pairs: all end together, so that GPU 0 had three quarters.
    EXPECT_NEAR(network.flows[3].received.GetSeconds() * 1e6, 4000 * 0.08496 + 2.1, 0.5);
    network.Send(0, 1, 1000000);
    network.Send(1, 0, 1000000);
    network.Run(); // by way of the switch, and not faster than the ideal time
    EXPECT_EQ(network.fabric.nics[2]->GetPort(0).GetCounters().packets[0], 0U);
    EXPECT_EQ(network.fabric.nics[0]->GetPort(0).GetCounters().packets[0], 6000U);
}

TEST(RocePorts, ASharedNicMayHaveSeveralPorts)
{
    RoceTestNetwork network(LoadTopology(
        "star:gpus=4,gpusPerServer=2,gpusPerNic=2,portsPerNic=2,nicRate=400Gbps,delay=1us"));
    for (uint32_t i = 0; i < 40; i++)
    {
        network.Send(i % 2, i % 4 < 2 ? 2 : 1 - i % 2, 10000, i);
    }
    network.Run();
    for (uint32_t port = 0; port < 2; port++)
    {
        const uint64_t packets = network.fabric.nics[0]->GetPort(port).GetCounters().packets[0];
        EXPECT_NEAR(static_cast<double>(packets), 200, 160) << "binomial, five deviations";
    }
}
