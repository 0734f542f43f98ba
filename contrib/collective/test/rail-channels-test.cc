/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-helper.h"
#include "ns3/collective-plan-verifier.h"
#include "ns3/collective-tag.h"
#include "ns3/double-binary-tree-all-reduce-algorithm.h"
#include "ns3/nccl-division.h"
#include "ns3/object-factory.h"
#include "ns3/rail-channels.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <tuple>

/**
 * \file
 * Channels for ranks with several NICs: which rail, tree and NIC they use, and plans for them.
 */

namespace ns3
{

namespace
{

/**
 * \param kind a kind
 * \param bytes size of the operand
 * \param nics NICs of every rank
 * \return a request of three servers with two ranks each, or of two ranks
 */
CollectiveRequest
MakeRequest(CollectiveKind kind, uint64_t bytes, uint32_t nics)
{
    CollectiveRequest request;
    request.kind = kind;
    request.bytes = bytes;
    request.elementBytes = 2;
    request.placement = PlaceRanks(kind == CollectiveKind::SEND_RECV
                                       ? std::vector<uint32_t>{1, 1}
                                       : std::vector<uint32_t>{2, 2, 2});
    request.nicsPerRank = nics;
    request.offload = true;
    if (kind == CollectiveKind::ALL_TO_ALL_V)
    {
        const uint32_t size = request.GetGroupSize();
        std::vector<uint64_t> sizes;
        for (uint32_t i = 0; i < size * size; i++)
        {
            sizes.push_back(i % 5 * bytes / size);
        }
        request.sizes = std::make_shared<SizeMatrix>(size, sizes);
        request.bytes = request.sizes->GetMeanBytes();
    }
    return request;
}

/**
 * \param plan a plan
 * \return channels of the transport that its messages use
 */
std::set<uint32_t>
GetUsedChannels(const CollectivePlan& plan)
{
    std::set<uint32_t> used;
    for (uint32_t channel = 0; channel < plan.GetChannels().size(); channel++)
    {
        const auto size = static_cast<uint32_t>(plan.GetChannels()[channel].order.size());
        for (uint32_t position = 0; position < size; position++)
        {
            const PlanProgram& program = plan.GetProgram(channel, position);
            for (uint32_t i = 0; i < program.GetStepCount(); i++)
            {
                const PlanStep& step = program.GetStep(i);
                if (step.kind == PlanStepKind::SEND)
                {
                    used.insert(channel + step.connection);
                }
            }
        }
    }
    return used;
}

/** \return a request of three servers whose pairs of ranks share two NICs: four rails of NICs */
CollectiveRequest
MakeSharedNics()
{
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, 16 << 20, 2);
    request.placement = PlaceRanks({8, 8, 8});
    for (uint32_t rank = 0; rank < request.GetGroupSize(); rank++)
    {
        request.nics.push_back(rank % 8 / 2);
    }
    return request;
}

using Hops = std::set<std::pair<uint32_t, uint32_t>>; //!< senders and receivers

/**
 * \param request a request
 * \param plan a plan for it, of trees
 * \param channel a channel
 * \return where sums go up between servers: different for every tree of every rail
 */
Hops
GetHopsUp(const CollectiveRequest& request, const CollectivePlan& plan, uint32_t channel)
{
    Hops hops;
    const PlanChannel& ranks = plan.GetChannels()[channel];
    for (uint32_t position = 0; position < ranks.order.size(); position++)
    {
        const PlanProgram& program = plan.GetProgram(channel, position);
        for (uint32_t i = 0; i < program.GetStepCount(); i++)
        {
            const uint32_t to = ranks.order[position];
            const uint32_t from = ranks.GetRank(position, program.GetStep(i).peer);
            if (program.GetStep(i).kind == PlanStepKind::RECEIVE_REDUCE &&
                request.placement[from] != request.placement[to])
            {
                hops.insert({from, to});
            }
        }
    }
    return hops;
}

/**
 * Has every algorithm plan what it supports.
 * \param bytes sizes of the operand
 * \param nics NICs of every rank
 * \param check told of each request, its algorithm and its plan
 * \return number of plans
 */
uint32_t
PlanAll(const std::vector<uint64_t>& bytes,
        const std::vector<uint32_t>& nics,
        const std::function<void(const CollectiveRequest&,
                                 const CollectiveAlgorithm&,
                                 const CollectivePlan&)>& check)
{
    uint32_t planned = 0;
    for (const auto& algorithm : MakeAllAlgorithms())
    {
        const std::string name = algorithm->GetInstanceTypeId().GetName();
        for (uint32_t kind = 0; kind <= static_cast<uint32_t>(CollectiveKind::ALL_TO_ALL_V); kind++)
        {
            for (const uint64_t size : bytes)
            {
                for (const uint32_t count : nics)
                {
                    CollectiveRequest request =
                        MakeRequest(static_cast<CollectiveKind>(kind), size, count);
                    request.railOffload = name.find("Collnet") != std::string::npos;
                    if (!algorithm->Supports(request))
                    {
                        continue;
                    }
                    SCOPED_TRACE(name + " " + testing::PrintToString(count));
                    check(request, *algorithm, algorithm->Plan(request));
                    planned++;
                }
            }
        }
    }
    return planned;
}

} // namespace

