/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/boolean.h"
#include "ns3/pfc-deadlock-detector.h"
#include "ns3/pfc-wait-graph.h"
#include "ns3/pfc.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/** \ingroup tests \brief A network that a detector watches. */
class WatchedNetwork
{
  public:
    /**
     * \param topology the cluster
     * \param bufferBytes of every switch
     * \param attributes flags of every switch
     */
    WatchedNetwork(const Topology& topology,
                   uint64_t bufferBytes,
                   const std::vector<std::string>& attributes = {})
        : network(topology, GetOptions(bufferBytes, attributes)),
          detector(CreateObject<PfcDeadlockDetector>())
    {
        detector->Start(network.context, network.fabric.switches);
    }

    ~WatchedNetwork()
    {
        detector->Dispose();
    }

    /** Every host sends to the host after the next, on 8 queue pairs of 5 MB. */
    void SendAroundTheRing()
    {
        const uint32_t size = network.fabric.nics.size();
        for (uint32_t channel = 0; channel < 8; channel++)
        {
            for (uint32_t host = 0; host < size; host++)
            {
                network.Send(host, (host + 2) % size, 5000000, channel);
            }
        }
    }

    /** \return messages that arrived */
    uint32_t CountArrived() const
    {
        uint32_t count = 0;
        for (const auto& flow : network.flows)
        {
            count += !flow.received.IsStrictlyNegative();
        }
        return count;
    }

    RoceTestNetwork network;           //!< the network
    Ptr<PfcDeadlockDetector> detector; //!< watches it

  private:
    /** \param bufferBytes of every switch \param attributes flags of it \return the options */
    static RoceTestOptions GetOptions(uint64_t bufferBytes,
                                      const std::vector<std::string>& attributes)
    {
        RoceTestOptions options;
        options.gapBytes = 20;
        options.mtuBytes = 4096;
        options.configure = [bufferBytes, attributes](RoceHelper& helper) {
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(bufferBytes));
            for (const std::string& name : attributes)
            {
                helper.SetSwitchAttribute(name, BooleanValue(true));
            }
        };
        return options;
    }
};

TEST(RoceDeadlock, RingOfSwitchesIsFoundAndItsCycleNamed)
{
    WatchedNetwork ring(SwitchRingTopology(5), 400000);
    ring.SendAroundTheRing();
    Simulator::Run();
    EXPECT_TRUE(ring.detector->HasFound());
    EXPECT_LE(Simulator::Now(), MilliSeconds(201)) << "two looks at most";
    EXPECT_EQ(ring.CountArrived(), 0U);
    const std::vector<std::string> lines = ring.detector->Describe();
    ASSERT_EQ(lines.size(), 1U);
    // Port 1 of switch 0 leads to switch 1, port 2 of the others to the next.
    EXPECT_EQ(lines[0].substr(0, lines[0].find(", each")),
              "PFC deadlock in class 3: switch0 port 1 -> switch1 port 2 -> switch2 port 2 -> "
              "switch3 port 2 -> switch4 port 2 -> switch0 port 1");
    EXPECT_FALSE(ring.network.fabric.DescribePauses(16).empty());
}

TEST(RoceDeadlock, WhatIsStuckOnceStaysSo)
{
    WatchedNetwork ring(SwitchRingTopology(5), 400000);
    ring.SendAroundTheRing();
    std::vector<std::vector<std::string>> seen;
    for (uint32_t us = 0; us < 1000; us++)
    {
        Simulator::Schedule(MicroSeconds(us), [&] { seen.push_back(ring.detector->Describe()); });
    }
    Simulator::Run();
    const auto begin = std::find(seen.begin(), seen.end(), ring.detector->Describe());
    ASSERT_NE(begin, seen.end());
    EXPECT_GT(begin - seen.begin(), 10) << "the memory has to fill first";
    EXPECT_TRUE(std::all_of(seen.begin(), begin, [](const auto& lines) { return lines.empty(); }));
    EXPECT_EQ(static_cast<size_t>(std::count(begin, seen.end(), *begin)),
              static_cast<size_t>(seen.end() - begin));
}

TEST(RoceDeadlock, WithMemoryEnoughTheRingFinishes)
{
    WatchedNetwork ring(SwitchRingTopology(5), 300000000);
    ring.SendAroundTheRing();
    ring.network.Run();
    EXPECT_FALSE(ring.detector->HasFound());
    EXPECT_TRUE(ring.detector->Describe().empty());
}

TEST(RoceDeadlock, TrafficElsewhereGoesOn)
{
    // Hosts 0 and 5 share a switch beside the ring: what they send does not pass it.
    Topology topology = SwitchRingTopology(5);
    topology.nodes.insert(topology.nodes.begin() + 5, TopologyNode{});
    for (TopologyLink& link : topology.links)
    {
        link.a += link.a >= 5;
        link.b += link.b >= 5;
    }
    topology.nodes.emplace_back();
    topology.nodes.back().kind = TopologyNodeKind::SWITCH;
    for (uint32_t host : {0U, 5U})
    {
        topology.links.emplace_back(topology.links.front());
        topology.links.back().a = host;
        topology.links.back().b = topology.nodes.size() - 1;
    }
    WatchedNetwork ring(topology, 400000);
    for (uint32_t channel = 0; channel < 8; channel++)
    {
        for (uint32_t host = 0; host < 5; host++)
        {
            ring.network.Send(host, (host + 2) % 5, 5000000, channel);
        }
    }
    const size_t beside = ring.network.Send(0, 5, 4000000000ULL); // 0.33 s
    Simulator::Run();
    EXPECT_TRUE(ring.detector->HasFound());
    EXPECT_FALSE(ring.network.flows[beside].received.IsStrictlyNegative())
        << "the run went on until it could not";
    EXPECT_GT(Simulator::Now(), MilliSeconds(320));
}

