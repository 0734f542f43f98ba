/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/config-error.h"
#include "ns3/data-rate.h"
#include "ns3/nstime.h"
#include "ns3/ring-all-reduce-algorithm.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace ns3
{

namespace
{

const std::vector<uint32_t> FOUR_SERVERS{1, 1, 1, 1};

} // namespace

TEST(CollectiveCases, H16AllReduceTakesWhatItsBytesTake)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    const auto result = bed.RunOne(FOUR_SERVERS, CollectiveKind::ALL_REDUCE, 100000000);
    // 6 steps of 25 MB at 50 GB/s, each after 1 us
    EXPECT_EQ(result.GetDuration(), MicroSeconds(3000 + 6));
    EXPECT_EQ(bed.transport->GetBytesSent(), std::vector<uint64_t>(4, 150000000));
    EXPECT_EQ(bed.transport->GetBytesReceived(), std::vector<uint64_t>(4, 150000000));
    EXPECT_EQ(result.bytesSent, 600000000U);
    EXPECT_LE(result.GetBusbwGBps(), 50.0);
    EXPECT_NEAR(result.GetBusbwGBps(), 50.0 * 3000 / 3006, 1e-9);
}

TEST(CollectiveCases, H16AllGatherAndReduceScatterTakeHalf)
{
    for (const auto kind : {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
    {
        CollectiveTestBed bed(4, "400Gbps", "1us");
        const auto result = bed.RunOne(FOUR_SERVERS, kind, 100000000);
        EXPECT_EQ(result.GetDuration(), MicroSeconds(1500 + 3));
        EXPECT_EQ(bed.transport->GetBytesSent(), std::vector<uint64_t>(4, 75000000));
        EXPECT_EQ(bed.transport->GetBytesReceived(), std::vector<uint64_t>(4, 75000000));
        EXPECT_LE(result.GetBusbwGBps(), 50.0);
    }
}

TEST(CollectiveCases, H17OverheadAddsUpOncePerStep)
{
    const std::vector<uint32_t> sixteen(16, 1);
    std::map<int, double> busbw;
    for (const int overhead : {0, 2, 6})
    {
        CollectiveTestBed bed(16, "400Gbps", "0us");
        // 30 steps of 4 MiB at 400 Gbit/s; the test bed sets the resolution that this needs.
        const Time serialisation = PicoSeconds(30 * 83886080LL);
        bed.engine->SetAttribute("SendOverhead", TimeValue(MicroSeconds(overhead)));
        const auto result = bed.RunOne(sixteen, CollectiveKind::ALL_REDUCE, 64 << 20);
        EXPECT_EQ(result.GetDuration(), serialisation + MicroSeconds(30 * overhead));
        busbw[overhead] = result.GetBusbwGBps();
    }
    EXPECT_NEAR(busbw[6] / busbw[2], 2.5766 / 2.6966, 0.0005);
    EXPECT_GE(busbw[6] / busbw[2], 0.94);
}

TEST(CollectiveCases, H14RingOverDirectLinks)
{
    CollectiveTestBed bed(8, "1Gbps", "5us");
    const std::vector<uint32_t> order{0, 1, 2, 3, 7, 6, 5, 4};
    const std::vector<uint32_t> gbps{200, 400, 400, 200, 400, 400, 200, 400};
    for (std::size_t i = 0; i < order.size(); i++)
    {
        const uint32_t next = order[(i + 1) % order.size()];
        const DataRate rate(gbps[i] * 1000000000ULL);
        bed.transport->SetLink(order[i], next, rate);
        bed.transport->SetLink(next, order[i], rate);
    }
    CollectiveGroup group;
    group.name = "direct";
    group.ranks = order;
    group.servers.assign(8, 0);
    bed.JoinAll(MakeCall(bed.engine->AddGroup(group), CollectiveKind::ALL_REDUCE, 64000000));
    const Time duration = bed.Run().GetDuration();
    EXPECT_GE(duration, MicroSeconds(4485));
    EXPECT_LE(duration, MicroSeconds(4550));
}

TEST(CollectiveCases, H14RingOrderIsAnAttribute)
{
    const auto ring = CreateObject<RingAllReduceAlgorithm>();
    ring->SetAttribute("Order", StringValue("0,1,2,3,7,6,5,4"));
    StringValue order;
    ring->GetAttribute("Order", order);
    EXPECT_EQ(order.Get(), "0,1,2,3,7,6,5,4");
    CollectiveRequest request;
    request.bytes = 64000000;
    request.placement.assign(8, 0);
    const CollectivePlan plan = ring->Plan(request);
    ASSERT_EQ(plan.GetChannels().size(), 1U);
    for (const auto& [src, dst] : plan.GetPairs())
    {
        EXPECT_FALSE((src == 3 && dst == 4) || (src == 7 && dst == 0)) << src << " " << dst;
    }
    EXPECT_EQ(plan.GetPairs().size(), 8U);
    request.placement.assign(4, 0); // another size: the group's order
    const auto pairs = ring->Plan(request).GetPairs();
    EXPECT_EQ((std::set<std::pair<uint32_t, uint32_t>>(pairs.begin(), pairs.end())),
              (std::set<std::pair<uint32_t, uint32_t>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
    for (const char* bad : {"0,1,1", "1,2,3", "0,,1", "0;1", "0,1,x", "0,-1", "0,4294967295"})
    {
        EXPECT_THROW(ring->SetAttribute("Order", StringValue(bad)), ConfigError) << bad;
    }
}

TEST(CollectiveCases, SlicesThatCannotBeNumberedAreRefusedAtOnce)
{
    CollectiveRequest request;
    request.bytes = 64000000;
    request.placement.assign(8, 0);
    uint32_t refused = 0;
    for (const auto& algorithm : MakeAllAlgorithms())
    {
        if (!algorithm->SetAttributeFailSafe("SliceBytes", UintegerValue(1)))
        {
            continue;
        }
        for (const auto kind : {CollectiveKind::ALL_REDUCE,
                                CollectiveKind::ALL_GATHER,
                                CollectiveKind::REDUCE_SCATTER,
                                CollectiveKind::BROADCAST,
                                CollectiveKind::REDUCE})
        {
            request.kind = kind;
            if (algorithm->Supports(request))
            {
                EXPECT_THROW(algorithm->Plan(request), ConfigError)
                    << algorithm->GetInstanceTypeId();
                refused++;
            }
        }
    }
    EXPECT_GE(refused, 14U);
}

TEST(CollectiveCases, LocalCostsHaveLimits)
{
    const auto engine = CreateObject<CollectiveEngine>();
    EXPECT_THROW(engine->SetAttribute("ReduceBandwidth", DataRateValue(DataRate("1bps"))),
                 ConfigError);
    engine->SetAttribute("ReduceBandwidth", DataRateValue(DataRate("1Mbps")));
    engine->SetAttribute("ReduceBandwidth", DataRateValue(DataRate(0)));
    EXPECT_FALSE(engine->SetAttributeFailSafe("SendOverhead", TimeValue(Seconds(2))));
    EXPECT_TRUE(engine->SetAttributeFailSafe("SendOverhead", TimeValue(Seconds(1))));
}

TEST(CollectiveCases, H14UnlinkedNeighboursAreNotUsed)
{
    CollectiveTestBed bed(3, "1Gbps", "5us");
    bed.transport->SetLink(0, 1, DataRate("1Gbps"));
    bed.transport->SetLink(1, 2, DataRate("1Gbps"));
    const uint32_t group = bed.AddGroup({3});
    EXPECT_DEATH(bed.JoinAll(MakeCall(group, CollectiveKind::ALL_REDUCE, 3000)),
                 "no link from rank 2 to rank 0");
}

TEST(CollectiveCases, H19TimeFollowsTheSize)
{
    Time times[2];
    for (int i = 0; i < 2; i++)
    {
        CollectiveTestBed bed(16, "400Gbps", "2us");
        times[i] = bed.RunOne({8, 8}, CollectiveKind::ALL_REDUCE, 256000000ULL << i).GetDuration();
    }
    const double ratio = times[1].GetSeconds() / times[0].GetSeconds();
    EXPECT_GE(ratio, 1.95);
    EXPECT_LE(ratio, 2.0);
}

TEST(CollectiveCases, H19GroupOfOneHasNoEffectAndSaysSo)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    for (uint32_t rank = 0; rank < 4; rank++)
    {
        CollectiveGroup group;
        group.name = "TP" + std::to_string(rank);
        group.parallel = "TP";
        group.ranks = {rank};
        group.servers = {0};
        const uint32_t number = bed.engine->AddGroup(group);
        bed.JoinAll(MakeCall(number, CollectiveKind::ALL_REDUCE, 256000000));
        bed.JoinAll(MakeCall(number, CollectiveKind::ALL_REDUCE, 512000000));
    }
    EXPECT_EQ(bed.done, 0U); // never inside Join()
    bed.Run();
    EXPECT_EQ(bed.done, 8U);
    EXPECT_EQ(bed.transport->GetMessageCount(), 0U);
    ASSERT_EQ(bed.recorder.closed.size(), 8U);
    for (const auto& instance : bed.recorder.closed)
    {
        EXPECT_EQ(instance.GetDuration(), Time(0));
        EXPECT_EQ(instance.bytesSent, 0U);
        EXPECT_EQ(instance.GetBusbwGBps(), 0.0);
    }
    EXPECT_EQ(bed.engine->GetNotices(),
              std::vector<std::string>({"TP AllReduce: collective of 256000000 bytes on a group "
                                        "of size 1 has no effect"}));
}

TEST(CollectiveCases, H20FourBytesTakeEveryHop)
{
    for (const auto& servers : std::vector<std::vector<uint32_t>>{{8}, {4, 4}, {1, 1, 6}})
    {
        CollectiveTestBed bed(8, "400Gbps", "1us");
        const auto result = bed.RunOne(servers, CollectiveKind::ALL_REDUCE, 4);
        EXPECT_GE(result.GetDuration(), MicroSeconds(14));
        EXPECT_LE(result.GetDuration(), MicroSeconds(15));
        EXPECT_EQ(bed.transport->GetMessageCount(), 8U * 14);
        EXPECT_EQ(result.bytesSent, 4U * 14);
    }
}

TEST(CollectiveCases, H20EmptyCollectivesAreRecordedInOrder)
{
    CollectiveTestBed bed(8, "400Gbps", "1us");
    const uint32_t group = bed.AddGroup({8});
    const std::vector<CollectiveCall> rows{MakeCall(group, CollectiveKind::ALL_REDUCE, 13870912),
                                           MakeCall(group, CollectiveKind::ALL_GATHER, 65536),
                                           MakeCall(group, CollectiveKind::REDUCE_SCATTER, 0),
                                           MakeCall(group, CollectiveKind::ALL_REDUCE, 4)};
    std::function<void(uint32_t, std::size_t)> next = [&](uint32_t rank, std::size_t row) {
        if (row < rows.size())
        {
            bed.engine->Join(rank, rows[row], [&, rank, row] { next(rank, row + 1); });
        }
    };
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        next(rank, 0);
    }
    bed.Run();
    ASSERT_EQ(bed.recorder.closed.size(), rows.size());
    for (std::size_t row = 0; row < rows.size(); row++)
    {
        EXPECT_EQ(bed.recorder.closed[row].call.bytes, rows[row].bytes);
        EXPECT_EQ(bed.recorder.closed[row].sequence, row);
    }
    EXPECT_EQ(bed.recorder.closed[2].GetDuration(), Time(0));
    EXPECT_GE(bed.recorder.closed[3].GetDuration(), MicroSeconds(14));
}

TEST(CollectiveCases, H25EveryMessageIsReported)
{
    CollectiveTestBed bed(4, "400Gbps", "1us");
    const auto result = bed.RunOne(FOUR_SERVERS, CollectiveKind::ALL_REDUCE, 100000000);
    ASSERT_EQ(bed.recorder.started.size(), 24U);
    ASSERT_EQ(bed.recorder.ended.size(), 24U);
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> seen; // by source and step
    uint64_t total = 0;
    for (const auto& entry : bed.recorder.ended)
    {
        const CollectiveMessage& message = entry.message;
        EXPECT_EQ(entry.collective, result.id);
        EXPECT_EQ(message.bytes, 25000000U);
        EXPECT_EQ(message.dst, (message.src + 1) % 4);
        EXPECT_EQ(message.channel, 0U);
        EXPECT_LT(message.step, 6U);
        EXPECT_EQ(message.start, MicroSeconds(501 * message.step));
        EXPECT_EQ(message.end, MicroSeconds(501 * (message.step + 1)));
        seen[{message.src, message.step}]++;
        total += message.bytes;
    }
    EXPECT_EQ(seen.size(), 24U);
    EXPECT_EQ(total, 600000000U);
    EXPECT_EQ(result.messages, 24U);
    EXPECT_EQ(bed.recorder.joins, 4U);
    EXPECT_EQ(bed.recorder.leaves, 4U);
}

TEST(CollectiveCases, RootedCollectivesTakeWhatTheirBytesTake)
{
    // 3 of 4 parts of 25 MB through the root's 50 GB/s, after 1 us
    for (const auto kind : {CollectiveKind::GATHER, CollectiveKind::SCATTER})
    {
        CollectiveTestBed bed(4, "400Gbps", "1us");
        const auto result = bed.RunOne(FOUR_SERVERS, kind, 100000000);
        EXPECT_EQ(result.GetDuration(), MicroSeconds(1500 + 1)) << kind;
        EXPECT_EQ(result.bytesSent, 75000000U);
        EXPECT_LE(result.GetBusbwGBps(), 50.0);
        EXPECT_GE(result.GetBusbwGBps(), 49.9);
    }
    CollectiveTestBed bed(4, "400Gbps", "1us");
    CollectiveCall call = MakeCall(bed.AddGroup(FOUR_SERVERS), CollectiveKind::REDUCE, 64 << 20);
    call.root = 2;
    bed.JoinAll(call);
    // 128 slices of 512 KiB and two more hops to fill, 10.48576 us each, after three latencies
    EXPECT_EQ(bed.Run().GetDuration(), PicoSeconds(130 * 10485760LL) + MicroSeconds(3));
    EXPECT_EQ(bed.transport->GetBytesSent(),
              std::vector<uint64_t>({64 << 20, 64 << 20, 0, 64 << 20}));
}

TEST(CollectiveCases, H18AllToAllIsNearItsBound)
{
    CollectiveTestBed bed(16, "400Gbps", "1us");
    const auto result =
        bed.RunOne(std::vector<uint32_t>(16, 1), CollectiveKind::ALL_TO_ALL, 16 << 20);
    EXPECT_EQ(bed.transport->GetBytesSent(), std::vector<uint64_t>(16, 15 << 20));
    EXPECT_EQ(bed.transport->GetBytesReceived(), std::vector<uint64_t>(16, 15 << 20));
    EXPECT_GE(result.GetDuration(), PicoSeconds(314572800));
    EXPECT_LE(result.GetDuration(), PicoSeconds(314572800) + MicroSeconds(1));
}

} // namespace ns3
