/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-proof.h"
#include "ns3/collective-plan-verifier.h"
#include "ns3/double-binary-tree-all-reduce-algorithm.h"
#include "ns3/nccl-division.h"
#include "ns3/nccl-selector.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gtest/gtest.h>
#include <memory>
#include <utility>

namespace ns3
{

namespace
{

/** \param request a request \param algorithm name of a TypeId \return its plan */
PlannedCollective
PlanWith(const CollectiveRequest& request, const std::string& algorithm)
{
    ObjectFactory factory;
    factory.SetTypeId(algorithm);
    const auto maker = factory.Create<CollectiveAlgorithm>();
    return {std::make_shared<CollectivePlan>(maker->Plan(request)), maker, {}};
}

constexpr const char* BROADCAST = "ns3::RingBroadcastAlgorithm"; //!< has many slices

} // namespace

TEST(CollectivePlanProof, PlansWithinTheBudgetAreProven)
{
    const CollectiveRequest request = MakeRequest(CollectiveKind::BROADCAST, {4}, 8 << 20);
    const PlannedCollective planned = PlanWith(request, BROADCAST);
    EXPECT_EQ(ProveCollectivePlan(request, planned, 1 << 20), "");
    const CollectiveRequest empty = MakeRequest(CollectiveKind::BROADCAST, {4}, 0);
    const auto none = std::make_shared<CollectivePlan>();
    EXPECT_EQ(ProveCollectivePlan(empty, {none, nullptr, {}}, 0), "");
}

// Eight channels, where a tree by itself has two.
TEST(CollectivePlanProof, PlansAreProvenByTheDivisionOfTheirMaker)
{
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("H100"));
    selector->SetAttribute("IntraRate", StringValue("3600Gbps"));
    selector->SetAttribute("InterRate", StringValue("400Gbps"));
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 32768);
    const std::string tree = "ns3::DoubleBinaryTreeAllReduceAlgorithm";
    const auto maker = selector->Select(request, {TypeId::LookupByName(tree), "LL"}).algorithm;
    ASSERT_TRUE(maker);
    const auto plan = std::make_shared<CollectivePlan>(maker->Plan(request));
    ASSERT_EQ(plan->GetChannels().size(), 8U);
    ASSERT_EQ(PlanWith(request, tree).plan->GetChannels().size(), 2U);
    EXPECT_EQ(ProveCollectivePlan(request, {plan, maker, {}}, 1 << 20), "");
}

// Smaller operands have the three channels of the large one if the maker divides them, and sixteen
// with another of its type.
TEST(CollectivePlanProof, SmallerPlansAreThoseOfTheMaker)
{
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 64 << 20);
    const PlannedCollective other = PlanWith(request, "ns3::DoubleBinaryTreeAllReduceAlgorithm");
    ASSERT_EQ(other.plan->GetChannels().size(), 16U);
    const auto maker = CreateObject<DoubleBinaryTreeAllReduceAlgorithm>();
    maker->SetDivision(std::make_shared<NcclDivision>("Tree", "Simple", 16384, 3));
    const auto plan = std::make_shared<CollectivePlan>(maker->Plan(request));
    ASSERT_EQ(plan->GetChannels().size(), 3U);
    const uint64_t cost = CollectivePlanVerifier::GetCost(request, *plan);
    EXPECT_EQ(ProveCollectivePlan(request, {plan, maker, {}}, cost / 10), "");
    EXPECT_FALSE(ProveCollectivePlan(request, {plan, other.maker, {}}, cost / 10));
}

TEST(CollectivePlanProof, WrongPlansAreDescribed)
{
    // The plan of another root.
    CollectiveRequest request = MakeRequest(CollectiveKind::BROADCAST, {4}, 8 << 20);
    const PlannedCollective planned = PlanWith(request, BROADCAST);
    request.root = 1;
    const auto problem = ProveCollectivePlan(request, planned, 1 << 20);
    ASSERT_TRUE(problem);
    EXPECT_NE(problem->find("rank 0 ends with chunk 0 holding"), std::string::npos) << *problem;
}

TEST(CollectivePlanProof, LargeOnesAreProvenBySmallerOnesOfTheSameShape)
{
    const CollectiveRequest request = MakeRequest(CollectiveKind::BROADCAST, {4}, 1 << 30);
    const PlannedCollective planned = PlanWith(request, BROADCAST);
    const uint64_t cost = CollectivePlanVerifier::GetCost(request, *planned.plan);
    EXPECT_EQ(ProveCollectivePlan(request, planned, cost / 10), "");
    EXPECT_FALSE(ProveCollectivePlan(request, planned, 3)); // no plan of 4 ranks costs so little
}

