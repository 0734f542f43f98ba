/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/boolean.h"
#include "ns3/collective-plan-verifier.h"
#include "ns3/direct-all-to-all-algorithm.h"
#include "ns3/hierarchical-all-reduce-algorithm.h"
#include "ns3/hierarchical-tree-all-reduce-algorithm.h"
#include "ns3/pairwise-all-to-all-algorithm.h"
#include "ns3/ring-all-gather-algorithm.h"
#include "ns3/ring-all-reduce-algorithm.h"
#include "ns3/ring-broadcast-algorithm.h"
#include "ns3/ring-reduce-scatter-algorithm.h"
#include "ns3/send-recv-algorithm.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <numeric>

namespace ns3
{

namespace
{

/** What a step of a program takes: itself, its waits, where its dependents are, two of them. */
constexpr uint64_t STEP_BYTES = sizeof(PlanStep) + sizeof(uint16_t) + 3 * sizeof(uint32_t);

const std::vector<CollectiveKind> KINDS{CollectiveKind::ALL_REDUCE,
                                        CollectiveKind::ALL_GATHER,
                                        CollectiveKind::REDUCE_SCATTER,
                                        CollectiveKind::ALL_TO_ALL,
                                        CollectiveKind::BROADCAST,
                                        CollectiveKind::SEND_RECV,
                                        CollectiveKind::REDUCE,
                                        CollectiveKind::GATHER,
                                        CollectiveKind::SCATTER,
                                        CollectiveKind::ALL_TO_ALL_V};

/**
 * \param request a request
 * \return the payload that all ranks together must send, without in-network reduction
 */
uint64_t
GetTotalBytes(const CollectiveRequest& request)
{
    const uint64_t others = request.GetGroupSize() - 1;
    const ChunkGrid parts(request.bytes, request.elementBytes, request.GetGroupSize(), 1, 1);
    uint64_t unevenBytes = 0;
    for (uint32_t rank = 0; request.sizes && rank <= others; rank++)
    {
        unevenBytes += request.sizes->GetRowBytes(rank) - request.sizes->Get(rank, rank);
    }
    switch (request.kind)
    {
    case CollectiveKind::ALL_TO_ALL_V:
        return unevenBytes;
    case CollectiveKind::ALL_REDUCE:
        return 2 * others * request.bytes;
    case CollectiveKind::GATHER:
    case CollectiveKind::SCATTER:
        return request.bytes - parts.GetSpan(request.root).bytes;
    default:
        return others * request.bytes;
    }
}

/**
 * Proves an algorithm's plan and adds up its bytes.
 * \param algorithm the algorithm
 * \param request a request
 */
void
Prove(const CollectiveAlgorithm& algorithm, const CollectiveRequest& request)
{
    const CollectivePlan plan = algorithm.Plan(request);
    const std::string where =
        std::string(ToString(request.kind)) + " n " + std::to_string(request.GetGroupSize()) +
        " bytes " + std::to_string(request.bytes) + " root " + std::to_string(request.root);
    EXPECT_EQ(CollectivePlanVerifier::Verify(request, plan, algorithm), "") << where;
    if (request.IsEmpty())
    {
        return;
    }
    uint64_t total = 0;
    for (uint32_t rank = 0; rank < request.GetGroupSize(); rank++)
    {
        total += plan.GetBytesSent(rank);
    }
    EXPECT_EQ(total, GetTotalBytes(request)) << where;
}

/**
 * Proves every algorithm that supports a request, with every root that matters.
 * \param algorithms the algorithms
 * \param request the request, its root is replaced
 * \return how many plans were proven
 */
uint32_t
ProveAll(const std::vector<Ptr<CollectiveAlgorithm>>& algorithms, CollectiveRequest request)
{
    uint32_t proven = 0;
    for (const uint32_t root : {0U, 1U, request.GetGroupSize() - 1})
    {
        request.root = root;
        for (const auto& algorithm : algorithms)
        {
            if (algorithm->Supports(request))
            {
                Prove(*algorithm, request);
                proven++;
            }
        }
        if (!HasRoot(request.kind))
        {
            break;
        }
    }
    return proven;
}

} // namespace

TEST(CollectiveAlgorithm, EveryKindHasAnAlgorithm)
{
    const auto algorithms = MakeAllAlgorithms();
    EXPECT_GE(algorithms.size(), KINDS.size());
    for (const auto kind : KINDS)
    {
        EXPECT_GT(ProveAll(algorithms, MakeRequest(kind, {2}, 1000)), 0U) << ToString(kind);
    }
}

namespace
{

/** \return the small group sizes that are proven */
std::vector<uint32_t>
GetSmallSizes()
{
    std::vector<uint32_t> sizes(33);
    std::iota(sizes.begin(), sizes.end(), 1);
    return sizes;
}

const std::vector<uint32_t> LARGE_SIZES{64, 128}; //!< large group sizes that are proven

/**
 * Proves all algorithms of a kind for several group sizes: in one server, with a server per rank,
 * and in servers of eight and what is left over.
 * \param kind the kind
 * \param sizes the sizes
 */
void
ProveSizes(CollectiveKind kind, const std::vector<uint32_t>& sizes)
{
    const auto algorithms = MakeAllAlgorithms();
    for (const uint32_t n : sizes)
    {
        std::vector<uint32_t> eights(n / 8, 8);
        if (n % 8 > 0)
        {
            eights.push_back(n % 8);
        }
        std::vector<uint64_t> operands{4, n * 4ULL - 1, 13870913};
        if (n <= 16)
        {
            operands.insert(operands.end(), {1, 4096});
        }
        for (const uint64_t bytes : operands)
        {
            ProveAll(algorithms, MakeRequest(kind, {n}, bytes));
            ProveAll(algorithms, MakeRequest(kind, std::vector<uint32_t>(n, 1), bytes, 4));
            ProveAll(algorithms, MakeRequest(kind, eights, bytes, 2));
        }
        ProveAll(algorithms, MakeRequest(kind, {n}, 0));
    }
}

} // namespace

TEST(CollectiveAlgorithm, AllReduceIsProvenForSmallGroups)
{
    ProveSizes(CollectiveKind::ALL_REDUCE, GetSmallSizes());
}

TEST(CollectiveAlgorithm, AllReduceIsProvenForLargeGroups)
{
    ProveSizes(CollectiveKind::ALL_REDUCE, LARGE_SIZES);
}

TEST(CollectiveAlgorithm, AllGatherIsProvenForSmallGroups)
{
    ProveSizes(CollectiveKind::ALL_GATHER, GetSmallSizes());
}

TEST(CollectiveAlgorithm, AllGatherIsProvenForLargeGroups)
{
    ProveSizes(CollectiveKind::ALL_GATHER, LARGE_SIZES);
}

TEST(CollectiveAlgorithm, ReduceScatterIsProvenForSmallGroups)
{
    ProveSizes(CollectiveKind::REDUCE_SCATTER, GetSmallSizes());
}

TEST(CollectiveAlgorithm, ReduceScatterIsProvenForLargeGroups)
{
    ProveSizes(CollectiveKind::REDUCE_SCATTER, LARGE_SIZES);
}

TEST(CollectiveAlgorithm, AllToAllIsProvenForSmallGroups)
{
    ProveSizes(CollectiveKind::ALL_TO_ALL, GetSmallSizes());
    ProveSizes(CollectiveKind::ALL_TO_ALL_V, GetSmallSizes());
}

TEST(CollectiveAlgorithm, AllToAllIsProvenForLargeGroups)
{
    ProveSizes(CollectiveKind::ALL_TO_ALL, LARGE_SIZES);
    ProveSizes(CollectiveKind::ALL_TO_ALL_V, LARGE_SIZES);
}

TEST(CollectiveAlgorithm, RootedKindsAreProvenForSmallGroups)
{
    for (const auto kind : KINDS)
    {
        if (HasRoot(kind))
        {
            ProveSizes(kind, GetSmallSizes());
        }
    }
}

TEST(CollectiveAlgorithm, RootedKindsAreProvenForLargeGroups)
{
    for (const auto kind : KINDS)
    {
        if (HasRoot(kind))
        {
            ProveSizes(kind, LARGE_SIZES);
        }
    }
}

TEST(CollectiveAlgorithm, EveryPlacementIsProven)
{
    const auto algorithms = MakeAllAlgorithms();
    std::vector<std::vector<uint32_t>> placements{
        {0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3}, // interleaved
        {0, 1, 1, 0, 2, 2, 1, 0, 2},
        {0, 1, 0, 1, 0, 2, 0, 3, 3},          // uneven and interleaved
    };
    for (const auto& sizes : std::vector<std::vector<uint32_t>>{{8},
                                                                {8, 8},
                                                                {4, 4, 4, 4},
                                                                {5, 5, 5},
                                                                {2, 2, 2},
                                                                {5, 3, 1},
                                                                {3, 5},
                                                                {1, 4, 4},
                                                                {1, 7, 2, 8, 2, 8}})
    {
        placements.push_back(PlaceRanks(sizes));
    }
    for (const auto& placement : placements)
    {
        for (const auto kind : KINDS)
        {
            for (const uint64_t bytes : {4ULL, 999ULL, 262144ULL, 13870913ULL})
            {
                CollectiveRequest request = MakeRequest(kind, {1}, bytes, 2);
                request.placement = placement;
                SetSizes(request);
                ProveAll(algorithms, request);
            }
        }
    }
}

TEST(CollectiveAlgorithm, EverySharingOfNicsIsProven)
{
    const auto algorithms = MakeAllAlgorithms();
    const std::vector<std::vector<uint32_t>> placements{PlaceRanks({8, 8}),
                                                        PlaceRanks({3, 3, 3}),
                                                        PlaceRanks({5, 3, 1}),
                                                        PlaceRanks({6, 4, 2, 7}),
                                                        {0, 1, 1, 0, 2, 2, 1, 0, 2}};
    for (const auto& placement : placements)
    {
        for (const uint32_t sharing : {0U, 1U, 2U, 3U})
        {
            std::vector<uint32_t> seated(4, 0);
            std::vector<uint32_t> nics;
            for (const uint32_t server : placement)
            {
                const uint32_t seat = seated[server]++;
                nics.push_back(sharing == 0   ? 0
                               : sharing == 1 ? seat / 2
                               : sharing == 2 ? 9 - seat
                                              : seat + server);
            }
            for (const auto kind : KINDS)
            {
                CollectiveRequest request = MakeRequest(kind, {1}, 300001, 2);
                request.placement = placement;
                request.nics = nics;
                SetSizes(request);
                ProveAll(algorithms, request);
            }
        }
    }
}

TEST(CollectiveAlgorithm, ChannelsAndSlicesAreProven)
{
    for (const uint32_t channels : {1U, 2U, 3U, 8U})
    {
        for (const uint64_t sliceBytes : {0ULL, 1ULL, 100ULL, 4096ULL})
        {
            auto algorithms = MakeAllAlgorithms();
            for (auto& algorithm : algorithms)
            {
                algorithm->SetAttributeFailSafe("Channels", UintegerValue(channels));
                algorithm->SetAttributeFailSafe("SliceBytes", UintegerValue(sliceBytes));
                algorithm->SetAttributeFailSafe("SlicesInFlight", UintegerValue(2));
                algorithm->SetAttributeFailSafe("MaxOutstanding", UintegerValue(channels));
            }
            for (const auto kind : KINDS)
            {
                for (const uint64_t bytes : {0ULL, 3ULL, 1001ULL})
                {
                    ProveAll(algorithms, MakeRequest(kind, {2}, bytes));
                    ProveAll(algorithms, MakeRequest(kind, {3, 3}, bytes, 4));
                    ProveAll(algorithms, MakeRequest(kind, {2, 2, 3}, bytes));
                }
            }
        }
    }
}

TEST(CollectiveAlgorithm, KeptOrderIsProvenAndKept)
{
    const auto algorithm = CreateObject<RingAllReduceAlgorithm>();
    algorithm->SetAttribute("KeepGroupOrder", BooleanValue(true));
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {2, 2}, 1 << 20);
    Prove(*algorithm, request);
    const CollectivePlan plan = algorithm->Plan(request);
    ASSERT_EQ(plan.GetChannels().size(), 1U);
    EXPECT_EQ(plan.GetChannels()[0].order, std::vector<uint32_t>({0, 1, 2, 3}));
}

