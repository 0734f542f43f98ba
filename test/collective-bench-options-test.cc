/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"
#include "scenario-test-helper.h"

#include "ns3/collective-bench-options.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <utility>

/**
 * \file
 * The command line of benchmarks of collectives.
 */

namespace ns3
{

namespace
{

/** \param words the command line \return the run that it stands for */
CollectiveBenchRunOptions
Read(const std::vector<std::string>& words)
{
    Simulator::Destroy();
    CollectiveBenchOptions options;
    EXPECT_TRUE(ParseWords(options, words));
    return options.MakeRun();
}

} // namespace

TEST(RailyardCollectiveBenchOptions, AreThoseOfNcclTests)
{
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"-b", "8", "-e", "1G",  "-f", "4",    "-g", "8", "-n", "20",
                                   "-w", "3", "-o", "max", "-d", "half", "-r", "2", "-c", "0"},
          std::vector<std::string>{"-b8",
                                   "-e1G",
                                   "-f4",
                                   "-g8",
                                   "-n20",
                                   "-w3",
                                   "-omax",
                                   "-dhalf",
                                   "-r2",
                                   "-c0"},
          std::vector<std::string>{"--minbytes=8",
                                   "--maxbytes",
                                   "1G",
                                   "--stepfactor=4",
                                   "--ngpus",
                                   "8",
                                   "--iters=20",
                                   "--warmup_iters=3",
                                   "--op=max",
                                   "--datatype=half",
                                   "--root=2",
                                   "--check=0"}})
    {
        const CollectiveBenchRunOptions run = Read(words);
        EXPECT_EQ(run.sizes.min, 8U);
        EXPECT_EQ(run.sizes.max, uint64_t(1) << 30);
        EXPECT_EQ(run.sizes.factor, 4U);
        EXPECT_EQ(run.gpus, 8U);
        EXPECT_EQ(run.iterations, 20U);
        EXPECT_EQ(run.warmUps, 3U);
        EXPECT_EQ(run.operation, "max");
        EXPECT_EQ(run.type.bytes, 2U);
        EXPECT_EQ(run.root, 2U);
        EXPECT_FALSE(run.check);
    }
}

TEST(RailyardCollectiveBenchOptions, DefaultsAreASweepOfAllGpus)
{
    const CollectiveBenchRunOptions run = Read({});
    EXPECT_EQ(run.test.kind, CollectiveKind::ALL_REDUCE);
    EXPECT_EQ(run.sizes.GetSizes().size(), 25U); // 8 to 128 Mi
    EXPECT_FALSE(run.gpus);
    EXPECT_EQ(run.threads, 1U);
    EXPECT_TRUE(run.check);
    EXPECT_FALSE(run.contest.IsComparison());
    EXPECT_EQ(Read({"-t", "2"}).gpus, 1U); // as in nccl-tests
    EXPECT_EQ(Read({"-i", "1M", "-b", "1M", "-e", "3M"}).sizes.GetSizes().size(), 3U);
}

