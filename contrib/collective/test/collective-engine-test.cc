/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/first-fit-selector.h"
#include "ns3/nstime.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <functional>
#include <gtest/gtest.h>
#include <utility>

namespace ns3
{

namespace
{

const std::vector<uint32_t> FOUR_SERVERS{1, 1, 1, 1};

/**
 * \param recorder what happened
 * \return the most messages that a rank had under way at once
 */
uint32_t
CountMostUnderWay(const CollectiveRecorder& recorder)
{
    uint32_t most = 0;
    for (const auto& one : recorder.ended)
    {
        uint32_t underWay = 0;
        for (const auto& other : recorder.ended)
        {
            const bool overlaps = other.message.src == one.message.src &&
                                  other.message.start <= one.message.start &&
                                  other.message.end > one.message.start;
            underWay += overlaps ? 1 : 0;
        }
        most = std::max(most, underWay);
    }
    return most;
}

/** \brief One message on a connection of a number. */
class ConnectionAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \param connection PlanStep::connection */
    explicit ConnectionAlgorithm(uint8_t connection)
        : m_connection(connection)
    {
    }

    bool Supports(const CollectiveRequest& request) const override
    {
        return request.kind == CollectiveKind::SEND_RECV;
    }

    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override
    {
        const uint64_t bytes = rank == request.root ? request.bytes : 0;
        return {bytes, bytes};
    }

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override
    {
        std::vector<PlanProgram> programs(2);
        for (uint32_t rank = 0; rank < 2; rank++)
        {
            PlanStep step{rank == 0 ? PlanStepKind::SEND : PlanStepKind::RECEIVE,
                          PlanBuffer::OPERAND,
                          1};
            step.connection = m_connection;
            programs[rank].AddStep(step);
            programs[rank].Finish();
        }
        CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, 1, 1),
                            std::move(programs));
        plan.AddChannel({0, 1}, {0, 1});
        return plan;
    }

    uint8_t m_connection; //!< PlanStep::connection
};

/** \brief Selects a ConnectionAlgorithm. */
class ConnectionSelector : public CollectiveSelector
{
  public:
    /** \param connection PlanStep::connection */
    explicit ConnectionSelector(uint8_t connection)
        : m_algorithm(CreateObject<ConnectionAlgorithm>(connection))
    {
    }

    CollectiveChoice Select(const CollectiveRequest&) override
    {
        return {m_algorithm, {}};
    }

  private:
    Ptr<CollectiveAlgorithm> m_algorithm; //!< what is selected
};

/** \brief First fit, with a protocol at a cost. */
class CostlySelector : public FirstFitSelector
{
  public:
    /** What makes a protocol costly. */
    using Cost = void (*)(CollectiveProtocol&);

    /** \param cost what it does to every protocol */
    explicit CostlySelector(Cost cost)
        : m_cost(cost)
    {
    }

    CollectiveChoice Select(const CollectiveRequest& request) override
    {
        CollectiveChoice choice = FirstFitSelector::Select(request);
        m_cost(choice.protocol);
        return choice;
    }

  private:
    Cost m_cost; //!< what it does to every protocol
};

/** \param protocol lets kernels take 10 us to start */
void
LaunchSlowly(CollectiveProtocol& protocol)
{
    protocol.launch = MicroSeconds(10);
}

/** \param protocol gets kernels that send 10 Gbit/s on links of 100 Gbit/s in their server */
void
SendSlowly(CollectiveProtocol& protocol)
{
    protocol.rankRate = DataRate("10Gbps");
    protocol.linkRate = DataRate("100Gbps");
}

/** \param protocol gets thread blocks that pass on 4 Gbit/s, and links of 8 in the server */
void
PassOnSlowly(CollectiveProtocol& protocol)
{
    protocol.channelRate = DataRate("4Gbps");
    protocol.linkRate = DataRate("8Gbps");
}

} // namespace

TEST(CollectiveEngine, BroadcastIsPipelined)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    const auto result = bed.RunOne(FOUR_SERVERS, CollectiveKind::BROADCAST, 64 << 20);
    // 128 slices of 512 KiB and two more hops to fill, 10.48576 us each, after three latencies
    EXPECT_EQ(result.GetDuration(), PicoSeconds(130 * 10485760LL) + MicroSeconds(3));
    EXPECT_EQ(bed.transport->GetBytesSent(),
              std::vector<uint64_t>({64 << 20, 64 << 20, 64 << 20, 0}));
}