TEST(CollectiveRailChannels, UseEveryTreeOfEveryRailOnEveryNicOnce)
{
    for (uint32_t rails = 1; rails <= 9; rails++)
    {
        for (uint32_t nics = 1; nics <= 8; nics++)
        {
            for (uint32_t trees = 1; trees <= 2; trees++)
            {
                SCOPED_TRACE(testing::PrintToString(std::tuple(rails, nics, trees)));
                const RailChannels channels(rails, nics, trees);
                ASSERT_EQ(channels.GetCount(), rails * nics * trees);
                std::set<std::tuple<uint32_t, uint32_t, uint32_t>> used;
                for (uint32_t c = 0; c < channels.GetCount(); c++)
                {
                    EXPECT_LT(channels.GetRail(c), rails);
                    EXPECT_LT(channels.GetTree(c), trees);
                    used.insert({channels.GetRail(c), channels.GetTree(c), c % nics});
                }
                EXPECT_EQ(used.size(), channels.GetCount());
            }
        }
    }
}

TEST(CollectiveRailChannels, SharedNicsHaveEveryTreeOfEveryRailOnce)
{
    const CollectiveRequest request = MakeSharedNics();
    for (const std::string name : {"NvlsTree", "DoubleBinaryTree"})
    {
        SCOPED_TRACE(name);
        const auto algorithm =
            ObjectFactory("ns3::" + name + "AllReduceAlgorithm").Create<CollectiveAlgorithm>();
        const CollectivePlan plan = algorithm->Plan(request);
        EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, *algorithm), "");
        EXPECT_EQ(plan.GetChannels().size(), 4U * 2 * 2);
        std::set<Hops> trees;
        std::set<std::pair<Hops, uint32_t>> used;
        for (uint32_t channel = 0; channel < plan.GetChannels().size(); channel++)
        {
            const Hops hops = GetHopsUp(request, plan, channel);
            EXPECT_EQ(hops.size(), 2U) << channel; // of three servers
            for (const auto& [from, to] : hops)
            {
                EXPECT_EQ(from % 2, 0U) << from; // the first rank of its NICs
                EXPECT_EQ(from % 8, to % 8) << from;
            }
            trees.insert(hops);
            used.insert({hops, channel % 2});
        }
        EXPECT_EQ(trees.size(), 4U * 2);
        EXPECT_EQ(used.size(), 4U * 2 * 2);
    }
}

TEST(CollectiveRailChannels, OddNumbersOfADivisionTakeTreesAndNicsInTurn)
{
    CollectiveRequest request = MakeSharedNics();
    const auto algorithm = CreateObject<DoubleBinaryTreeAllReduceAlgorithm>();
    for (const uint32_t channels : {1U, 2U, 3U, 5U, 15U})
    {
        SCOPED_TRACE(channels);
        request.bytes = channels * 32768; // 512 threads of 64 bytes each
        algorithm->SetDivision(std::make_shared<NcclDivision>("Tree", "Simple", 0));
        const CollectivePlan plan = algorithm->Plan(request);
        ASSERT_EQ(plan.GetChannels().size(), channels);
        EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, *algorithm), "");
        std::set<Hops> trees;
        std::set<std::pair<Hops, uint32_t>> used;
        for (uint32_t channel = 0; channel < channels; channel++)
        {
            const Hops hops = GetHopsUp(request, plan, channel);
            EXPECT_EQ(hops.begin()->first % 8 / 2, channel / 2 % 4) << channel; // its rail
            trees.insert(hops);
            used.insert({hops, channel % 2});
        }
        EXPECT_EQ(trees.size(), std::min(channels, 8U));
        EXPECT_EQ(used.size(), channels);
    }
}

