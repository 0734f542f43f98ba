/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ports-under-test.h"

#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

using namespace ns3;
using namespace ns3::portstest;

TEST(RocePorts, H06OneQueuePairOfATwoPortNicHasTheRateOfOnePort)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 100000000);
    bench.network.Run();
    EXPECT_GE(LastArrival(bench.network), 4248);
    EXPECT_LT(LastArrival(bench.network), 4258);
    EXPECT_EQ(std::max(bench.GetSent(0, 0), bench.GetSent(0, 1)), 100000U);
    EXPECT_EQ(std::min(bench.GetSent(0, 0), bench.GetSent(0, 1)), 0U);
}

TEST(RocePorts, H06TwoQueuePairsPinnedToTwoPortsHaveTheRateOfBoth)
{
    PortsUnderTest bench;
    for (uint32_t channel = 0; channel < 2; channel++)
    {
        bench.network.transport->PinChannel(channel, channel);
        bench.network.Send(0, 1, 50000000, channel);
    }
    bench.network.Run();
    EXPECT_GE(LastArrival(bench.network), 2124);
    EXPECT_LT(LastArrival(bench.network), 2134);
    EXPECT_EQ(bench.GetSent(0, 0), 50000U);
    EXPECT_EQ(bench.GetSent(0, 1), 50000U);
}

TEST(RocePorts, H06OneQueuePairSpreadOverTwoPortsHasTheRateOfBoth)
{
    PortsUnderTest bench(Options(true), true);
    bench.network.Send(0, 1, 100000000);
    bench.network.Run(); // which checks that nothing is faster than its ideal time
    EXPECT_GE(LastArrival(bench.network), 2124);
    EXPECT_LT(LastArrival(bench.network), 2134);
    EXPECT_EQ(bench.GetSent(0, 0), 50000U);
    EXPECT_EQ(bench.GetSent(0, 1), 50000U);
    EXPECT_EQ(bench.network.Counters().retransmittedPackets, 0U);
}

TEST(RocePorts, BalancersChooseThePortsOfQueuePairs)
{
    RoceTestOptions options = Options();
    const auto configure = options.configure;
    options.configure = [&](RoceHelper& helper) {
        configure(helper);
        helper.SetNicAttribute("PortBalancer", StringValue("ns3::SprayLoadBalancer"));
    };
    PortsUnderTest turns(options);
    for (uint32_t channel = 0; channel < 10; channel++)
    {
        turns.network.Send(0, 1, 100000, channel);
    }
    turns.network.Run();
    EXPECT_EQ(turns.GetSent(0, 0), 500U) << "queue pairs take the ports in turn";
    EXPECT_EQ(turns.GetSent(0, 1), 500U);
}

TEST(RocePorts, HashesSpreadQueuePairsLikeALinkAggregationGroup)
{
    PortsUnderTest bench;
    for (uint32_t channel = 0; channel < 400; channel++)
    {
        bench.network.Send(0, 1, 1000, channel);
    }
    bench.network.Run();
    EXPECT_NEAR(bench.GetSent(0, 0), 200, 50) << "binomial, five standard deviations";
}

TEST(RocePorts, APacedRateBelowTwoPortsIsKeptWhenSpread)
{
    RoceTestOptions options = Options(true);
    options.congestionControl = "ns3::FixedRateCongestionControl";
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedRateCongestionControl::Rate", StringValue("300Gbps"));
    PortsUnderTest bench(options, true);
    bench.network.Send(0, 1, 10000000);
    bench.network.Run();
    EXPECT_NEAR(LastArrival(bench.network), 10000 * PACKET * 2 / 3 + 2, 0.2);
    EXPECT_NEAR(bench.GetSent(0, 0), 5000, 1);
}