TEST(CollectiveEngine, EveryRankIsToldWhichCollectiveItIsDoneWith)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    std::vector<uint64_t> told;
    // Two empty ones in one event, and one that takes time.
    for (const uint64_t bytes : {0, 0, 1000})
    {
        const uint32_t group = bed.AddGroup({1, 1});
        for (uint32_t rank = 0; rank < 2; rank++)
        {
            bed.engine->Join(rank,
                             MakeCall(group, CollectiveKind::ALL_REDUCE, bytes),
                             CollectiveDone([&](uint64_t instance) { told.push_back(instance); }));
        }
    }
    bed.Run();
    EXPECT_EQ(told, (std::vector<uint64_t>{0, 0, 1, 1, 2, 2}));
}

// The kernel of rank 0 runs from 10 us on, its message is there at 12 us.
TEST(CollectiveEngine, WhatArrivesBeforeTheKernelRunsWaitsForIt)
{
    for (const auto& [join, end] : {std::pair<int, int>{0, 12}, {1, 12}, {8, 18}, {30, 40}})
    {
        CollectiveTestBed bed(2, "8Gbps", "1us");
        bed.engine->SetSelector(CreateObject<CostlySelector>(&LaunchSlowly));
        const CollectiveCall call = MakeCall(bed.AddGroup({1, 1}), CollectiveKind::SEND_RECV, 1000);
        bed.JoinAt(Time(0), 0, call);
        bed.JoinAt(MicroSeconds(join), 1, call);
        const CollectiveInstance result = bed.Run();
        EXPECT_EQ(result.joined, 2U);
        EXPECT_EQ(Simulator::Now(), MicroSeconds(end)) << "joined at " << join << " us";
        EXPECT_EQ(bed.done, 2U);
    }
}

TEST(CollectiveEngine, LateReceiverIsNotToldInsideJoin)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    const CollectiveCall call = MakeCall(bed.AddGroup({1, 1}), CollectiveKind::SEND_RECV, 1000);
    bed.engine->Join(0, call, [] {});
    bool isJoining = false;
    Time told;
    Simulator::Schedule(MicroSeconds(10), [&] {
        isJoining = true;
        bed.engine->Join(1, call, [&] {
            EXPECT_FALSE(isJoining);
            told = Simulator::Now();
        });
        isJoining = false;
    });
    bed.Run();
    EXPECT_EQ(told, MicroSeconds(10));
}

TEST(CollectiveEngine, SenderIsDoneWhenItsMessageIsAcknowledged)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    bed.transport->SetAcknowledgementDelay(MicroSeconds(4));
    CollectiveCall call = MakeCall(bed.AddGroup({1, 1}), CollectiveKind::SEND_RECV, 1000);
    call.root = 1;
    Time senderDone;
    Time receiverDone;
    bed.engine->Join(1, call, [&] { senderDone = Simulator::Now(); });
    bed.engine->Join(0, call, [&] { receiverDone = Simulator::Now(); });
    bed.Run();
    EXPECT_EQ(receiverDone, MicroSeconds(2)); // 1000 bytes at 1 GB/s, 1 us latency
    EXPECT_EQ(senderDone, MicroSeconds(6));
}

TEST(CollectiveEngine, AllToAllKeepsToItsOutstandingMessages)
{
    for (const uint32_t outstanding : {1U, 3U})
    {
        Config::SetDefault("ns3::DirectAllToAllAlgorithm::MaxOutstanding",
                           UintegerValue(outstanding));
        CollectiveTestBed bed(8, "400Gbps", "1us");
        bed.RunOne({8}, CollectiveKind::ALL_TO_ALL, 8 << 20);
        Config::Reset();
        EXPECT_EQ(CountMostUnderWay(bed.recorder), outstanding);
    }
}

TEST(CollectiveEngine, BroadcastKeepsToItsSlicesInFlight)
{
    for (const uint32_t slices : {1U, 5U})
    {
        Config::SetDefault("ns3::RingBroadcastAlgorithm::SlicesInFlight", UintegerValue(slices));
        Config::SetDefault("ns3::RingBroadcastAlgorithm::SliceBytes", UintegerValue(1000));
        CollectiveTestBed bed(3, "400Gbps", "1us");
        bed.RunOne({3}, CollectiveKind::BROADCAST, 50000);
        Config::Reset();
        EXPECT_EQ(bed.recorder.ended.size(), 100U);
        EXPECT_EQ(CountMostUnderWay(bed.recorder), slices);
    }
}

