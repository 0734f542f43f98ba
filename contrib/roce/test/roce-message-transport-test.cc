/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "roce-test-network.h"

#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <set>

using namespace ns3;

namespace
{

/** \param lines of DescribePending() \param text what one of them must contain \return whether */
bool
Says(const std::vector<std::string>& lines, const std::string& text)
{
    for (const std::string& line : lines)
    {
        if (line.find(text) != std::string::npos)
        {
            return true;
        }
    }
    return false;
}

TEST(RoceMessageTransport, QueuePairsAreKeptPerChannel)
{
    RoceTestNetwork network(StarTopology(3, "100Gbps", MicroSeconds(1)));
    for (int lap = 0; lap < 3; lap++)
    {
        network.Send(0, 1, 1000, 0);
        network.Send(0, 1, 1000, 7);
        network.Send(0, 2, 1000, 0);
        network.Send(1, 0, 1000, 0);
    }
    network.Run();
    EXPECT_EQ(network.fabric.nics[0]->GetQueuePairCount(), 3U) << "one serves both directions";
    EXPECT_EQ(network.fabric.nics[1]->GetQueuePairCount(), 2U);
    std::set<uint16_t> udpPorts;
    for (uint32_t i = 0; i < 3; i++)
    {
        const RoceQueuePair& qp = network.fabric.nics[0]->GetQueuePair(i);
        EXPECT_EQ(qp.number, 2 + i) << "0 and 1 are reserved";
        udpPorts.insert(qp.parameters.udpPort);
    }
    EXPECT_GE(udpPorts.size(), 3U) << "flows differ in their entropy";
}

TEST(RoceMessageTransport, AChannelMayHaveAClassOfItsOwnAtBothEnds)
{
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)));
    network.transport->SetPriority(1, 0, 4, 5);
    for (const uint32_t channel : {0, 4})
    {
        network.Send(0, 1, 1000, channel);
    }
    network.Run();
    for (uint32_t rank = 0; rank < 2; rank++)
    {
        EXPECT_EQ(network.fabric.nics[rank]->GetQueuePair(0).settings.priority, 3U);
        EXPECT_EQ(network.fabric.nics[rank]->GetQueuePair(1).settings.priority, 5U);
    }
}

TEST(RoceMessageTransport, AFailureForWantOfAReceiveSaysSo)
{
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetNicAttribute("RnrRetry", UintegerValue(2));
        helper.SetNicAttribute("MinRnrTimer", UintegerValue(1));
    };
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
    network.Send(0, 1, 1000);
    network.fabric.nics[1]->GetQueuePair(0).PostReceive(1);
    network.Send(0, 1, 1000);
    network.RunFor(MilliSeconds(1));
    ASSERT_EQ(network.transport->GetFailures().size(), 1U);
    EXPECT_TRUE(Says(network.transport->GetFailures(),
                     "rank 0 gave up sending to rank 1 after 2 retries for want of a receive, at "))
        << network.transport->GetFailures()[0];
}

TEST(RoceMessageTransport, IdealTimeIsMetOnEveryPathAndSize)
{
    // Links of different rates: the slowest one sets the spacing.
    for (const std::string slow : {"100Gbps", "40Gbps", "333Gbps"})
    {
        for (const uint32_t at : {0, 1, 2})
        {
            for (const uint64_t bytes : {0, 1, 1000, 1001, 1999, 2000, 2500, 77777})
            {
                Topology topology = LeafPairTopology(1, 1, "100Gbps", MicroSeconds(1));
                topology.links[at].rate = DataRate(slow);
                RoceTestOptions options;
                options.gapBytes = 20;
                RoceTestNetwork network(topology, options);
                network.Send(0, 1, bytes);
                network.Run();
                const Time ideal = network.transport->GetIdealTime({0, 1, 0, bytes});
                EXPECT_GE(network.flows[0].received, ideal);
                EXPECT_LE(network.flows[0].received, ideal + TimeStep(4)) << slow << ", " << bytes;
            }
        }
    }
}

TEST(RoceMessageTransport, BaseRoundTripIsThatOfAPacketAndItsAcknowledgement)
{
    RoceTestOptions options;
    options.gapBytes = 20;
    RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
    network.Send(0, 1, 1000);
    network.Run();
    EXPECT_EQ(TimeStep(network.fabric.nics[0]->GetQueuePair(0).parameters.baseRtt),
              network.flows[0].acknowledged);
}

TEST(RoceMessageTransport, TheFastestOfUnequalParallelLinksIsIdeal)
{
    // The first of the equal-cost paths is the slow one.
    Topology topology = LeafPairTopology(1, 1, "100Gbps", MicroSeconds(1));
    topology.links.push_back(topology.links[2]);
    topology.links[2].rate = DataRate("25Gbps");
    topology.links[2].delay = MicroSeconds(7);
    RoceTestNetwork network(topology);
    for (uint32_t channel = 0; channel < 16; channel++)
    {
        Simulator::Schedule(MilliSeconds(channel),
                            [&network, channel] { network.Send(0, 1, 100000, channel); });
    }
    network.Run(); // nothing is faster than ideal
    const Time ideal = network.transport->GetIdealTime({0, 1, 0, 100000});
    int exact = 0;
    for (const auto& flow : network.flows)
    {
        exact += flow.received == ideal;
    }
    EXPECT_GT(exact, 0);
    EXPECT_LT(exact, 16);
}

