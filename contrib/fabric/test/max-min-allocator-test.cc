/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/max-min-allocator.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <random>
#include <set>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t GBPS = 1000000000; //!< a rate of 1 Gbit/s, bit/s

/** \ingroup tests \brief An allocator whose rates are read in Gbit/s. */
class AllocatorUnderTest
{
  public:
    /** \param capacities of the resources, Gbit/s \param mostFilled see MaxMinAllocator */
    explicit AllocatorUnderTest(const std::vector<uint64_t>& capacities,
                                std::size_t mostFilled = MaxMinAllocator::MOST_FILLED)
        : allocator(mostFilled)
    {
        for (const uint64_t capacity : capacities)
        {
            allocator.AddResource(capacity * GBPS);
        }
    }

    /** \param resources that a flow uses \return the flow, active */
    uint32_t Begin(const std::vector<uint32_t>& resources)
    {
        std::vector<MaxMinAllocator::Use> uses;
        for (const uint32_t resource : resources)
        {
            uses.push_back({resource, MaxMinAllocator::FULL});
        }
        return BeginWeighted(uses);
    }

    /** \param uses of a flow \return the flow, active */
    uint32_t BeginWeighted(const std::vector<MaxMinAllocator::Use>& uses)
    {
        const uint32_t flow = allocator.AddFlow(uses);
        allocator.Activate(flow);
        return flow;
    }

    /** \param flow a flow \return its rate when all is up to date, Gbit/s */
    double GetGbps(uint32_t flow)
    {
        allocator.Update();
        return static_cast<double>(allocator.GetRate(flow)) / MaxMinAllocator::BPS / GBPS;
    }

    MaxMinAllocator allocator; //!< on test
};

/** \ingroup tests \brief A flow of the reference. */
struct ReferenceFlow
{
    std::vector<MaxMinAllocator::Use> uses; //!< what it uses
    bool active{false};                     //!< it counts
    long double rate{0};                    //!< found
};

/**
 * Progressive filling of everything at once, with real numbers.
 * \param capacities of the resources
 * \param flows get their rates
 */
void
FillAll(const std::vector<uint64_t>& capacities, std::vector<ReferenceFlow>& flows)
{
    std::vector<long double> left(capacities.begin(), capacities.end());
    std::vector<bool> open;
    for (ReferenceFlow& flow : flows)
    {
        flow.rate = 0;
        open.push_back(flow.active);
    }
    while (std::find(open.begin(), open.end(), true) != open.end())
    {
        std::vector<long double> weights(left.size(), 0);
        for (std::size_t f = 0; f < flows.size(); f++)
        {
            for (const auto& use : flows[f].uses)
            {
                weights[use.resource] +=
                    open[f] ? static_cast<long double>(use.weight) / MaxMinAllocator::FULL : 0;
            }
        }
        std::size_t fullest = 0;
        long double level = std::numeric_limits<long double>::max();
        for (std::size_t r = 0; r < left.size(); r++)
        {
            if (weights[r] > 0 && left[r] / weights[r] < level)
            {
                level = left[r] / weights[r];
                fullest = r;
            }
        }
        for (std::size_t f = 0; f < flows.size(); f++)
        {
            const bool stays =
                open[f] && std::any_of(flows[f].uses.begin(),
                                       flows[f].uses.end(),
                                       [&](const auto& use) { return use.resource == fullest; });
            if (stays)
            {
                open[f] = false;
                flows[f].rate = level;
                for (const auto& use : flows[f].uses)
                {
                    left[use.resource] -= level * use.weight / MaxMinAllocator::FULL;
                }
            }
        }
    }
}

TEST(FabricMaxMin, FlowsOnALinkShareItAlike)
{
    AllocatorUnderTest test({100});
    const uint32_t a = test.Begin({0});
    EXPECT_EQ(test.allocator.GetRate(a), 100 * GBPS * MaxMinAllocator::BPS) << "at once";
    EXPECT_FALSE(test.allocator.IsDirty());
    const uint32_t b = test.Begin({0});
    EXPECT_DOUBLE_EQ(test.GetGbps(a), 50);
    EXPECT_DOUBLE_EQ(test.GetGbps(b), 50);
    test.allocator.Deactivate(a);
    EXPECT_DOUBLE_EQ(test.GetGbps(b), 100);
    EXPECT_DOUBLE_EQ(test.GetGbps(a), 0);
}

