/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-algorithm.h"
#include "ns3/first-fit-selector.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/** At 400 Gbps a byte takes 20 ps. */
const char* const RATE = "400Gbps";
const Time LATENCY = MicroSeconds(3); //!< of every hop

/**
 * \param bytes a size
 * \return what it takes at RATE
 */
Time
GetPassTime(uint64_t bytes)
{
    return PicoSeconds(static_cast<int64_t>(20 * bytes));
}

/**
 * Runs one collective over a transport in which every rank sends and receives at RATE.
 * \param algorithm who plans it
 * \param servers how many ranks stand in each server
 * \param kind the kind
 * \param bytes size of the operand
 * \return how long it took
 */
Time
GetDuration(const std::string& algorithm,
            const std::vector<uint32_t>& servers,
            CollectiveKind kind,
            uint64_t bytes)
{
    CollectiveTestBed bed(static_cast<uint32_t>(PlaceRanks(servers).size()), RATE, "3us");
    const auto selector = CreateObject<FirstFitSelector>();
    selector->SetAttribute("Algorithms", StringValue("ns3::" + algorithm + "Algorithm"));
    bed.engine->SetSelector(selector);
    const auto result = bed.RunOne(servers, kind, bytes);
    EXPECT_EQ(result.algorithm, "ns3::" + algorithm + "Algorithm");
    return result.GetDuration();
}

/**
 * \param ranks the number of servers
 * \return a server for each rank
 */
std::vector<uint32_t>
GetSingles(uint32_t ranks)
{
    return std::vector<uint32_t>(ranks, 1);
}

/**
 * \param number a number
 * \return its logarithm to the base 2, rounded up
 */
uint32_t
GetLog2(uint32_t number)
{
    uint32_t log = 0;
    while ((1U << log) < number)
    {
        log++;
    }
    return log;
}

} // namespace

TEST(CollectiveAlgorithmTime, TreeAllReduceFollowsItsDepth)
{
    for (uint32_t height = 1; height <= 6; height++)
    {
        for (const uint64_t bytes : {4ULL, 400000ULL})
        {
            // Each way: height-1 levels of parents with two children, and the root with one.
            const Time pass = GetPassTime(bytes);
            const Time way =
                TimeStep((height - 1) * (2 * pass + LATENCY).GetTimeStep()) + pass + LATENCY;
            EXPECT_EQ(GetDuration("TreeAllReduce",
                                  GetSingles(1U << height),
                                  CollectiveKind::ALL_REDUCE,
                                  bytes),
                      way + way);
            EXPECT_EQ(GetDuration("TreeBroadcast",
                                  GetSingles(1U << height),
                                  CollectiveKind::BROADCAST,
                                  bytes),
                      way);
            EXPECT_EQ(
                GetDuration("TreeReduce", GetSingles(1U << height), CollectiveKind::REDUCE, bytes),
                way);
        }
    }
}

TEST(CollectiveAlgorithmTime, TreeInAServerIsAChain)
{
    const Time hop = GetPassTime(400000) + LATENCY;
    for (const char* const tree : {"TreeAllReduce", "DoubleBinaryTreeAllReduce"})
    {
        EXPECT_EQ(GetDuration(tree, {8}, CollectiveKind::ALL_REDUCE, 400000),
                  TimeStep(2 * 7 * hop.GetTimeStep()));
    }
}

TEST(CollectiveAlgorithmTime, TwoTreesUseWhatOneLeavesIdle)
{
    const uint64_t bytes = 256 << 20;
    const double pass = GetPassTime(bytes).GetSeconds();
    const double one =
        GetDuration("TreeAllReduce", GetSingles(16), CollectiveKind::ALL_REDUCE, bytes)
            .GetSeconds();
    const double two =
        GetDuration("DoubleBinaryTreeAllReduce", GetSingles(16), CollectiveKind::ALL_REDUCE, bytes)
            .GetSeconds();
    // A parent of two receives three times the operand in one tree, twice in two. What is above
    // the bound is the filling of the pipeline: some of 512 slices.
    EXPECT_GE(one, 3 * pass);
    EXPECT_LE(one, 3 * pass * 1.05);
    EXPECT_GE(two, 2 * pass);
    EXPECT_LE(two, 2 * pass * 1.05);
}

TEST(CollectiveAlgorithmTime, HalvingDoublingTakesTwoLogarithms)
{
    for (const uint32_t ranks : {2U, 3U, 4U, 6U, 8U, 13U, 16U, 24U, 64U})
    {
        uint32_t cube = 2;
        uint32_t steps = 1;
        while (2 * cube <= ranks)
        {
            cube *= 2;
            steps++;
        }
        const uint64_t bytes = 1000 * cube;
        Time expected =
            TimeStep(2 * steps * LATENCY.GetTimeStep()) + GetPassTime(2 * (bytes - bytes / cube));
        if (ranks > cube) // fold in and out
        {
            expected += TimeStep(2 * (LATENCY + GetPassTime(bytes)).GetTimeStep());
        }
        EXPECT_EQ(GetDuration("HalvingDoublingAllReduce",
                              GetSingles(ranks),
                              CollectiveKind::ALL_REDUCE,
                              bytes),
                  expected)
            << ranks;
    }
}

