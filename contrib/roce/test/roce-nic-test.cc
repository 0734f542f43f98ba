/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nic-under-test.h"

#include "ns3/config.h"
#include "ns3/roce-psn.h"

#include <algorithm>
#include <map>

using namespace ns3;

namespace
{

constexpr uint64_t US = 1000000; //!< ticks

using Frames = std::vector<TamperedWire::Frame>; //!< what passed the wire

/** \ingroup tests \brief Defaults of FixedCongestionControl that end with the scope. */
class FixedDefaults
{
  public:
    /** \param values attribute values by name */
    explicit FixedDefaults(const std::map<std::string, uint64_t>& values)
    {
        for (const auto& [name, value] : values)
        {
            Config::SetDefault("ns3::FixedCongestionControl::" + name, UintegerValue(value));
        }
    }

    ~FixedDefaults()
    {
        for (const char* name : {"Rate", "WindowAfterAck", "BurstBytes"})
        {
            Config::SetDefault(std::string("ns3::FixedCongestionControl::") + name,
                               UintegerValue(0));
        }
        Config::SetDefault("ns3::FixedCongestionControl::Window",
                           UintegerValue(RoceCongestionControl::UNLIMITED));
    }
};

/** \return options of a NIC with FixedCongestionControl \param ackInterval packets */
NicOptions
Fixed(uint32_t ackInterval = 1)
{
    NicOptions options;
    options.congestionControl = "ns3::FixedCongestionControl";
    options.ackInterval = ackInterval;
    return options;
}

TEST(RoceNic, MessagesArriveWholeAndExactlyInTime)
{
    for (const RoceVerb verb : {RoceVerb::SEND, RoceVerb::WRITE})
    {
        for (const uint64_t bytes : {0, 1, 999, 1000, 1001, 2500})
        {
            NicUnderTest test;
            test.Post(bytes, verb, 77);
            test.Run();
            const Frames data = test.Data();
            ASSERT_EQ(data.size(), bytes == 0 ? 1 : (bytes + 999) / 1000);
            uint64_t wireBytes = 0;
            uint64_t payload = 0;
            for (size_t i = 0; i < data.size(); i++)
            {
                const uint32_t reth = verb == RoceVerb::WRITE && i == 0 ? 16 : 0;
                const uint32_t padded = (data[i].payloadBytes + 3) / 4 * 4;
                EXPECT_EQ(data[i].frameBytes, std::max(64U, 62 + reth + padded));
                wireBytes += data[i].frameBytes;
                payload += data[i].payloadBytes;
                EXPECT_EQ(data[i].when, test.Ser(wireBytes) + US / 2);
            }
            EXPECT_EQ(payload, bytes);
            ASSERT_EQ(test.receiver.arrived.size(), 1U);
            const NotedCompletion& arrived = test.receiver.arrived[0];
            EXPECT_EQ(arrived.completion.bytes, bytes);
            EXPECT_EQ(arrived.completion.cookie, 77U);
            EXPECT_EQ(arrived.completion.localRank, 1U);
            EXPECT_EQ(arrived.completion.peerRank, 0U);
            if (data.size() == 1)
            {
                EXPECT_EQ(arrived.when, 2 * test.Ser(wireBytes) + US);
            }
            ASSERT_EQ(test.sender.acknowledged.size(), 1U);
            EXPECT_EQ(test.sender.acknowledged[0].when, arrived.when + 2 * test.Ser(66) + US);
            EXPECT_EQ(test.sender.acknowledged[0].completion.cookie, 77U);
        }
    }
}

TEST(RoceNic, MessagesOfAQueuePairStayInOrder)
{
    NicUnderTest test;
    for (uint64_t cookie = 0; cookie < 50; cookie++)
    {
        test.Post(cookie * 137 % 4000, RoceVerb::WRITE, cookie);
    }
    test.Run();
    ASSERT_EQ(test.receiver.arrived.size(), 50U);
    for (uint64_t cookie = 0; cookie < 50; cookie++)
    {
        EXPECT_EQ(test.receiver.arrived[cookie].completion.cookie, cookie);
        EXPECT_EQ(test.sender.acknowledged[cookie].completion.cookie, cookie);
    }
    // Packets follow each other without a gap, messages included.
    const Frames data = test.Data();
    uint64_t bytes = 0;
    for (const auto& frame : data)
    {
        bytes += frame.frameBytes;
        EXPECT_EQ(frame.when, test.Ser(bytes) + US / 2);
    }
}

TEST(RoceNic, AcknowledgementsAreCoalesced)
{
    for (const auto& [interval, acks] :
         std::map<uint32_t, size_t>{{1, 100}, {4, 25}, {64, 2}, {1 << 22, 1}})
    {
        NicOptions options;
        options.ackInterval = interval;
        NicUnderTest test(options);
        test.Post(100000);
        test.Run();
        EXPECT_EQ(test.Acks().size(), acks);
        EXPECT_EQ(test.Acks().back().psn, 99U);
        EXPECT_EQ(test.context->counters.timeouts, 0U);
        EXPECT_EQ(test.sender.acknowledged.size(), 1U);
    }
}

TEST(RoceNic, OneNakPerGapAndGoBackN)
{
    NicUnderTest test;
    int drops = 0;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        return from == 0 && packet.psn == 5 && drops++ == 0;
    };
    test.Post(40000);
    test.Run();
    Frames naks = test.Acks();
    naks.erase(std::remove_if(naks.begin(), naks.end(), [](const auto& f) { return !f.nak; }),
               naks.end());
    ASSERT_EQ(naks.size(), 1U);
    EXPECT_EQ(naks[0].psn, 5U);
    EXPECT_EQ(test.context->counters.naks, 1U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 40000U);
    // After the NAK everything from 5 on comes again, once.
    const Frames data = test.Data();
    const auto back =
        std::adjacent_find(data.begin(), data.end(), [](const auto& a, const auto& b) {
            return b.psn <= a.psn;
        });
    ASSERT_NE(back, data.end());
    for (uint32_t i = 0; i < 35; i++)
    {
        ASSERT_EQ((back + 1 + i)->psn, 5 + i);
    }
    EXPECT_EQ(back + 36, data.end());
    EXPECT_EQ(test.context->counters.retransmittedPackets, back->psn + 1U - 5);
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
}

