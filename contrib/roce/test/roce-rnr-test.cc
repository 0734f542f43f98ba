/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs-under-test.h"

#include "ns3/roce-rnr-timer.h"
#include "ns3/scoped-defaults.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

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
        EXPECT_EQ(test.here.size(), 4U) << "not within the post";
        const uint64_t posted = EngineUnderTest::Now();
        test.Run();
        ASSERT_EQ(test.here.size(), 6U);
        EXPECT_EQ(test.here[4].when, posted + MS / 1000);
        EXPECT_EQ(test.here[4].completion.status, RoceStatus::FLUSHED);
        EXPECT_EQ(test.here[5].completion.receiveCookie, 78U);
    }
}

/** \ingroup tests \brief Posts again whenever something ends. */
class Reposting
{
  public:
    static constexpr uint64_t POSTS = 200000; //!< that overflow any stack, if each is a call

    /**
     * Runs 200000 posts.
     * \param test both ends
     * \param post posts once
     * \return completions and when the last one was told, ticks
     */
    static std::pair<uint64_t, uint64_t> Run(VerbsUnderTest& test, std::function<void()> post)
    {
        uint64_t told = 0;
        uint64_t last = 0;
        test.ends[0]->SetCompletionCallback(
            Callback<void, const RoceCompletion&>([&](const RoceCompletion& completion) {
                EXPECT_NE(completion.status, RoceStatus::SUCCESS);
                last = EngineUnderTest::Now();
                if (++told < POSTS)
                {
                    post();
                }
            }));
        post();
        test.Run();
        return {told, last};
    }
};

TEST(RoceRnr, WhoPostsAgainAfterEveryRefusalIsToldFromEvents)
{
    std::vector<std::pair<uint64_t, uint64_t>> runs;
    for (const std::string engine : {"fabric", "default"})
    {
        NicOptions options;
        options.engine = engine;
        options.retryCount = 0;
        VerbsUnderTest test(options);
        test.wire->drop = [](FabricPacket&, uint32_t) { return true; };
        uint64_t count = 0;
        runs.push_back(Reposting::Run(test, [&] {
            count++;
            if (count % 2)
            {
                test.PostSend({RoceVerb::SEND, 10, count});
            }
            else
            {
                test.ends[0]->PostRecv(test.qp, count);
            }
        }));
        EXPECT_EQ(runs.back().first, Reposting::POSTS);
        EXPECT_EQ(runs.back().second, test.GetTimeout() + (Reposting::POSTS - 1) * MS / 1000);
    }
    EXPECT_EQ(runs[0], runs[1]);
}

TEST(RoceRnr, WhoPostsAgainWhatIsTooLongIsToldFromEvents)
{
    VerbsUnderTest test;
    const auto read = [&test] { test.PostSend({RoceVerb::READ, (1ULL << 31) + 1, 1}); };
    EXPECT_EQ(Reposting::Run(test, read).first, Reposting::POSTS);
    VerbsUnderTest other;
    const uint32_t ud = other.ends[0]->CreateUdQp();
    const auto datagram = [&] { other.ends[0]->PostSend(ud, {RoceVerb::SEND, 1001, 1}, {1, 2}); };
    EXPECT_EQ(Reposting::Run(other, datagram).first, Reposting::POSTS);
}

TEST(RoceRnr, WhatWasKeptBeforeReceivesCountedUsesNoneUp)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(16));
    for (const char* recovery : {GO_BACK_N, SELECTIVE})
    {
        for (const bool withReceive : {true, false})
        {
            SCOPED_TRACE(recovery);
            NicOptions options;
            options.lossRecovery = recovery;
            options.rnrTimer = 1;
            VerbsUnderTest test(options);
            test.wire->hold = [](const FabricPacket& packet) {
                const bool first = packet.GetClass() == FrameClass::DATA && packet.psn == 0;
                return first ? MS / 100 : 0;
            };
            test.PostSend({RoceVerb::SEND, 10, 0});
            test.PostSend({RoceVerb::SEND, 10, 1});
            test.PostSend({RoceVerb::WRITE, 2500, 2, 0, true, 7});
            test.PostSend({RoceVerb::SEND, 10, 3});
            EngineUnderTest::At(MS / 200, [&] {
                EXPECT_TRUE(test.there.empty());
                test.ends[1]->PostRecv(test.peerQp, 100);
                test.PostSend({RoceVerb::SEND, 10, 4});
            });
            if (withReceive)
            {
                EngineUnderTest::At(MS / 2, [&] { test.ends[1]->PostRecv(test.peerQp, 101); });
            }
            EngineUnderTest::At(MS, [] { Simulator::Stop(); });
            Simulator::Run();
            ASSERT_EQ(test.there.size(), withReceive ? 5U : 4U);
            for (uint64_t i = 0; i < test.there.size(); i++)
            {
                const RoceCompletion& completion = test.there[i].completion;
                EXPECT_EQ(completion.cookie, i) << "in order";
                EXPECT_EQ(completion.receiveCookie, i == 0 ? 100U : (i == 4 ? 101U : 0U));
            }
            EXPECT_GT(test.context->counters.naks, 0U) << "the last one met none";
        }
    }
}

