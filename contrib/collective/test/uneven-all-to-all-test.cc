/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-cache.h"
#include "ns3/collective-plan-verifier.h"
#include "ns3/direct-all-to-all-algorithm.h"
#include "ns3/direct-all-to-all-v-algorithm.h"
#include "ns3/first-fit-selector.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/**
 * \param ranks the size of the group
 * \param bytes the sizes
 * \return a call of group 0
 */
CollectiveCall
MakeUnevenCall(uint32_t ranks, const std::vector<uint64_t>& bytes)
{
    CollectiveCall call;
    call.kind = CollectiveKind::ALL_TO_ALL_V;
    call.sizes = std::make_shared<SizeMatrix>(ranks, bytes);
    call.bytes = call.sizes->GetMeanBytes();
    return call;
}

/**
 * \param rows what each rank has for each other
 * \return a call of group 0
 */
CollectiveCall
MakeUnevenCall(const std::vector<std::vector<uint64_t>>& rows)
{
    std::vector<uint64_t> bytes;
    for (const auto& row : rows)
    {
        bytes.insert(bytes.end(), row.begin(), row.end());
    }
    return MakeUnevenCall(static_cast<uint32_t>(rows.size()), bytes);
}

/**
 * \param call a call
 * \return the request of ranks in one server
 */
CollectiveRequest
MakeRequest(const CollectiveCall& call)
{
    CollectiveRequest request;
    request.kind = call.kind;
    request.bytes = call.bytes;
    request.sizes = call.sizes;
    request.placement.assign(call.sizes->GetRanks(), 0);
    return request;
}

} // namespace

TEST(CollectiveSizeMatrix, KnowsItsSums)
{
    const SizeMatrix sizes(3, {1, 2, 3, 0, 0, 0, 10, 0, 1});
    EXPECT_EQ(sizes.Get(0, 2), 3U);
    EXPECT_EQ(sizes.Get(2, 0), 10U);
    EXPECT_EQ(sizes.GetRowBytes(0), 6U);
    EXPECT_EQ(sizes.GetRowBytes(1), 0U);
    EXPECT_EQ(sizes.GetMeanBytes(), 6U); // 17 / 3, rounded up
    EXPECT_TRUE(sizes == SizeMatrix(3, {1, 2, 3, 0, 0, 0, 10, 0, 1}));
    const SizeMatrix other(3, {1, 2, 3, 0, 0, 0, 10, 1, 0});
    EXPECT_FALSE(sizes == other);
    EXPECT_NE(sizes < other, other < sizes);
    EXPECT_FALSE(sizes < sizes);
    EXPECT_DEATH(SizeMatrix(2, {1, 2, 3}), "a size matrix of 2 ranks has 3 sizes");
}

TEST(CollectiveUnevenAllToAll, ASkewedExpertIsTheBottleneck)
{
    // All send 30 KB to rank 0 and 1 KB to each other, at a byte per ns.
    CollectiveTestBed bed(4, "8Gbps", "1us");
    CollectiveCall call = MakeUnevenCall({{9000, 1000, 1000, 1000},
                                          {30000, 0, 1000, 1000},
                                          {30000, 1000, 0, 1000},
                                          {30000, 1000, 1000, 9000}});
    call.group = bed.AddGroup({1, 1, 1, 1});
    bed.JoinAll(call);
    const auto result = bed.Run();
    EXPECT_EQ(bed.transport->GetBytesSent(), std::vector<uint64_t>({3000, 32000, 32000, 32000}));
    EXPECT_EQ(bed.transport->GetBytesReceived(), std::vector<uint64_t>({90000, 3000, 3000, 3000}));
    EXPECT_GE(result.GetDuration(), MicroSeconds(90 + 1));
    EXPECT_LE(result.GetDuration(), MicroSeconds(90 + 1 + 2)); // rank 3 begins with rank 0
    EXPECT_EQ(result.call.bytes, 117000U / 4);
    EXPECT_EQ(bed.done, 4U);
}