TEST(FabricMaxMin, ParkingLot)
{
    // One flow over n links of 120, another one on each: all 60. Two more on the last: all there
    // 30, and what the long one leaves goes to the others.
    AllocatorUnderTest test({120, 120, 120});
    const uint32_t everywhere = test.Begin({0, 1, 2});
    std::vector<uint32_t> local;
    for (uint32_t link = 0; link < 3; link++)
    {
        local.push_back(test.Begin({link}));
    }
    for (const uint32_t flow : {everywhere, local[0], local[1], local[2]})
    {
        EXPECT_DOUBLE_EQ(test.GetGbps(flow), 60);
    }
    const uint32_t more = test.Begin({2});
    test.Begin({2});
    EXPECT_DOUBLE_EQ(test.GetGbps(everywhere), 30);
    EXPECT_DOUBLE_EQ(test.GetGbps(local[2]), 30);
    EXPECT_DOUBLE_EQ(test.GetGbps(more), 30);
    EXPECT_DOUBLE_EQ(test.GetGbps(local[0]), 90);
    EXPECT_DOUBLE_EQ(test.GetGbps(local[1]), 90);
}

TEST(FabricMaxMin, FlowsThatAreSlowElsewhereLeaveTheirShare)
{
    // Link 0 of 100 carries a flow from a link of 10 and two from links of 400.
    AllocatorUnderTest test({100, 10, 400, 400});
    const uint32_t slow = test.Begin({1, 0});
    const uint32_t a = test.Begin({2, 0});
    const uint32_t b = test.Begin({3, 0});
    EXPECT_DOUBLE_EQ(test.GetGbps(slow), 10);
    EXPECT_DOUBLE_EQ(test.GetGbps(a), 45);
    EXPECT_DOUBLE_EQ(test.GetGbps(b), 45);
}

TEST(FabricMaxMin, WeightsDivideAFlow)
{
    // A flow in halves over two links of 100, one of which another flow uses, too.
    AllocatorUnderTest test({100, 100});
    constexpr uint32_t HALF = MaxMinAllocator::FULL / 2;
    const uint32_t both = test.BeginWeighted({{0, HALF}, {1, HALF}});
    EXPECT_DOUBLE_EQ(test.GetGbps(both), 200);
    const uint32_t one = test.Begin({1});
    EXPECT_NEAR(test.GetGbps(both), 100 / 1.5, 1e-9);
    EXPECT_NEAR(test.GetGbps(one), 100 / 1.5, 1e-9);
}

TEST(FabricMaxMin, ComputesNoMoreThanWhatIsJoined)
{
    AllocatorUnderTest test({100, 100, 400, 100});
    test.Begin({0, 2});
    const uint32_t other = test.Begin({0, 2});
    test.Begin({1, 2});
    test.allocator.Update();
    const uint64_t before = test.allocator.GetComputedCount();
    const uint32_t third = test.Begin({1, 2}); // link 2 is never full: 200 of 400 at most
    EXPECT_EQ(test.allocator.Update().size(), 2U);
    EXPECT_EQ(test.allocator.GetComputedCount() - before, 2U);
    EXPECT_DOUBLE_EQ(test.GetGbps(third), 50);
    EXPECT_DOUBLE_EQ(test.GetGbps(other), 50);
    test.Begin({3});
    EXPECT_FALSE(test.allocator.IsDirty());
}

TEST(FabricMaxMin, AcknowledgementsTakeCapacityOfTheOtherDirection)
{
    AllocatorUnderTest test({100, 100});
    test.allocator.JoinDirections(0, 1, 0.25);
    const uint32_t forth = test.Begin({0});
    EXPECT_DOUBLE_EQ(test.GetGbps(forth), 100) << "nothing to acknowledge";
    const uint32_t back = test.Begin({1});
    test.allocator.Update();
    // x = 100 - x / 4
    EXPECT_NEAR(test.GetGbps(forth), 80, 100 * 0.25 / 16) << "follows in steps";
    EXPECT_NEAR(test.GetGbps(back), 80, 100 * 0.25 / 16);
    test.allocator.Deactivate(back);
    EXPECT_DOUBLE_EQ(test.GetGbps(forth), 100);
    test.allocator.Deactivate(forth);
    test.allocator.Update();
    test.allocator.Activate(back);
    test.allocator.Activate(forth); // at the same time: alike
    EXPECT_NEAR(test.GetGbps(forth), 80, 1e-6);
    EXPECT_NEAR(test.GetGbps(back), 80, 1e-6);
}