TEST(RailyardCollectiveBenchOptions, OddInputIsOneLine)
{
    struct Case
    {
        std::vector<std::string> words; //!< command line
        const char* says;               //!< part of the line
    };

    const std::vector<Case> cases{
        {{"-b", "1G", "-e", "8"}, "--maxbytes: read '8', expected at least --minbytes, 1G"},
        {{"-f", "1"}, "--stepfactor: read '1', expected factor (integer from 2"},
        {{"-f", "0"}, "--stepfactor: read '0'"},
        {{"-f", "-2"}, "--stepfactor: read '-2'"},
        {{"-i", "0"}, "--stepbytes: read '0', expected 1 or more"},
        {{"-i", "8", "-f", "2"}, "not both"},
        {{"-b", "1", "-i", "1", "-e", "1G"}, "at most 10000 sizes"},
        {{"-g", "9"}, "--ngpus: read '9', expected at most 8, the GPUs of single-server"},
        {{"-g", "0"}, "--ngpus: read '0'"},
        {{"-g", "-1"}, "--ngpus: read '-1'"},
        {{"--ngpus="}, "--ngpus: read ''"},
        {{"-t", "4", "-g", "4"}, "read '16', expected at most 8 for all threads together"},
        {{"-d", "unknown"}, "--datatype: read 'unknown', expected one of int8, "},
        {{"-d", "floot"}, "did you mean float?"},
        {{"-o", "plus"}, "--op: read 'plus', expected one of sum, "},
        {{"-b", "9223372036854775808"}, "--minbytes: read '9223372036854775808', expected a whole"},
        {{"-b", "99999999999999999999"}, "expected a whole number of bytes from 0 to 2^50"},
        {{"-b", "-8"}, "--minbytes: read '-8', expected a whole number of bytes"},
        {{"-b", "0"}, "no factor makes 0 larger"},
        {{"-n", "0"}, "--iters: read '0'"},
        {{"-w", "-1"}, "--warmup_iters: read '-1'"},
        {{"-z", "2"}, "--blocking: read '2'"},
        {{"-b"}, "--minbytes: read '--out="},
        {{"-q", "1"}, "read '-q'"},
        {{"--collective=all_reduces"}, "expected one of all_reduce, "},
        {{"--collective=broadcast", "-r", "8"}, "--root: read '8', expected a rank, from 0 to 7"},
        {{"--collective=broadcast", "-r", "2", "-g", "2"}, "a rank, from 0 to 1"},
        {{"--algorithm=Rign"}, "an algorithm for AllReduce: "},
        {{"--algorithm=Direct"}, "--algorithm: read 'Direct'"},
        {{"--algorithm=Ring,Ring"}, "--compare=algorithm"},
        {{"--algorithm=Ring,Ring", "--compare=algorithm"}, "read 'Ring', expected each only once"},
        {{"--compare=bandwidth"}, "--compare: read 'bandwidth'"},
        {{"-e", "1024T", "-n", "10000"}, "the simulated time has no room for more"},
        {{"-e", "1T", "--topology=star:gpus=2,nicRate=1Mbps"}, "the slowest link, 1000000 bit/s"},
        {{"--topology=no-such"}, "no-such"},
        {{"--seriesInterval=1us"}, "--series"},
    };
    for (const Case& each : cases)
    {
        const CollectiveBenchOutcome outcome = RunBench(each.words);
        EXPECT_EQ(outcome.status, 2) << each.says;
        EXPECT_NE(outcome.error.find(each.says), std::string::npos)
            << outcome.error << " lacks " << each.says;
    }
}

TEST(RailyardCollectiveBenchOptions, TheSelectorThatRanIsAnInput)
{
    for (const auto& [option, selector] :
         {std::pair<std::string, std::string>{"--protocol=LL", "Nccl"},
          {"--set=CollectiveEngine::Selector=ns3::NcclSelector", "Nccl"},
          {"--selector=FirstFit", "FirstFit"}})
    {
        const auto input = RunBench({option, "-b8", "-e8", "-n1"}).summary.input;
        EXPECT_EQ(std::count(input.begin(),
                             input.end(),
                             std::make_pair(std::string("selector"), selector)),
                  1)
            << option;
    }
}

/** 4 GPUs in a line: the ring has no way back, since GPUs do not forward. */
TEST(RailyardCollectiveBenchOptions, MissingRoutesAreFoundBeforeTheRun)
{
    const std::string topology =
        WriteTestFile("bench-line.topology",
                      "4 4 0 0 3 H100\n\n0 1 400Gbps 0.001ms 0\n1 2 400Gbps 0.001ms 0\n"
                      "2 3 400Gbps 0.001ms 0\n");
    const CollectiveBenchOutcome outcome =
        RunBench({"--topology=" + topology, "--algorithm=Ring", "-e", "1K"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("no route from rank 3 to rank 0"), std::string::npos)
        << outcome.error;
}

} // namespace ns3
