/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs-under-test.h"

#include "ns3/scoped-defaults.h"

#include <algorithm>

/**
 * \file
 * READ: numbers, several under way, losses, congestion control.
 */

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

/** \ingroup tests \brief READ with every loss recovery. */
class RoceRead : public testing::TestWithParam<const char*>
{
  protected:
    /** \return options */
    static NicOptions Options()
    {
        NicOptions options;
        options.lossRecovery = GetParam();
        options.firstPsn = PSN_COUNT - 3;
        return options;
    }

    /**
     * Posts a SEND of two packets, a READ of four, a READ of nothing, and a SEND.
     * \param test where
     */
    static void PlayFour(VerbsUnderTest& test)
    {
        test.PostSend({RoceVerb::SEND, 2000, 1});
        test.PostSend({RoceVerb::READ, 3500, 2});
        test.PostSend({RoceVerb::READ, 0, 3});
        test.PostSend({RoceVerb::SEND, 10, 4});
        test.Run();
        ASSERT_EQ(test.here.size(), 4U);
        for (uint64_t i = 0; i < 4; i++)
        {
            EXPECT_EQ(test.here[i].completion.cookie, i + 1) << "in order";
            EXPECT_EQ(test.here[i].completion.status, RoceStatus::SUCCESS);
            EXPECT_EQ(test.here[i].completion.verb,
                      i == 1 || i == 2 ? RoceVerb::READ : RoceVerb::SEND);
        }
        EXPECT_EQ(test.there.size(), 2U) << "who is read from hears nothing";
        EXPECT_EQ(test.context->counters.payloadBytesDelivered, 5510U);
    }

    /** Loses the first frames of a kind. */
    struct Loss
    {
        RoceOpcode opcode; //!< kind
        int count;         //!< how many
        bool timeout;      //!< whether only a timeout can tell of it

        /** \param test whose wire loses */
        void Play(VerbsUnderTest& test)
        {
            test.wire->drop = [this](FabricPacket& packet, uint32_t) {
                const bool lost = packet.opcode == static_cast<uint8_t>(opcode) && count > 0;
                count -= lost;
                return lost;
            };
        }
    };
};

INSTANTIATE_TEST_SUITE_P(Recoveries, RoceRead, testing::Values(GO_BACK_N, SELECTIVE));

TEST_P(RoceRead, TakesTheNumbersOfItsResponse)
{
    NicOptions options = Options();
    options.maxReads = 1;
    VerbsUnderTest test(options);
    PlayFour(test);
    EXPECT_EQ(test.GetOpcodes(),
              (VerbsUnderTest::Opcodes{{RoceOpcode::SEND_FIRST, PSN_COUNT - 3},
                                       {RoceOpcode::SEND_LAST, PSN_COUNT - 2},
                                       {RoceOpcode::READ_REQUEST, PSN_COUNT - 1},
                                       {RoceOpcode::READ_RESPONSE_FIRST, PSN_COUNT - 1},
                                       {RoceOpcode::READ_RESPONSE_MIDDLE, 0},
                                       {RoceOpcode::READ_RESPONSE_MIDDLE, 1},
                                       {RoceOpcode::READ_RESPONSE_LAST, 2},
                                       {RoceOpcode::READ_REQUEST, 3},
                                       {RoceOpcode::READ_RESPONSE_ONLY, 3},
                                       {RoceOpcode::SEND_ONLY, 4}}));
}

TEST_P(RoceRead, ResponsesTellTheMessageNumberOfTheirRequest)
{
    VerbsUnderTest test(Options());
    PlayFour(test);
    EXPECT_EQ(test.GetOpcodes(0),
              (VerbsUnderTest::Opcodes{{RoceOpcode::SEND_FIRST, PSN_COUNT - 3},
                                       {RoceOpcode::SEND_LAST, PSN_COUNT - 2},
                                       {RoceOpcode::READ_REQUEST, PSN_COUNT - 1},
                                       {RoceOpcode::READ_REQUEST, 3},
                                       {RoceOpcode::SEND_ONLY, 4}}));
    std::vector<std::pair<RoceOpcode, uint32_t>> aeths;
    for (const auto& frame : test.wire->Select(1, FrameClass::DATA))
    {
        aeths.emplace_back(frame.opcode, frame.aeth);
    }
    EXPECT_EQ(aeths,
              (std::vector<std::pair<RoceOpcode, uint32_t>>{
                  {RoceOpcode::READ_RESPONSE_FIRST, 0x1f000002},
                  {RoceOpcode::READ_RESPONSE_MIDDLE, 0x1f000002}, // has no AETH on the wire
                  {RoceOpcode::READ_RESPONSE_MIDDLE, 0x1f000002},
                  {RoceOpcode::READ_RESPONSE_LAST, 0x1f000002},
                  {RoceOpcode::READ_RESPONSE_ONLY, 0x1f000003}}));
}