TEST(CollectiveAlgorithm, H16RanksSendWhatTheFormulaSays)
{
    const std::vector<uint32_t> four{1, 1, 1, 1};
    const auto allReduce = MakeRequest(CollectiveKind::ALL_REDUCE, four, 100000000, 2);
    const auto allGather = MakeRequest(CollectiveKind::ALL_GATHER, four, 100000000, 2);
    const auto reduceScatter = MakeRequest(CollectiveKind::REDUCE_SCATTER, four, 100000000, 2);
    for (uint32_t rank = 0; rank < 4; rank++)
    {
        EXPECT_EQ(CreateObject<RingAllReduceAlgorithm>()->Plan(allReduce).GetBytesSent(rank),
                  150000000U);
        EXPECT_EQ(CreateObject<RingAllGatherAlgorithm>()->Plan(allGather).GetBytesSent(rank),
                  75000000U);
        EXPECT_EQ(
            CreateObject<RingReduceScatterAlgorithm>()->Plan(reduceScatter).GetBytesSent(rank),
            75000000U);
    }
}

TEST(CollectiveAlgorithm, H18AllToAllKeepsTheOwnPart)
{
    const auto algorithm = CreateObject<DirectAllToAllAlgorithm>();
    const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, {16}, 16 << 20, 2);
    for (uint32_t rank = 0; rank < 16; rank++)
    {
        EXPECT_EQ(algorithm->Plan(request).GetBytesSent(rank), 15U << 20);
    }
}