TEST(CollectivePlanProof, OtherShapesProveNothing)
{
    // Two servers of two: two rings for large operands, one for small ones.
    CollectiveRequest request = MakeRequest(CollectiveKind::BROADCAST, {2, 2}, 1 << 20);
    const PlannedCollective planned = PlanWith(request, BROADCAST);
    ASSERT_EQ(planned.plan->GetChannels().size(), 2U);
    CollectiveRequest small = request;
    small.bytes = 1000;
    const PlannedCollective single = PlanWith(small, BROADCAST);
    ASSERT_EQ(single.plan->GetChannels().size(), 1U);
    const uint64_t cost = CollectivePlanVerifier::GetCost(small, *single.plan);
    EXPECT_FALSE(ProveCollectivePlan(request, planned, cost));
}

TEST(CollectivePlanProof, LargeProofsAreMadeOncePerShape)
{
    const auto prove = [](CollectivePlanProver& prover, uint64_t bytes, uint32_t ranks) {
        const CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {ranks}, bytes);
        return prover.Prove(request, PlanWith(request, "ns3::RingAllReduceAlgorithm"));
    };
    CollectivePlanProver prover;
    EXPECT_EQ(prove(prover, 1000, 8), "");
    EXPECT_EQ(prover.GetKeptCount(), 0U); // cheap
    EXPECT_EQ(prove(prover, 1 << 20, 104), "");
    EXPECT_EQ(prove(prover, 1 << 30, 104), "");
    EXPECT_EQ(prover.GetKeptCount(), 1U);
    EXPECT_EQ(prove(prover, 1 << 20, 103), "");
    EXPECT_EQ(prover.GetKeptCount(), 2U);
}

// The rings of one differ from those of the other, though there are as many.
TEST(CollectivePlanProof, EachPlacementIsProven)
{
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {20, 20}, 1 << 20);
    const PlannedCollective blocks = PlanWith(request, "ns3::RingAllReduceAlgorithm");
    CollectivePlanProver prover;
    EXPECT_EQ(prover.Prove(request, blocks), "");
    for (uint32_t rank = 0; rank < 40; rank++)
    {
        request.placement[rank] = rank % 2;
    }
    const PlannedCollective interleaved = PlanWith(request, "ns3::RingAllReduceAlgorithm");
    ASSERT_EQ(interleaved.plan->GetChannels().size(), blocks.plan->GetChannels().size());
    ASSERT_EQ(interleaved.plan->GetChunks().GetCount(), blocks.plan->GetChunks().GetCount());
    EXPECT_EQ(prover.Prove(request, interleaved), "");
    EXPECT_EQ(prover.GetKeptCount(), 2U);
}

TEST(CollectivePlanProof, PlansOfOtherStepsAreProvenEach)
{
    const CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {104}, 1 << 20);
    const PlannedCollective ring = PlanWith(request, "ns3::RingAllReduceAlgorithm");
    CollectivePlanProver prover;
    EXPECT_EQ(prover.Prove(request, ring), "");
    std::vector<PlanProgram> programs(1);
    programs.front().Finish();
    auto idle = std::make_shared<CollectivePlan>(ring.plan->GetChunks(), std::move(programs));
    for (const PlanChannel& channel : ring.plan->GetChannels())
    {
        idle->AddChannel(channel.order, channel.programs);
    }
    const auto problem = prover.Prove(request, {idle, ring.maker, {}});
    ASSERT_TRUE(problem);
    EXPECT_NE(*problem, "");
}

/** What is sent follows from the sizes: the proof of one matrix says nothing of another. */
TEST(CollectivePlanProof, UnevenSizesAreProvenEach)
{
    constexpr uint32_t RANKS = 104;
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_TO_ALL_V, {RANKS}, 0);
    CollectivePlanProver prover;
    std::vector<uint64_t> bytes(RANKS * RANKS, 1);
    request.sizes = std::make_shared<SizeMatrix>(RANKS, bytes);
    request.bytes = request.sizes->GetMeanBytes();
    const PlannedCollective full = PlanWith(request, "ns3::DirectAllToAllVAlgorithm");
    ASSERT_GT(CollectivePlanVerifier::GetCost(request, *full.plan), CollectivePlanProver::CHEAP);
    EXPECT_EQ(prover.Prove(request, full), "");
    bytes[1] = 0;
    request.sizes = std::make_shared<SizeMatrix>(RANKS, bytes);
    request.bytes = request.sizes->GetMeanBytes();
    EXPECT_EQ(prover.Prove(request, full), "the plan is for other sizes");
}

} // namespace ns3
