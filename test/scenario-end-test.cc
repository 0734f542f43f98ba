/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "flow-run-under-test.h"

#include "ns3/cluster.h"
#include "ns3/config-error.h"
#include "ns3/interrupt-guard.h"
#include "ns3/simulator.h"
#include "ns3/text-scanner.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <map>
#include <pthread.h>
#include <sys/stat.h>
#include <thread>

/**
 * \file
 * Runs that end from outside, and what is counted at any end.
 */

namespace ns3
{

namespace
{

using nlohmann::json;

/** Runs of flows by the command line. */
class RailyardScenarioEnd : public FlowRunUnderTest
{
  protected:
    /** \return the summary of the last run */
    json ReadSummary() const
    {
        return json::parse(Read("out/summary.json"));
    }
};

} // namespace

TEST_F(RailyardScenarioEnd, SignalEndsTheRunWithItsResults)
{
    for (const char* engine : {"fabric", "default"})
    {
        FlowRun run(Parse({"--topology=" + WriteStar(2),
                           "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n"),
                           std::string("--engine=") + engine},
                          "out"));
        Simulator::Schedule(MicroSeconds(100), [] { std::raise(SIGTERM); });
        const RunSummary summary = run.Run();
        EXPECT_EQ(summary.verdict, RunVerdict::INTERRUPTED);
        EXPECT_EQ(summary.simulatedTime, MicroSeconds(100));
        EXPECT_TRUE(Mentions(summary.unfinished, {"interrupted by SIGTERM at 100.000 us"}));
        EXPECT_FALSE(Mentions(summary.unfinished, {"not conserved"}));
        EXPECT_EQ(ReadSummary().at("verdict"), "interrupted");
        EXPECT_EQ(Ask("SELECT count(*) FROM flows WHERE delivered_bytes > 0"), "1");
    }
    struct sigaction now = {};
    sigaction(SIGTERM, nullptr, &now);
    EXPECT_EQ(now.sa_handler, SIG_DFL); // as before the run
}

TEST_F(RailyardScenarioEnd, SignalBeforeTheRunLeavesItsVerdict)
{
    const InterruptGuard guard; // as programs have, from their first line on
    std::raise(SIGINT);
    FlowRun run(Parse({"--topology=" + WriteStar(2),
                       "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n")},
                      "out"));
    const RunSummary summary = run.Run();
    EXPECT_EQ(summary.verdict, RunVerdict::INTERRUPTED);
    EXPECT_EQ(summary.simulatedTime, Time(0));
    EXPECT_TRUE(Mentions(summary.unfinished, {"interrupted by SIGINT at 0"}));
    EXPECT_EQ(ReadSummary().at("verdict"), "interrupted");
}

TEST_F(RailyardScenarioEnd, ASignalEndsTheWaitForAPipeThatNobodyWritesTo)
{
    const std::string pipe = ::testing::TempDir() + "railyard-pipe";
    std::remove(pipe.c_str());
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const InterruptGuard guard;
    const pthread_t reader = pthread_self();
    std::atomic<bool> done{false};
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        pthread_kill(reader, SIGTERM);
        for (int i = 0; i < 20 && !done; i++)
        {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        if (!done)
        {
            std::ofstream(pipe) << "1\n"; // the wait goes on: end it
        }
    });
    std::string error;
    try
    {
        TextFile{pipe};
    }
    catch (const ConfigError& refused)
    {
        error = refused.what();
    }
    done = true;
    other.join();
    std::remove(pipe.c_str());
    EXPECT_NE(error.find("railyard-pipe: read 'Interrupted system call'"), std::string::npos)
        << error;
}

TEST_F(RailyardScenarioEnd, EverySignalThatEndsProgramsIsCaught)
{
    for (const auto& [number, name] : std::map<int, std::string>{{SIGINT, "SIGINT"},
                                                                  {SIGHUP, "SIGHUP"},
                                                                  {SIGQUIT, "SIGQUIT"}})
    {
        std::signal(number, SIG_DFL); // under nohup SIGHUP is ignored, and stays so
        {
            FlowRun run(Parse({"--topology=" + WriteStar(2),
                               "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n")},
                              "out"));
            Simulator::Schedule(MicroSeconds(100), [signal = number] { std::raise(signal); });
            EXPECT_TRUE(Mentions(run.Run().unfinished, {"interrupted by " + name}));
        }
        EXPECT_FALSE(Exists("out/.partial"));
    }
}

TEST_F(RailyardScenarioEnd, PacketsAreCountedAtAnyEnd)
{
    const std::string topology =
        Write("topology",
              "4 1 3\n3\n0 3 100Gbps 1us 0.001\n1 3 100Gbps 1us 0.001\n2 3 100Gbps 1us 0.001\n");
    const std::string flows =
        Write("flows", "2\n1 0 3 100 9000000 0\n2 0 3 100 9000000 0\n");
    for (const std::string pfc : {"true", "false"})
    {
        FlowRun run(Parse({"--topology=" + topology,
                           "--flows=" + flows,
                           "--congestionControl=No",
                           "--set=ns3::RoceSwitchDevice::BufferBytes=400000",
                           "--set=ns3::RoceSwitchDevice::Pfc=" + pfc},
                          "out"));
        Cluster& cluster = run.GetCluster();
        for (uint32_t us = 10; us < 1500; us += 50)
        {
            Simulator::Schedule(MicroSeconds(us), [&cluster] {
                EXPECT_EQ(cluster.FindLostPackets(), "") << Simulator::Now();
            });
        }
        Simulator::Schedule(MicroSeconds(500), [&cluster] {
            cluster.GetContext().counters.packets += 100000;
            EXPECT_NE(cluster.FindLostPackets().find("packets were created"), std::string::npos);
            cluster.GetContext().counters.packets -= 200000;
            EXPECT_NE(cluster.FindLostPackets(), "");
            cluster.GetContext().counters.packets += 100000;
        });
        const RunSummary summary = run.Run();
        EXPECT_FALSE(Mentions(summary.unfinished, {"packets are not conserved"}));
        EXPECT_GT(summary.network.linkLosses, 0U);
        EXPECT_GT(pfc == "true" ? summary.network.pfcPauses : summary.network.drops, 0U);
    }
}