TEST(CollectiveAlgorithm, AllToAllStepsArePermutations)
{
    const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, {7}, 7000);
    const CollectivePlan plan = CreateObject<DirectAllToAllAlgorithm>()->Plan(request);
    const PlanProgram& program = plan.GetProgram(0, 0);
    for (uint32_t step = 0; step < 6; step++)
    {
        EXPECT_EQ(program.GetStep(program.GetSend(step)).peer, step + 1);
        EXPECT_EQ(program.GetStep(program.GetReceive(step)).peer, 6 - step);
    }
}

TEST(CollectiveAlgorithm, PairwiseStepsHaveOnePartner)
{
    for (const uint32_t size : {8U, 7U})
    {
        const auto request = MakeRequest(CollectiveKind::ALL_TO_ALL, {size}, 7000);
        const CollectivePlan plan = CreateObject<PairwiseAllToAllAlgorithm>()->Plan(request);
        const PlanProgram& program = plan.GetProgram(0, 0);
        for (uint32_t step = 0; step + 1 < size; step++)
        {
            for (uint32_t rank = 0; rank < size; rank++)
            {
                const auto getPeer = [&](uint32_t index) {
                    return plan.GetChannels()[0].GetRank(rank, program.GetStep(index).peer);
                };
                EXPECT_EQ(getPeer(program.GetSend(step)),
                          size == 8 ? rank ^ (step + 1) : (rank + step + 1) % 7);
                EXPECT_EQ(getPeer(program.GetReceive(step)),
                          size == 8 ? rank ^ (step + 1) : (rank + 6 - step) % 7);
            }
        }
    }
}