TEST_P(RoceRead, AsManyAreUnderWayAsAllowed)
{
    for (const uint32_t limit : {1U, 4U, 16U})
    {
        SCOPED_TRACE(limit);
        NicOptions options = Options();
        options.maxReads = limit;
        VerbsUnderTest test(options);
        for (uint64_t cookie = 0; cookie < 10; cookie++)
        {
            test.PostSend({RoceVerb::READ, 1000, cookie});
        }
        test.Run();
        uint32_t underWay = 0;
        uint32_t most = 0;
        for (const auto& frame : test.wire->frames)
        {
            underWay += frame.opcode == RoceOpcode::READ_REQUEST;
            underWay -= frame.opcode == RoceOpcode::READ_RESPONSE_ONLY;
            most = std::max(most, underWay);
        }
        EXPECT_EQ(most, std::min(limit, 10U));
        // A request takes two links, so does its response, of 1066 bytes.
        const uint64_t roundTrip = 2 * test.Ser(78) + 2 * test.Ser(1066) + 4 * US / 2;
        ASSERT_EQ(test.here.size(), 10U);
        for (uint64_t i = 0; i < 10; i++)
        {
            const uint64_t queued = limit == 1 ? i * roundTrip : i % 4 * test.Ser(1066);
            const uint64_t rounds = limit == 4 ? i / 4 * roundTrip : 0;
            const uint64_t expected = limit == 16 ? i * test.Ser(1066) : queued + rounds;
            EXPECT_EQ(test.here[i].when, roundTrip + expected);
        }
    }
}

TEST_P(RoceRead, IsRepeatedWhereverItIsLost)
{
    const Loss losses[] = {
        {RoceOpcode::READ_REQUEST, 1, false},
        {RoceOpcode::READ_REQUEST, 2, true},
        {RoceOpcode::READ_REQUEST, 4, true},
        {RoceOpcode::READ_RESPONSE_FIRST, 1, false},
        {RoceOpcode::READ_RESPONSE_MIDDLE, 1, false},
        {RoceOpcode::READ_RESPONSE_MIDDLE, 5, false},
        {RoceOpcode::READ_RESPONSE_LAST, 1, false},
        {RoceOpcode::READ_RESPONSE_ONLY, 1, true},
        {RoceOpcode::READ_RESPONSE_ONLY, 2, true},
    };
    for (Loss loss : losses)
    {
        SCOPED_TRACE(static_cast<int>(loss.opcode) * 100 + loss.count);
        VerbsUnderTest test(Options());
        loss.Play(test);
        test.PostSend({RoceVerb::READ, 50000, 1});
        test.PostSend({RoceVerb::READ, 1000, 2});
        test.PostSend({RoceVerb::WRITE, 5000, 3});
        test.Run();
        EXPECT_EQ(loss.count, 0);
        using Ends = std::vector<std::pair<uint64_t, RoceStatus>>;
        EXPECT_EQ(
            test.GetEnds(),
            (Ends{{1, RoceStatus::SUCCESS}, {2, RoceStatus::SUCCESS}, {3, RoceStatus::SUCCESS}}));
        EXPECT_EQ(test.context->counters.payloadBytesDelivered, 56000U) << "every byte once";
        EXPECT_EQ(test.context->counters.timeouts > 0, loss.timeout);
    }
}

