/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/collnet-chain-all-reduce-algorithm.h"
#include "ns3/collnet-direct-all-reduce-algorithm.h"
#include "ns3/first-fit-selector.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>

namespace ns3
{

namespace
{

/**
 * \param placement server of each rank
 * \param bytes size of the operand
 * \param elementBytes size of an element
 * \return an all-reduce where network switches add up
 */
CollectiveRequest
MakeRequest(const std::vector<uint32_t>& placement, uint64_t bytes, uint32_t elementBytes = 1)
{
    CollectiveRequest request;
    request.kind = CollectiveKind::ALL_REDUCE;
    request.bytes = bytes;
    request.elementBytes = elementBytes;
    request.placement = placement;
    request.railOffload = true;
    return request;
}

/** \return both algorithms, with slices of 64 bytes, 2 of them in flight */
std::vector<Ptr<CollectiveAlgorithm>>
MakeAlgorithms()
{
    std::vector<Ptr<CollectiveAlgorithm>> algorithms{
        CreateObject<CollnetDirectAllReduceAlgorithm>(),
        CreateObject<CollnetChainAllReduceAlgorithm>(),
    };
    for (const auto& algorithm : algorithms)
    {
        algorithm->SetAttribute("SliceBytes", UintegerValue(64));
        algorithm->SetAttribute("SlicesInFlight", UintegerValue(2));
    }
    return algorithms;
}

/** \param placement server of each rank; proves both algorithms there, for several sizes */
void
Prove(const std::vector<uint32_t>& placement)
{
    for (const auto& algorithm : MakeAlgorithms())
    {
        for (const uint64_t bytes : {1UL, 999UL, 4096UL})
        {
            const auto request = MakeRequest(placement, bytes, bytes % 2 + 1);
            ASSERT_TRUE(algorithm->Supports(request));
            EXPECT_EQ(
                CollectivePlanVerifier::Verify(request, algorithm->Plan(request), *algorithm),
                "")
                << algorithm->GetInstanceTypeId().GetName() << " of " << bytes << " bytes on "
                << placement.size() << " ranks";
        }
    }
}

/**
 * \param servers ranks in each server
 * \param algorithm TypeId name
 * \param bytes size of the operand
 * \return what happened, at 100 Gbit/s and 1 us
 */
CollectiveInstance
RunOn(const std::vector<uint32_t>& servers, const std::string& algorithm, uint64_t bytes)
{
    CollectiveTestBed bed(PlaceRanks(servers).size(), "100Gbps", "1us");
    bed.transport->EnableRailOffload();
    auto selector = CreateObject<FirstFitSelector>();
    selector->SetAttribute("Algorithms", StringValue(algorithm));
    bed.engine->SetSelector(selector);
    const CollectiveInstance result = bed.RunOne(servers, CollectiveKind::ALL_REDUCE, bytes);
    EXPECT_EQ(result.algorithm, algorithm);
    EXPECT_EQ(bed.recorder.started.size(), result.messages);
    EXPECT_EQ(bed.recorder.ended.size(), result.messages);
    return result;
}

} // namespace

TEST(CollnetAlgorithm, PlansAreProvenForOneRankPerServer)
{
    for (uint32_t servers = 2; servers <= 33; servers++)
    {
        Prove(PlaceRanks(std::vector<uint32_t>(servers, 1)));
    }
    Prove(PlaceRanks(std::vector<uint32_t>(64, 1)));
    Prove(PlaceRanks(std::vector<uint32_t>(128, 1)));
}

TEST(CollnetAlgorithm, PlansAreProvenForServersOfManySizes)
{
    for (uint32_t ranks = 2; ranks <= 33; ranks++)
    {
        Prove(PlaceRanks({ranks, ranks}));
        Prove(PlaceRanks({ranks, 1}));
        Prove(PlaceRanks({2, ranks, 3}));
    }
    Prove(PlaceRanks(std::vector<uint32_t>(8, 8)));
    Prove(PlaceRanks(std::vector<uint32_t>(16, 8)));
    Prove(PlaceRanks({1, 3, 2, 5}));
    Prove({0, 1, 2, 0, 1, 2, 1, 0}); // interleaved
    Prove({0, 1, 1, 0, 0, 1});
}

TEST(CollnetAlgorithm, NeedsServersAndSwitchesThatAddUp)
{
    for (const auto& algorithm : MakeAlgorithms())
    {
        auto request = MakeRequest(PlaceRanks({4, 4}), 1000);
        EXPECT_TRUE(algorithm->Supports(request));
        request.kind = CollectiveKind::ALL_GATHER;
        EXPECT_FALSE(algorithm->Supports(request));
        request = MakeRequest(PlaceRanks({4, 4}), 1000);
        request.railOffload = false;
        EXPECT_FALSE(algorithm->Supports(request));
        EXPECT_FALSE(algorithm->Supports(MakeRequest(PlaceRanks({8}), 1000)));
    }
}

TEST(CollnetAlgorithm, BytesOfServersOfEight)
{
    const uint64_t share = 1 << 20;
    const auto request = MakeRequest(PlaceRanks(std::vector<uint32_t>(4, 8)), 8 * share);
    const auto direct = CreateObject<CollnetDirectAllReduceAlgorithm>()->Plan(request);
    const auto chain = CreateObject<CollnetChainAllReduceAlgorithm>()->Plan(request);
    for (uint32_t rank = 0; rank < 32; rank++)
    {
        EXPECT_EQ(direct.GetBytesSent(rank), (7 + 1 + 7) * share);
        EXPECT_EQ(chain.GetBytesSent(rank), (7 + 1 + 7) * share);
    }
    for (const auto* plan : {&direct, &chain})
    {
        EXPECT_EQ(plan->GetChannels().size(), 8U);
        EXPECT_EQ(plan->GetTeams().size(), 8U);
        for (const auto& [src, dst] : plan->GetPairs())
        {
            EXPECT_EQ(src / 8, dst / 8) << "what goes between servers goes through switches";
        }
    }
    EXPECT_EQ(direct.GetPairs().size(), 32U * 7);
    EXPECT_EQ(chain.GetPairs().size(), 32U * 2);
}

TEST(CollnetAlgorithm, PlanOf1024RanksIsSmall)
{
    const auto request = MakeRequest(PlaceRanks(std::vector<uint32_t>(128, 8)), 1 << 30, 4);
    EXPECT_LE(CreateObject<CollnetDirectAllReduceAlgorithm>()->Plan(request).GetPrograms().size(),
              64U);
    EXPECT_LE(CreateObject<CollnetChainAllReduceAlgorithm>()->Plan(request).GetPrograms().size(),
              64U);
}

// One rank per server: the operand goes into the network once and comes back once.
TEST(CollnetAlgorithm, TakesOnePassWhateverTheNumberOfServers)
{
    const uint64_t bytes = 32 << 20;
    const double pass = bytes * 8 / 100.0;        // ns
    const double slice = 524288 * 8 / 100.0;      // on the link of LatencyTransport
    for (const uint32_t servers : {2, 5, 16})
    {
        const auto result = RunOn(std::vector<uint32_t>(servers, 1),
                                  "ns3::CollnetDirectAllReduceAlgorithm",
                                  bytes);
        EXPECT_EQ(result.bytesSent, servers * bytes);
        EXPECT_GE(result.GetDuration().GetNanoSeconds() + 1, pass + 1000); // rounded down
        EXPECT_LE(result.GetDuration().GetNanoSeconds(), pass + 1000 + 2 * slice);
        EXPECT_GE(result.GetAlgbwGBps(), 0.95 * 12.5);
    }
}

TEST(CollnetAlgorithm, MessagesIntoTheNetworkAreRecordedOnceWithTheirEnd)
{
    CollectiveTestBed bed(3, "100Gbps", "1us");
    bed.transport->EnableRailOffload();
    auto selector = CreateObject<FirstFitSelector>();
    selector->SetAttribute("Algorithms", StringValue("ns3::CollnetChainAllReduceAlgorithm"));
    bed.engine->SetSelector(selector);
    const uint32_t group = bed.AddGroup({1, 1, 1});
    const CollectiveCall call = MakeCall(group, CollectiveKind::ALL_REDUCE, 300);
    for (uint32_t rank = 0; rank < 3; rank++)
    {
        bed.JoinAt(MicroSeconds(5 * rank), rank, call);
    }
    bed.Run();
    EXPECT_EQ(bed.done, 3U);
    ASSERT_EQ(bed.recorder.ended.size(), 3U);
    for (const auto& [collective, message] : bed.recorder.ended)
    {
        EXPECT_EQ(message.bytes, 300U);
        EXPECT_EQ(message.kind, MessageKind::ALL_REDUCE);
        EXPECT_EQ(message.src, message.dst);
        EXPECT_EQ(message.start, MicroSeconds(5 * message.src));
        EXPECT_GE(message.end, MicroSeconds(11)) << "no sum before the last rank has joined";
    }
}

TEST(CollnetAlgorithm, ServersOfSeveralRanksRun)
{
    for (const std::string name : {"Direct", "Chain"})
    {
        for (const auto& servers : std::vector<std::vector<uint32_t>>{{4, 4}, {1, 3, 2}, {8, 8, 8}})
        {
            const auto result =
                RunOn(servers, "ns3::Collnet" + name + "AllReduceAlgorithm", 1 << 20);
            EXPECT_GT(result.bytesSent, 0U);
        }
    }
}

} // namespace ns3