TEST(CollectiveAlgorithm, HierarchyNeedsEvenServers)
{
    const auto supports = [](const Ptr<CollectiveAlgorithm>& algorithm,
                             CollectiveKind kind,
                             const std::vector<uint32_t>& sizes) {
        return algorithm->Supports(MakeRequest(kind, sizes, 1000));
    };
    const auto ring = CreateObject<HierarchicalAllReduceAlgorithm>();
    const auto tree = CreateObject<HierarchicalTreeAllReduceAlgorithm>();
    for (const Ptr<CollectiveAlgorithm> algorithm : {Ptr<CollectiveAlgorithm>(ring), {tree}})
    {
        EXPECT_TRUE(supports(algorithm, CollectiveKind::ALL_REDUCE, {4, 4, 4}));
        EXPECT_TRUE(supports(algorithm, CollectiveKind::ALL_REDUCE, {1, 1}));
        EXPECT_FALSE(supports(algorithm, CollectiveKind::ALL_REDUCE, {4, 4, 3}));
        EXPECT_FALSE(supports(algorithm, CollectiveKind::ALL_GATHER, {4, 4}));
    }
}

TEST(CollectiveAlgorithm, HierarchyStaysOnItsRails)
{
    const std::vector<uint32_t> sizes(4, 8);
    const auto placement = PlaceRanks(sizes);
    for (const auto& algorithm : MakeAllAlgorithms())
    {
        const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, sizes, 1 << 20);
        const std::string name = algorithm->GetInstanceTypeId().GetName();
        if (name.find("Hierarchical") == std::string::npos || !algorithm->Supports(request))
        {
            continue;
        }
        for (const auto& [src, dst] : algorithm->Plan(request).GetPairs())
        {
            EXPECT_TRUE(placement[src] == placement[dst] || src % 8 == dst % 8)
                << name << " " << src << " " << dst;
        }
    }
}