TEST_F(RailyardScenarioEnd, BytesAreCountedAtAnyEnd)
{
    FlowRun run(Parse({"--topology=" + WriteStar(2),
                       "--flows=" + Write("flows", "1\n0 1 3 100 100000000 0\n"),
                       "--stop=100us"},
                      "out"));
    EXPECT_EQ(run.GetCluster().FindLostBytes(false), "");
    Simulator::Schedule(MicroSeconds(50), [&run] {
        EXPECT_EQ(run.GetCluster().FindLostBytes(false), "");
        EXPECT_NE(run.GetCluster().FindLostBytes(true), "");
        run.GetCluster().GetContext().counters.payloadBytesDelivered++; // one too many
    });
    const RunSummary summary = run.Run();
    EXPECT_TRUE(Mentions(summary.unfinished, {"not conserved", "reached their receivers"}));
}

TEST_F(RailyardScenarioEnd, CountersOfTheFabricsAddUp)
{
    const RunSummary summary = Simulate({"--topology=" + WriteStar(3),
                                         "--flows=" + WriteIncast(2)});
    ASSERT_EQ(summary.network.fabrics.size(), 2U);
    const FabricSummary& ethernet = summary.network.fabrics[0];
    EXPECT_EQ(ethernet.name, "ethernet");
    EXPECT_GT(ethernet.ackPacketHops, 0U);
    EXPECT_EQ(std::to_string(ethernet.wireBytes), Ask("SELECT sum(wire_bytes) FROM links"));
    EXPECT_EQ(summary.network.fabrics[1].dataPacketHops, 0U);
    EXPECT_EQ(ReadSummary().at("network").at("fabrics").at("ethernet").at("wireBytes"),
              ethernet.wireBytes);
}

TEST_F(RailyardScenarioEnd, LossesOnLinksAreNoDrops)
{
    const std::string topology =
        Write("topology", "3 1 2\n2\n0 2 100Gbps 1us 0\n2 1 100Gbps 1us 0.01\n");
    const RunSummary summary = Simulate({"--topology=" + topology,
                                         "--flows=" + Write("flows", "1\n0 1 3 100 4000000 0\n")});
    EXPECT_EQ(summary.network.drops, 0U);
    EXPECT_GT(summary.network.linkLosses, 0U);
    EXPECT_EQ(std::to_string(summary.network.linkLosses),
              Ask("SELECT sum(lost_packets) FROM links"));
}

TEST_F(RailyardScenarioEnd, BitErrorsAreToldFromOtherLosses)
{
    const RunSummary summary =
        Simulate({"--topology=star:hosts=2,nicRate=100Gbps,lossRate=0.005,bitErrorRate=1e-6",
                  "--flows=" + Write("flows", "1\n0 1 3 100 4000000 0\n")});
    EXPECT_EQ(summary.verdict, RunVerdict::FINISHED);
    EXPECT_GT(summary.network.linkCorruptions, 0U);
    EXPECT_GT(summary.network.linkLosses, summary.network.linkCorruptions);
    EXPECT_EQ(std::to_string(summary.network.linkLosses) + " " +
                  std::to_string(summary.network.linkCorruptions),
              Ask("SELECT sum(lost_packets), sum(corrupted_packets) FROM links"));
}

TEST_F(RailyardScenarioEnd, LongPausesAreNoted)
{
    const std::string flows = Write("flows", "2\n1 0 3 100 100000 0\n2 0 3 100 100000 0\n");
    const auto simulate = [&](const std::string& rate) {
        const std::string topology = Write("topology",
                                           "4 1 3\n3\n0 3 " + rate +
                                               " 1us 0\n1 3 1Gbps 1us 0\n2 3 1Gbps 1us 0\n");
        return Simulate({"--topology=" + topology,
                         "--flows=" + flows,
                         "--congestionControl=No",
                         "--set=RoceNicDevice::AckTimeoutExponent=31",
                         "--set=RoceSwitchDevice::BufferBytes=100000"});
    };
    const RunSummary slow = simulate("100kbps");
    EXPECT_EQ(slow.verdict, RunVerdict::FINISHED);
    EXPECT_TRUE(Mentions(slow.notes, {"are refreshes of PAUSE", "paused for long"}));
    const RunSummary fast = simulate("1Gbps");
    EXPECT_GT(fast.network.pfcPauses, 0U);
    EXPECT_FALSE(Mentions(fast.notes, {"are refreshes of PAUSE"}));
}

} // namespace ns3