/** Random flows that come and go. \param mostFilled see MaxMinAllocator */
void
CompareWithAllAtOnce(std::size_t mostFilled)
{
    std::mt19937 random(7);
    for (int round = 0; round < 20; round++)
    {
        std::vector<uint64_t> capacities;
        for (int i = 0; i < 12; i++)
        {
            capacities.push_back(std::vector<uint64_t>{10, 25, 100, 400}[random() % 4]);
        }
        AllocatorUnderTest test(capacities, mostFilled);
        std::vector<ReferenceFlow> flows(30);
        for (ReferenceFlow& flow : flows)
        {
            std::vector<uint32_t> order(capacities.size());
            for (uint32_t i = 0; i < order.size(); i++)
            {
                order[i] = i;
            }
            std::shuffle(order.begin(), order.end(), random);
            for (uint32_t i = 0; i < 1 + random() % 4; i++)
            {
                const bool full = random() % 3;
                flow.uses.push_back(
                    {order[i],
                     full ? MaxMinAllocator::FULL
                          : 1 + static_cast<uint32_t>(random()) % MaxMinAllocator::FULL});
            }
            test.allocator.AddFlow(flow.uses);
        }
        for (int step = 0; step < 60; step++)
        {
            for (uint32_t changes = 1 + random() % 3; changes > 0; changes--)
            {
                const auto flow = static_cast<uint32_t>(random() % flows.size());
                flows[flow].active = !flows[flow].active;
                flows[flow].active ? test.allocator.Activate(flow)
                                   : test.allocator.Deactivate(flow);
            }
            FillAll(capacities, flows);
            for (uint32_t i = 0; i < flows.size(); i++)
            {
                const double rate = flows[i].rate;
                ASSERT_NEAR(test.GetGbps(i), rate, 1e-9 * (1 + rate)) << "step " << step;
            }
        }
    }
}

TEST(FabricMaxMin, IncrementalEqualsAllAtOnce)
{
    CompareWithAllAtOnce(MaxMinAllocator::MOST_FILLED);
}

TEST(FabricMaxMin, SweepEqualsAllAtOnce)
{
    CompareWithAllAtOnce(0);
}

TEST(FabricMaxMin, SweepComputesNoMoreThanWhatChanges)
{
    // Link 0 could not serve the 100 flows that come from a link of 20 each, alone, but does so
    // while they share these links with others: it joins all 200 flows, and holds none back.
    constexpr uint32_t LINKS = 100;
    std::vector<uint64_t> capacities(LINKS + 1, 20);
    capacities[0] = 1100;
    AllocatorUnderTest test(capacities, 0);
    std::vector<uint32_t> through;
    for (uint32_t link = 1; link <= LINKS; link++)
    {
        through.push_back(test.Begin({link, 0}));
        test.Begin({link});
    }
    EXPECT_DOUBLE_EQ(test.GetGbps(through[1]), 10);
    const uint64_t before = test.allocator.GetComputedCount();
    const uint32_t later = test.Begin({50});
    EXPECT_NEAR(test.GetGbps(later), 20.0 / 3, 1e-9);
    EXPECT_NEAR(test.GetGbps(through[49]), 20.0 / 3, 1e-9);
    EXPECT_EQ(test.allocator.GetComputedCount() - before, 3U);
    test.allocator.Deactivate(later);
    EXPECT_DOUBLE_EQ(test.GetGbps(through[49]), 10);
    EXPECT_DOUBLE_EQ(test.GetGbps(through[1]), 10);
    EXPECT_EQ(test.allocator.GetComputedCount() - before, 5U);
}

TEST(FabricMaxMin, WhatHasChangedMuchIsFilledWhateverChangesBesideIt)
{
    // 60 flows on link 0, and 40 that links of their own hold back there. Two more on link 1, which
    // change afterwards.
    constexpr uint32_t SLOW = 40;
    constexpr uint32_t SHARED = 60;
    std::vector<uint64_t> capacities(2 + SLOW, 5);
    capacities[0] = 1000;
    capacities[1] = 100;
    AllocatorUnderTest test(capacities);
    for (uint32_t i = 0; i < SLOW; i++)
    {
        test.Begin({2 + i, 0});
    }
    for (uint32_t i = 0; i < SHARED; i++)
    {
        test.Begin({0});
    }
    test.Begin({1});
    test.allocator.Update();
    for (uint32_t step = 1; step <= 3; step++)
    {
        const uint32_t more = test.Begin({0});
        test.Begin({1});
        const uint64_t before = test.allocator.GetComputedCount();
        test.allocator.Update();
        EXPECT_EQ(test.allocator.GetComputedCount() - before, SLOW + SHARED + step + 1 + step);
        EXPECT_NEAR(test.GetGbps(more), 800.0 / (SHARED + step), 1e-9);
    }
}

