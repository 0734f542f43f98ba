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
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)), "");
    EXPECT_EQ(CollectivePlanVerifier::GetCost(request, MakePlan(EXCHANGE, 2, 10)), 8U);
}

TEST(CollectivePlanVerifier, FindsBytesThatAreNotCovered)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 9)),
              "the chunks cover 9 of 10 bytes");
}

TEST(CollectivePlanVerifier, FindsAMissingContribution)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {2}, 10);
    const std::vector<PlanStep> half{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                     {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 1, 0, 0}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(half, 2, 10)),
              "rank 0 ends with chunk 0 holding 0 contributions of rank 1 instead of 1");
}

TEST(CollectivePlanVerifier, FindsADoubleContribution)
{
    const auto request = MakeRequest(CollectiveKind::REDUCE_SCATTER, {2}, 10);
    const std::vector<PlanStep> twice{{PlanStepKind::SEND, DATA, 1, 1, 0, 0},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::SEND, DATA, 1, 1, 0, 1},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 1}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(twice, 2, 10)),
              "rank 0 ends with chunk 0 holding 2 contributions of rank 1 instead of 1");
}

TEST(CollectivePlanVerifier, FindsDataInTheWrongPlace)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    const std::vector<PlanStep> wrong{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE, DATA, 1, 0, 0, 0}};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(wrong, 2, 10)),
              "rank 0 ends with chunk 0 holding data of chunk 1 instead of chunk 0");
}

TEST(CollectivePlanVerifier, FindsDataThatNeverCame)
{
    const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, {2}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)),
              "rank 0 ends with chunk 0 holding nothing");
}

TEST(CollectivePlanVerifier, FindsSumsOfDifferentChunks)
{
    const auto request = MakeRequest(CollectiveKind::REDUCE_SCATTER, {2}, 10);
    const std::vector<PlanStep> mixed{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE_REDUCE, DATA, 1, 0, 0, 0}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(mixed, 2, 10)).find("adds chunk"),
              std::string::npos);
}

TEST(CollectivePlanVerifier, FindsADeadlock)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    const std::vector<PlanStep> receiveFirst{EXCHANGE[1], EXCHANGE[0]};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(receiveFirst, 2, 10)), "");
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(receiveFirst, 2, 10, true)),
              "deadlock: rank 0 waits for ever on channel 0 at step 0 (message 0, peer 1)");
}

TEST(CollectivePlanVerifier, FindsAResultThatDependsOnTiming)
{
    // Part 1 is passed on without waiting for its arrival: right only if messages are fast.
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {3}, 9);
    const std::vector<PlanStep> steps{{PlanStepKind::SEND, DATA, 1, 0, 0, 0},
                                      {PlanStepKind::RECEIVE, DATA, 2, 2, 0, 0},
                                      {PlanStepKind::SEND, DATA, 1, 2, 0, 1},
                                      {PlanStepKind::RECEIVE, DATA, 2, 1, 0, 1}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(steps, 3, 9)), "");
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(steps, 3, 9, true)), "");
}

TEST(CollectivePlanVerifier, FindsMessagesWithoutAnotherEnd)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    const std::vector<PlanStep> lost{EXCHANGE[0]};
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(lost, 2, 10)),
              "rank 0 channel 0 step 0: message 0 has no other end");
    const std::vector<PlanStep> self{{PlanStepKind::SEND, DATA, 0, 0, 0, 0},
                                     {PlanStepKind::RECEIVE, DATA, 0, 1, 0, 0}};
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(self, 2, 10)), "");
}

TEST(CollectivePlanVerifier, FindsAChannelWithoutAllRanks)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {3}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 10)),
              "channel 0 does not hold every rank once");
}

TEST(CollectivePlanVerifier, FindsBytesThatDifferFromTheClosedForm)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {4}, 100);
    const auto algorithm = CreateObject<BoastingAlgorithm>();
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, algorithm->Plan(request), *algorithm),
              "rank 0 sends 150 bytes instead of 200 to 200");
}

TEST(CollectivePlanVerifier, AnEmptyRequestHasAnEmptyPlan)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 0);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, CollectivePlan()), "");
    EXPECT_NE(CollectivePlanVerifier::Verify(request, MakePlan(EXCHANGE, 2, 0)), "");
}