TEST(CollectiveUnevenAllToAll, EqualSizesAreAnAllToAll)
{
    Time took[2];
    for (const bool isUneven : {false, true})
    {
        CollectiveTestBed bed(6, "400Gbps", "1us");
        CollectiveCall call = MakeUnevenCall(6, std::vector<uint64_t>(36, 1 << 20));
        EXPECT_EQ(call.bytes, 6U << 20);
        if (!isUneven)
        {
            call.kind = CollectiveKind::ALL_TO_ALL;
            call.sizes = nullptr;
        }
        call.group = bed.AddGroup({3, 3});
        bed.JoinAll(call);
        took[isUneven] = bed.Run().GetDuration();
    }
    EXPECT_EQ(took[0], took[1]);
}

// Each channel carries what that of an all-to-all carries, step by step.
TEST(CollectiveUnevenAllToAll, EqualSizesAreAnAllToAllOnAllNics)
{
    for (const uint32_t nics : {1U, 2U, 3U, 4U})
    {
        CollectiveRequest uneven =
            MakeRequest(MakeUnevenCall(6, std::vector<uint64_t>(36, 100002)));
        uneven.elementBytes = 2;
        uneven.nicsPerRank = nics;
        CollectiveRequest even = uneven;
        even.kind = CollectiveKind::ALL_TO_ALL;
        even.sizes = nullptr;
        const CollectivePlan plan = CreateObject<DirectAllToAllVAlgorithm>()->Plan(uneven);
        const CollectivePlan other = CreateObject<DirectAllToAllAlgorithm>()->Plan(even);
        ASSERT_EQ(plan.GetChannels().size(), nics);
        ASSERT_EQ(other.GetChannels().size(), nics);
        for (uint32_t channel = 0; channel < nics; channel++)
        {
            const PlanProgram& program = plan.GetProgram(channel, 1);
            ASSERT_EQ(program.GetStepCount(), other.GetProgram(channel, 1).GetStepCount());
            for (uint32_t step = 0; step < program.GetStepCount(); step++)
            {
                EXPECT_EQ(plan.GetBytes(channel, 1, program.GetStep(step)),
                          other.GetBytes(channel, 1, other.GetProgram(channel, 1).GetStep(step)))
                    << nics << " " << channel << " " << step;
            }
        }
    }
}

// A third of the hot pair is on each of three NICs; 3 bytes, in elements of 2, are on two of them.
TEST(CollectiveUnevenAllToAll, AHotPairUsesAllNics)
{
    CollectiveCall call = MakeUnevenCall(2, {7, 360000, 3, 0});
    call.elementBytes = 2;
    CollectiveRequest request = MakeRequest(call);
    request.elementBytes = 2;
    request.nicsPerRank = 3;
    const auto algorithm = CreateObject<DirectAllToAllVAlgorithm>();
    const CollectivePlan plan = algorithm->Plan(request);
    ASSERT_EQ(plan.GetChannels().size(), 3U);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, *algorithm), "");
    const std::vector<uint64_t> few{2, 1, 0};
    for (uint32_t channel = 0; channel < 3; channel++)
    {
        const PlanStep& send = plan.GetProgram(channel, 0).GetStep(1);
        ASSERT_EQ(send.kind, PlanStepKind::SEND);
        EXPECT_EQ(plan.GetBytes(channel, 0, send), 120000U);
        EXPECT_EQ(plan.GetBytes(channel, 1, send), few[channel]);
        EXPECT_EQ(plan.IsSkipped(channel, 1, send), few[channel] == 0);
    }
    CollectiveTestBed bed(2, "8Gbps", "1us");
    CollectiveGroup group;
    group.name = "EP0";
    group.parallel = "EP";
    group.ranks = {0, 1};
    group.servers = {0, 1};
    group.nicsPerRank = 3;
    call.group = bed.engine->AddGroup(group);
    bed.JoinAll(call);
    const CollectiveInstance result = bed.Run();
    EXPECT_EQ(result.messages, 5U);
    EXPECT_EQ(result.bytesSent, 360003U);
    EXPECT_EQ(bed.done, 2U);
}

