/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"
#include "scenario-test-helper.h"

#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

/**
 * \file
 * How --algorithm, --protocol, --compare, --selector and NCCL's variables go together: all of them
 * hold, what they leave is what there is to choose from, and a refusal names the one that leaves
 * nothing (doc/collective-bench.md).
 */

namespace ns3
{

namespace
{

/**
 * \param words more of the command line
 * \return a benchmark of one all-reduce of 1 MiB on 8 H100s
 */
CollectiveBenchOutcome
Measure(std::vector<std::string> words)
{
    words.insert(words.begin(), {"-b", "1M", "-e", "1M", "-n", "1", "-w", "0", "-c", "0"});
    return RunBench(words);
}

/** \param outcome of a run of one row \return algorithm, protocol and time of it */
std::string
GetWay(const CollectiveBenchOutcome& outcome)
{
    const CollectiveBenchRecord row = outcome.GetRow();
    return row.algorithm + " " + row.protocol + " " +
           std::to_string(row.GetTime().GetPicoSeconds());
}

/** \param outcome of a run \return algorithm and protocol of each row */
std::vector<std::string>
GetWays(const CollectiveBenchOutcome& outcome)
{
    std::vector<std::string> ways;
    for (const CollectiveBenchRow& row : outcome.rows)
    {
        ways.push_back(row.record.algorithm + " " + row.record.protocol);
    }
    return ways;
}

/** \param outcome of a run \return the line of its table that begins so, empty if there is none */
std::string
FindComment(const CollectiveBenchOutcome& outcome, const std::string& begin)
{
    for (const std::string& line : outcome.GetComments())
    {
        if (line.rfind(begin, 0) == 0)
        {
            return line;
        }
    }
    return "";
}

} // namespace

TEST(RailyardCollectiveRestrictions, DifferentOptionsForTheSameAreTheSame)
{
    const std::vector<std::vector<std::vector<std::string>>> groups{
        {{"--NCCL_ALGO=Ring", "--NCCL_PROTO=LL"},
         {"--NCCL_ALGO=allreduce:ring", "--NCCL_PROTO=^LL128,Simple"},
         {"--algorithm=Ring", "--NCCL_PROTO=LL"},
         {"--algorithm=Ring", "--protocol=LL"},
         {"--NCCL_ALGO=Ring", "--protocol=ll"},
         {"--selector=Nccl", "--algorithm=Ring", "--protocol=LL"},
         {"--selector=Nccl", "--algorithm=Ring", "--protocol=LL", "--NCCL_ALGO=^NVLS"},
         {"--algorithm=Ring", "--protocol=LL", "--NCCL_PROTO=LL,Simple"}},
        {{"--selector=Nccl", "--algorithm=Nvls"},
         {"--NCCL_ALGO=NVLS"},
         {"--algorithm=Nvls", "--protocol=Simple"},
         {"--algorithm=Nvls", "--NCCL_ALGO=nvls,ring"}},
        {{"--selector=Nccl", "--algorithm=DoubleBinaryTree"}, {"--NCCL_ALGO=Tree"}},
        {{"--protocol=LL128"}, {"--selector=Nccl", "--protocol=LL128"}, {"--NCCL_PROTO=LL128"}},
        {{"--selector=Nccl"}, {"--NCCL_ALGO="}, {"--NCCL_PROTO=^"}},
    };
    for (const auto& group : groups)
    {
        const std::string way = GetWay(Measure(group.front()));
        for (const auto& words : group)
        {
            EXPECT_EQ(GetWay(Measure(words)), way) << words.back();
        }
    }
}

TEST(RailyardCollectiveRestrictions, PinnedAlgorithmsPayForTheirKernelsIfAnyOptionIsOfNccl)
{
    const CollectiveBenchRecord free = Measure({"--algorithm=Ring"}).GetRow();
    EXPECT_EQ(free.protocol, "");
    const std::vector<std::pair<std::string, std::string>> cases{
        {"--selector=Nccl", "LL"}, // NCCL's choice for 1 MiB
        {"--protocol=LL128", "LL128"},
        {"--NCCL_PROTO=Simple", "Simple"},
    };
    for (const auto& [option, protocol] : cases)
    {
        const CollectiveBenchRecord paid = Measure({"--algorithm=Ring", option}).GetRow();
        EXPECT_GT(paid.GetTime(), free.GetTime() + MicroSeconds(5)) << option; // LL's launch
        EXPECT_EQ(paid.algorithm, "Ring");
        EXPECT_EQ(paid.protocol, protocol) << option;
    }
    EXPECT_EQ(Measure({"--algorithm=Ring", "--selector=FirstFit"}).GetRow().GetTime(),
              free.GetTime());
}

TEST(RailyardCollectiveRestrictions, ProtocolsStandSideBySide)
{
    const CollectiveBenchOutcome outcome = Measure({"--compare=protocol", "--algorithm=Ring"});
    EXPECT_EQ(GetWays(outcome), (std::vector<std::string>{"Ring LL", "Ring LL128", "Ring Simple"}));
    const std::vector<std::string> protocols{"LL", "LL128", "Simple"};
    for (std::size_t i = 0; i < protocols.size(); i++)
    {
        const auto alone = Measure({"--algorithm=Ring", "--protocol=" + protocols[i]}).GetRow();
        EXPECT_EQ(outcome.rows.at(i).record.GetTime(), alone.GetTime()) << protocols[i];
    }
    const std::vector<std::vector<std::string>> table = outcome.GetTable();
    ASSERT_EQ(table.size(), 1U);
    const std::vector<std::string>& line = table.front();
    ASSERT_EQ(line.size(), 5U + 2 * 3 + 2);
    EXPECT_EQ(line[11] + " " + line[12], "Ring LL");
    EXPECT_EQ(outcome.Ask("SELECT algorithm, protocol FROM collective_bench"),
              "Ring LL Ring LL128 Ring Simple");
    EXPECT_EQ(outcome.Ask("SELECT DISTINCT protocol FROM collectives"), "LL LL128 Simple");
    const std::string chart = ReadTestFile(outcome.folder + "/busbw.svg");
    for (const std::string& protocol : protocols)
    {
        EXPECT_NE(chart.find("Ring " + protocol + "<"), std::string::npos) << protocol;
    }
}

// NCCL's algorithm for each protocol; LL128 is not NVLS's.
TEST(RailyardCollectiveRestrictions, WithoutAnAlgorithmNcclChoosesOneForEachProtocol)
{
    const CollectiveBenchOutcome outcome = RunBench(
        {"-b", "64M", "-e", "64M", "-n", "1", "-w", "0", "-c", "0", "--compare=protocol"});
    EXPECT_EQ(GetWays(outcome), (std::vector<std::string>{"Ring LL", "Ring LL128", "Nvls Simple"}));
    EXPECT_EQ(outcome.GetTable().front().back(), "Simple");
}

TEST(RailyardCollectiveRestrictions, OptionsNarrowAComparison)
{
    const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> cases{
        {{"--compare=protocol", "--algorithm=Ring", "--protocol=Simple,LL"},
         {"Ring Simple", "Ring LL"}},
        {{"--compare=protocol", "--NCCL_ALGO=Ring", "--NCCL_PROTO=^LL128"},
         {"Ring LL", "Ring Simple"}},
        {{"--compare=protocol", "--algorithm=Nvls"}, {"Nvls Simple"}},
        {{"--compare=algorithm", "--protocol=LL"},
         {"DoubleBinaryTree LL", "Ring LL", "Tree LL"}},
        {{"--compare=algorithm", "--NCCL_ALGO=^Tree"}, {"Nvls Simple", "Ring LL"}},
        {{"--compare=algorithm", "--selector=Nccl"},
         {"DoubleBinaryTree LL128", "Nvls Simple", "Ring LL", "Tree LL128"}},
        {{"--compare=algorithm", "--algorithm=Ring,Nvls", "--NCCL_PROTO=Simple"},
         {"Ring Simple", "Nvls Simple"}},
        {{"--compare=algorithm,protocol", "--NCCL_ALGO=Ring,NVLS", "--NCCL_PROTO=^LL128"},
         {"Nvls Simple", "Ring LL", "Ring Simple"}},
    };
    for (const auto& [words, expected] : cases)
    {
        EXPECT_EQ(GetWays(Measure(words)), expected) << words.back();
    }
    const CollectiveBenchOutcome outcome = Measure({"--compare=algorithm", "--selector=Nccl"});
    EXPECT_NE(FindComment(outcome, "# note: left out").find("HalvingDoubling"), std::string::npos);
    EXPECT_GT(Measure({"--compare=algorithm"}).rows.size(), outcome.rows.size());
}

// NVLS does sums of 2 bytes and more; NCCL takes a ring for what it does not.
TEST(RailyardCollectiveRestrictions, TypesAndOperationsDecideWhetherSwitchesCan)
{
    const auto choose = [](std::vector<std::string> words) {
        words.insert(
            words.begin(),
            {"-b", "64M", "-e", "64M", "-n", "1", "-w", "0", "-c", "0", "--selector=Nccl"});
        return RunBench(words).GetRow().algorithm;
    };
    EXPECT_EQ(choose({}), "Nvls");
    EXPECT_EQ(choose({"-d", "half", "-o", "max"}), "Nvls");
    EXPECT_EQ(choose({"-d", "int8"}), "Ring");
    EXPECT_EQ(choose({"-d", "f8e4m3"}), "Ring");
    EXPECT_EQ(choose({"-d", "float", "-o", "max"}), "Ring");
    EXPECT_EQ(choose({"-o", "avg"}), "Ring");
    const CollectiveBenchOutcome outcome = Measure({"--algorithm=Nvls", "-d", "uint8"});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("--algorithm: read 'Nvls', expected an algorithm that can do this "
                                 "AllReduce: DoubleBinaryTree, "),
              std::string::npos)
        << outcome.error;
}