TEST(RoceNic, LostLastPacketIsRepairedByTimeout)
{
    for (const uint32_t interval : {1U, 64U})
    {
        NicOptions options;
        options.ackInterval = interval;
        NicUnderTest test(options);
        int drops = 0;
        test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
            return from == 0 && packet.psn == 9 && drops++ == 0;
        };
        test.Post(10000);
        test.Run();
        EXPECT_EQ(test.context->counters.timeouts, 1U);
        EXPECT_EQ(test.context->counters.naks, 0U);
        ASSERT_EQ(test.receiver.arrived.size(), 1U);
        // The timer runs from the last progress: the ACK of packet 8, or the first packet sent.
        const uint64_t ack8 = test.Ser(9 * 1062) + test.Ser(1062) + US + 2 * test.Ser(66) + US;
        const uint64_t expiry = (interval == 1 ? ack8 : 0) + test.GetTimeout();
        const uint64_t again = interval == 1 ? 1 : 10; // packets sent again, the last one counts
        EXPECT_EQ(test.context->counters.retransmittedPackets, again);
        EXPECT_EQ(test.receiver.arrived[0].when, expiry + test.Ser((again + 1) * 1062) + US);
    }
}

TEST(RoceNic, LostAcknowledgementIsRepeatedForDuplicates)
{
    NicOptions options;
    options.ackInterval = 64;
    NicUnderTest test(options);
    int drops = 0;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) { return from == 1 && drops++ < 2; };
    test.Post(10000);
    test.Run();
    EXPECT_EQ(test.context->counters.timeouts, 2U);
    EXPECT_EQ(test.receiver.arrived.size(), 1U) << "told once";
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 10000U);
    EXPECT_EQ(test.sender.acknowledged.size(), 1U);
    EXPECT_EQ(test.Acks().size(), 3U);
}