TEST(CollectiveUnevenAllToAll, PairsWithoutBytesExchangeNothing)
{
    CollectiveTestBed bed(4, "8Gbps", "1us");
    // Rank 1 has nothing for anybody, rank 2 for itself alone.
    CollectiveCall call =
        MakeUnevenCall({{5, 0, 0, 7}, {0, 0, 0, 0}, {0, 0, 5, 0}, {0, 0, 2000, 0}});
    call.group = bed.AddGroup({2, 2});
    const CollectiveGroup& group = bed.engine->GetGroup(call.group);
    EXPECT_EQ(bed.engine->GetPairs(group, call),
              (std::vector<std::pair<uint32_t, uint32_t>>{{0, 3}, {3, 2}}));
    bed.JoinAll(call);
    EXPECT_EQ(bed.done, 0U); // rank 1 has nothing to wait for, but is not told inside Join()
    const auto result = bed.Run();
    EXPECT_EQ(bed.transport->GetMessageCount(), 2U);
    EXPECT_EQ(result.messages, 2U);
    EXPECT_EQ(result.GetDuration(), MicroSeconds(3));
    EXPECT_EQ(bed.done, 4U);
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
}

TEST(CollectiveUnevenAllToAll, OwnPartsAloneTakeNoTime)
{
    for (const auto& bytes : {std::vector<uint64_t>{5, 0, 0, 7}, std::vector<uint64_t>{0, 0, 0, 0}})
    {
        CollectiveTestBed bed(2, "8Gbps", "1us");
        CollectiveCall call = MakeUnevenCall(2, bytes);
        call.group = bed.AddGroup({2});
        bed.JoinAll(call);
        EXPECT_EQ(bed.done, 0U);
        EXPECT_EQ(bed.Run().GetDuration(), Time(0));
        EXPECT_EQ(bed.done, 2U);
        EXPECT_EQ(bed.transport->GetMessageCount(), 0U);
    }
    CollectiveTestBed bed(1, "8Gbps", "1us");
    CollectiveCall call = MakeUnevenCall(1, {1000});
    call.group = bed.AddGroup({1});
    bed.JoinAll(call);
    EXPECT_EQ(bed.Run().GetDuration(), Time(0));
    EXPECT_EQ(bed.done, 1U);
}

TEST(CollectiveUnevenAllToAll, LateRanksMissNothing)
{
    CollectiveTestBed bed(3, "8Gbps", "1us");
    CollectiveCall call = MakeUnevenCall(3, {0, 1000, 0, 0, 0, 1000, 0, 0, 0});
    call.group = bed.AddGroup({3});
    bed.JoinAt(MicroSeconds(0), 0, call);
    bed.JoinAt(MicroSeconds(50), 1, call);
    bed.JoinAt(MicroSeconds(10), 2, call);
    EXPECT_EQ(bed.Run().GetDuration(), MicroSeconds(52));
    EXPECT_EQ(bed.done, 3U);
}

TEST(CollectiveUnevenAllToAll, EqualContentIsTheSameCall)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    const uint32_t group = bed.AddGroup({2});
    for (uint32_t rank = 0; rank < 2; rank++)
    {
        CollectiveCall call = MakeUnevenCall(2, {0, 1000, 1000, 0}); // each rank its own matrix
        call.group = group;
        bed.engine->Join(rank, call, [&bed] { bed.done++; });
    }
    bed.Run();
    EXPECT_EQ(bed.done, 2U);
    CollectiveCall call = MakeUnevenCall(2, {0, 1000, 1000, 0});
    bed.engine->Join(0, call, [] {});
    call = MakeUnevenCall(2, {0, 1000, 999, 1});
    EXPECT_DEATH(bed.engine->Join(1, call, [] {}), "rank 0 joined with AllToAllV of 1000 bytes");
}