TEST(RocePorts, AQueuePairLeavesADeadPortAndComesHome)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 100000000);
    uint32_t home = 2;
    std::vector<std::vector<uint64_t>> sent;
    const auto note = [&] { sent.push_back({bench.GetSent(0, home), bench.GetSent(0, 1 - home)}); };
    home = bench.network.fabric.nics[0]->GetQueuePair(0).port;
    bench.Add(1000, 0, home, LinkChange::DOWN);
    bench.Add(2000, 0, home, LinkChange::UP);
    bench.Start();
    for (const int64_t us : {1010, 1990, 2010, 3000})
    {
        Simulator::Schedule(MicroSeconds(us), note);
    }
    bench.network.Run();
    EXPECT_EQ(sent[1][0], sent[0][0]) << "nothing more goes by the dead port";
    EXPECT_GT(sent[1][1], 10000U) << "all goes by the other one";
    EXPECT_EQ(sent[3][1], sent[2][1]) << "and comes home";
    EXPECT_GT(sent[3][0], sent[2][0] + 10000);
    EXPECT_GT(bench.network.Counters().linkLosses, 0U);
    EXPECT_GT(bench.network.Counters().retransmittedPackets, 0U);
    const double undisturbed = 4248 + PACKET + 2;
    EXPECT_LT(LastArrival(bench.network), undisturbed + 2 * 300) << "a timeout each way at most";
}

TEST(RocePorts, APinnedQueuePairWaitsForItsPort)
{
    PortsUnderTest bench;
    bench.network.transport->PinChannel(0, 1);
    bench.network.Send(0, 1, 1000000);
    bench.Add(10, 0, 1, LinkChange::DOWN);
    bench.Add(700, 0, 1, LinkChange::UP);
    bench.Start();
    bench.network.Run();
    EXPECT_EQ(bench.GetSent(0, 0), 0U);
    EXPECT_GT(bench.network.GetLastReceived(), MicroSeconds(700));
}

TEST(RocePorts, TheOtherEndOfADeadLinkIsAvoidedToo)
{
    // The receiver's port dies: the switch behind the sender's has no path to it any more.
    PortsUnderTest bench;
    bench.network.Send(0, 1, 10000000);
    const uint32_t home = bench.network.fabric.nics[0]->GetQueuePair(0).port;
    bench.Add(100, 1, home, LinkChange::DOWN);
    bench.Start();
    bench.network.Run();
    EXPECT_NEAR(bench.GetSent(0, home), 100 / PACKET, 30);
    EXPECT_LT(LastArrival(bench.network), 424.8 + 350);
}

