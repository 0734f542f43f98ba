/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/data-rate.h"
#include "ns3/first-fit-selector.h"

#include <gtest/gtest.h>
#include <set>

/**
 * \file
 * Collectives that a rank launches together, as between ncclGroupStart() and ncclGroupEnd().
 */

namespace ns3
{

namespace
{

/** \brief First fit, with a launch that depends on the size, and kernels that can be slow. */
class KernelSelector : public FirstFitSelector
{
  public:
    CollectiveChoice Select(const CollectiveRequest& request) override
    {
        CollectiveChoice choice = FirstFitSelector::Select(request);
        choice.protocol.launch = request.bytes > 1000 ? longLaunch : shortLaunch;
        choice.protocol.rankRate = rate;
        return choice;
    }

    Time shortLaunch; //!< of up to 1000 bytes
    Time longLaunch;  //!< of more
    DataRate rate{0}; //!< of kernels
};

/**
 * \param bed where
 * \param from sender
 * \param to receiver
 * \param server both are in server 0
 * \return the number of their group
 */
uint32_t
AddPair(CollectiveTestBed& bed, uint32_t from, uint32_t to, bool server = false)
{
    CollectiveGroup group;
    group.name = std::to_string(from) + "-" + std::to_string(to);
    group.ranks = {from, to};
    group.servers = {server ? 0 : from, server ? 0 : to};
    return bed.engine->AddGroup(group);
}

/** \brief A ring of ranks that send to the next one. */
class CollectiveBatch : public testing::Test
{
  protected:
    static constexpr uint32_t RANKS = 4; //!< of the ring

    CollectiveBatch()
        : bed(RANKS, "8Gbps", "1us")
    {
        for (uint32_t rank = 0; rank < RANKS; rank++)
        {
            groups.push_back(AddPair(bed, rank, (rank + 1) % RANKS));
        }
    }

    /**
     * \param rank a rank
     * \param bytes what it sends
     * \param receivedBytes what it receives
     * \return its calls, the send first
     */
    std::vector<CollectiveCall> MakeCalls(uint32_t rank, uint64_t bytes, uint64_t receivedBytes)
    {
        return {
            MakeCall(groups[rank], CollectiveKind::SEND_RECV, bytes),
            MakeCall(groups[(rank + RANKS - 1) % RANKS], CollectiveKind::SEND_RECV, receivedBytes)};
    }

