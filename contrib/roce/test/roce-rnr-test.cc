/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs-under-test.h"

#include "ns3/roce-rnr-timer.h"

#include <algorithm>

/**
 * \file
 * Receives, and what happens where there is none.
 */

using namespace ns3;

namespace
{

constexpr uint64_t MS = 1000000000; //!< ticks

TEST(RoceRnr, TimesOfTheCodes)
{
    const uint32_t hundredthsOfMs[] = {65536, 1,    2,    3,     4,     6,     8,     12,
                                       16,    24,   32,   48,    64,    96,    128,   192,
                                       256,   384,  512,  768,   1024,  1536,  2048,  3072,
                                       4096,  6144, 8192, 12288, 16384, 24576, 32768, 49152};
    for (uint32_t code = 0; code < 32; code++)
    {
        EXPECT_EQ(RnrTime(code), MicroSeconds(10 * hundredthsOfMs[code])) << code;
        EXPECT_EQ(RnrTime(AETH_RNR_NAK | code), RnrTime(code)) << "as it stands in the AETH";
    }
}

TEST(RoceRnr, ASendWaitsForAReceive)
{
    VerbsUnderTest test;
    test.ends[1]->PostRecv(test.peerQp, 100);
    for (uint64_t cookie = 0; cookie < 3; cookie++)
    {
        test.PostSend({RoceVerb::SEND, 2500, cookie});
    }
    EngineUnderTest::At(MS, [&test]() { test.ends[1]->PostRecv(test.peerQp, 101); });
    EngineUnderTest::At(MS, [&test]() { test.ends[1]->PostRecv(test.peerQp, 102); });
    test.Run();
    ASSERT_EQ(test.there.size(), 3U);
    for (uint64_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(test.there[i].completion.cookie, i);
        EXPECT_EQ(test.there[i].completion.receiveCookie, 100 + i);
    }
    EXPECT_LT(test.there[0].when, MS / 100);
    // Refused right after the first one and again after 0.64 ms, it comes after 1.28 ms.
    const uint64_t roundTrip = 4 * 500000 + 2 * test.Ser(1062) + 2 * test.Ser(66);
    const auto data = test.Data();
    ASSERT_EQ(data.size(), 3U + 6 + 6 + 6);
    EXPECT_EQ(data[3].psn, 3U);
    EXPECT_EQ(data[9].psn, 3U);
    EXPECT_EQ(data[9].when - data[3].when, 64 * MS / 100 + roundTrip);
    EXPECT_EQ(data[15].when - data[9].when, 64 * MS / 100 + roundTrip);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST(RoceRnr, GivesUpAfterItsRetriesAndFlushesReceives)
{
    for (const uint32_t retries : {0U, 2U})
    {
        NicOptions options;
        options.rnrRetry = retries;
        options.rnrTimer = 1;
        VerbsUnderTest test(options);
        test.ends[1]->PostRecv(test.peerQp, 1);
        test.ends[0]->PostRecv(test.qp, 77);
        test.PostSend({RoceVerb::SEND, 10, 1});
        test.PostSend({RoceVerb::SEND, 10, 2});
        test.PostSend({RoceVerb::WRITE, 10, 3});
        test.Run();
        ASSERT_EQ(test.here.size(), 4U);
        EXPECT_EQ(test.here[0].completion.status, RoceStatus::SUCCESS);
        EXPECT_EQ(test.here[1].completion.status, RoceStatus::RNR_RETRY_EXCEEDED);
        EXPECT_EQ(test.here[2].completion.status, RoceStatus::FLUSHED);
        EXPECT_EQ(test.here[3].completion.status, RoceStatus::FLUSHED);
        EXPECT_TRUE(test.here[3].completion.received);
        EXPECT_EQ(test.here[3].completion.receiveCookie, 77U);
        EXPECT_EQ(test.context->counters.naks, retries + 1);
        test.PostSend({RoceVerb::READ, 10, 4});
        test.ends[0]->PostRecv(test.qp, 78);
        ASSERT_EQ(test.here.size(), 6U) << "at once";
        EXPECT_EQ(test.here[4].completion.status, RoceStatus::FLUSHED);
        EXPECT_EQ(test.here[5].completion.receiveCookie, 78U);
    }
}

TEST(RoceRnr, SevenRetriesAreNoLimit)
{
    NicOptions options;
    options.rnrTimer = 1;
    options.retryCount = 0;
    VerbsUnderTest test(options);
    test.ends[1]->PostRecv(test.peerQp, 1);
    test.PostSend({RoceVerb::SEND, 10, 1});
    test.PostSend({RoceVerb::SEND, 10, 2});
    EngineUnderTest::At(MS, [&test]() { test.ends[1]->PostRecv(test.peerQp, 2); });
    test.Run();
    EXPECT_EQ(test.here.size(), 2U);
    EXPECT_EQ(test.here[1].completion.status, RoceStatus::SUCCESS);
    EXPECT_GT(test.context->counters.naks, 50U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST(RoceRnr, WritesAndReadsNeedNoReceive)
{
    VerbsUnderTest test;
    test.ends[1]->PostRecv(test.peerQp, 7);
    test.PostSend({RoceVerb::WRITE, 2500, 1});
    test.PostSend({RoceVerb::READ, 2500, 2});
    test.PostSend({RoceVerb::WRITE, 2500, 3, 0, true, 9});
    test.Run();
    EXPECT_EQ(test.here.size(), 3U);
    ASSERT_EQ(test.there.size(), 1U);
    EXPECT_EQ(test.there[0].completion.receiveCookie, 7U);
    EXPECT_EQ(test.context->counters.naks, 0U);
}

TEST(RoceRnr, ImmediateDataOfAWriteWaitsForAReceive)
{
    VerbsUnderTest test;
    test.ends[1]->PostRecv(test.peerQp, 1);
    test.PostSend({RoceVerb::SEND, 10, 1});
    test.PostSend({RoceVerb::WRITE, 2500, 2, 0, true, 9});
    EngineUnderTest::At(MS / 10, [&test]() { test.ends[1]->PostRecv(test.peerQp, 2); });
    test.Run();
    ASSERT_EQ(test.there.size(), 2U);
    EXPECT_EQ(test.there[1].completion.immediate, 9U);
    EXPECT_EQ(test.there[1].completion.receiveCookie, 2U);
    const auto acks = test.Acks();
    const auto isRnr = [](const auto& ack) { return ack.aeth == 0x2c000001; };
    EXPECT_EQ(std::count_if(acks.begin(), acks.end(), isRnr), 1) << "code 12, one message so far";
}

} // namespace
