/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/parallel-layout.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3
{

namespace
{

/** Members of all groups of a family, in order. */
using Groups = std::vector<std::vector<uint32_t>>;

/**
 * \param layout a layout
 * \param family a family
 * \return its groups
 */
Groups
GetGroups(const ParallelLayout& layout, GroupFamily family)
{
    Groups groups;
    for (const ParallelGroup& group : layout.GetGroups())
    {
        if (group.family == family)
        {
            groups.push_back(group.ranks);
        }
    }
    return groups;
}

} // namespace

TEST(RailyardWorkloadLayout, H21ExpertGroupsExistWithoutTensorParallelism)
{
    ParallelSizes sizes;
    sizes.ranks = 8;
    sizes.expertParallel = 4;
    const ParallelLayout layout(sizes, "test");
    EXPECT_EQ(GetGroups(layout, GroupFamily::EP), (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::DP_EP), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::DP), (Groups{{0, 1, 2, 3, 4, 5, 6, 7}}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::TP).size(), 8u);
    EXPECT_EQ(layout.GetGroups()[layout.GetGroup(GroupFamily::DP_EP, 6)].GetLabel(), "DP_EP[2]");
}

TEST(RailyardWorkloadLayout, TensorFastestThenDataThenStage)
{
    ParallelSizes sizes;
    sizes.ranks = 16;
    sizes.tensorParallel = 2;
    sizes.pipelineParallel = 2;
    sizes.expertParallel = 2;
    sizes.ranksPerServer = 8;
    const ParallelLayout layout(sizes, "test");
    EXPECT_EQ(layout.GetDataParallel(), 4u);
    EXPECT_EQ(GetGroups(layout, GroupFamily::TP).front(), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::DP),
              (Groups{{0, 2, 4, 6}, {1, 3, 5, 7}, {8, 10, 12, 14}, {9, 11, 13, 15}}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::EP).front(), (std::vector<uint32_t>{0, 2}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::DP_EP).front(), (std::vector<uint32_t>{0, 4}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::PP).at(3), (std::vector<uint32_t>{3, 11}));
    EXPECT_EQ(GetGroups(layout, GroupFamily::SERVER).at(1).front(), 8u);
    EXPECT_EQ(GetGroups(layout, GroupFamily::CROSS_SERVER).at(1), (std::vector<uint32_t>{1, 9}));
    EXPECT_EQ(layout.GetStage(11), 1u);
    EXPECT_EQ(layout.GetPipelinePeer(11, -1), 3u);
    EXPECT_EQ(layout.GetPipelinePeer(3, 1), 11u);
}

TEST(RailyardWorkloadLayout, EmbeddingGroupsJoinFirstAndLastStage)
{
    ParallelSizes sizes;
    sizes.ranks = 8;
    sizes.tensorParallel = 2;
    sizes.pipelineParallel = 4;
    const ParallelLayout layout(sizes, "test");
    EXPECT_EQ(GetGroups(layout, GroupFamily::EMBEDDING), (Groups{{0, 6}, {1, 7}}));
}

TEST(RailyardWorkloadLayout, EveryFamilyHoldsEveryRankOnce)
{
    for (uint32_t tp : {1, 2, 4})
    {
        for (uint32_t pp : {1, 2, 3})
        {
            for (uint32_t ep : {1, 2, 6})
            {
                ParallelSizes sizes{tp * pp * 12, tp, pp, ep, 4};
                const ParallelLayout layout(sizes, "test");
                for (GroupFamily family : {GroupFamily::TP,
                                           GroupFamily::DP,
                                           GroupFamily::EP,
                                           GroupFamily::DP_EP,
                                           GroupFamily::PP,
                                           GroupFamily::WORLD,
                                           GroupFamily::SERVER,
                                           GroupFamily::CROSS_SERVER})
                {
                    std::set<uint32_t> seen;
                    for (uint32_t rank = 0; rank < sizes.ranks; rank++)
                    {
                        const auto& ranks = layout.GetGroups()[layout.GetGroup(family, rank)].ranks;
                        EXPECT_TRUE(std::count(ranks.begin(), ranks.end(), rank) == 1);
                        seen.insert(ranks.begin(), ranks.end());
                    }
                    EXPECT_EQ(seen.size(), sizes.ranks);
                }
            }
        }
    }
}

TEST(RailyardWorkloadLayout, H13SizesThatDoNotDivideAreNamed)
{
    const auto error = [](uint32_t ranks, uint32_t tp, uint32_t pp, uint32_t ep) {
        return GetConfigError([&] { ParallelLayout({ranks, tp, pp, ep, 0}, "file.txt"); });
    };
    EXPECT_EQ(error(8, 3, 1, 1),
              "file.txt: tensor parallel size: read '3', expected a divisor of 8 (GPUs of the "
              "workload)");
    EXPECT_EQ(error(16, 4, 3, 1),
              "file.txt: tensor parallel size 4 * pipeline stages 3: read '12', expected a divisor "
              "of 16 (GPUs of the workload)");
    EXPECT_NE(error(16, 2, 1, 3).find("expert parallel size: read '3', expected a divisor of 8"),
              std::string::npos);
    EXPECT_NE(error(0, 1, 1, 1), "");
    EXPECT_NE(error(8, 0, 1, 1), "");
    EXPECT_EQ(error(8, 8, 1, 1), "");
}

} // namespace ns3