TEST(RoceRnr, AMessageThatBeganBeforeReceivesCountedUsesNoneUp)
{
    VerbsUnderTest test;
    test.PostSend({RoceVerb::SEND, 50000, 0});
    test.PostSend({RoceVerb::SEND, 10, 1});
    EngineUnderTest::At(3000000, [&] { test.ends[1]->PostRecv(test.peerQp, 100); });
    EngineUnderTest::At(MS, [] { Simulator::Stop(); });
    Simulator::Run();
    ASSERT_EQ(test.there.size(), 2U);
    EXPECT_GT(test.there[0].when, 3000000U);
    EXPECT_EQ(test.there[0].completion.receiveCookie, 0U);
    EXPECT_EQ(test.there[1].completion.receiveCookie, 100U);
    EXPECT_EQ(test.context->counters.naks, 0U);
}

/** \ingroup tests \brief Line rate; counts what it is told. */
class TellTaleCongestionControl : public RoceCongestionControl
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId()
    {
        static TypeId tid = TypeId("ns3::TellTaleCongestionControl")
                                .SetParent<RoceCongestionControl>()
                                .SetGroupName("Tests")
                                .AddConstructor<TellTaleCongestionControl>();
        return tid;
    }

    Ptr<RoceCongestionControl> Fork() const override
    {
        return CopyObject(Ptr<const TellTaleCongestionControl>(this));
    }

    CongestionControlNeeds GetNeeds() const override
    {
        CongestionControlNeeds needs;
        needs.ecn = true;
        needs.telemetry = true;
        return needs;
    }

    void Start(const CongestionControlStart& start) override
    {
        m_lineRate = start.lineRateBps;
    }

    void OnAck(const AckEvent& event) override
    {
        acked += event.ackedBytes;
        marked += event.markedBytes;
        instrumented += event.telemetry != nullptr;
        news++;
    }

    void OnLineRate(const LineRateEvent& event) override
    {
        m_lineRate = event.lineRateBps;
    }

    uint64_t GetRateBps(uint64_t) override
    {
        return m_lineRate;
    }

    uint64_t acked{0};        //!< bytes
    uint64_t marked{0};       //!< bytes
    uint32_t instrumented{0}; //!< acknowledgements with telemetry
    uint32_t news{0};         //!< acknowledgements

  private:
    uint64_t m_lineRate{0}; //!< of the port
};

NS_OBJECT_ENSURE_REGISTERED(TellTaleCongestionControl);

TEST(RoceRnr, WhatANakAcknowledgesIsToldToTheCongestionControl)
{
    NicOptions options;
    options.ackInterval = 64;
    options.congestionControl = TellTaleCongestionControl::GetTypeId().GetName();
    VerbsUnderTest test(options);
    test.wire->drop = [](FabricPacket& packet, uint32_t) {
        if (packet.GetClass() == FrameClass::DATA)
        {
            packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        }
        return false;
    };
    test.ends[1]->PostRecv(test.peerQp, 1);
    test.PostSend({RoceVerb::SEND, 10, 0});
    test.PostSend({RoceVerb::WRITE, 4500, 1, 0, true, 7});
    const auto control = [&test] {
        return DynamicCast<TellTaleCongestionControl>(test.nic->GetQueuePair(0).congestionControl);
    };
    EngineUnderTest::At(MS / 10, [&] {
        EXPECT_EQ(test.context->counters.naks, 1U);
        EXPECT_EQ(control()->acked, 4010U) << "all but the packet that was refused";
        EXPECT_EQ(control()->marked, 4510U) << "which came with a mark, too";
        test.ends[1]->PostRecv(test.peerQp, 2);
    });
    test.Run();
    EXPECT_EQ(control()->acked, 4510U);
    EXPECT_EQ(control()->instrumented, control()->news);
    EXPECT_EQ(control()->news, 3U);
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