TEST(CollectiveEngine, WhoDoesNotObserveMessagesHearsOfTheRest)
{
    class Deaf : public CollectiveRecorder
    {
      public:
        bool ObservesMessages() const override
        {
            return false;
        }
    };

    CollectiveTestBed bed(4, "400Gbps", "1us");
    Deaf deaf;
    bed.engine->AddObserver(&deaf);
    bed.RunOne({4}, CollectiveKind::ALL_REDUCE, 1 << 20);
    EXPECT_EQ(bed.recorder.ended.size(), 4U * 6U);
    EXPECT_TRUE(deaf.started.empty());
    EXPECT_TRUE(deaf.ended.empty());
    EXPECT_EQ(deaf.joins, bed.recorder.joins);
    EXPECT_EQ(deaf.leaves, 4U);
    EXPECT_EQ(deaf.closed.size(), 1U);
}

TEST(CollectiveEngine, SequenceNumbersMayWrap)
{
    constexpr uint32_t COUNT = 70000; // more than the 16 bits in a tag can tell apart
    CollectiveTestBed bed(2, "400Gbps", "1us");
    bed.engine->RemoveObserver(&bed.recorder);
    const CollectiveCall call = MakeCall(bed.AddGroup({1, 1}), CollectiveKind::ALL_GATHER, 2);
    uint32_t finished[2] = {0, 0};
    std::function<void(uint32_t)> next = [&](uint32_t rank) {
        if (finished[rank] < COUNT)
        {
            bed.engine->Join(rank, call, [&, rank] {
                finished[rank]++;
                next(rank);
            });
        }
    };
    next(0);
    next(1);
    bed.Run();
    EXPECT_EQ(finished[0], COUNT);
    EXPECT_EQ(finished[1], COUNT);
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
}

TEST(CollectiveEngine, ReducingTakesItsTime)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    bed.engine->SetAttribute("ReduceBandwidth", DataRateValue(DataRate("2000Gbps")));
    const auto result = bed.RunOne(FOUR_SERVERS, CollectiveKind::ALL_REDUCE, 100000000);
    // three of the six steps add 25 MB up at 250 GB/s
    EXPECT_EQ(result.GetDuration(), MicroSeconds(3006 + 3 * 100));
}

TEST(CollectiveEngine, RanksMayJoinInAnyOrder)
{
    for (const auto kind : {CollectiveKind::ALL_REDUCE,
                            CollectiveKind::ALL_GATHER,
                            CollectiveKind::REDUCE_SCATTER,
                            CollectiveKind::ALL_TO_ALL,
                            CollectiveKind::BROADCAST})
    {
        CollectiveTestBed bed(4, "400Gbps", "1us");
        const CollectiveCall call = MakeCall(bed.AddGroup(FOUR_SERVERS), kind, 1000000);
        bed.JoinAt(MicroSeconds(300), 0, call);
        bed.JoinAt(MicroSeconds(100), 1, call);
        bed.JoinAt(MicroSeconds(0), 2, call);
        bed.JoinAt(MicroSeconds(200), 3, call);
        const auto result = bed.Run();
        EXPECT_EQ(bed.done, 4U) << ToString(kind);
        EXPECT_EQ(result.firstJoin, Time(0));
        EXPECT_EQ(result.lastJoin, MicroSeconds(300));
        EXPECT_GT(result.end, MicroSeconds(300));
        EXPECT_EQ(result.firstRank, 2U);
        EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
    }
}

TEST(CollectiveEngine, AFastRankMayBeManyCollectivesAhead)
{
    constexpr uint32_t COUNT = 1000;
    CollectiveTestBed bed(2, "400Gbps", "1us");
    const CollectiveCall call = MakeCall(bed.AddGroup({1, 1}), CollectiveKind::SEND_RECV, 1000);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < COUNT; i++)
    {
        bed.engine->Join(0, call, [] {});
        Simulator::Schedule(MilliSeconds(1), [&bed, &order, call, i] {
            bed.engine->Join(1, call, [&order, i] { order.push_back(i); });
        });
    }
    bed.Run();
    ASSERT_EQ(order.size(), COUNT);
    EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
    EXPECT_EQ(bed.recorder.closed.size(), COUNT);
}