TEST(CollectivePlanVerifier, AcceptsStepsOverSeveralParts)
{
    // Recursive doubling on 4 ranks, written for ranks in their own order: the second step sends
    // the two parts of the pair.
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {4}, 10);
    std::vector<PlanProgram> programs(4);
    for (uint32_t rank = 0; rank < 4; rank++)
    {
        const uint32_t one = (rank ^ 1) - rank + (rank % 2 == 1 ? 4 : 0);
        const uint32_t pair = rank % 2 == 0 ? 0 : 3; // where the rank's pair begins, ahead of it
        PlanStep send{PlanStepKind::SEND, DATA, one, 0, 0, 0};
        PlanStep receive{PlanStepKind::RECEIVE, DATA, one, one, 0, 0};
        programs[rank].AddStep(send);
        const uint32_t first = programs[rank].AddStep(receive);
        send = {PlanStepKind::SEND, DATA, 2, pair, 0, 1, 2};
        receive = {PlanStepKind::RECEIVE, DATA, 2, (pair + 2) % 4, 0, 1, 2};
        programs[rank].AddStep(send, {first});
        programs[rank].AddStep(receive);
        programs[rank].Finish();
    }
    CollectivePlan plan(ChunkGrid(10, 1, 4, 1, 1), programs);
    plan.AddChannel({0, 1, 2, 3}, {0, 1, 2, 3});
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan), "");
    EXPECT_EQ(plan.GetBytesSent(0), 3U + 6U); // parts of 3, 3, 2 and 2 bytes
    EXPECT_EQ(plan.GetBytesSent(3), 2U + 4U);
}

namespace
{

/**
 * \param ranks the number of ranks
 * \return a plan in which all play one program on a hypercube: recursive doubling in two steps
 */
CollectivePlan
MakeHypercube(uint32_t ranks)
{
    PlanProgram program;
    program.AddStep({PlanStepKind::SEND, DATA, 1, 0, 0, 0});
    const uint32_t first = program.AddStep({PlanStepKind::RECEIVE, DATA, 1, 1, 0, 0});
    program.AddStep({PlanStepKind::SEND, DATA, 2, 0, 0, 1, 2}, {first});
    program.AddStep({PlanStepKind::RECEIVE, DATA, 2, 2, 0, 1, 2});
    program.Finish();
    CollectivePlan plan(ChunkGrid(10, 1, ranks, 1, 1), {program});
    std::vector<uint32_t> order(ranks);
    std::iota(order.rbegin(), order.rend(), 0); // not the order of the ranks
    plan.AddChannel(order, std::vector<uint32_t>(ranks, 0), true);
    return plan;
}

} // namespace

TEST(CollectivePlanVerifier, AcceptsAHypercubeWithOneProgram)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {4}, 10);
    const CollectivePlan plan = MakeHypercube(4);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan), "");
    EXPECT_EQ(plan.GetBytesSent(0), 3U + 6U); // parts of 3, 3, 2 and 2 bytes
    EXPECT_EQ(plan.GetPairs().size(), 8U);
}

TEST(CollectivePlanVerifier, FindsPositionsBeyondTheLast)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {3}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakeHypercube(3)),
              "rank 1 channel 0 step 2: a position beyond the last");
}

TEST(CollectivePlanVerifier, FindsEndsThatNameDifferentNumbersOfParts)
{
    const auto request = MakeRequest(CollectiveKind::ALL_GATHER, {2}, 10);
    std::vector<PlanStep> steps = EXCHANGE;
    steps[0].parts = 2;
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakePlan(steps, 2, 10)),
              "rank 0 channel 0 step 0: message 0 has no other end");
}

namespace
{

/**
 * \param missing 2 times the rank plus the root of a multicast that the rank does not receive; 9
 * for none
 * \return an all-reduce of two ranks in a switch: the part of every rank is combined at it, which
 * multicasts the sum
 */
CollectivePlan
MakeSwitchAllReduce(uint32_t missing)
{
    std::vector<PlanProgram> programs(2);
    for (uint32_t rank = 0; rank < 2; rank++)
    {
        PlanProgram& program = programs[rank];
        for (uint32_t root = 0; root < 2; root++)
        {
            const uint32_t ahead = (root + 2 - rank) % 2;
            program.AddStep({PlanStepKind::COMBINE, DATA, ahead, ahead, 0, root});
        }
        const uint32_t sum =
            program.AddStep({PlanStepKind::RECEIVE, DATA, 0, 0, 0, rank});
        program.AddStep({PlanStepKind::MULTICAST, DATA, 0, 0, 0, 2 + rank}, {sum});
        for (uint32_t root = 0; root < 2; root++)
        {
            const uint32_t ahead = (root + 2 - rank) % 2;
            if (rank * 2 + root != missing)
            {
                program.AddStep({PlanStepKind::RECEIVE, DATA, ahead, ahead, 0, 2 + root}, {sum});
            }
        }
        program.Finish();
    }
    CollectivePlan plan(ChunkGrid(10, 1, 2, 1, 1), programs);
    plan.AddChannel({0, 1}, {0, 1});
    plan.SetTeams({0, 0});
    return plan;
}

} // namespace

TEST(CollectivePlanVerifier, AcceptsWhatSwitchesAddAndCopy)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {2}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakeSwitchAllReduce(9)), "");
    EXPECT_EQ(MakeSwitchAllReduce(9).GetBytesSent(0), 10U + 5U);
    EXPECT_TRUE(MakeSwitchAllReduce(9).GetPairs().empty());
}

TEST(CollectivePlanVerifier, FindsAMemberThatMissesAMulticast)
{
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {2}, 10);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, MakeSwitchAllReduce(2)),
              "rank 0 channel 0 step 3: message 2 has no other end");
}

