/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/collective-plan-verifier.h"
#include "ns3/object-factory.h"
#include "ns3/ring-all-reduce-algorithm.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>

namespace ns3
{

TEST(CollectiveChannels, UseEveryNic)
{
    const auto algorithm = CreateObject<RingAllReduceAlgorithm>();
    const auto countChannels = [&](const std::vector<uint32_t>& sizes, uint64_t bytes) {
        return algorithm->Plan(MakeRequest(CollectiveKind::ALL_REDUCE, sizes, bytes))
            .GetChannels()
            .size();
    };
    EXPECT_EQ(countChannels({8}, 1 << 30), 1U);
    EXPECT_EQ(countChannels({1, 1, 1, 1}, 1 << 30), 1U);
    EXPECT_EQ(countChannels({8, 8}, 1 << 30), 8U);
    EXPECT_EQ(countChannels({8, 4}, 1 << 30), 4U);
    EXPECT_EQ(countChannels({8, 8}, 4), 1U); // small operands are not torn to pieces
    EXPECT_EQ(countChannels({8, 8}, 3 * 32768), 3U);
    algorithm->SetAttribute("MinChannelBytes", UintegerValue(0));
    EXPECT_EQ(countChannels({8, 8}, 4), 8U);
    algorithm->SetAttribute("Channels", UintegerValue(2));
    EXPECT_EQ(countChannels({8}, 4), 2U);
}

TEST(CollectiveChannels, AreAsManyAsNics)
{
    CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {8, 8}, 1 << 30);
    request.nics = {0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3};
    request.offload = true;
    const auto count = [&](const std::string& name) {
        ObjectFactory factory;
        factory.SetTypeId("ns3::" + name + "AllReduceAlgorithm");
        const CollectivePlan plan = factory.Create<CollectiveAlgorithm>()->Plan(request);
        for (const auto& [src, dst] : plan.GetPairs())
        {
            EXPECT_TRUE(request.placement[src] == request.placement[dst] ||
                        request.nics[src] == request.nics[dst])
                << name << " " << src << " " << dst;
        }
        return plan.GetChannels().size();
    };
    EXPECT_EQ(count("Ring"), 4U);
    EXPECT_EQ(count("Tree"), 4U);
    EXPECT_EQ(count("DoubleBinaryTree"), 8U);
    EXPECT_EQ(count("NvlsTree"), 8U);
}

TEST(CollectiveChannels, StayWithinTheirBounds)
{
    struct Case
    {
        std::string algorithm; //!< TypeId
        uint32_t min;          //!< attribute MinChannels
        uint32_t max;          //!< attribute MaxChannels
        uint64_t bytes;        //!< size of the operand
        uint32_t channels;     //!< on 4 servers of 8 ranks
    };

    const std::string ring = "ns3::RingAllReduceAlgorithm";
    const std::string pair = "ns3::DoubleBinaryTreeAllReduceAlgorithm";
    const std::string nvls = "ns3::NvlsTreeAllReduceAlgorithm";
    const std::vector<Case> cases{
        {ring, 1, 64, 1 << 30, 8},
        {ring, 12, 64, 1 << 30, 12},
        {ring, 4, 64, 1 << 30, 8}, // a minimum lowers nothing
        {ring, 1, 3, 1 << 30, 3},
        {ring, 1, 12, 1 << 30, 8},
        {ring, 12, 64, 3 * 32768, 3}, // small operands are not torn to pieces
        {"ns3::TreeAllReduceAlgorithm", 12, 64, 1 << 30, 12},
        {pair, 1, 64, 1 << 30, 16},
        {pair, 17, 64, 1 << 30, 17}, // the last tree has no other half
        {pair, 1, 7, 1 << 30, 7},
        {pair, 1, 3, 1 << 30, 3},
        {pair, 1, 1, 1 << 30, 1},
        {pair, 1, 1, 8, 1},
        {pair, 1, 7, 8, 2}, // small operands have whole pairs
        {pair, 1, 7, 7 * 32768, 6},
        {pair, 64, 64, 1 << 30, 64},
        {nvls, 1, 64, 1 << 30, 16},
        {nvls, 24, 64, 1 << 30, 24},
        {nvls, 1, 6, 1 << 30, 6},
        {nvls, 1, 5, 1 << 30, 5},
        {nvls, 1, 1, 1 << 30, 1},
    };
    for (const auto& [name, min, max, bytes, channels] : cases)
    {
        const auto algorithm = ObjectFactory(name).Create<CollectiveAlgorithm>();
        algorithm->SetAttribute("MinChannels", UintegerValue(min));
        algorithm->SetAttribute("MaxChannels", UintegerValue(max));
        CollectiveRequest request = MakeRequest(CollectiveKind::ALL_REDUCE, {8, 8, 8, 8}, bytes);
        request.offload = true;
        EXPECT_EQ(algorithm->Plan(request).GetChannels().size(), channels)
            << name << " " << min << " " << max;
        request.bytes = 1 << 20;
        EXPECT_EQ(CollectivePlanVerifier::Verify(request, algorithm->Plan(request), *algorithm), "")
            << name << " " << min << " " << max;
    }
}

} // namespace ns3