TEST(CollectiveEngine, ManyCollectivesOfManyGroupsAtOnce)
{
    CollectiveTestBed bed(8, "400Gbps", "1us");
    std::vector<uint32_t> groups{bed.AddGroup({4, 4})};
    for (const auto& ranks :
         std::vector<std::vector<uint32_t>>{{0, 4}, {1, 5}, {3, 2, 1, 0}, {7, 6, 5, 4}, {2, 6}})
    {
        CollectiveGroup group;
        group.name = "g" + std::to_string(groups.size());
        group.ranks = ranks;
        group.servers.assign(ranks.size(), 0);
        groups.push_back(bed.engine->AddGroup(group));
    }
    uint64_t expectedDone = 0;
    for (uint32_t round = 0; round < 20; round++)
    {
        for (const uint32_t group : groups)
        {
            const auto kind =
                round % 2 == 0 ? CollectiveKind::ALL_REDUCE : CollectiveKind::ALL_TO_ALL;
            bed.JoinAll(MakeCall(group, kind, 1000 * round + group + 1));
            expectedDone += bed.engine->GetGroup(group).ranks.size();
        }
    }
    EXPECT_EQ(bed.engine->GetOpenCount(), 20U * groups.size());
    bed.Run();
    EXPECT_EQ(bed.done, expectedDone);
    EXPECT_EQ(bed.engine->GetOpenCount(), 0U);
    EXPECT_TRUE(bed.engine->DescribePending().empty());
}

TEST(CollectiveEngine, SameInputSameEvents)
{
    std::vector<std::string> fingerprints;
    for (int run = 0; run < 2; run++)
    {
        CollectiveTestBed bed(8, "400Gbps", "1us");
        const uint32_t group = bed.AddGroup({4, 4});
        for (const auto kind : {CollectiveKind::ALL_REDUCE, CollectiveKind::ALL_TO_ALL})
        {
            bed.JoinAll(MakeCall(group, kind, 1000003));
        }
        bed.Run();
        fingerprints.push_back(bed.recorder.GetFingerprint());
    }
    EXPECT_GT(fingerprints[0].size(), 1000U);
    EXPECT_EQ(fingerprints[0], fingerprints[1]);
}

TEST(CollectiveEngine, GroupsUseTheChannelsTheyAreGiven)
{
    CollectiveTestBed bed(2, "400Gbps", "1us");
    CollectiveGroup group;
    group.name = "late channels";
    group.ranks = {0, 1};
    group.servers = {0, 1};
    group.firstChannel = 64;
    std::vector<uint32_t> channels;
    bed.transport->onSend = [&](const Message& message) { channels.push_back(message.channel); };
    bed.JoinAll(MakeCall(bed.engine->AddGroup(group), CollectiveKind::ALL_GATHER, 1000));
    bed.Run();
    EXPECT_EQ(channels, std::vector<uint32_t>({64, 64}));
}

TEST(CollectiveEngine, GroupsOfTheSameShapeShareAPlan)
{
    CollectivePlanCache cache;
    cache.Configure(CreateObject<FirstFitSelector>(), 1 << 20);
    CollectiveGroup a;
    a.ranks = {0, 1, 8, 9};
    a.servers = {0, 0, 1, 1};
    CollectiveGroup b;
    b.ranks = {16, 17, 24, 25};
    b.servers = {2, 2, 3, 3};
    CollectiveGroup c = b;
    c.servers = {2, 3, 2, 3};
    EXPECT_EQ(cache.AddShape(a), cache.AddShape(b));
    EXPECT_NE(cache.AddShape(a), cache.AddShape(c));
    const CollectiveCall call = MakeCall(0, CollectiveKind::ALL_REDUCE, 1000);
    EXPECT_EQ(cache.Get(cache.AddShape(a), call).plan, cache.Get(cache.AddShape(b), call).plan);
    EXPECT_NE(cache.Get(cache.AddShape(a), call).plan, cache.Get(cache.AddShape(c), call).plan);
    EXPECT_EQ(cache.GetPlanCount(), 2U);
}

TEST(CollectiveEngine, TellsThePairsOfAPlan)
{
    using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;
    CollectiveTestBed bed(8, "400Gbps", "1us");
    CollectiveGroup group;
    group.name = "pairs";
    group.ranks = {5, 2, 7};
    group.servers = {0, 0, 0};
    const auto pairs = [&](CollectiveKind kind, uint64_t bytes) {
        return bed.engine->GetPairs(group, MakeCall(0, kind, bytes));
    };
    EXPECT_EQ(pairs(CollectiveKind::ALL_REDUCE, 1000), (Pairs{{2, 7}, {5, 2}, {7, 5}}));
    EXPECT_EQ(pairs(CollectiveKind::ALL_TO_ALL, 1000),
              (Pairs{{2, 5}, {2, 7}, {5, 2}, {5, 7}, {7, 2}, {7, 5}}));
    EXPECT_EQ(pairs(CollectiveKind::ALL_REDUCE, 0), Pairs());
    EXPECT_EQ(pairs(CollectiveKind::SEND_RECV, 1000), Pairs()); // not with three ranks
}