TEST(CollectivePlanVerifier, FindsSumsInSwitchesOfDifferentChunks)
{
    const auto request = MakeRequest(CollectiveKind::REDUCE_SCATTER, {2}, 10);
    // Both contribute the part of the rank itself to message 0 of rank 0, not the same part.
    std::vector<PlanProgram> programs(2);
    programs[0].AddStep({PlanStepKind::COMBINE, DATA, 0, 0, 0, 0});
    programs[0].AddStep({PlanStepKind::RECEIVE, DATA, 0, 0, 0, 0});
    programs[1].AddStep({PlanStepKind::COMBINE, DATA, 1, 0, 0, 0});
    for (PlanProgram& program : programs)
    {
        program.Finish();
    }
    CollectivePlan plan(ChunkGrid(10, 1, 2, 1, 1), programs);
    plan.AddChannel({0, 1}, {0, 1});
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan),
              "rank 0 channel 0 step 0: message 0 has no other end"); // without a team
    plan.SetTeams({0, 0});
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan),
              "rank 0 channel 0 message 0 adds chunk 1 to chunk 0");
}

/**
 * All-reduce of two ranks in numbered parts: both copy their operand to the scratch, send it from
 * there, add what comes to the scratch and copy it to the output.
 */
class CollectivePlanScratch : public testing::Test
{
  protected:
    /** \return the plan */
    CollectivePlan MakeScratchPlan() const
    {
        PlanProgram program;
        uint32_t previous = PlanProgram::NONE;
        for (const PlanStep& step : steps)
        {
            previous = program.AddStep(step, {previous});
        }
        program.Finish();
        CollectivePlan plan(ChunkGrid(10, 1, 3, 1, 1), {program});
        plan.AddChannel({0, 1}, {0, 0});
        plan.SetBuffers(scratch, PlanBuffer::OUTPUT);
        return plan;
    }

    /** \return what is wrong with it, empty if nothing */
    std::string Verify() const
    {
        return CollectivePlanVerifier::Verify(MakeRequest(CollectiveKind::ALL_REDUCE, {2}, 10),
                                              MakeScratchPlan());
    }

    /**
     * \param kind COPY or REDUCE
     * \param to where it writes
     * \param part first part there
     * \param from where it reads
     * \param source first part there
     * \return a step of three parts
     */
    static PlanStep Local(PlanStepKind kind,
                          PlanBuffer to,
                          uint32_t part,
                          PlanBuffer from,
                          uint32_t source)
    {
        return {kind, to, 0, part, 0, 0, 3, 1, source, from};
    }

    uint32_t scratch{6}; //!< parts of the scratch
    std::vector<PlanStep> steps{
        Local(PlanStepKind::COPY, PlanBuffer::SCRATCH, 3, DATA, 0),
        {PlanStepKind::SEND, PlanBuffer::SCRATCH, 1, 3, 0, 0, 3},
        {PlanStepKind::RECEIVE, PlanBuffer::SCRATCH, 1, 0, 0, 0, 3},
        Local(PlanStepKind::REDUCE, PlanBuffer::SCRATCH, 3, PlanBuffer::SCRATCH, 0),
        Local(PlanStepKind::COPY, PlanBuffer::OUTPUT, 0, PlanBuffer::SCRATCH, 3),
    }; //!< in order
};

TEST_F(CollectivePlanScratch, IsProven)
{
    EXPECT_EQ(Verify(), "");
    EXPECT_EQ(MakeScratchPlan().GetBytesSent(0), 12U); // scratch is as large as part 0
}

TEST_F(CollectivePlanScratch, FindsAPartBeyondTheLast)
{
    scratch = 5;
    EXPECT_EQ(Verify(), "rank 0 channel 0 step 0: a position or a part beyond the last");
}

TEST_F(CollectivePlanScratch, FindsASourceBeyondTheLast)
{
    steps[4].sourcePart = 4;
    EXPECT_EQ(Verify(), "rank 0 channel 0 step 4: a position or a part beyond the last");
}

TEST_F(CollectivePlanScratch, FindsAResultElsewhere)
{
    steps[4].buffer = DATA;
    EXPECT_EQ(Verify(), "rank 0 ends with chunk 0 holding nothing");
}

TEST_F(CollectivePlanScratch, FindsWhatIsCopiedInsteadOfAdded)
{
    steps[3].kind = PlanStepKind::COPY;
    EXPECT_EQ(Verify(), "rank 0 ends with chunk 0 holding 0 contributions of rank 0 instead of 1");
}

TEST_F(CollectivePlanScratch, FindsWhatIsAddedToNothing)
{
    steps[3].part = 0;
    steps[3].sourcePart = 3;
    steps[2].part = 3; // arrives in place of what is sent
    steps[4].sourcePart = 0;
    EXPECT_EQ(Verify(), "rank 0 channel 0 message 0 adds chunk 0 to nothing");
}

} // namespace ns3