    CollectiveTestBed bed;        //!< what runs
    std::vector<uint32_t> groups; //!< by sender
};

} // namespace

TEST_F(CollectiveBatch, AllSendAndReceiveAtOnce)
{
    std::vector<std::vector<uint64_t>> told;
    std::vector<Time> times;
    for (uint32_t rank = 0; rank < RANKS; rank++)
    {
        bed.engine->JoinTogether(rank, MakeCalls(rank, 1000, 1000), [&](const auto& instances) {
            told.push_back(instances);
            times.push_back(Simulator::Now());
        });
    }
    EXPECT_TRUE(told.empty());
    bed.Run();
    // 1000 bytes at 1 GB/s, 1 us, and the acknowledgement of the send.
    ASSERT_EQ(told.size(), RANKS);
    EXPECT_EQ(times, std::vector<Time>(RANKS, bed.recorder.closed.back().end));
    EXPECT_EQ(bed.recorder.closed.front().GetDuration(), MicroSeconds(2));
    // In the order of the calls: collectives are numbered in the order in which ranks join.
    std::vector<uint64_t> sends;
    for (const auto& instances : told)
    {
        ASSERT_EQ(instances.size(), 2U);
        sends.push_back(instances[0]);
    }
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
    EXPECT_EQ(std::set<uint64_t>(sends.begin(), sends.end()).size(), RANKS);
}

TEST_F(CollectiveBatch, IsDoneWhenAllAre)
{
    Time end;
    uint32_t count = 0;
    const auto done = [&](const auto&) {
        end = Simulator::Now();
        count++;
    };
    bed.engine->JoinTogether(0, MakeCalls(0, 1000, 50000), done);
    bed.engine->Join(1, MakeCall(groups[0], CollectiveKind::SEND_RECV, 1000), [] {});
    bed.engine->Join(3, MakeCall(groups[3], CollectiveKind::SEND_RECV, 50000), [] {});
    bed.Run();
    EXPECT_EQ(count, 1U);
    EXPECT_EQ(end, MicroSeconds(51));
}

TEST_F(CollectiveBatch, PaysTheLongestLaunchOnce)
{
    const auto selector = CreateObject<KernelSelector>();
    selector->shortLaunch = MicroSeconds(10);
    selector->longLaunch = MicroSeconds(30);
    bed.engine->SetSelector(selector);
    for (uint32_t rank = 0; rank < RANKS; rank++)
    {
        const uint64_t sent = rank == 0 ? 2000 : 1000;
        const uint64_t received = rank == 1 ? 2000 : 1000;
        bed.engine->JoinTogether(rank, MakeCalls(rank, sent, received), [](const auto&) {});
    }
    bed.Run();
    for (const auto& entry : bed.recorder.started)
    {
        // Rank 0 has a long one, and so waits with the short one, too: it has none to send.
        EXPECT_EQ(entry.message.start, MicroSeconds(entry.message.src <= 1 ? 30 : 10))
            << entry.message.src;
    }
}

// The kernel of a batch feeds its links at one rate; kernels of their own do so side by side.
TEST(CollectiveBatches, ShareTheRateOfAKernel)
{
    for (const bool isTogether : {false, true})
    {
        CollectiveTestBed bed(3, "800Gbps", "1us");
        const auto selector = CreateObject<KernelSelector>();
        selector->rate = DataRate("8Gbps");
        bed.engine->SetSelector(selector);
        const CollectiveCall one =
            MakeCall(AddPair(bed, 0, 1, true), CollectiveKind::SEND_RECV, 10000);
        const CollectiveCall two =
            MakeCall(AddPair(bed, 0, 2, true), CollectiveKind::SEND_RECV, 10000);
        if (isTogether)
        {
            bed.engine->JoinTogether(0, {one, two}, [](const auto&) {});
        }
        else
        {
            bed.engine->Join(0, one, [] {});
            bed.engine->Join(0, two, [] {});
        }
        bed.engine->Join(1, one, [] {});
        bed.engine->Join(2, two, [] {});
        bed.Run();
        ASSERT_EQ(bed.recorder.started.size(), 2U);
        const Time lag =
            bed.recorder.started[1].message.start - bed.recorder.started[0].message.start;
        EXPECT_EQ(lag, isTogether ? MicroSeconds(10) : Time(0));
    }
}

TEST(CollectiveBatches, TakeCollectivesOfAnyKindInAnyOrder)
{
    CollectiveTestBed bed(4, "8Gbps", "1us");
    const uint32_t all = bed.AddGroup({4});
    const uint32_t other = bed.AddGroup({4});
    const CollectiveCall sum = MakeCall(all, CollectiveKind::ALL_REDUCE, 4000);
    const CollectiveCall exchange = MakeCall(other, CollectiveKind::ALL_TO_ALL, 4000);
    const CollectiveCall nothing = MakeCall(other, CollectiveKind::ALL_GATHER, 0);
    uint32_t done = 0;
    for (uint32_t rank = 0; rank < 4; rank++)
    {
        const bool isOdd = rank % 2;
        bed.engine->JoinTogether(rank,
                                 isOdd ? std::vector<CollectiveCall>{sum, exchange, nothing}
                                       : std::vector<CollectiveCall>{exchange, nothing, sum},
                                 [&](const auto& instances) {
                                     EXPECT_EQ(instances.size(), 3U);
                                     done++;
                                 });
    }
    bed.Run();
    EXPECT_EQ(done, 4U);
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
}

TEST(CollectiveBatches, EmptyOnesAreDoneAtTheSameTime)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    const uint32_t group = bed.AddGroup({2});
    uint32_t done = 0;
    const auto count = [&done](const auto&) { done++; };
    bed.engine->JoinTogether(0, {}, count);
    for (uint32_t rank = 0; rank < 2; rank++)
    {
        const CollectiveCall nothing = MakeCall(group, CollectiveKind::ALL_REDUCE, 0);
        bed.engine->JoinTogether(rank, {nothing, nothing}, count);
    }
    EXPECT_EQ(done, 0U) << "not inside JoinTogether()";
    bed.Run();
    EXPECT_EQ(done, 3U);
    EXPECT_EQ(Simulator::Now(), Time(0));
}

} // namespace ns3