TEST(CollectiveEngine, SaysWhoWaitsForWhom)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    const uint32_t group = bed.AddGroup({4});
    const CollectiveCall call = MakeCall(group, CollectiveKind::ALL_REDUCE, 1000);
    for (const uint32_t rank : {0U, 1U, 3U})
    {
        bed.engine->Join(rank, call, [] {});
    }
    bed.Run();
    EXPECT_EQ(bed.engine->GetOpenCount(), 1U);
    EXPECT_TRUE(bed.recorder.closed.empty());
    EXPECT_EQ(bed.engine->DescribePending(),
              std::vector<std::string>(
                  {"AllReduce of 1000 bytes, collective 0 of group test: not joined by ranks 2",
                   "AllReduce of 1000 bytes, collective 0 of group test, the farthest behind "
                   "first: rank 3 waits for data from rank 2 (channel 0, step 0); rank 0 waits for "
                   "data from rank 3 (channel 0, step 1); rank 1 waits for data from rank 0 "
                   "(channel 0, step 2)"}));
}

TEST(CollectiveEngine, ManyWaitsAreOneLine)
{
    CollectiveTestBed bed(12, "400Gbps", "1us");
    const uint32_t group = bed.AddGroup({12});
    const CollectiveCall call = MakeCall(group, CollectiveKind::ALL_REDUCE, 1200);
    for (uint32_t rank = 1; rank < 12; rank++)
    {
        bed.engine->Join(rank, call, [] {});
    }
    bed.Run();
    const std::vector<std::string> lines = bed.engine->DescribePending();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_NE(lines[1].find("first: rank 1 waits for data from rank 0 (channel 0, step 0); "),
              std::string::npos)
        << lines[1];
    EXPECT_NE(lines[1].find("; and 3 more"), std::string::npos) << lines[1];
}

TEST(CollectiveEngine, RanksThatDisagreeAreNamed)
{
    CollectiveTestBed bed(2, "400Gbps", "1us");
    const uint32_t group = bed.AddGroup({2});
    bed.engine->Join(1, MakeCall(group, CollectiveKind::ALL_REDUCE, 1000), [] {});
    EXPECT_DEATH(bed.engine->Join(0, MakeCall(group, CollectiveKind::ALL_GATHER, 1000), [] {}),
                 "group test: rank 1 joined with AllReduce of 1000 bytes .*, rank 0 with "
                 "AllGather of 1000 bytes");
    EXPECT_DEATH(bed.engine->Join(0, MakeCall(group, CollectiveKind::ALL_REDUCE, 999), [] {}),
                 "rank 0 with AllReduce of 999 bytes");
}

TEST(CollectiveEngine, ChecksCallsBeforeTheyAreMade)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    const uint32_t group = bed.AddGroup({4});
    EXPECT_EQ(bed.engine->Check(MakeCall(group, CollectiveKind::ALL_REDUCE, 1000)), "");
    EXPECT_EQ(bed.engine->Check(MakeCall(7, CollectiveKind::ALL_REDUCE, 1000)),
              "there is no collective group 7");
    EXPECT_EQ(bed.engine->Check(MakeCall(group, CollectiveKind::SEND_RECV, 1000)),
              "no algorithm supports SendRecv of 1000 bytes with root 0 on group test of 4 ranks");
    CollectiveCall call = MakeCall(group, CollectiveKind::ALL_REDUCE, 1000);
    call.elementBytes = 0;
    EXPECT_EQ(bed.engine->Check(call), "AllReduce on group test has elements of 0 bytes");
}

TEST(CollectiveEngine, RefusesMoreConnectionsThanATagHolds)
{
    {
        CollectiveTestBed bed(2, "8Gbps", "1us");
        bed.engine->SetSelector(CreateObject<ConnectionSelector>(63));
        EXPECT_EQ(bed.RunOne({2}, CollectiveKind::SEND_RECV, 1000).GetDuration(), MicroSeconds(2));
    }
    CollectiveTestBed bed(2, "8Gbps", "1us");
    bed.engine->SetSelector(CreateObject<ConnectionSelector>(64));
    const uint32_t group = bed.AddGroup({2});
    EXPECT_DEATH(bed.JoinAll(MakeCall(group, CollectiveKind::SEND_RECV, 1000)),
                 "planned 65 connections on 1 channels, at most 64");
}