TEST(RoceMessageTransport, NothingIsFasterThanAllLinksThatAFlowMayUse)
{
    // Behind a host of 100 Gbit/s lie four spines of 40: a flow that keeps to one takes 2.5 times
    // as long as one that is sprayed, which the host's own link bounds.
    for (const bool sprayed : {false, true})
    {
        Topology topology = LeafPairTopology(1, 4, "40Gbps", MicroSeconds(1));
        topology.links[0].rate = topology.links[1].rate = DataRate("100Gbps");
        RoceTestOptions options;
        options.loadBalancer = sprayed ? "ns3::SprayLoadBalancer" : "ns3::EcmpLoadBalancer";
        options.configure = [](RoceHelper& helper) {
            helper.SetNicAttribute(
                "LossRecovery",
                TypeIdValue(TypeId::LookupByName("ns3::SelectiveRepeatLossRecovery")));
        };
        RoceTestNetwork network(topology, options);
        network.Send(0, 1, 1000000);
        network.Run(); // nothing is faster than ideal
        const Time ideal = network.transport->GetIdealTime({0, 1, 0, 1000000});
        EXPECT_GT(ideal, PicoSeconds(1000 * 84960 * (sprayed ? 10ULL : 25ULL) / 10));
        EXPECT_LT(network.flows[0].received, Time(ideal.GetTimeStep() * 1.01));
    }
}

TEST(RoceMessageTransport, IdealTimesKnowTheLatencyOfSwitches)
{
    RoceTestOptions options;
    options.gapBytes = 20;
    options.configure = [](RoceHelper& helper) {
        helper.SetSwitchAttribute("Latency", TimeValue(NanoSeconds(700)));
    };
    RoceTestNetwork network(LeafPairTopology(1, 2, "100Gbps", MicroSeconds(1)), options);
    network.Send(0, 1, 1000);
    Simulator::Schedule(MilliSeconds(1), [&network] { network.Send(1, 0, 10000); });
    network.Run();
    EXPECT_EQ(network.flows[0].received, network.transport->GetIdealTime({0, 1, 0, 1000}));
    EXPECT_EQ(network.flows[1].received, network.transport->GetIdealTime({1, 0, 0, 10000}));
    EXPECT_EQ(TimeStep(network.fabric.nics[0]->GetQueuePair(0).parameters.baseRtt),
              network.flows[0].acknowledged);
}

TEST(RoceMessageTransport, WriteCarriesOneMoreHeader)
{
    std::vector<Time> times;
    for (const bool write : {false, true})
    {
        RoceTestOptions options;
        options.write = write;
        RoceTestNetwork network(StarTopology(2, "100Gbps", MicroSeconds(1)), options);
        network.Send(0, 1, 10000);
        network.Run();
        times.push_back(network.flows[0].received);
    }
    EXPECT_EQ(times[1] - times[0], TimeStep(2 * 16 * 80)) << "RETH of the first packet, on 2 links";
}

TEST(RoceMessageTransport, StuckRunSaysWhoWaits)
{
    RoceTestNetwork network(StarTopology(4, "100Gbps", MicroSeconds(1)));
    network.Send(0, 1, 3000);
    network.Send(2, 3, 5000);
    network.fabric.switches[4]->GetPort(1).Pause(3, MilliSeconds(100).GetTimeStep(), 0);
    network.RunFor(MicroSeconds(50));
    network.Send(2, 1, 777);
    network.RunFor(MicroSeconds(50));
    const auto lines = network.transport->DescribePending();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_TRUE(Says(lines, "rank 0 sends 3000 bytes to rank 1 since +0us, packets 0 of 3 "));
    EXPECT_TRUE(Says(lines, "rank 2 sends 777 bytes to rank 1 since +50us, packets 0 of 1 "));
    EXPECT_TRUE(network.transport->GetFailures().empty());
}

TEST(RoceMessageTransport, AQueuePairThatGaveUpIsNamed)
{
    Topology topology = StarTopology(3, "100Gbps", MicroSeconds(1));
    topology.links[1].lossRate = 1;
    RoceTestOptions options;
    options.configure = [](RoceHelper& helper) {
        helper.SetNicAttribute("AckTimeoutExponent", UintegerValue(4));
        helper.SetNicAttribute("RetryCount", UintegerValue(2));
    };
    RoceTestNetwork network(topology, options);
    network.Send(0, 1, 3000);
    network.Send(0, 2, 3000);
    Simulator::Run(); // ends by itself
    EXPECT_FALSE(network.flows[1].acknowledged.IsNegative());
    const auto failures = network.transport->GetFailures();
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_TRUE(Says(failures, "rank 0 gave up sending to rank 1 after 2 retries"));
    const auto lines = network.transport->DescribePending();
    EXPECT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], failures[0]);
    EXPECT_TRUE(Says(lines, "rank 0 sends 3000 bytes to rank 1"));
}

TEST(RoceMessageTransport, UnreachableRanksAreKnown)
{
    Topology topology = StarTopology(2, "100Gbps", MicroSeconds(1));
    topology.links.pop_back();
    RoceTestNetwork network(topology);
    EXPECT_FALSE(network.transport->CanReach(0, 1));
    EXPECT_EQ(network.transport->GetRankCount(), 2U);
}

TEST(RoceMessageTransport, ChainsOfMessagesFromReceiveEvents)
{
    // Each arrival sends on: queue pairs are created while frames are being received.
    constexpr uint32_t HOSTS = 20;
    RoceTestNetwork network(StarTopology(HOSTS, "100Gbps", MicroSeconds(1)));
    network.onReceived = [&](const Message& message) {
        if (network.flows.size() < 500)
        {
            const auto next = static_cast<uint32_t>(network.flows.size()) % (HOSTS - 1);
            network.Send(message.dst, (message.dst + 1 + next) % HOSTS, 1500, next % 3);
        }
    };
    network.Send(0, 1, 1500);
    network.Run();
    EXPECT_EQ(network.flows.size(), 500U);
}

} // namespace