TEST(RoceNic, LostNakIsRepairedByTimeout)
{
    NicUnderTest test;
    bool lostData = false;
    bool lostNak = false;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        if (from == 0 && packet.psn == 3 && !lostData)
        {
            lostData = true;
            return true;
        }
        if (from == 1 && packet.aeth >> 24 == AETH_NAK_SEQUENCE && !lostNak)
        {
            lostNak = true;
            return true;
        }
        return false;
    };
    test.Post(10000);
    test.Run();
    EXPECT_TRUE(lostNak);
    EXPECT_EQ(test.context->counters.timeouts, 1U);
    EXPECT_EQ(test.context->counters.naks, 1U) << "one per gap";
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.sender.acknowledged.size(), 1U);
}

TEST(RoceNic, APacketLostTwiceIsRepairedByTimeout)
{
    NicUnderTest test;
    int drops = 0;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        return from == 0 && packet.psn == 3 && drops++ < 2;
    };
    test.Post(10000);
    test.Run();
    EXPECT_EQ(test.context->counters.timeouts, 1U);
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 10000U);
}

TEST(RoceNic, GivesUpAfterItsRetries)
{
    for (const uint32_t retries : {0U, 3U, 7U})
    {
        NicOptions options;
        options.retryCount = retries;
        NicUnderTest test(options);
        test.wire->drop = [](FabricPacket&, uint32_t from) { return from == 0; };
        test.Post(3000);
        test.Run();
        ASSERT_EQ(test.sender.failed.size(), 1U);
        EXPECT_EQ(test.sender.failed[0], (retries + 1) * test.GetTimeout());
        EXPECT_EQ(test.context->counters.timeouts, retries + 1);
        EXPECT_EQ(test.Data().size(), 3U * (retries + 1));
        EXPECT_TRUE(test.Qp().failed);
        EXPECT_TRUE(test.sender.acknowledged.empty());
        test.Post(1000); // is never sent
        test.Run();
        EXPECT_EQ(test.sender.failed.size(), 1U);
        EXPECT_EQ(test.Data().size(), 3U * (retries + 1));
    }
}

TEST(RoceNic, AFailedQueuePairStaysFailed)
{
    // The only ACK that gets through comes after the last timeout.
    NicOptions options;
    options.retryCount = 1;
    options.delay = 100 * US; // round trip of 400 us, timeout 65.5 us
    NicUnderTest test(options);
    test.Post(1000);
    test.Run();
    EXPECT_EQ(test.sender.failed.size(), 1U);
    EXPECT_TRUE(test.sender.acknowledged.empty());
    EXPECT_EQ(test.context->counters.timeouts, 2U);
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
}

TEST(RoceNic, ProgressWithoutBytesRestoresTheRetries)
{
    // Every message of 0 bytes needs a retry: 20 of them in all, never two in a row.
    NicOptions options;
    options.retryCount = 2;
    NicUnderTest test(options);
    std::map<uint32_t, int> seen;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        return from == 0 && seen[packet.psn]++ == 0;
    };
    for (int i = 0; i < 20; i++)
    {
        EngineUnderTest::At(i * 2 * test.GetTimeout(), [&] { test.Post(0); });
    }
    test.Run();
    EXPECT_TRUE(test.sender.failed.empty());
    EXPECT_EQ(test.context->counters.timeouts, 20U);
    EXPECT_EQ(test.receiver.arrived.size(), 20U);
}

