/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/first-fit-selector.h"
#include "ns3/nvls-all-gather-algorithm.h"
#include "ns3/nvls-all-reduce-algorithm.h"
#include "ns3/nvls-reduce-scatter-algorithm.h"
#include "ns3/nvls-tree-all-reduce-algorithm.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3
{

namespace
{

/**
 * \param kind a kind
 * \param ranks size of the group
 * \param bytes size of the operand
 * \param elementBytes size of an element
 * \return a request in one server whose switches add up and copy
 */
CollectiveRequest
MakeOffloadRequest(CollectiveKind kind, uint32_t ranks, uint64_t bytes, uint32_t elementBytes = 1)
{
    CollectiveRequest request = MakeRequest(kind, {ranks}, bytes, elementBytes);
    request.offload = true;
    return request;
}

/** \return the three algorithms, with slices of 100 bytes, 2 of them in flight */
std::vector<Ptr<CollectiveAlgorithm>>
MakeAlgorithms()
{
    std::vector<Ptr<CollectiveAlgorithm>> algorithms{
        CreateObject<NvlsAllReduceAlgorithm>(),
        CreateObject<NvlsAllGatherAlgorithm>(),
        CreateObject<NvlsReduceScatterAlgorithm>(),
    };
    for (const auto& algorithm : algorithms)
    {
        algorithm->SetAttribute("SliceBytes", UintegerValue(100));
        algorithm->SetAttribute("SlicesInFlight", UintegerValue(2));
    }
    return algorithms;
}

/**
 * \param kind a kind
 * \param algorithm TypeId name of the algorithm
 * \param bytes size of the operand
 * \return what happened, on 8 ranks of 100 Gbit/s and 1 us
 */
CollectiveInstance
RunOn8(CollectiveKind kind, const std::string& algorithm, uint64_t bytes)
{
    CollectiveTestBed bed(8, "100Gbps", "1us");
    bed.transport->EnableOffload();
    auto selector = CreateObject<FirstFitSelector>();
    selector->SetAttribute("Algorithms", StringValue(algorithm));
    bed.engine->SetSelector(selector);
    const CollectiveInstance result = bed.RunOne({8}, kind, bytes);
    EXPECT_EQ(result.algorithm, algorithm);
    EXPECT_EQ(bed.recorder.started.size(), result.messages);
    EXPECT_EQ(bed.recorder.ended.size(), result.messages);
    return result;
}

} // namespace

TEST(NvlsAlgorithm, PlansAreProvenForEverySize)
{
    for (uint32_t ranks = 2; ranks <= 33; ranks++)
    {
        for (const auto& algorithm : MakeAlgorithms())
        {
            for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                    CollectiveKind::ALL_GATHER,
                                    CollectiveKind::REDUCE_SCATTER})
            {
                for (const uint64_t bytes : {1UL, 7UL, 400UL * ranks + 3})
                {
                    const auto request = MakeOffloadRequest(kind, ranks, bytes, bytes % 2 + 1);
                    if (algorithm->Supports(request))
                    {
                        EXPECT_EQ(CollectivePlanVerifier::Verify(request,
                                                                 algorithm->Plan(request),
                                                                 *algorithm),
                                  "")
                            << kind << " of " << bytes << " bytes on " << ranks << " ranks";
                    }
                }
            }
        }
    }
}

TEST(NvlsAlgorithm, NeedsOneServerWhoseSwitchesCan)
{
    const auto algorithm = CreateObject<NvlsAllReduceAlgorithm>();
    auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 1000);
    EXPECT_TRUE(algorithm->Supports(request));
    request.placement = PlaceRanks({4, 4});
    EXPECT_FALSE(algorithm->Supports(request));
    request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 1000);
    request.offload = false;
    EXPECT_FALSE(algorithm->Supports(request));
    EXPECT_FALSE(algorithm->Supports(MakeOffloadRequest(CollectiveKind::ALL_GATHER, 8, 1000)));
}

