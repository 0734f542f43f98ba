/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/ring-all-reduce-algorithm.h"

#include <gtest/gtest.h>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * \param kind a kind
 * \param ranks size of the group
 * \param bytes size of the operand
 * \return a request in one server
 */
CollectiveRequest
MakeRequest(CollectiveKind kind, uint32_t ranks, uint64_t bytes)
{
    CollectiveRequest request;
    request.kind = kind;
    request.bytes = bytes;
    request.placement = PlaceRanks({ranks});
    return request;
}

/**
 * \param steps the steps of a program that every rank plays; each waits for the one before if
 * inOrder
 * \param ranks size of the group
 * \param bytes size of the operand, in a part for each rank
 * \param inOrder see steps
 * \return the plan
 */
CollectivePlan
MakePlan(const std::vector<PlanStep>& steps, uint32_t ranks, uint64_t bytes, bool inOrder = false)
{
    PlanProgram program;
    uint32_t previous = PlanProgram::NONE;
    for (const auto& step : steps)
    {
        previous = program.AddStep(step, {inOrder ? previous : PlanProgram::NONE});
    }
    program.Finish();
    CollectivePlan plan(ChunkGrid(bytes, 1, ranks, 1, 1), {program});
    std::vector<uint32_t> order(ranks);
    std::iota(order.begin(), order.end(), 0);
    plan.AddChannel(order, std::vector<uint32_t>(ranks, 0));
    return plan;
}

const PlanBuffer DATA = PlanBuffer::OPERAND;

/** All-gather of two ranks, right. */
const std::vector<PlanStep> EXCHANGE{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                     {PlanStepKind::RECEIVE, DATA, 1, 1, 0, 0}};

/** \brief An algorithm that promises more than its plans do. */
class BoastingAlgorithm : public RingAllReduceAlgorithm
{
  public:
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t) const override
    {
        return {request.bytes * 2, request.bytes * 2};
    }
};

} // namespace

TEST(CollectivePlanVerifier, AcceptsARightPlan)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)), "");
    EXPECT_EQ(CollectivePlanVerifier::GetCost(request, MakePlan(EXCHANGE, 2, 10)), 8U);
}

TEST(CollectivePlanVerifier, FindsBytesThatAreNotCovered)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 9)),
              "the chunks cover 9 of 10 bytes");
}

TEST(CollectivePlanVerifier, FindsAMissingContribution)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, 2, 10);
    const std::vector<PlanStep> half{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                     {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 1, 0, 0}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(half, 2, 10)),
              "rank 0 ends with chunk 0 holding 0 contributions of rank 1 instead of 1");
}

TEST(CollectivePlanVerifier, FindsADoubleContribution)
{
    const auto request = MakeRequest(CollectiveKind::REDUCE_SCATTER, 2, 10);
    const std::vector<PlanStep> twice{{PlanStepKind::SEND, DATA, 1, 1, 0, 0},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::SEND, DATA, 1, 1, 0, 1},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 1}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(twice, 2, 10)),
              "rank 0 ends with chunk 0 holding 2 contributions of rank 1 instead of 1");
}

TEST(CollectivePlanVerifier, FindsDataInTheWrongPlace)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 10);
    const std::vector<PlanStep> wrong{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE, DATA, 1, 0, 0, 0}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(wrong, 2, 10)),
              "rank 0 ends with chunk 0 holding data of chunk 1 instead of chunk 0");
}

TEST(CollectivePlanVerifier, FindsDataThatNeverCame)
{
    const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, 2, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)),
              "rank 0 ends with chunk 0 holding nothing");
}

TEST(CollectivePlanVerifier, FindsSumsOfDifferentChunks)
{
    const auto request = MakeRequest(CollectiveKind::REDUCE_SCATTER, 2, 10);
    const std::vector<PlanStep> mixed{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 0}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(mixed, 2, 10)).find("adds chunk"),
              std::string::npos);
}

TEST(CollectivePlanVerifier, FindsADeadlock)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 10);
    const std::vector<PlanStep> receiveFirst{EXCHANGE[1], EXCHANGE[0]};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(receiveFirst, 2, 10)), "");
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(receiveFirst, 2, 10, true)),
              "deadlock: rank 0 waits for ever on channel 0 at step 0 (message 0, peer 1)");
}

TEST(CollectivePlanVerifier, FindsAResultThatDependsOnTiming)
{
    // Part 1 is passed on without waiting for its arrival: right only if messages are fast.
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 3, 9);
    const std::vector<PlanStep> steps{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE, DATA, 2, 2, 0, 0},
                                      {PlanStepKind::SEND, DATA, 1, 2, 0, 1},
                                      {PlanStepKind::RECEIVE, DATA, 2, 1, 0, 1}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(steps, 3, 9)), "");
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(steps, 3, 9, true)), "");
}

TEST(CollectivePlanVerifier, FindsMessagesWithoutAnotherEnd)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 10);
    const std::vector<PlanStep> lost{EXCHANGE[0]};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(lost, 2, 10)),
              "rank 0 channel 0 step 0: message 0 has no other end");
    const std::vector<PlanStep> self{{PlanStepKind::SEND, DATA, 0, 0, 0, 0},
                                     {PlanStepKind::RECEIVE, DATA, 0, 1, 0, 0}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(self, 2, 10)), "");
}

TEST(CollectivePlanVerifier, FindsAChannelWithoutAllRanks)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 3, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)),
              "channel 0 does not hold every rank once");
}

TEST(CollectivePlanVerifier, FindsBytesThatDifferFromTheClosedForm)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, 4, 100);
    const auto algorithm = CreateObject<BoastingAlgorithm>();
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, algorithm->Plan(request), *algorithm),
              "rank 0 sends 150 bytes instead of 200 to 200");
}

TEST(CollectivePlanVerifier, AnEmptyRequestHasAnEmptyPlan)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, 2, 0);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, CollectivePlan()), "");
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 0)), "");
}

} // namespace ns3