TEST(RoceNic, PsnWrapsOnTheWire)
{
    NicOptions options;
    options.firstPsn = PSN_COUNT - 20;
    options.ackInterval = 4;
    NicUnderTest test(options);
    std::map<uint32_t, int> seen;
    test.wire->drop = [&](FabricPacket& packet, uint32_t from) {
        const bool lossy = packet.psn == PSN_COUNT - 1 || packet.psn == 0 || packet.psn == 7;
        return from == 0 && lossy && seen[packet.psn]++ == 0;
    };
    test.Post(50000);
    test.Run();
    const Frames data = test.Data();
    EXPECT_EQ(data.front().psn, PSN_COUNT - 20);
    EXPECT_EQ(data.back().psn, 29U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 50000U);
    EXPECT_GE(test.context->counters.naks, 1U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
    EXPECT_EQ(test.sender.acknowledged.size(), 1U);
}

TEST(RoceNic, AttributesHoldForQueuePairsCreatedLater)
{
    NicUnderTest test; // ports are there, queue pairs are not
    test.nic->SetAttribute("AckTimeoutExponent", UintegerValue(6));
    test.nic->SetAttribute("RetryCount", UintegerValue(0));
    test.wire->drop = [](FabricPacket&, uint32_t) { return true; };
    test.Post(1000);
    test.Run();
    EXPECT_EQ(test.sender.failed, (std::vector<uint64_t>{4096000ULL << 6}));
}

TEST(RoceNic, QueuePairsKeepTheAttributesOfTheirCreation)
{
    NicUnderTest test;
    RoceQueuePair& before = test.AddQueuePair();
    test.nic->SetAttribute("AckTimeoutExponent", UintegerValue(6));
    test.nic->SetAttribute("RetryCount", UintegerValue(0));
    test.nic->SetAttribute("Priority", UintegerValue(5));
    test.nic->SetAttribute("MtuBytes", UintegerValue(500));
    RoceQueuePair& after = test.AddQueuePair();
    test.wire->drop = [](FabricPacket&, uint32_t) { return true; };
    test.nic->Post(before, {RoceVerb::SEND, 1000, 1, 0});
    test.nic->Post(after, {RoceVerb::SEND, 1000, 2, 0});
    test.Run();
    ASSERT_EQ(test.sender.lost.size(), 2U);
    EXPECT_EQ(test.sender.lost[0].completion.cookie, 2U);
    EXPECT_EQ(test.sender.lost[0].when, test.Ser(1062) + (4096000ULL << 6));
    EXPECT_EQ(test.sender.lost[1].completion.cookie, 1U);
    EXPECT_EQ(test.sender.lost[1].when, 8 * test.GetTimeout());
    const Frames data = test.Data();
    ASSERT_EQ(data.size(), 8U + 2U);
    EXPECT_EQ(data[0].priority, 3U);
    EXPECT_EQ(data[0].payloadBytes, 1000U);
    EXPECT_EQ(data[1].priority, 5U);
    EXPECT_EQ(data[1].payloadBytes, 500U);
}

TEST(RoceNic, EveryMessageOfAFailedQueuePairEnds)
{
    NicOptions options;
    options.retryCount = 1;
    NicUnderTest test(options);
    test.wire->drop = [](FabricPacket&, uint32_t from) { return from == 0; };
    for (uint64_t cookie = 0; cookie < 3; cookie++)
    {
        test.Post(3000, RoceVerb::SEND, cookie);
    }
    test.Run();
    test.Post(77, RoceVerb::SEND, 3);
    EXPECT_EQ(test.sender.lost.size(), 3U) << "not within Post()";
    test.Run();
    ASSERT_EQ(test.sender.lost.size(), 4U);
    for (uint64_t cookie = 0; cookie < 4; cookie++)
    {
        const RoceCompletion& lost = test.sender.lost[cookie].completion;
        EXPECT_EQ(lost.cookie, cookie);
        EXPECT_EQ(lost.bytes, cookie < 3 ? 3000U : 77U);
        EXPECT_EQ(lost.status, cookie ? RoceStatus::FLUSHED : RoceStatus::RETRY_EXCEEDED);
    }
    // In error it hears nothing: the peer gives up, too.
    test.peer->Post(test.peer->FindQueuePair(test.Qp().peerNumber), {RoceVerb::SEND, 1, 9, 0});
    test.Run();
    EXPECT_EQ(test.receiver.lost.size(), 1U);
    EXPECT_TRUE(test.sender.arrived.empty());
}

TEST(RoceNic, WindowAndAckIntervalNeverDeadlock)
{
    for (const uint64_t window : {1, 999, 1000, 1001, 2500, 64000})
    {
        for (const uint64_t windowAfterAck : {0, 1, 1500})
        {
            for (const uint32_t interval : {1U, 7U, 1U << 22})
            {
                const FixedDefaults defaults(
                    {{"Window", window}, {"WindowAfterAck", windowAfterAck}});
                NicUnderTest test(Fixed(interval));
                test.Post(200000);
                test.Post(10, RoceVerb::WRITE);
                test.Run();
                ASSERT_EQ(test.sender.acknowledged.size(), 2U);
                ASSERT_EQ(test.context->counters.timeouts, 0U)
                    << "window " << window << " then " << windowAfterAck << ", interval "
                    << interval;
                ASSERT_EQ(test.context->counters.retransmittedPackets, 0U);
            }
        }
    }
}

TEST(RoceNic, WindowBoundsWhatIsOutstanding)
{
    const FixedDefaults defaults({{"Window", 5000}});
    NicUnderTest test(Fixed());
    test.Post(100000);
    test.Run();
    // Five packets per round trip.
    const uint64_t roundTrip = 2 * (test.Ser(1062) + test.Ser(66)) + 2 * US;
    const Frames data = test.Data();
    for (size_t i = 5; i < data.size(); i++)
    {
        EXPECT_EQ(data[i].when - data[i - 5].when, roundTrip);
    }
}

TEST(RoceNic, PacingIsExact)
{
    const FixedDefaults defaults({{"Rate", 7000000000}});
    NicUnderTest test(Fixed());
    test.Post(30000);
    test.Run();
    const Frames data = test.Data();
    const uint64_t spacing = (1062ULL * 8 * 1000000000000 + 6999999999) / 7000000000;
    for (size_t i = 0; i < data.size(); i++)
    {
        EXPECT_EQ(data[i].when, i * spacing + test.Ser(1062) + US / 2);
    }
}

TEST(RoceNic, BurstsArePacedAndKeepTheirRateAfterAPause)
{
    // 4 packets per burst at line rate, bursts at 10 Gb/s.
    const FixedDefaults defaults({{"Rate", 10000000000}, {"BurstBytes", 4 * 1062}});
    NicUnderTest test(Fixed());
    const uint64_t spacing = 4 * 10 * test.Ser(1062);
    test.Post(10000); // two and a half bursts
    EngineUnderTest::At(100 * US, [&] { test.Post(12000); });
    test.Run();
    const Frames data = test.Data();
    ASSERT_EQ(data.size(), 22U);
    for (size_t i = 0; i < 10; i++)
    {
        EXPECT_EQ(data[i].when, i / 4 * spacing + (i % 4 + 1) * test.Ser(1062) + US / 2);
    }
    // The half burst is long over: no credit is left of it.
    for (size_t i = 10; i < 22; i++)
    {
        const size_t k = i - 10;
        EXPECT_EQ(data[i].when, 100 * US + k / 4 * spacing + (k % 4 + 1) * test.Ser(1062) + US / 2);
    }
}

TEST(RoceNic, QueuePairsTakeTurnsPacketByPacket)
{
    NicUnderTest test;
    constexpr uint32_t QPS = 5;
    for (uint32_t i = 0; i < QPS; i++)
    {
        test.AddQueuePair();
    }
    for (uint32_t i = 0; i < QPS; i++)
    {
        test.nic->Post(test.nic->GetQueuePair(i), {RoceVerb::SEND, 20000, i, 0});
    }
    test.Run();
    // The first packet of queue pair 0 leaves at once; from then on they take turns: its last one
    // is the first of round 19 behind it, those of the others fill round 20.
    ASSERT_EQ(test.receiver.arrived.size(), QPS);
    const std::vector<uint64_t> places = {1 + 18 * QPS + 1, 97, 98, 99, 100};
    for (uint32_t i = 0; i < QPS; i++)
    {
        EXPECT_EQ(test.receiver.arrived[i].completion.cookie, i);
        EXPECT_EQ(test.receiver.arrived[i].when, test.Ser(1062 * (places[i] + 1)) + US);
    }
}

TEST(RoceNic, PacedQueuePairLeavesTheRestToOthers)
{
    // One queue pair at 10 Gb/s; another one at line rate fills what is left.
    NicUnderTest test;
    test.AddQueuePair();
    const FixedDefaults defaults({{"Rate", 10000000000}});
    test.nic->SetAttribute("CongestionControl", TypeIdValue(FixedCongestionControl::GetTypeId()));
    test.AddQueuePair();
    test.nic->Post(test.nic->GetQueuePair(0), {RoceVerb::SEND, 1000000, 0, 0});
    test.nic->Post(test.nic->GetQueuePair(1), {RoceVerb::SEND, 100000, 1, 0});
    test.Run();
    ASSERT_EQ(test.receiver.arrived.size(), 2U);
    std::map<uint64_t, uint64_t> ends;
    for (const auto& note : test.receiver.arrived)
    {
        ends[note.completion.cookie] = note.when;
    }
    EXPECT_EQ(ends[0], test.Ser(1062 * 1101) + US) << "1,100 packets without a gap";
    // Each paced packet may wait for one of the other queue pair.
    EXPECT_GE(ends[1], 99 * 10 * test.Ser(1062) + 2 * test.Ser(1062) + US);
    EXPECT_LE(ends[1], 99 * 11 * test.Ser(1062) + 4 * test.Ser(1062) + US);
}

TEST(RoceNic, PausedClassHoldsDataUntilItIsResumed)
{
    NicUnderTest test;
    test.Post(20000);
    FabricPort& port = test.nic->GetPort(0);
    const uint64_t ser = test.Ser(1062);
    EngineUnderTest::At(3 * ser + 1, [&] { port.Pause(3, 500 * US, 3 * ser + 1); });
    EngineUnderTest::At(20 * US, [&] { port.Pause(3, 20 * US, 20 * US); });
    EngineUnderTest::At(20 * US + 2 * ser + 1,
                        [&] { port.Pause(5, 500 * US, EngineUnderTest::Now()); });
    test.Run();
    const Frames data = test.Data();
    ASSERT_EQ(data.size(), 20U);
    for (size_t i = 0; i < 20; i++)
    {
        const uint64_t start = i < 4 ? i * ser : 20 * US + (i - 4) * ser;
        EXPECT_EQ(data[i].when, start + ser + US / 2);
    }
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST(RoceNic, BothDirectionsOfAConnection)
{
    NicUnderTest test;
    test.Post(50000);
    RoceQueuePair& reverse = test.peer->FindQueuePair(test.Qp().peerNumber);
    test.peer->Post(reverse, {RoceVerb::WRITE, 30000, 9, 0});
    test.Run();
    EXPECT_EQ(test.receiver.arrived.size(), 1U);
    EXPECT_EQ(test.sender.arrived.size(), 1U);
    EXPECT_EQ(test.sender.arrived[0].completion.cookie, 9U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 80000U);
    EXPECT_EQ(test.Qp().receivedBytes, 30000U);
}

} // namespace