TEST(CollectiveRailChannels, FewChannelsUseManyRailsAndWholeLots)
{
    for (uint32_t nics = 1; nics <= 8; nics++)
    {
        const RailChannels channels(6, nics, 2);
        std::set<uint32_t> rails;
        for (uint32_t c = 0; c < 12; c += 2)
        {
            rails.insert(channels.GetRail(c));
            EXPECT_EQ(channels.GetRail(c), channels.GetRail(c + 1));
            EXPECT_NE(channels.GetTree(c), channels.GetTree(c + 1));
        }
        EXPECT_EQ(rails.size(), 6U) << nics;
    }
}

TEST(CollectiveRailChannels, OneNicPerRankIsAsEver)
{
    for (uint32_t rails = 1; rails <= 9; rails++)
    {
        for (uint32_t trees = 1; trees <= 2; trees++)
        {
            const RailChannels channels(rails, 1, trees);
            for (uint32_t c = 0; c < 64; c++)
            {
                EXPECT_EQ(channels.GetRail(c), c / trees % rails);
                EXPECT_EQ(channels.GetTree(c), c % trees);
            }
        }
    }
}

TEST(CollectiveRailChannels, SmallOperandsHaveFewChannels)
{
    EXPECT_EQ(RailChannels::CountStripes(MakeRequest(CollectiveKind::ALL_TO_ALL, 4, 4)), 1U);
    EXPECT_EQ(RailChannels::CountStripes(MakeRequest(CollectiveKind::ALL_TO_ALL, 100000, 4)), 3U);
    EXPECT_EQ(RailChannels::CountStripes(MakeRequest(CollectiveKind::ALL_TO_ALL, 1 << 20, 4)), 4U);
}

TEST(CollectiveRailChannels, EveryAlgorithmUsesAllNicsAndIsProven)
{
    const uint32_t proven = PlanAll(
        {10, 4000001},
        {2, 3, 4},
        [](const CollectiveRequest& request,
           const CollectiveAlgorithm& algorithm,
           const CollectivePlan& plan) {
            EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, algorithm), "");
            std::set<uint32_t> used; // NICs
            for (const uint32_t channel : GetUsedChannels(plan))
            {
                used.insert(channel % request.nicsPerRank);
            }
            // What switches do between servers is no SEND.
            if (request.bytes > 1000 && !request.railOffload)
            {
                EXPECT_EQ(used.size(), request.nicsPerRank);
            }
        });
    EXPECT_GT(proven, 100U);
}

TEST(CollectiveRailChannels, ManyNicsHaveNoMoreChannelsThanTags)
{
    const auto check = [](const CollectiveRequest&,
                          const CollectiveAlgorithm&,
                          const CollectivePlan& plan) {
        EXPECT_LE(plan.GetChannels().size(), CollectiveTag::MAX_CHANNELS);
        const std::set<uint32_t> used = GetUsedChannels(plan);
        EXPECT_LT(used.empty() ? 0 : *used.rbegin(), CollectiveTag::MAX_CHANNELS);
    };
    const uint32_t planned = PlanAll({64 << 20}, {65, 1024}, check);
    EXPECT_GT(planned, 40U);
    const CollectiveRequest wide = MakeRequest(CollectiveKind::ALL_TO_ALL, 64 << 20, 1024);
    EXPECT_EQ(RailChannels::CountStripes(wide), CollectiveTag::MAX_CHANNELS);
}

TEST(CollectiveRailChannels, GroupsCountTheNicsOfTheRankWithFewest)
{
    Topology topology = LoadTopology("rail-optimized:gpus=16,nicsPerGpu=4");
    EXPECT_EQ(CollectiveHelper::MakeGroup(topology, "all", "DP").GetNicsPerRank(), 4U);
    EXPECT_EQ(CollectiveHelper::MakeGroup(topology, "server", "TP", {0, 1}).GetNicsPerRank(), 1U);
    topology.nodes[9].nics = 2;
    EXPECT_EQ(CollectiveHelper::MakeGroup(topology, "all", "DP").GetNicsPerRank(), 2U);
    EXPECT_EQ(CollectiveHelper::MakeGroup(topology, "two", "DP", {0, 8}).GetNicsPerRank(), 4U);
    const Topology shared = LoadTopology("rail-optimized:gpus=16,nicsPerGpu=2,gpusPerNic=2");
    EXPECT_EQ(CollectiveHelper::MakeGroup(shared, "odd", "DP", {1, 9}).GetNicsPerRank(), 2U);
    CollectiveGroup none = CollectiveHelper::MakeGroup(topology, "two", "DP", {0, 8});
    none.nicsPerRank = 0;
    EXPECT_NE(none.Check().find("0 NICs per rank"), std::string::npos);
}

} // namespace ns3