// NCCL's ncclNvlsSupported(); an all-gather has no arithmetic.
TEST(NvlsAlgorithm, NeedsArithmeticThatSwitchesHave)
{
    struct Case
    {
        ElementType type; //!< type of the elements
        bool sums;        //!< switches can sum them up
        bool compares;    //!< and find the largest and the smallest
    };

    const std::vector<Case> cases{
        {ElementType::UNSPECIFIED, true, true},
        {ElementType::INT8, false, false},
        {ElementType::FLOAT8, false, false},
        {ElementType::INT32, true, true},
        {ElementType::INT64, true, true},
        {ElementType::HALF, true, true},
        {ElementType::BFLOAT16, true, true},
        {ElementType::FLOAT, true, false},
        {ElementType::DOUBLE, true, false},
    };
    const auto reduce = CreateObject<NvlsAllReduceAlgorithm>();
    const auto tree = CreateObject<NvlsTreeAllReduceAlgorithm>();
    const auto scatter = CreateObject<NvlsReduceScatterAlgorithm>();
    const auto gather = CreateObject<NvlsAllGatherAlgorithm>();
    const std::vector<std::pair<ReductionOperation, bool Case::*>> operations{
        {ReductionOperation::SUM, &Case::sums},
        {ReductionOperation::MAX, &Case::compares},
        {ReductionOperation::MIN, &Case::compares},
    };
    for (const Case& each : cases)
    {
        for (const auto& [operation, can] : operations)
        {
            auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 1000);
            request.reduction = {each.type, operation};
            EXPECT_EQ(reduce->Supports(request), each.*can) << int(each.type);
            request.placement = PlaceRanks({4, 4});
            EXPECT_EQ(tree->Supports(request), each.*can) << int(each.type);
            request = MakeOffloadRequest(CollectiveKind::REDUCE_SCATTER, 8, 1000);
            request.reduction = {each.type, operation};
            EXPECT_EQ(scatter->Supports(request), each.*can) << int(each.type);
        }
        for (const auto operation :
             {ReductionOperation::PROD, ReductionOperation::AVG, ReductionOperation::MUL_SUM})
        {
            auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 1000);
            request.reduction = {each.type, operation};
            EXPECT_FALSE(reduce->Supports(request)) << int(each.type);
        }
        auto request = MakeOffloadRequest(CollectiveKind::ALL_GATHER, 8, 1000);
        request.reduction = {each.type, ReductionOperation::SUM};
        EXPECT_TRUE(gather->Supports(request)) << int(each.type);
    }
}

TEST(NvlsAlgorithm, BytesOfAllReduce)
{
    const auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 8 << 20);
    const auto plan = CreateObject<NvlsAllReduceAlgorithm>()->Plan(request);
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        EXPECT_EQ(plan.GetBytesSent(rank), 9U << 20);
    }
    EXPECT_EQ(plan.GetChunks().GetSlices(), 8U); // of 128 KiB
    EXPECT_TRUE(plan.GetPairs().empty());
}

// A gate each for what a rank sends and receives: S + S/n pass it each way. A copy waits behind a
// window of 8 contributions to each of 8 parts at most, and the last one for 9 more.
TEST(NvlsAlgorithm, AllReduceTakesOnePassAndAPart)
{
    const uint64_t bytes = 64 << 20;
    const auto result = RunOn8(CollectiveKind::ALL_REDUCE, "ns3::NvlsAllReduceAlgorithm", bytes);
    const double least = 9.0 / 8 * bytes * 8 / 100.0; // ns
    const double slice = 131072 * 8 / 100.0;
    EXPECT_GE(result.GetDuration().GetNanoSeconds(), least + 2000);
    EXPECT_LE(result.GetDuration().GetNanoSeconds(), least + 2000 + (8 * 8 + 9) * slice);
    EXPECT_EQ(result.bytesSent, 9 * bytes);
    EXPECT_GT(result.GetAlgbwGBps() * GetBusbwFactor(CollectiveKind::ALL_REDUCE, 8),
              1.4 * 12.5); // at most 2(n-1)/(n+1) = 1.56 of a link's rate
}

TEST(NvlsAlgorithm, AllGatherAndReduceScatterTakeOnePass)
{
    const uint64_t bytes = 64 << 20;
    const int64_t pass = static_cast<int64_t>(bytes * 8 / 100); // ns
    const auto gather = RunOn8(CollectiveKind::ALL_GATHER, "ns3::NvlsAllGatherAlgorithm", bytes);
    EXPECT_EQ(gather.bytesSent, bytes);
    EXPECT_NEAR(gather.GetDuration().GetNanoSeconds(), pass + 1000, 0.01 * pass);
    const auto scatter =
        RunOn8(CollectiveKind::REDUCE_SCATTER, "ns3::NvlsReduceScatterAlgorithm", bytes);
    EXPECT_EQ(scatter.bytesSent, 8 * bytes);
    EXPECT_NEAR(scatter.GetDuration().GetNanoSeconds(), pass + 1000, 0.01 * pass);
}

TEST(NvlsAlgorithm, MessagesAreRecordedOnceWithTheirEnd)
{
    CollectiveTestBed bed(3, "100Gbps", "1us");
    bed.transport->EnableOffload();
    auto selector = CreateObject<FirstFitSelector>();
    selector->SetAttribute("Algorithms", StringValue("ns3::NvlsAllReduceAlgorithm"));
    bed.engine->SetSelector(selector);
    const uint32_t group = bed.AddGroup({3});
    const CollectiveCall call = MakeCall(group, CollectiveKind::ALL_REDUCE, 300);
    bed.JoinAt(MicroSeconds(0), 0, call);
    bed.JoinAt(MicroSeconds(5), 1, call);
    bed.JoinAt(MicroSeconds(9), 2, call);
    bed.Run();
    EXPECT_EQ(bed.done, 3U);
    ASSERT_EQ(bed.recorder.ended.size(), 12U); // 3 contributions and 1 copy each
    for (const auto& [collective, message] : bed.recorder.ended)
    {
        EXPECT_EQ(message.bytes, 100U);
        EXPECT_EQ(message.kind == MessageKind::MULTICAST, message.step >= 3);
        EXPECT_TRUE(message.kind == MessageKind::COMBINE || message.src == message.dst);
        EXPECT_GE(message.end, MicroSeconds(10)) << "no sum before the last rank has joined";
        EXPECT_GE(message.start,
                  message.kind == MessageKind::COMBINE ? MicroSeconds(0) : MicroSeconds(10));
    }
}