TEST(RoceDeadlock, LongIncastIsNone)
{
    // Pauses for 0.4 s, four looks, without a break in what arrives.
    WatchedNetwork star(StarTopology(9, "100Gbps", MicroSeconds(1)), 2000000);
    for (uint32_t host = 1; host < 9; host++)
    {
        star.network.Send(host, 0, 600000000);
    }
    star.network.Run();
    EXPECT_FALSE(star.detector->HasFound());
    EXPECT_GT(star.network.Counters().pfcPauses, 1000U);
    EXPECT_GT(star.network.GetLastReceived(), MilliSeconds(350));
}

TEST(RoceDeadlock, GraphOfACongestedNetworkIsEmptyAtAnyTime)
{
    WatchedNetwork pair(LeafPairTopology(4, 1, "100Gbps", MicroSeconds(1)), 800000);
    for (uint32_t host = 0; host < 8; host++)
    {
        pair.network.Send(host, (host + 4) % 8, 2000000);
        pair.network.Send(host, (host + 5) % 8, 2000000);
    }
    uint32_t paused = 0;
    for (uint32_t i = 0; i < 500; i++)
    {
        Simulator::Schedule(MicroSeconds(2 * i), [&] {
            paused += !pair.network.fabric.DescribePauses(1).empty();
            EXPECT_FALSE(
                PfcWaitGraph(pair.network.fabric.switches, EngineUnderTest::Now(), 1000000000)
                    .IsStuck());
        });
    }
    pair.network.Run();
    EXPECT_GT(paused, 100U) << "there was something to look at";
}

/**
 * A host that pauses class 3 without end.
 * \param port of the host
 * \param end when it stops to, ticks
 */
void
PauseForEver(FabricPort& port, uint64_t end)
{
    Pfc::Send(port, 3, 65535);
    if (EngineUnderTest::Now() < end)
    {
        Simulator::Schedule(MicroSeconds(150), [&port, end] { PauseForEver(port, end); });
    }
}

TEST(RoceDeadlock, StormOfAHostIsNamed)
{
    WatchedNetwork star(StarTopology(4, "100Gbps", MicroSeconds(1)), 2000000);
    star.network.Send(0, 1, 10000000);
    Simulator::Schedule(MicroSeconds(100),
                        [&] { PauseForEver(star.network.fabric.nics[1]->GetPort(0), UINT64_MAX); });
    Simulator::Run();
    EXPECT_TRUE(star.detector->HasFound());
    EXPECT_GE(Simulator::Now(), Seconds(1));
    EXPECT_LE(Simulator::Now(), MilliSeconds(1200));
    const std::vector<std::string> lines = star.detector->Describe();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].substr(0, 59),
              "PFC storm in class 3: gpu1 has paused switch0 port 1 for 1.");
    const std::vector<std::string> pauses = star.network.fabric.DescribePauses(16);
    ASSERT_EQ(pauses.size(), 2U) << "the port of the storm and that of the sender";
    EXPECT_EQ(pauses[0].substr(0, pauses[0].find(", since")),
              "switch0 port 1 is still paused in class 3 by gpu1");
    EXPECT_EQ(pauses[1].substr(0, pauses[1].find(", since")),
              "gpu0 port 0 is still paused in class 3 by switch0");
    EXPECT_EQ(star.network.fabric.DescribePauses(1).back(),
              "1 more ports are still paused: column paused_at_end of table ports");
}

TEST(RoceDeadlock, StormThatEndsInTimeIsNone)
{
    WatchedNetwork star(StarTopology(4, "100Gbps", MicroSeconds(1)), 2000000);
    star.network.Send(0, 1, 10000000);
    Simulator::Schedule(MicroSeconds(100), [&] {
        PauseForEver(star.network.fabric.nics[1]->GetPort(0), 800000000000);
    });
    star.network.Run();
    EXPECT_FALSE(star.detector->HasFound());
}

TEST(RoceDeadlock, DetectorDoesNotKeepTheSimulationAlive)
{
    const auto end = [](bool watched) {
        RoceTestOptions options;
        options.configure = [](RoceHelper& helper) {
            helper.SetSwitchAttribute("BufferBytes", UintegerValue(400000));
        };
        RoceTestNetwork network(StarTopology(4, "100Gbps", MicroSeconds(1)), options);
        auto detector = CreateObject<PfcDeadlockDetector>();
        if (watched)
        {
            detector->Start(network.context, network.fabric.switches);
        }
        for (uint32_t host = 1; host < 4; host++)
        {
            network.Send(host, 0, 1000000);
        }
        network.Run();
        EXPECT_GT(network.Counters().pfcPauses, 0U);
        return Simulator::Now();
    };
    EXPECT_EQ(end(true), end(false));
}

} // namespace