TEST(CollectiveAlgorithmTime, DoublingAndHalvingTakeALogarithm)
{
    for (const uint32_t ranks : {2U, 3U, 4U, 7U, 8U, 12U, 16U, 33U, 64U})
    {
        const Time expected =
            TimeStep(GetLog2(ranks) * LATENCY.GetTimeStep()) + GetPassTime(1000 * (ranks - 1));
        EXPECT_EQ(GetDuration("RecursiveDoublingAllGather",
                              GetSingles(ranks),
                              CollectiveKind::ALL_GATHER,
                              1000 * ranks),
                  expected)
            << ranks;
        EXPECT_EQ(GetDuration("RecursiveHalvingReduceScatter",
                              GetSingles(ranks),
                              CollectiveKind::REDUCE_SCATTER,
                              1000 * ranks),
                  expected)
            << ranks;
    }
}

TEST(CollectiveAlgorithmTime, PairwiseAllToAllPaysALatencyPerStep)
{
    for (const uint32_t ranks : {2U, 3U, 8U, 13U, 16U})
    {
        EXPECT_EQ(GetDuration("PairwiseAllToAll",
                              GetSingles(ranks),
                              CollectiveKind::ALL_TO_ALL,
                              1000 * ranks),
                  TimeStep((ranks - 1) * (LATENCY + GetPassTime(1000)).GetTimeStep()))
            << ranks;
    }
    EXPECT_EQ(GetDuration("DirectAllToAll", GetSingles(8), CollectiveKind::ALL_TO_ALL, 8000),
              LATENCY + GetPassTime(7000));
}

TEST(CollectiveAlgorithmTime, PatTakesALogarithmWhileItsBufferAllows)
{
    for (const uint32_t ranks : {2U, 4U, 8U, 32U, 64U})
    {
        const Time expected =
            TimeStep(GetLog2(ranks) * LATENCY.GetTimeStep()) + GetPassTime(1000 * (ranks - 1));
        EXPECT_EQ(GetDuration("PatAllGather",
                              GetSingles(ranks),
                              CollectiveKind::ALL_GATHER,
                              1000 * ranks),
                  expected)
            << ranks;
        EXPECT_EQ(GetDuration("PatReduceScatter",
                              GetSingles(ranks),
                              CollectiveKind::REDUCE_SCATTER,
                              1000 * ranks),
                  expected)
            << ranks;
    }
}

TEST(CollectiveAlgorithmTime, PatFillsItsLinksWithLargeOperands)
{
    // 64 parts of 4 MiB, each through a tree of its own in slices of 512 KiB
    const uint64_t bytes = 256 << 20;
    const double pass = GetPassTime(bytes / 64 * 63).GetSeconds();
    for (const auto& [pat, kind] : {std::pair("PatAllGather", CollectiveKind::ALL_GATHER),
                                    std::pair("PatReduceScatter", CollectiveKind::REDUCE_SCATTER)})
    {
        const double took = GetDuration(pat, GetSingles(64), kind, bytes).GetSeconds();
        EXPECT_GE(took, pass);
        EXPECT_LE(took, 1.05 * pass) << pat; // the latency of the first and last trees
    }
}

TEST(CollectiveAlgorithmTime, HierarchyTakesItsStepsInsideAndBetweenServers)
{
    const uint64_t unit = 1000; // a part
    for (const auto& [servers, rails] : {std::pair(2U, 8U), std::pair(4U, 4U), std::pair(5U, 3U)})
    {
        const uint64_t bytes = unit * servers * rails;
        const Time local = GetPassTime(unit * servers) + LATENCY;
        const Time remote = GetPassTime(unit) + LATENCY;
        const Time way =
            TimeStep((rails - 1) * local.GetTimeStep() + (servers - 1) * remote.GetTimeStep());
        const std::vector<uint32_t> sizes(servers, rails);
        EXPECT_EQ(GetDuration("HierarchicalAllGather", sizes, CollectiveKind::ALL_GATHER, bytes),
                  way);
        EXPECT_EQ(
            GetDuration("HierarchicalReduceScatter", sizes, CollectiveKind::REDUCE_SCATTER, bytes),
            way);
        EXPECT_EQ(GetDuration("HierarchicalAllReduce", sizes, CollectiveKind::ALL_REDUCE, bytes),
                  way + way);
    }
}

TEST(CollectiveAlgorithmTime, HierarchyWithATreeFollowsItsDepth)
{
    const uint64_t share = 4000;
    const Time pass = GetPassTime(share);
    for (uint32_t height = 1; height <= 4; height++)
    {
        const Time local = TimeStep(3 * (pass + LATENCY).GetTimeStep());
        const Time way =
            local + TimeStep((height - 1) * (2 * pass + LATENCY).GetTimeStep()) + pass + LATENCY;
        EXPECT_EQ(GetDuration("HierarchicalTreeAllReduce",
                              std::vector<uint32_t>(1U << height, 4),
                              CollectiveKind::ALL_REDUCE,
                              4 * share),
                  way + way);
    }
}

} // namespace ns3
