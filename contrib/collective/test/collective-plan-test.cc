/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan.h"
#include "ns3/collective-tag.h"

#include <gtest/gtest.h>

namespace ns3
{

TEST(CollectiveChunkGrid, EvenDivisionIsExact)
{
    const ChunkGrid grid(100000000, 2, 4, 1, 1);
    ASSERT_EQ(grid.GetCount(), 4U);
    for (uint32_t part = 0; part < 4; part++)
    {
        EXPECT_EQ(grid.GetSpan(part).offset, part * 25000000ULL);
        EXPECT_EQ(grid.GetSpan(part).bytes, 25000000U);
    }
}

TEST(CollectiveChunkGrid, TheFirstPiecesTakeTheRemainder)
{
    const ChunkGrid grid(11, 1, 4, 1, 1);
    EXPECT_EQ(grid.GetSpan(0).bytes, 3U);
    EXPECT_EQ(grid.GetSpan(1).bytes, 3U);
    EXPECT_EQ(grid.GetSpan(2).bytes, 3U);
    EXPECT_EQ(grid.GetSpan(3).bytes, 2U);
    EXPECT_EQ(grid.GetSpan(3).offset, 9U);
}

TEST(CollectiveChunkGrid, AnElementIsNeverSplit)
{
    const ChunkGrid grid(10, 4, 4, 1, 1); // elements of 4, 4 and 2 bytes
    EXPECT_EQ(grid.GetSpan(0).bytes, 4U);
    EXPECT_EQ(grid.GetSpan(1).bytes, 4U);
    EXPECT_EQ(grid.GetSpan(2).bytes, 2U);
    EXPECT_EQ(grid.GetSpan(3).bytes, 0U);
    EXPECT_EQ(grid.GetSpan(3).offset, 10U);
}

TEST(CollectiveChunkGrid, CoversEveryByteOnceInOrder)
{
    for (const uint64_t bytes : {0ULL, 1ULL, 7ULL, 1000ULL, 65537ULL, 8589934593ULL})
    {
        for (const uint32_t element : {1U, 2U, 4U, 7U})
        {
            const ChunkGrid grid(bytes, element, 5, 3, 4);
            uint64_t end = 0;
            for (uint32_t chunk = 0; chunk < grid.GetCount(); chunk++)
            {
                const ChunkSpan span = grid.GetSpan(chunk);
                EXPECT_EQ(span.offset, end);
                EXPECT_EQ(grid.GetBytes(chunk / 12, chunk / 4 % 3, chunk % 4), span.bytes);
                end += span.bytes;
            }
            EXPECT_EQ(end, bytes);
            EXPECT_EQ(grid.GetIndex(4, 2, 3), grid.GetCount() - 1);
        }
    }
}

TEST(CollectivePlanProgram, KnowsWhoWaitsForWhom)
{
    PlanProgram program;
    const uint32_t receive = program.AddStep({PlanStepKind::RECEIVE, PlanBuffer::OPERAND, 1});
    const uint32_t copy = program.AddStep({PlanStepKind::COPY}, {PlanProgram::NONE});
    const uint32_t send =
        program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, 1, 0, 0, 3}, {receive, copy});
    program.Finish();
    EXPECT_EQ(program.GetWaits(), std::vector<uint16_t>({1, 0, 2}));
    EXPECT_EQ(program.GetFirstSteps(), std::vector<uint32_t>({copy}));
    EXPECT_EQ(program.GetSend(3), send);
    EXPECT_EQ(program.GetSend(0), PlanProgram::NONE);
    EXPECT_EQ(program.GetReceive(0), receive);
    EXPECT_EQ(program.GetReceive(77), PlanProgram::NONE);
    EXPECT_EQ(program.GetMessageCount(), 4U);
    ASSERT_EQ(program.GetDependentsEnd(receive) - program.GetDependentsBegin(receive), 1);
    EXPECT_EQ(*program.GetDependentsBegin(receive), send);
    EXPECT_EQ(program.GetDependentsEnd(send), program.GetDependentsBegin(send));
}

TEST(CollectiveTag, SurvivesEncoding)
{
    const CollectiveTag highest{CollectiveTag::MAX_GROUPS - 1,
                                UINT16_MAX,
                                CollectiveTag::MAX_CHANNELS - 1,
                                CollectiveTag::MAX_MESSAGES - 1};
    EXPECT_EQ(highest.Encode(), UINT64_MAX);
    const auto tag = CollectiveTag::Decode(CollectiveTag{5, 1000, 7, 123456}.Encode());
    EXPECT_EQ(tag.group, 5U);
    EXPECT_EQ(tag.sequence, 1000U);
    EXPECT_EQ(tag.channel, 7U);
    EXPECT_EQ(tag.message, 123456U);
}

TEST(CollectiveTag, SequenceExpandsAcrossTheWrap)
{
    EXPECT_EQ(CollectiveTag::ExpandSequence(5, 0), 5U);
    EXPECT_EQ(CollectiveTag::ExpandSequence(2, 65535), 65538U);
    EXPECT_EQ(CollectiveTag::ExpandSequence(65535, 65537), 65535U);
    EXPECT_EQ(CollectiveTag::ExpandSequence(0, 131072), 131072U);
    EXPECT_EQ(CollectiveTag::ExpandSequence(32767, 0), 32767U);
}

} // namespace ns3