TEST(RailyardCollectiveRestrictions, WhatLeavesNothingIsNamed)
{
    const std::string what = " for all_reduce of 1048576 bytes on 8 GPUs";
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--NCCL_ALGO=NVLSTree"},
         "command line: --NCCL_ALGO: read 'NVLSTree', expected to allow one of Ring, Tree, NVLS" +
             what},
        {{"--NCCL_ALGO=PAT"}, "--NCCL_ALGO: read 'PAT', expected to allow one of Ring, Tree, NVLS"},
        {{"--NCCL_ALGO=Ring;allreduce:NVLSTree"},
         "--NCCL_ALGO: read 'Ring;allreduce:NVLSTree', expected to allow one of Ring, Tree, NVLS"},
        {{"--NCCL_ALGO=NVLS", "--NCCL_PROTO=LL"},
         "--NCCL_PROTO: read 'LL', expected to allow Simple" + what},
        {{"--algorithm=Nvls", "--protocol=LL128"},
         "--protocol: read 'LL128', expected Simple" + what},
        {{"--algorithm=Nvls", "--NCCL_PROTO=LL128"},
         "--NCCL_PROTO: read 'LL128', expected to allow Simple" + what},
        {{"--algorithm=Ring", "--NCCL_ALGO=^Ring"},
         "--NCCL_ALGO: read '^Ring', expected to allow Ring" + what},
        {{"--protocol=LL", "--NCCL_PROTO=Simple"},
         "--NCCL_PROTO: read 'Simple', expected to allow LL" + what},
        {{"--algorithm=HalvingDoubling", "--selector=Nccl"},
         "--algorithm: read 'HalvingDoubling', expected one of Ring, DoubleBinaryTree, Nvls (of "
         "others no costs of kernels are known)" +
             what},
        {{"--compare=algorithm", "--NCCL_ALGO=NVLSTree"},
         "--NCCL_ALGO: read 'NVLSTree', expected to allow one of Ring, Tree, NVLS" + what},
        {{"--compare=protocol", "--algorithm=HalvingDoubling"},
         "--algorithm: read 'HalvingDoubling', expected one of Ring"},
        {{"--compare=protocol", "--algorithm=Nvls", "--NCCL_PROTO=LL"},
         "--NCCL_PROTO: read 'LL', expected to allow Simple" + what},
        {{"--compare=protocol", "--algorithm=Nvls", "--protocol=LL,Simple"},
         "--protocol: read 'LL', expected Simple" + what},
        {{"--compare=algorithm", "--algorithm=Ring,Nvls", "--protocol=LL"},
         "--protocol: read 'LL', expected Simple" + what},
        {{"--collective=alltoall", "--protocol=LL128"},
         "--protocol: read 'LL128', expected one of LL, Simple for alltoall"},
        {{"--collective=broadcast", "--NCCL_ALGO=Tree"},
         "--NCCL_ALGO: read 'Tree', expected to allow Ring for broadcast"},
        {{"--compare=protocol", "--selector=FirstFit"},
         "--selector: read 'FirstFit', expected Nccl"},
        {{"--protocol=LL", "--selector=FirstFit"}, "--selector: read 'FirstFit', expected Nccl"},
        {{"--compare=protocol", "--protocol=LL,LL"}, "--protocol: read 'LL', expected each only"},
        {{"--compare=algorithm", "--protocol=LL,Simple"}, "several with --compare=protocol"},
        {{"--compare=protocol", "--algorithm=Ring,Nvls"}, "several with --compare=algorithm"},
        {{"--compare=protocol,protocol"}, "--compare: read 'protocol,protocol'"},
        {{"--compare=protocols"}, "--compare: read 'protocols', expected algorithm, protocol"},
        {{"--NCCL_MIN_NCHANNELS=8", "--NCCL_MAX_NCHANNELS=4"},
         "--NCCL_MAX_NCHANNELS: read '4', expected at least the minimum, 8"},
        {{"--NCCL_MIN_CTAS=8", "--NCCL_MAX_CTAS=4"}, "--NCCL_MAX_CTAS: read '4', expected at least"},
        {{"--protocol=LL", "--topology=star:gpus=4"}, "whose collectives are known"},
    };
    for (const auto& [words, expected] : cases)
    {
        const CollectiveBenchOutcome outcome = Measure(words);
        EXPECT_EQ(outcome.status, 2) << expected;
        EXPECT_NE(outcome.error.find(expected), std::string::npos)
            << outcome.error << " lacks " << expected;
    }
}

// NCCL's variables are not for what it sends directly, and the run says so; --protocol is.
TEST(RailyardCollectiveRestrictions, VariablesAreNotForDirectSends)
{
    const std::string kind = "--collective=alltoall";
    const CollectiveBenchOutcome outcome = Measure({kind, "--NCCL_PROTO=LL128", "--NCCL_ALGO=Tree"});
    EXPECT_EQ(GetWay(outcome), GetWay(Measure({kind, "--selector=Nccl"})));
    for (const std::string name : {"NCCL_ALGO", "NCCL_PROTO"})
    {
        EXPECT_EQ(FindComment(outcome, "# note: " + name),
                  "# note: " + name + " has no effect on alltoall, which NCCL sends directly");
    }
    EXPECT_EQ(Measure({kind, "--protocol=LL"}).GetRow().protocol, "LL");
    EXPECT_EQ(Measure({kind, "--protocol=LL", "--algorithm=Pairwise"}).GetRow().protocol, "LL");
    EXPECT_EQ(GetWays(Measure({kind, "--compare=protocol"})),
              (std::vector<std::string>{"Direct LL", "Direct Simple"}));
}

} // namespace ns3
