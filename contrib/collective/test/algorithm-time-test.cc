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
            EXPECT_EQ(GetDuration("TreeReduce",
                                  GetSingles(1U << height),
                                  CollectiveKind::REDUCE,
                                  bytes),
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

} // namespace ns3