TEST(FabricMaxMin, ManyFlowsOfTheFastestLinkShareIt)
{
    constexpr uint64_t GBPS_OF_LINK = MaxMinAllocator::MAX_BPS / GBPS;
    AllocatorUnderTest test({GBPS_OF_LINK});
    std::vector<uint32_t> flows;
    for (int i = 0; i < 17; i++)
    {
        flows.push_back(test.Begin({0}));
    }
    for (const uint32_t flow : flows)
    {
        EXPECT_NEAR(test.GetGbps(flow), GBPS_OF_LINK / 17.0, 1e-6);
    }
}

/** \ingroup tests \brief Three allocators with the same flows, which fill, sweep, and do either. */
class AllocatorsUnderTest
{
  public:
    /** \param random of what there is */
    explicit AllocatorsUnderTest(std::mt19937& random)
    {
        const uint32_t resources = 20 + random() % 20;
        const bool joined = random() % 4 > 0;
        for (uint32_t i = 0; i < resources; i += 2)
        {
            const uint64_t capacity = std::vector<uint64_t>{7, 25, 100, 400}[random() % 4];
            const double share = std::vector<double>{0.02, 0.25, 0}[random() % 3];
            for (MaxMinAllocator* one : all)
            {
                one->AddResource(capacity * 1000);
                one->AddResource(capacity * 1000);
                if (joined)
                {
                    one->JoinDirections(i, i + 1, share);
                }
            }
        }
        for (uint32_t flow = 0; flow < FLOWS; flow++)
        {
            AddFlow(resources, random);
        }
    }

    /** Some flows begin or end. \param random which */
    void Change(std::mt19937& random)
    {
        for (uint32_t changes = 1 + random() % 4; changes > 0; changes--)
        {
            const uint32_t flow = random() % FLOWS;
            const bool begins = !filling.IsActive(flow);
            for (MaxMinAllocator* one : all)
            {
                begins ? one->Activate(flow) : one->Deactivate(flow);
            }
        }
    }

    /** Compares rates, and which have changed. */
    void Compare()
    {
        const std::set<uint32_t> expected = GetSet(filling.Update());
        for (MaxMinAllocator* one : {&sweeping, &both})
        {
            ASSERT_EQ(GetSet(one->Update()), expected);
            for (uint32_t flow = 0; flow < FLOWS; flow++)
            {
                ASSERT_EQ(one->GetRate(flow), filling.GetRate(flow)) << "flow " << flow;
            }
        }
    }

  private:
    static constexpr uint32_t FLOWS = 80; //!< of each

    /** \param flows some flows \return each once */
    static std::set<uint32_t> GetSet(const std::vector<uint32_t>& flows)
    {
        return {flows.begin(), flows.end()};
    }

    /** \param resources number of resources \param random which of them the flow uses */
    void AddFlow(uint32_t resources, std::mt19937& random)
    {
        std::vector<MaxMinAllocator::Use> uses;
        const uint32_t count = 1 + random() % 5;
        const bool divided = random() % 4 == 0;
        for (uint32_t i = 0; i < count; i++)
        {
            const uint32_t resource = (i * resources + random() % resources) / count;
            const uint32_t weight = 1 + static_cast<uint32_t>(random()) % MaxMinAllocator::FULL;
            if (uses.empty() || uses.back().resource != resource)
            {
                uses.push_back({resource, divided ? weight : MaxMinAllocator::FULL});
            }
        }
        for (MaxMinAllocator* one : all)
        {
            one->AddFlow(uses);
        }
    }

    MaxMinAllocator filling{std::numeric_limits<std::size_t>::max()};    //!< never sweeps
    MaxMinAllocator sweeping{0};                                         //!< always sweeps
    MaxMinAllocator both{10};                                            //!< fills what is small
    const std::vector<MaxMinAllocator*> all{&filling, &sweeping, &both}; //!< all of them
};

TEST(FabricMaxMin, SweepEqualsFilling)
{
    std::mt19937 random(11);
    for (int round = 0; round < 60; round++)
    {
        AllocatorsUnderTest test(random);
        for (int step = 0; step < 80; step++)
        {
            test.Change(random);
            test.Compare();
            ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round << " step " << step;
        }
    }
}

} // namespace
