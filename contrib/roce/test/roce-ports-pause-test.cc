/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ports-under-test.h"

#include "ns3/pfc.h"

#include <gtest/gtest.h>

using namespace ns3;
using namespace ns3::portstest;

TEST(RocePorts, APauseOfOnePortLeavesTheOtherAlone)
{
    // Port 0 is paused for 167 us from 10 us on.
    for (const bool spread : {false, true})
    {
        SCOPED_TRACE(spread);
        PortsUnderTest bench(Options(spread), spread);
        for (uint32_t channel = 0; channel < 2; channel++)
        {
            if (!spread)
            {
                bench.network.transport->PinChannel(channel, channel);
            }
            bench.network.Send(0, 1, 10000000, channel);
        }
        Simulator::Schedule(MicroSeconds(10), [&] {
            Pfc::Send(bench.network.fabric.switches[HOSTS]->GetPort(0), 3, 65535);
        });
        std::vector<uint64_t> sent;
        for (const int64_t us : {20, 120})
        {
            Simulator::Schedule(MicroSeconds(us), [&] {
                sent.push_back(bench.GetSent(0, 0));
                sent.push_back(bench.GetSent(0, 1));
            });
        }
        bench.network.Run();
        EXPECT_EQ(sent[2], sent[0]);
        EXPECT_NEAR(sent[3] - sent[1], 100 / PACKET, 3) << "the other port is never idle";
        const double pause = 65535 * 512 / 200e3;
        EXPECT_NEAR(LastArrival(bench.network),
                    10000 * PACKET + PACKET + 2 + (spread ? pause / 2 : pause),
                    spread ? 0.5 : 0.2);
    }
}

TEST(RocePorts, APacketThatIsHashedToAPausedPortTakesAnother)
{
    RoceTestOptions options = Options(true);
    const auto configure = options.configure;
    options.configure = [&](RoceHelper& helper) {
        configure(helper);
        helper.SetNicAttribute("PortBalancer", StringValue("ns3::EcmpLoadBalancer"));
    };
    PortsUnderTest bench(options, true);
    bench.network.Send(0, 1, 10000000);
    const uint32_t home = bench.network.fabric.nics[0]->GetQueuePair(0).parameters.port;
    Simulator::Schedule(MicroSeconds(10), [&] {
        Pfc::Send(bench.network.fabric.switches[HOSTS + home]->GetPort(0), 3, 65535);
    });
    std::vector<uint64_t> other;
    for (const int64_t us : {20, 120, 200})
    {
        Simulator::Schedule(MicroSeconds(us),
                            [&] { other.push_back(bench.GetSent(0, 1 - home)); });
    }
    bench.network.Run();
    EXPECT_NEAR(other[1] - other[0], 100 / PACKET, 3);
    EXPECT_EQ(bench.GetSent(0, 1 - home), other[2]) << "the hash holds again after the pause";
}

TEST(RocePorts, PacketsWaitWhileAllPortsArePaused)
{
    PortsUnderTest bench(Options(true), true);
    bench.network.Send(0, 1, 10000000);
    bench.network.Send(0, 1, 10000000, 1);
    for (uint32_t port = 0; port < 2; port++)
    {
        Simulator::Schedule(MicroSeconds(10), [&bench, port] {
            Pfc::Send(bench.network.fabric.switches[HOSTS + port]->GetPort(0), 3, 65535);
        });
    }
    std::vector<uint64_t> sent;
    for (const int64_t us : {20, 170})
    {
        Simulator::Schedule(MicroSeconds(us), [&] {
            sent.push_back(bench.GetSent(0, 0) + bench.GetSent(0, 1));
        });
    }
    bench.network.Run();
    EXPECT_EQ(sent[1], sent[0]);
    const double pause = 65535 * 512 / 200e3;
    EXPECT_NEAR(LastArrival(bench.network), 10000 * PACKET + PACKET + 2 + pause, 0.5);
}

TEST(RocePorts, APacketLeavesAPausedPortWhenAnotherCanBeUsedAgain)
{
    // The packet waits at port 0, paused until 179 us, as port 1 cannot be used until 50 us.
    for (const bool dead : {false, true})
    {
        SCOPED_TRACE(dead);
        PortsUnderTest bench(Options(true), true);
        bench.network.Send(0, 1, 10000000);
        const auto pause = [&](uint32_t port, uint32_t quanta) {
            Pfc::Send(bench.network.fabric.switches[HOSTS + port]->GetPort(0), 3, quanta);
        };
        if (dead)
        {
            bench.Add(10, 0, 1, LinkChange::DOWN);
            bench.Add(50, 0, 1, LinkChange::UP);
        }
        else
        {
            Simulator::Schedule(MicroSeconds(10), [&] { pause(1, 65535); });
            Simulator::Schedule(MicroSeconds(50), [&] { pause(1, 0); });
        }
        bench.Start();
        Simulator::Schedule(MicroSeconds(12), [&] { pause(0, 65535); });
        std::vector<uint64_t> sent;
        for (const int64_t us : {20, 49, 60, 160})
        {
            Simulator::Schedule(MicroSeconds(us), [&] { sent.push_back(bench.GetSent(0, 1)); });
        }
        bench.network.Run();
        EXPECT_EQ(sent[1], sent[0]);
        EXPECT_NEAR(sent[3] - sent[2], 100 / PACKET, 3);
    }
}
