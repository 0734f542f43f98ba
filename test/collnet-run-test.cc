/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * All-reduces that network switches add up between servers, from the command line to the results.
 */

namespace ns3
{

namespace
{

constexpr uint64_t BYTES = 8 << 20; //!< of a collective

/**
 * \param more options, on servers of 8 GPUs if they name no topology
 * \param status expected exit status
 * \return a run of one all-reduce, with every message recorded
 */
CollectiveBenchOutcome
RunAllReduce(std::vector<std::string> more, int status = 0)
{
    std::vector<std::string> options{"-b8M", "-e8M", "-n1", "-w0", "-c0", "--messages=true"};
    const bool isPlaced = std::any_of(more.begin(), more.end(), [](const std::string& option) {
        return option.rfind("--topology=", 0) == 0;
    });
    if (!isPlaced)
    {
        options.push_back("--topology=rail-optimized:gpus=32");
    }
    options.insert(options.end(), more.begin(), more.end());
    CollectiveBenchOutcome run = RunBench(options);
    EXPECT_EQ(run.status, status) << run.out;
    return run;
}

const std::string REDUCES = "--set=ns3::RoceSwitchDevice::InNetworkReduction=true";

} // namespace

TEST(RailyardCollnet, EveryNicSendsAndReceivesItsShareOnce)
{
    for (const char* const network : {"packet", "flow", "analytic"})
    {
        for (const char* const algorithm : {"CollnetDirect", "CollnetChain"})
        {
            SCOPED_TRACE(std::string(algorithm) + " " + network);
            const CollectiveBenchOutcome run =
                RunAllReduce({REDUCES,
                              "--algorithm=" + std::string(algorithm),
                              "--network=" + std::string(network)});
            EXPECT_EQ(run.out.find("conserved"), std::string::npos) << run.out;
            EXPECT_EQ(run.summary.network.payloadBytesOffloaded, 4 * BYTES);
            for (const std::string end : {"node", "peer"})
            {
                EXPECT_EQ(run.Ask("SELECT DISTINCT SUM(payload_bytes) FROM links WHERE "
                                  "kind='ethernet' AND " +
                                  end + "<32 GROUP BY " + end),
                          std::to_string(BYTES / 8));
            }
            EXPECT_EQ(run.Ask("SELECT SUM(payload_bytes) FROM flows WHERE path='collnet' AND "
                              "end_ns>0 AND delivered_bytes=payload_bytes"),
                      std::to_string(4 * BYTES));
            EXPECT_EQ(run.Ask("SELECT COUNT(*) FROM flows WHERE path='nic'"), "0");
        }
    }
}

TEST(RailyardCollnet, NetworksAgreeOnTheTime)
{
    const std::pair<const char*, double> cases[] = {
        {"star:gpus=8,nicRate=400Gbps", 0.001},
        {"leaf-spine:gpus=32,leaves=4,gpusPerServer=1", 0.001},
        {"rail-optimized:gpus=32", 0.02}, // chains meet at NVLink ports
    };
    for (const auto& [topology, tolerance] : cases)
    {
        std::vector<double> times;
        for (const char* const network : {"packet", "flow", "analytic"})
        {
            const CollectiveBenchOutcome run = RunAllReduce({REDUCES,
                                                             "--algorithm=CollnetChain",
                                                             "--topology=" + std::string(topology),
                                                             "--network=" + std::string(network)});
            times.push_back(std::stod(run.Ask("SELECT MAX(end_ns) FROM flows")));
            EXPECT_LT(std::abs(times.back() / times[0] - 1), tolerance)
                << topology << " " << network;
        }
    }
}

// Every frame of a switch is one that it has made: nothing is there to be cut through.
TEST(RailyardCollnet, SwitchesThatCutThroughAddUpWholePackets)
{
    for (const std::string topology :
         {"star:gpus=8,nicRate=400Gbps", "leaf-spine:gpus=32,leaves=4,gpusPerServer=1"})
    {
        for (const std::string network : {"packet", "flow", "analytic"})
        {
            std::vector<std::string> ends;
            for (const std::string cutThrough : {"false", "true"})
            {
                const CollectiveBenchOutcome run =
                    RunAllReduce({REDUCES,
                                  "--set=ns3::RoceSwitchDevice::CutThrough=" + cutThrough,
                                  "--algorithm=CollnetChain",
                                  "--topology=" + topology,
                                  "--network=" + network});
                ends.push_back(run.Ask("SELECT MAX(end_ns) FROM flows"));
            }
            EXPECT_EQ(ends[1], ends[0]) << topology << " " << network;
        }
    }
}

// What one switch adds up is faster than any ring, so NCCL's choice is CollNet where it may be.
TEST(RailyardCollnet, NcclChoosesItWhereItsVariableAllowsIt)
{
    for (const auto& [value, isUsed] : {std::pair("0", false), {"1", true}})
    {
        const CollectiveBenchOutcome run =
            RunAllReduce({"--NCCL_COLLNET_ENABLE=" + std::string(value), "--network=flow"});
        EXPECT_EQ(run.Ask("SELECT COUNT(*)>0 FROM flows WHERE path='collnet'"), isUsed ? "1" : "0");
        EXPECT_EQ(run.Ask("SELECT algorithm LIKE 'Collnet%' FROM collective_bench"),
                  isUsed ? "1" : "0");
    }
}

// S at the rate of a NIC, with headers, and the time of a slice's first packet through the tree.
TEST(RailyardCollnet, TakesOnePassOfTheNic)
{
    const CollectiveBenchOutcome run = RunAllReduce(
        {REDUCES, "--algorithm=CollnetDirect", "--topology=star:gpus=8,nicRate=400Gbps"});
    const double ns = std::stod(run.Ask("SELECT MAX(end_ns) FROM flows"));
    const double pass = BYTES * (4182.0 / 4096) * 8 / 400;
    EXPECT_GE(ns, pass);
    EXPECT_LE(ns, pass + 2500);
    EXPECT_GT(2.0 * 7 / 8 * BYTES * 8 / ns, 1.6 * 400); // Gbit/s: more than a ring can have
}

TEST(RailyardCollnet, WithoutSwitchesThatAddUpItIsRefused)
{
    for (const std::vector<std::string>& why :
         {std::vector<std::string>{},
          {REDUCES, "--set=ns3::RoceSwitchDevice::ReductionTableBytes=1000000"},
          {REDUCES, "--topology=star:gpus=8,nicRate=400Gbps,gpusPerServer=8"}})
    {
        for (const char* const network : {"packet", "flow"})
        {
            std::vector<std::string> options{"--algorithm=CollnetDirect",
                                             "--network=" + std::string(network)};
            options.insert(options.end(), why.begin(), why.end());
            const CollectiveBenchOutcome run = RunAllReduce(options, 2);
            EXPECT_NE(run.error.find("--algorithm: read 'CollnetDirect', expected an algorithm "
                                     "that can do this AllReduce: "),
                      std::string::npos)
                << run.error;
        }
    }
}

} // namespace ns3