TEST(CollectiveEngine, RefusesASelectorAfterItsFirstPlan)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    const uint32_t group = bed.AddGroup({2});
    EXPECT_EQ(bed.engine->Check(MakeCall(group, CollectiveKind::SEND_RECV, 1000)), "");
    EXPECT_DEATH(bed.engine->SetSelector(CreateObject<ConnectionSelector>(1)),
                 "selector is set before its first plan");
}

TEST(CollectiveEngine, RefusesGroupsThatAreNotSound)
{
    CollectiveGroup group;
    group.name = "odd";
    EXPECT_EQ(group.Check(), "group odd: no ranks");
    group.ranks = {1, 2, 1};
    EXPECT_EQ(group.Check(), "group odd: 3 ranks but servers for 0");
    group.servers = {0, 0, 0};
    EXPECT_EQ(group.Check(), "group odd: rank 1 more than once");
    CollectiveTestBed bed(2, "400Gbps", "1us");
    group.ranks = {0, 1, 2};
    EXPECT_DEATH(bed.engine->AddGroup(group), "rank 2, but the transport has 2 ranks");
}

// Seven messages of a rank at a time share its kernel: they pass one after another.
TEST(CollectiveEngine, KernelsSendInTheirServerAtTheirRate)
{
    CollectiveTestBed bed(8, "100Gbps", "1us");
    bed.engine->SetSelector(CreateObject<CostlySelector>(&SendSlowly));
    const auto result = bed.RunOne({8}, CollectiveKind::ALL_TO_ALL, 8 << 20);
    EXPECT_EQ(result.GetDuration(), 7 * PicoSeconds(838860800) + MicroSeconds(1));
}

TEST(CollectiveEngine, KernelsFeedNicsAtTheRateOfTheLinks)
{
    CollectiveTestBed bed(4, "100Gbps", "1us");
    bed.engine->SetSelector(CreateObject<CostlySelector>(&SendSlowly));
    const auto result = bed.RunOne(FOUR_SERVERS, CollectiveKind::ALL_TO_ALL, 4 << 20);
    EXPECT_EQ(result.GetDuration(), 3 * PicoSeconds(83886080) + MicroSeconds(1));
}

// 1000 bytes take 1 us on the link. To another server the NIC sends what has been copied, after
// 2 us; in the server the last byte is as late as the thread block.
TEST(CollectiveEngine, ThreadBlocksPassDataOnAtTheirRate)
{
    for (const auto& [servers, end] : {std::pair<std::vector<uint32_t>, int>{{1, 1}, 4}, {{2}, 3}})
    {
        CollectiveTestBed bed(2, "8Gbps", "1us");
        bed.engine->SetSelector(CreateObject<CostlySelector>(&PassOnSlowly));
        const auto result = bed.RunOne(servers, CollectiveKind::SEND_RECV, 1000);
        EXPECT_EQ(result.GetDuration(), MicroSeconds(end)) << servers.size() << " servers";
    }
}

// 8 slices of 512 KiB to one rank, 1048.576 us each; the last is 524.288 us on the link.
TEST(CollectiveEngine, SlicesOfAChannelWaitForItsThreadBlock)
{
    CollectiveTestBed bed(2, "8Gbps", "1us");
    bed.engine->SetSelector(CreateObject<CostlySelector>(&PassOnSlowly));
    const auto result = bed.RunOne({1, 1}, CollectiveKind::BROADCAST, 4 << 20);
    EXPECT_EQ(result.GetDuration(), NanoSeconds(8 * 1048576 + 524288) + MicroSeconds(1));
}

// Both are copied after 2 us and take 1 us each on the link.
TEST(CollectiveEngine, PeersOfAChannelAreServedSideBySide)
{
    CollectiveTestBed bed(3, "8Gbps", "1us");
    bed.engine->SetSelector(CreateObject<CostlySelector>(&PassOnSlowly));
    const auto result = bed.RunOne({1, 1, 1}, CollectiveKind::ALL_TO_ALL, 3000);
    EXPECT_EQ(result.GetDuration(), MicroSeconds(5));
}

} // namespace ns3