TEST(CollectiveUnevenAllToAll, ChecksItsSizes)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    bed.AddGroup({2});
    CollectiveCall call = MakeUnevenCall(2, {0, 1000, 1000, 0});
    EXPECT_EQ(bed.engine->Check(call), "");
    call.bytes++;
    EXPECT_EQ(bed.engine->Check(call),
              "AllToAllV on group test is of 1001 bytes, but its size matrix has 1000 per rank");
    call.sizes = nullptr;
    EXPECT_EQ(bed.engine->Check(call), "AllToAllV on group test has no size matrix");
    EXPECT_EQ(bed.engine->Check(MakeUnevenCall(3, std::vector<uint64_t>(9, 1))),
              "AllToAllV on group test of 2 ranks has a size matrix of 3");
    call = MakeUnevenCall(2, {0, 1000, 1000, 0});
    call.kind = CollectiveKind::ALL_TO_ALL;
    EXPECT_EQ(bed.engine->Check(call),
              "AllToAll on group test has a size matrix, which only AllToAllV takes");
}

TEST(CollectiveUnevenAllToAll, PlansThatNobodyPlaysAreForgotten)
{
    CollectivePlanCache cache;
    cache.Configure(CreateObject<FirstFitSelector>(), 0);
    CollectiveGroup group;
    group.name = "EP0";
    group.ranks = {0, 1};
    group.servers = {0, 0};
    const uint32_t shape = cache.AddShape(group);
    CollectiveCall even;
    even.kind = CollectiveKind::ALL_TO_ALL;
    even.bytes = 8;
    cache.Get(shape, even);
    const CollectiveCall first = MakeUnevenCall(2, {0, 1, 1, 0});
    const auto kept = cache.Get(shape, first).plan;
    EXPECT_EQ(cache.Get(shape, MakeUnevenCall(2, {0, 1, 1, 0})).plan, kept);
    EXPECT_EQ(cache.GetPlanCount(), 2U);
    for (uint64_t bytes = 2; bytes < 1000; bytes++)
    {
        ASSERT_TRUE(cache.Get(shape, MakeUnevenCall(2, {0, bytes, 1, 0})).plan);
        ASSERT_LE(cache.GetPlanCount(), 66U);
    }
    EXPECT_EQ(cache.Get(shape, first).plan, kept);
}

TEST(CollectiveUnevenAllToAll, ProofFindsOtherSizes)
{
    const auto request = MakeRequest(MakeUnevenCall(3, {0, 1, 2, 3, 4, 5, 6, 7, 8}));
    const auto algorithm = CreateObject<DirectAllToAllVAlgorithm>();
    const CollectivePlan plan = algorithm->Plan(request);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, *algorithm), "");
    const auto other = MakeRequest(MakeUnevenCall(3, {0, 1, 2, 3, 4, 5, 6, 8, 7}));
    EXPECT_EQ(CollectivePlanVerifier::Verify(other, plan, *algorithm),
              "the plan is for other sizes");
    // A plan that takes the parts of the wrong ranks: the ends of a message differ in size.
    PlanProgram program;
    program.AddStep({PlanStepKind::COPY, PlanBuffer::OUTPUT, 0, 0, 0, 0});
    for (uint32_t ahead = 1; ahead < 3; ahead++)
    {
        program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, ahead, 3 - ahead, 0, ahead - 1});
        program.AddStep(
            {PlanStepKind::RECEIVE, PlanBuffer::OUTPUT, 3 - ahead, 3 - ahead, 0, ahead - 1});
    }
    program.Finish();
    CollectivePlan wrong(ChunkGrid(0, 1, 3, 1, 1), {program});
    wrong.AddChannel({0, 1, 2}, {0, 0, 0});
    wrong.SetSizes(request.sizes);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, wrong, *algorithm),
              "rank 0 channel 0 step 1: message 0 has no other end");
}

} // namespace ns3