TEST(RocePorts, WithoutAnyPortItGivesUpAndSaysSo)
{
    PortsUnderTest bench;
    bench.network.Send(0, 1, 10000000);
    bench.Add(50, 0, 0, LinkChange::DOWN);
    bench.Add(60, 0, 1, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const std::vector<std::string>& failures = bench.network.transport->GetFailures();
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_NE(failures[0].find("rank 0 gave up sending to rank 1"), std::string::npos);
    EXPECT_NE(failures[0].find("no port of its NIC leads there"), std::string::npos);
    EXPECT_EQ(bench.network.transport->DescribePending().size(), 2U);
    EXPECT_EQ(bench.network.context->pool.GetInUse(), 0U);
}

TEST(RocePorts, APinnedQueuePairGivesUpAndNamesItsPort)
{
    PortsUnderTest bench;
    bench.network.transport->PinChannel(0, 1);
    bench.network.Send(0, 1, 10000000);
    bench.Add(50, 0, 1, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const std::vector<std::string>& failures = bench.network.transport->GetFailures();
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_NE(failures[0].find("port 1 of its NIC is down"), std::string::npos) << failures[0];
}

TEST(RocePorts, ADatagramTakesAPortThatLeadsToItsDestination)
{
    constexpr uint32_t BYTES = 1000;
    constexpr uint32_t DATAGRAMS = 20; // to each of hosts 1 and 2
    for (const uint32_t cut : {0, 1})
    {
        SCOPED_TRACE(cut); // the host whose port 0 dies
        PortsUnderTest bench;
        std::vector<RoceQueuePair*> qps;
        for (const Ptr<RoceNicDevice>& nic : bench.network.fabric.nics)
        {
            nic->SetListener(nullptr);
            RoceQueuePairParameters parameters;
            parameters.port = RoceQueuePairParameters::ANY_PORT;
            qps.push_back(&nic->CreateDatagramQueuePair(parameters));
            for (uint32_t i = 0; i < DATAGRAMS; i++)
            {
                qps.back()->PostReceive(i);
            }
        }
        bench.Add(10, cut, 0, LinkChange::DOWN);
        bench.Start();
        Simulator::Schedule(MicroSeconds(20), [&] {
            for (uint32_t i = 0; i < 2 * DATAGRAMS; i++)
            {
                RoceWorkRequest request;
                request.verb = RoceVerb::SEND;
                request.bytes = BYTES;
                qps[0]->Post(request, {1 + i % 2, qps[1 + i % 2]->number});
            }
        });
        Simulator::Run();
        EXPECT_EQ(qps[1]->receivedBytes, DATAGRAMS * BYTES);
        EXPECT_EQ(qps[2]->receivedBytes, DATAGRAMS * BYTES);
        EXPECT_EQ(bench.network.context->pool.GetInUse(), 0U);
    }
}

TEST(RocePorts, DatagramsThatWaitLeaveADeadPort)
{
    constexpr uint32_t DATAGRAMS = 1000; // 42 us
    PortsUnderTest bench;
    std::vector<RoceQueuePair*> qps;
    for (const Ptr<RoceNicDevice>& nic : bench.network.fabric.nics)
    {
        nic->SetListener(nullptr);
        RoceQueuePairParameters parameters;
        parameters.port = RoceQueuePairParameters::ANY_PORT;
        qps.push_back(&nic->CreateDatagramQueuePair(parameters));
    }
    for (uint32_t i = 0; i < DATAGRAMS; i++)
    {
        RoceWorkRequest request;
        request.verb = RoceVerb::SEND;
        request.bytes = 1000;
        qps[1]->PostReceive(i);
        qps[0]->Post(request, {1, qps[1]->number});
    }
    bench.Add(10, 0, qps[0]->port, LinkChange::DOWN);
    bench.Start();
    Simulator::Run();
    const uint64_t lost = bench.network.Counters().linkLosses;
    EXPECT_NEAR(static_cast<double>(lost), 1 / PACKET, 3) << "what was on the link";
    EXPECT_EQ(qps[1]->receivedBytes, (DATAGRAMS - lost) * 1000);
}

TEST(RocePorts, NothingIsLostByAnyScheduleOnAnyEngine)
{
    const auto play = [](uint32_t seed, bool spread, const std::string& engine) {
        std::mt19937 random(seed);
        PortsUnderTest bench(Options(spread, engine), spread);
        for (uint32_t i = 0; i < 6; i++)
        {
            const uint32_t host = random() % HOSTS;
            const uint32_t port = random() % 2;
            const int64_t when = random() % 60;
            bench.Add(when, host, port, LinkChange::DOWN);
            bench.Add(when + 1 + random() % 100, host, port, LinkChange::UP);
        }
        bench.Start();
        for (uint32_t i = 0; i < 24; i++)
        {
            bench.network.Send(i % HOSTS, (i % HOSTS + 1 + i % 3) % HOSTS, 100000, i);
        }
        bench.network.Run(); // which checks bytes, frames and pauses
        return bench.network.context->GetFingerprint();
    };
    for (uint32_t seed = 0; seed < 12; seed++)
    {
        SCOPED_TRACE(seed);
        for (const bool spread : {false, true})
        {
            const uint64_t fingerprint = play(seed, spread, "fabric");
            EXPECT_EQ(play(seed, spread, "fabric"), fingerprint);
            EXPECT_EQ(play(seed, spread, "default"), fingerprint);
        }
    }
}

TEST(RocePorts, SpreadingWithoutToleranceIsWarnedOf)
{
    const auto count = [](bool spread, bool tolerant) {
        PortsUnderTest bench(Options(spread), tolerant);
        bench.network.Send(0, 1, 1000);
        bench.network.Run();
        return bench.network.fabric.GetWarnings().size();
    };
    EXPECT_EQ(count(true, false), 1U);
    EXPECT_EQ(count(true, true), 0U);
    EXPECT_EQ(count(false, false), 0U);
}