TEST_P(RoceRead, OnlyWhatIsMissingIsAskedForAgain)
{
    VerbsUnderTest test(Options());
    bool done = false;
    test.wire->drop = [&done](FabricPacket& packet, uint32_t from) {
        const bool lost = from == 1 && packet.psn == 10 && !done;
        done = done || lost;
        return lost;
    };
    test.PostSend({RoceVerb::READ, 200000, 1});
    test.Run();
    ASSERT_EQ(test.here.size(), 1U);
    const auto requests = test.GetOpcodes(0);
    ASSERT_EQ(requests.size(), 2U);
    EXPECT_EQ(requests[1].second, 10U);
    const size_t responses = test.wire->Select(1, FrameClass::DATA).size();
    if (GetParam() == SELECTIVE)
    {
        EXPECT_EQ(responses, 201U);
    }
    else
    {
        EXPECT_GT(responses, 220U) << "all that follows again";
    }
    EXPECT_EQ(test.context->counters.retransmittedPackets, responses - 200 + 1);
}

TEST_P(RoceRead, ALostRequestIsToldByANak)
{
    VerbsUnderTest test(Options());
    Loss loss{RoceOpcode::READ_REQUEST, 1, false};
    loss.Play(test);
    test.PostSend({RoceVerb::READ, 1500, 1});
    test.PostSend({RoceVerb::READ, 1500, 2});
    test.PostSend({RoceVerb::READ, 1500, 3});
    test.Run();
    const auto acks = test.Acks();
    ASSERT_EQ(acks.size(), 1U) << "one NAK for the gap";
    EXPECT_EQ(acks[0].psn, PSN_COUNT - 3);
    EXPECT_EQ(acks[0].aeth, 0x60000000U);
    EXPECT_EQ(test.here.size(), 3U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST_P(RoceRead, ARequestMayOvertakeAnother)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::LossRecovery::ReorderWindow", UintegerValue(16));
    VerbsUnderTest test(Options());
    test.wire->hold = [](const FabricPacket& packet) {
        return packet.opcode == static_cast<uint8_t>(RoceOpcode::READ_REQUEST) &&
                       packet.psn == PSN_COUNT - 3
                   ? 3 * US
                   : 0;
    };
    test.PostSend({RoceVerb::READ, 1500, 1});
    test.PostSend({RoceVerb::READ, 2500, 2});
    test.Run();
    EXPECT_EQ(test.here.size(), 2U);
    EXPECT_EQ(test.context->counters.naks, 0U);
    EXPECT_EQ(test.context->counters.retransmittedPackets, 0U);
    EXPECT_EQ(test.GetOpcodes(1).size(), 5U);
}

TEST_P(RoceRead, GivesUpAfterItsRetries)
{
    NicOptions options = Options();
    options.retryCount = 2;
    VerbsUnderTest test(options);
    test.wire->drop = [](FabricPacket&, uint32_t from) { return from == 1; };
    test.PostSend({RoceVerb::READ, 1500, 1});
    test.PostSend({RoceVerb::READ, 1500, 2});
    test.PostSend({RoceVerb::SEND, 1500, 3});
    test.Run();
    using Ends = std::vector<std::pair<uint64_t, RoceStatus>>;
    EXPECT_EQ(test.GetEnds(),
              (Ends{{1, RoceStatus::RETRY_EXCEEDED},
                    {2, RoceStatus::FLUSHED},
                    {3, RoceStatus::FLUSHED}}));
    EXPECT_EQ(test.context->counters.timeouts, 3U);
}

TEST_P(RoceRead, ARequestThatWaitsIsNotLostAgain)
{
    NicOptions options = Options();
    options.retryCount = 2;
    VerbsUnderTest test(options);
    Loss loss{RoceOpcode::READ_RESPONSE_LAST, 1, true};
    loss.Play(test);
    test.PostSend({RoceVerb::READ, 1500, 1});
    EngineUnderTest::At(10 * US, [&test] {
        test.nic->GetPort(0).Pause(3, 2000 * US, EngineUnderTest::Now()); // 30 timeouts
    });
    test.Run();
    using Ends = std::vector<std::pair<uint64_t, RoceStatus>>;
    EXPECT_EQ(test.GetEnds(), (Ends{{1, RoceStatus::SUCCESS}}));
    EXPECT_EQ(test.context->counters.timeouts, 1U);
    EXPECT_GT(test.here[0].when, 2000 * US);
}

TEST(RoceReadLength, TooLongIsRefused)
{
    NicOptions options;
    options.mtuBytes = 256;
    VerbsUnderTest test(options);
    test.PostSend({RoceVerb::READ, (1ULL << 31) + 1, 1});
    test.PostSend({RoceVerb::READ, (1ULL << 30) + 1, 2});
    test.PostSend({RoceVerb::READ, 1000, 3});
    EXPECT_TRUE(test.here.empty()) << "not within the post";
    test.Run();
    using Ends = std::vector<std::pair<uint64_t, RoceStatus>>;
    EXPECT_EQ(test.GetEnds(),
              (Ends{{1, RoceStatus::LENGTH_ERROR},
                    {2, RoceStatus::LENGTH_ERROR},
                    {3, RoceStatus::SUCCESS}}))
        << "the queue pair goes on";
}

TEST_P(RoceRead, ResponsesObeyTheRespondersRate)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedCongestionControl::Rate", UintegerValue(10000000000));
    NicOptions options = Options();
    options.congestionControl = "ns3::FixedCongestionControl";
    VerbsUnderTest test(options);
    test.PostSend({RoceVerb::READ, 1000000, 1});
    test.Run();
    ASSERT_EQ(test.here.size(), 1U);
    const auto responses = test.wire->Select(1, FrameClass::DATA);
    ASSERT_EQ(responses.size(), 1000U);
    EXPECT_EQ(responses[501].when - responses[500].when, 10 * test.Ser(1062));
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST_P(RoceRead, MarkedResponsesAreToldToTheResponder)
{
    NicOptions options = Options();
    options.congestionControl = "ns3::DcqcnCongestionControl";
    VerbsUnderTest test(options);
    test.wire->drop = [](FabricPacket& packet, uint32_t from) {
        if (from == 1 && packet.GetClass() == FrameClass::DATA)
        {
            EXPECT_EQ(packet.ecn, static_cast<uint8_t>(EcnCodepoint::ECT0));
            packet.ecn = static_cast<uint8_t>(EcnCodepoint::CE);
        }
        return false;
    };
    test.PostSend({RoceVerb::READ, 2000000, 1});
    EngineUnderTest::At(60 * US, [] { Simulator::Stop(); });
    Simulator::Run();
    const auto cnps = test.wire->Select(0, FrameClass::CONTROL);
    ASSERT_EQ(cnps.size(), 2U) << "at once, and after 50 us";
    EXPECT_EQ(cnps[0].opcode, RoceOpcode::CNP);
    // The request, the first response, both over two links, then over one.
    EXPECT_EQ(cnps[0].when, 2 * test.Ser(78) + 2 * test.Ser(1066) + 2 * US + test.Ser(78) + US / 2);
    EXPECT_TRUE(test.wire->Select(1, FrameClass::CONTROL).empty());
    const auto rateOf = [](Ptr<RoceNicDevice> nic) {
        return nic->GetQueuePair(0).congestionControl->GetRateBps(EngineUnderTest::Now());
    };
    EXPECT_EQ(rateOf(test.nic), test.nic->GetPort(0).GetLink().rateBps);
    EXPECT_LT(rateOf(test.peer), test.nic->GetPort(0).GetLink().rateBps / 2);
    const auto responses = test.wire->Select(1, FrameClass::DATA);
    EXPECT_GT(responses.back().when - responses[responses.size() - 2].when, 2 * test.Ser(1062));
}

TEST_P(RoceRead, ResponsesTakeTurnsWithTheRespondersOwnMessages)
{
    VerbsUnderTest test(Options());
    test.PostSend({RoceVerb::READ, 200000, 1});
    EngineUnderTest::At(5 * US, [&test] {
        test.ends[1]->PostSend(test.peerQp, {RoceVerb::WRITE, 50000, 9});
    });
    test.Run();
    const auto frames = test.wire->Select(1, FrameClass::DATA);
    ASSERT_EQ(frames.size(), 250U);
    const auto isWrite = [](const auto& frame) { return frame.opcode < RoceOpcode::READ_REQUEST; };
    const auto first = std::find_if(frames.begin(), frames.end(), isWrite);
    ASSERT_GT(frames.end() - first, 100);
    EXPECT_EQ(std::count_if(first, first + 99, isWrite), 50) << "every other one";
    ASSERT_EQ(test.there.size(), 1U);
    EXPECT_LT(test.there[0].when, test.here[0].when);
}

} // namespace