/** \brief Three ranks, two groups of which share team and channel. */
class NvlsSums : public testing::Test
{
  protected:
    NvlsSums()
        : bed(3, "100Gbps", "1us")
    {
        bed.transport->EnableOffload();
        auto selector = CreateObject<FirstFitSelector>();
        selector->SetAttribute("Algorithms", StringValue("ns3::NvlsAllReduceAlgorithm"));
        bed.engine->SetSelector(selector);
        one = MakeCall(bed.AddGroup({3}), CollectiveKind::ALL_REDUCE, 3 << 20);
        other = MakeCall(bed.AddGroup({3}), CollectiveKind::ALL_REDUCE, 5 << 20);
    }

    CollectiveTestBed bed; //!< what runs
    CollectiveCall one;    //!< of the first group
    CollectiveCall other;  //!< of the second
};

TEST_F(NvlsSums, DoNotMixWhereRanksJoinInTheSameOrderAsOneBatch)
{
    for (uint32_t rank = 0; rank < 3; rank++)
    {
        Simulator::ScheduleWithContext(rank, MicroSeconds(100 * rank), [this, rank] {
            bed.engine->JoinTogether(rank, {one, other}, [this](const auto&) { bed.done++; });
        });
    }
    bed.Run();
    EXPECT_EQ(bed.done, 3U);
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
}

TEST_F(NvlsSums, OfRanksThatJoinInAnotherOrderWouldMix)
{
    bed.JoinAt(Time(0), 0, one);
    bed.JoinAt(Time(0), 0, other);
    bed.JoinAt(Time(0), 1, other);
    EXPECT_DEATH(bed.Run(), "rank 1 contributes to another sum than the others");
}

TEST(NvlsTreeAlgorithm, PlansAreProvenForManyServers)
{
    const auto algorithm = CreateObject<NvlsTreeAllReduceAlgorithm>();
    algorithm->SetAttribute("SliceBytes", UintegerValue(64));
    algorithm->SetAttribute("SlicesInFlight", UintegerValue(2));
    std::vector<std::vector<uint32_t>> placements;
    for (uint32_t servers = 2; servers <= 17; servers++)
    {
        placements.push_back(PlaceRanks(std::vector<uint32_t>(servers, 2)));
    }
    placements.push_back(PlaceRanks({8, 8}));
    placements.push_back(PlaceRanks(std::vector<uint32_t>(16, 8)));
    placements.push_back(PlaceRanks({1, 3, 2, 5}));
    placements.push_back(PlaceRanks({4, 1}));
    placements.push_back({0, 1, 2, 0, 1, 2, 1, 0}); // interleaved
    for (const auto& placement : placements)
    {
        for (const uint64_t bytes : {1UL, 999UL, 4096UL})
        {
            auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 2, bytes, bytes % 2 + 1);
            request.placement = placement;
            ASSERT_TRUE(algorithm->Supports(request));
            EXPECT_EQ(CollectivePlanVerifier::Verify(request,
                                                     algorithm->Plan(request),
                                                     *algorithm),
                      "")
                << bytes << " bytes on " << placement.size() << " ranks";
        }
    }
}

TEST(NvlsTreeAlgorithm, NeedsServersAndSwitchesThatCan)
{
    const auto algorithm = CreateObject<NvlsTreeAllReduceAlgorithm>();
    auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 8, 1000);
    EXPECT_FALSE(algorithm->Supports(request));
    request.placement = PlaceRanks({4, 4});
    EXPECT_TRUE(algorithm->Supports(request));
    request.offload = false;
    EXPECT_FALSE(algorithm->Supports(request));
}

// Ranks of two servers: S to the switches, heads S/l more for the copy; S/l between the servers,
// half of it up in one tree and half of it down in the other.
TEST(NvlsTreeAlgorithm, BytesOfTwoServers)
{
    auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 16, 16 << 20);
    request.placement = PlaceRanks({8, 8});
    const auto plan = CreateObject<NvlsTreeAllReduceAlgorithm>()->Plan(request);
    for (uint32_t rank = 0; rank < 16; rank++)
    {
        EXPECT_EQ(plan.GetBytesSent(rank), (16U << 20) + (2U << 20) + (2U << 20));
    }
    for (const auto& [src, dst] : plan.GetPairs())
    {
        EXPECT_EQ(src % 8, dst % 8) << "hops between servers stay on the rail";
    }
}

TEST(NvlsTreeAlgorithm, PlanOf1024RanksIsSmall)
{
    auto request = MakeOffloadRequest(CollectiveKind::ALL_REDUCE, 1024, 1 << 30, 4);
    request.placement = PlaceRanks(std::vector<uint32_t>(128, 8));
    const auto plan = CreateObject<NvlsTreeAllReduceAlgorithm>()->Plan(request);
    EXPECT_EQ(plan.GetChannels().size(), 16U);
    EXPECT_LT(plan.GetPrograms().size(), 200U);
}

} // namespace ns3