TEST(CollectiveAlgorithm, SlicesAreNoLargerThanAsked)
{
    const auto algorithm = CreateObject<RingAllReduceAlgorithm>();
    algorithm->SetAttribute("SliceBytes", UintegerValue(1000));
    const auto request = MakeRequest(CollectiveKind::ALL_REDUCE, {4}, 10001);
    const CollectivePlan plan = algorithm->Plan(request);
    EXPECT_EQ(plan.GetChunks().GetSlices(), 3U); // parts of 2501 or 2500 bytes
    for (uint32_t chunk = 0; chunk < plan.GetChunks().GetCount(); chunk++)
    {
        EXPECT_LE(plan.GetChunks().GetSpan(chunk).bytes, 1000U);
    }
}

TEST(CollectiveAlgorithm, PlansOfLargeGroupsStaySmall)
{
    const auto request =
        MakeRequest(CollectiveKind::ALL_REDUCE, std::vector<uint32_t>(128, 8), 1 << 30);
    const CollectivePlan plan = CreateObject<RingAllReduceAlgorithm>()->Plan(request);
    EXPECT_EQ(plan.GetPrograms().size(), 1U);
    EXPECT_EQ(plan.GetPrograms()[0].GetStepCount(), 2U * 2 * 1023);
    EXPECT_EQ(plan.GetChunks().GetCount(), 8U * 1024);
}

TEST(CollectiveAlgorithm, EveryPlanOfAThousandRanksIsSmall)
{
    for (const auto& sizes : {std::vector<uint32_t>(128, 8),
                              std::vector<uint32_t>(1024, 1),
                              std::vector<uint32_t>{1024},
                              std::vector<uint32_t>{1000, 24}})
    {
        for (const auto kind : KINDS)
        {
            const auto request = MakeRequest(kind, sizes, 1 << 30, 2);
            for (const auto& algorithm : MakeAllAlgorithms())
            {
                if (!algorithm->Supports(request))
                {
                    continue;
                }
                const CollectivePlan plan = algorithm->Plan(request);
                uint64_t bytes = 0;
                for (const PlanProgram& program : plan.GetPrograms())
                {
                    bytes += sizeof(program) + program.GetStepCount() * STEP_BYTES +
                             program.GetMessageCount() * 2 * sizeof(uint32_t);
                }
                bytes += plan.GetChunks().GetCount() * sizeof(ChunkSpan) +
                         plan.GetChannels().size() * 1024 * 3 * sizeof(uint32_t);
                EXPECT_LE(bytes, 32U << 20) << algorithm->GetInstanceTypeId() << " " << sizes[0];
            }
        }
    }
}

TEST(CollectiveAlgorithm, SendRecvNeedsAPair)
{
    const auto algorithm = CreateObject<SendRecvAlgorithm>();
    EXPECT_TRUE(algorithm->Supports(MakeRequest(CollectiveKind::SEND_RECV, {2}, 1)));
    EXPECT_FALSE(algorithm->Supports(MakeRequest(CollectiveKind::SEND_RECV, {3}, 1)));
    auto request = MakeRequest(CollectiveKind::SEND_RECV, {2}, 1);
    request.root = 2;
    EXPECT_FALSE(algorithm->Supports(request));
}

} // namespace ns3
