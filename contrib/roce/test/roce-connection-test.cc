/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/go-back-n-loss-recovery.h"
#include "ns3/roce-congestion-control.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-requester.h"
#include "ns3/roce-responder.h"

#include <deque>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <vector>

/**
 * \file
 * Both halves of a reliable connection, without time and ports.
 */

using namespace ns3;

namespace
{

constexpr uint64_t UNLIMITED = RoceCongestionControl::UNLIMITED;

/** \ingroup tests \brief A requester and the packets that it builds. */
class RequesterUnderTest : public RoceRequester
{
  public:
    /** \param parameters of the connection */
    explicit RequesterUnderTest(const RoceRequesterParameters& parameters)
    {
        m_recovery->Start({});
        Configure(parameters, *m_recovery);
    }

    /** \param bytes length of a message \param verb operation */
    void Add(uint64_t bytes, RoceVerb verb = RoceVerb::SEND)
    {
        Post({verb, bytes, m_cookie++, 0});
    }

    /** \param window bytes that may be outstanding \return the next packet */
    FabricPacket Next(uint64_t window = UNLIMITED)
    {
        EXPECT_TRUE(CanSend(window));
        FabricPacket packet{};
        again = BuildNext(packet, window);
        return packet;
    }

    /** Drops messages that are acknowledged. \return their number */
    int Complete()
    {
        int count = 0;
        for (; PeekCompleted(); count++)
        {
            PopCompleted();
        }
        return count;
    }

    bool again{false}; //!< the last packet had been sent before

  private:
    Ptr<LossRecovery> m_recovery{CreateObject<GoBackNLossRecovery>()}; //!< go-back-N
    uint64_t m_cookie{0};                                              //!< of the next message
};

/** \ingroup tests \brief A responder with go-back-N. */
class ResponderUnderTest : public RoceResponder
{
  public:
    /** \param packet a data packet \return what it is and how to answer */
    Arrival Take(const FabricPacket& packet)
    {
        if (AcceptNext(packet))
        {
            const auto answer = packet.ackRequest ? ArrivalAnswer::ACK : ArrivalAnswer::NONE;
            return {ArrivalKind::IN_ORDER, answer, GetExpected()};
        }
        return Accept(packet, *m_recovery);
    }

  private:
    Ptr<LossRecovery> m_recovery{CreateObject<GoBackNLossRecovery>()}; //!< go-back-N
};

/**
 * \param mtu payload of a full packet
 * \param ackEvery AckReq interval
 * \param firstPsn number of the first packet
 * \return parameters
 */
RoceRequesterParameters
Parameters(uint32_t mtu, uint32_t ackEvery = 1, uint64_t firstPsn = 0)
{
    RoceRequesterParameters parameters;
    parameters.mtuBytes = mtu;
    parameters.ackEveryPackets = ackEvery;
    parameters.maxOutstanding = 1U << 23;
    parameters.firstPsn = firstPsn;
    return parameters;
}

TEST(RoceRequester, CutsMessagesIntoPackets)
{
    struct Case
    {
        RoceVerb verb;
        uint64_t bytes;
        std::vector<RoceOpcode> opcodes;
        std::vector<uint32_t> payloads;
    };

    const std::vector<Case> cases = {
        {RoceVerb::SEND, 0, {RoceOpcode::SEND_ONLY}, {0}},
        {RoceVerb::SEND, 1, {RoceOpcode::SEND_ONLY}, {1}},
        {RoceVerb::SEND, 1024, {RoceOpcode::SEND_ONLY}, {1024}},
        {RoceVerb::SEND, 1025, {RoceOpcode::SEND_FIRST, RoceOpcode::SEND_LAST}, {1024, 1}},
        {RoceVerb::SEND,
         3072,
         {RoceOpcode::SEND_FIRST, RoceOpcode::SEND_MIDDLE, RoceOpcode::SEND_LAST},
         {1024, 1024, 1024}},
        {RoceVerb::WRITE, 0, {RoceOpcode::WRITE_ONLY}, {0}},
        {RoceVerb::WRITE, 1024, {RoceOpcode::WRITE_ONLY}, {1024}},
        {RoceVerb::WRITE, 1025, {RoceOpcode::WRITE_FIRST, RoceOpcode::WRITE_LAST}, {1024, 1}},
        {RoceVerb::WRITE,
         2049,
         {RoceOpcode::WRITE_FIRST, RoceOpcode::WRITE_MIDDLE, RoceOpcode::WRITE_LAST},
         {1024, 1024, 1}},
    };
    for (const Case& c : cases)
    {
        RequesterUnderTest requester(Parameters(1024));
        requester.Add(c.bytes, c.verb);
        for (size_t i = 0; i < c.opcodes.size(); i++)
        {
            const FabricPacket packet = requester.Next();
            EXPECT_EQ(static_cast<RoceOpcode>(packet.opcode), c.opcodes[i]);
            EXPECT_EQ(packet.payloadBytes, c.payloads[i]);
            EXPECT_EQ(packet.frameBytes, RoceWire::FrameBytes(c.opcodes[i], c.payloads[i]));
            EXPECT_EQ(packet.psn, i);
            EXPECT_EQ(packet.messageBytes, c.bytes);
            EXPECT_EQ(packet.ackRequest, 1U);
        }
        EXPECT_FALSE(requester.CanSend(UNLIMITED));
        EXPECT_TRUE(requester.HasUnacknowledged());
        EXPECT_EQ(requester.Acknowledge(c.opcodes.size()), c.bytes);
        EXPECT_EQ(requester.Complete(), 1);
        EXPECT_FALSE(requester.HasUnacknowledged());
    }
}

TEST(RoceRequester, AsksForAcknowledgementsAtTheIntervalAndAtTheEnd)
{
    for (const uint32_t interval : {1U, 4U, 64U, 1U << 22})
    {
        RequesterUnderTest requester(Parameters(256, interval));
        requester.Add(256 * 100);
        requester.Add(256 * 3);
        for (uint64_t psn = 0; psn < 103; psn++)
        {
            const bool expected = (psn + 1) % interval == 0 || psn == 99 || psn == 102;
            EXPECT_EQ(requester.Next().ackRequest, expected) << psn;
        }
    }
}

TEST(RoceRequester, SmallWindowAsksBeforeItIsShut)
{
    RequesterUnderTest requester(Parameters(1000, 1U << 22));
    requester.Add(100000);
    uint64_t una = 0;
    for (int lap = 0; lap < 30; lap++)
    {
        EXPECT_EQ(requester.Next(2500).ackRequest, 0U);
        EXPECT_EQ(requester.Next(2500).ackRequest, 0U);
        EXPECT_EQ(requester.Next(2500).ackRequest, 1U) << "3000 bytes are outstanding";
        EXPECT_FALSE(requester.CanSend(2500));
        una += 3;
        EXPECT_EQ(requester.Acknowledge(una), 3000U);
    }
    requester.Next(1);
    EXPECT_FALSE(requester.CanSend(1)) << "one packet, whatever the window";
}

TEST(RoceRequester, ShrinkingWindowNeverLeavesItWaiting)
{
    // Ten packets that ask for nothing are outstanding when the window falls to one packet.
    RequesterUnderTest requester(Parameters(1000, 100));
    requester.Add(100000);
    for (int i = 0; i < 10; i++)
    {
        EXPECT_EQ(requester.Next(50000).ackRequest, 0U);
    }
    EXPECT_TRUE(requester.CanSend(1000)) << "no ACK is under way that could open the window";
    EXPECT_EQ(requester.Next(1000).ackRequest, 1U);
    EXPECT_FALSE(requester.CanSend(1000));
    requester.Acknowledge(11);
    EXPECT_TRUE(requester.CanSend(1000));
    // The same after an ACK for some of what is outstanding.
    for (int i = 11; i < 99; i++)
    {
        EXPECT_EQ(requester.Next(1000000).ackRequest, 0U);
    }
    requester.Acknowledge(50);
    EXPECT_TRUE(requester.CanSend(1000));
    EXPECT_EQ(requester.Next(1000).ackRequest, 1U);
}

TEST(RoceRequester, AnAckReqThatWasTakenBackCountsNoMore)
{
    RequesterUnderTest requester(Parameters(1000, 100));
    requester.Add(100000);
    for (int i = 0; i < 10; i++)
    {
        EXPECT_EQ(requester.Next(10000).ackRequest, i == 9) << "the last one shuts the window";
    }
    requester.Reseek();
    for (int i = 0; i < 3; i++)
    {
        EXPECT_EQ(requester.Next(50000).ackRequest, 0U);
    }
    EXPECT_TRUE(requester.CanSend(1000)) << "the AckReq of packet 9 is not under way any more";
    EXPECT_EQ(requester.Next(1000).ackRequest, 1U);
}

TEST(RoceRequester, RewindAsksAgain)
{
    RequesterUnderTest requester(Parameters(1000, 1U << 22));
    requester.Add(10000);
    for (int i = 0; i < 10; i++)
    {
        requester.Next();
    }
    requester.Acknowledge(4);
    requester.Reseek();
    EXPECT_EQ(requester.GetNext(), 4U);
    EXPECT_TRUE(requester.CanSend(1));
    EXPECT_EQ(requester.Next(1).psn, 4U);
    EXPECT_TRUE(requester.again);
    EXPECT_FALSE(requester.CanSend(1));
    // The receiver had the rest all along.
    EXPECT_EQ(requester.Acknowledge(10), 6000U);
    EXPECT_EQ(requester.GetNext(), 10U);
    EXPECT_EQ(requester.Complete(), 1);
    requester.Add(1);
    EXPECT_EQ(requester.Next().psn, 10U);
    EXPECT_FALSE(requester.again);
}

TEST(RoceRequester, OldAndImpossibleAcknowledgementsAreIgnored)
{
    RequesterUnderTest requester(Parameters(1000));
    requester.Add(5000);
    requester.Next();
    requester.Next();
    EXPECT_EQ(requester.Acknowledge(3), 0U) << "number 2 was never sent";
    EXPECT_EQ(requester.GetUna(), 0U);
    EXPECT_EQ(requester.Acknowledge(2), 2000U);
    EXPECT_EQ(requester.Acknowledge(1), 0U);
    EXPECT_EQ(requester.Acknowledge(2), 0U);
    EXPECT_EQ(requester.GetUna(), 2U);
}

TEST(RoceRequester, BytesAreCountedAcrossMessages)
{
    RequesterUnderTest requester(Parameters(1000));
    const std::vector<uint64_t> messages = {0, 1, 1000, 2500, 0, 999};
    for (const uint64_t bytes : messages)
    {
        requester.Add(bytes);
    }
    for (int i = 0; i < 8; i++)
    {
        requester.Next();
    }
    EXPECT_EQ(requester.Acknowledge(2), 1U);
    EXPECT_EQ(requester.Acknowledge(5), 1000U + 2000) << "whether or not messages were dropped";
    EXPECT_EQ(requester.Complete(), 3);
    EXPECT_EQ(requester.Acknowledge(8), 500U + 999);
    EXPECT_EQ(requester.Complete(), 3);
}

TEST(RoceRequester, OutstandingPacketsAreLimited)
{
    RoceRequesterParameters parameters = Parameters(256, 1U << 22);
    parameters.maxOutstanding = 8;
    RequesterUnderTest requester(parameters);
    requester.Add(256 * 50);
    for (int i = 0; i < 7; i++)
    {
        EXPECT_EQ(requester.Next().ackRequest, 0U);
    }
    EXPECT_EQ(requester.Next().ackRequest, 1U);
    EXPECT_FALSE(requester.CanSend(UNLIMITED));
    requester.Acknowledge(1);
    EXPECT_TRUE(requester.CanSend(UNLIMITED));
}

TEST(RoceRequester, FlowBeyondFourGibibytesAndPsnWrap)
{
    constexpr uint64_t BYTES = (5ULL << 30) + 123;
    constexpr uint64_t PACKETS = BYTES / 4096 + 1;
    for (const uint64_t firstPsn : {0ULL, PSN_COUNT - 3ULL, (1ULL << 32) - 1000})
    {
        RequesterUnderTest requester(Parameters(4096, 1000, firstPsn));
        ResponderUnderTest responder;
        responder.Configure(firstPsn);
        requester.Add(BYTES, RoceVerb::WRITE);
        uint64_t sent = 0;
        uint64_t acked = 0;
        uint64_t packets = 0;
        while (requester.CanSend(UNLIMITED))
        {
            const FabricPacket packet = requester.Next();
            ASSERT_EQ(packet.psn, (firstPsn + packets) % PSN_COUNT);
            sent += packet.payloadBytes;
            packets++;
            ASSERT_EQ(responder.Take(packet).kind, ArrivalKind::IN_ORDER);
            if (packet.ackRequest)
            {
                const uint64_t psn =
                    ExpandPsn(WirePsn(responder.GetExpected() - 1), requester.GetUna());
                acked += requester.Acknowledge(psn + 1);
            }
        }
        EXPECT_EQ(packets, PACKETS);
        EXPECT_EQ(sent, BYTES);
        EXPECT_EQ(acked, BYTES);
        EXPECT_EQ(responder.GetExpected(), firstPsn + PACKETS);
        EXPECT_EQ(responder.GetMsn(), 1U);
        EXPECT_EQ(requester.Complete(), 1);
    }
}

TEST(RoceResponder, NakOncePerGapAndDuplicatesAreAckedAgain)
{
    struct Case
    {
        uint64_t psn;
        bool ackRequest;
        ArrivalKind kind;
        ArrivalAnswer answer;
        uint32_t msn;
    };

    constexpr uint64_t FIRST = PSN_COUNT - 2;
    const std::vector<Case> cases = {
        {FIRST, true, ArrivalKind::IN_ORDER, ArrivalAnswer::ACK, 1},
        {FIRST + 2, true, ArrivalKind::REFUSED, ArrivalAnswer::NAK, 1}, // one is missing
        {FIRST + 3, true, ArrivalKind::REFUSED, ArrivalAnswer::NONE, 1},
        {FIRST, true, ArrivalKind::DUPLICATE, ArrivalAnswer::ACK, 1},
        {FIRST, false, ArrivalKind::DUPLICATE, ArrivalAnswer::NONE, 1},
        {FIRST + 1, false, ArrivalKind::IN_ORDER, ArrivalAnswer::NONE, 2},
        {FIRST + 3, false, ArrivalKind::REFUSED, ArrivalAnswer::NAK, 2}, // another gap
        {FIRST + 2, false, ArrivalKind::IN_ORDER, ArrivalAnswer::NONE, 3},
    };
    ResponderUnderTest responder;
    responder.Configure(FIRST);
    for (size_t i = 0; i < cases.size(); i++)
    {
        FabricPacket packet{};
        packet.psn = cases[i].psn % PSN_COUNT;
        packet.opcode = static_cast<uint8_t>(RoceOpcode::SEND_ONLY);
        packet.ackRequest = cases[i].ackRequest;
        const Arrival arrival = responder.Take(packet);
        EXPECT_EQ(arrival.kind, cases[i].kind) << i;
        EXPECT_EQ(arrival.answer, cases[i].answer) << i;
        EXPECT_EQ(responder.GetMsn(), cases[i].msn) << i;
    }
}

TEST(RoceResponder, NotificationIntervalIsObeyed)
{
    RoceResponder responder;
    EXPECT_FALSE(responder.TakeCnp(false, 5, 50));
    EXPECT_TRUE(responder.TakeCnp(true, 10, 50)) << "the first mark is answered at once";
    EXPECT_FALSE(responder.TakeCnp(true, 59, 50));
    EXPECT_TRUE(responder.TakeCnp(false, 60, 50)) << "a mark waited for the interval to end";
    EXPECT_FALSE(responder.TakeCnp(false, 500, 50));
    EXPECT_TRUE(responder.TakeCnp(true, 501, 50));
    EXPECT_TRUE(responder.TakeCnp(true, 501, 0)) << "no interval";
}

TEST(RoceResponder, AMarkOfABurstLongAgoIsForgotten)
{
    for (const uint64_t next : {110, 111, 5000})
    {
        RoceResponder responder;
        EXPECT_TRUE(responder.TakeCnp(true, 10, 50));
        EXPECT_FALSE(responder.TakeCnp(true, 60 - 1, 50));
        EXPECT_FALSE(responder.TakeCnp(false, next, 50)) << "the mark is more than 50 old";
        EXPECT_FALSE(responder.TakeCnp(false, next + 1, 50));
        EXPECT_TRUE(responder.TakeCnp(true, next + 2, 50));
    }
    RoceResponder responder;
    EXPECT_TRUE(responder.TakeCnp(true, 10, 50));
    EXPECT_FALSE(responder.TakeCnp(true, 59, 50));
    EXPECT_TRUE(responder.TakeCnp(false, 109, 50)) << "not yet too old";
}

TEST(RoceConnection, RandomLossesNeverHarmTheStream)
{
    // FIFO channels that lose data and acknowledgements; a timeout when nothing is under way.
    for (uint32_t seed = 1; seed <= 200; seed++)
    {
        std::mt19937 random(seed);
        const uint64_t firstPsn = random() % 3 ? PSN_COUNT - random() % 60 : 0;
        const uint32_t interval = 1 + random() % 20;
        const uint32_t lossPercent = random() % 30;
        RequesterUnderTest requester(Parameters(1000, interval, firstPsn));
        ResponderUnderTest responder;
        responder.Configure(firstPsn);
        std::vector<uint64_t> messages;
        std::deque<FabricPacket> data;
        std::deque<std::pair<bool, uint32_t>> acks; // NAK or not, PSN
        std::vector<uint64_t> received;
        uint64_t ackedBytes = 0;
        size_t completed = 0;
        uint64_t inMessage = 0;
        int timeouts = 0;
        while (completed < 20 && timeouts < 10000)
        {
            const uint64_t window = 500 + random() % 20000;
            if (messages.size() < 20 && random() % 10 == 0)
            {
                messages.push_back(random() % 4 ? random() % 30000 : 0);
                requester.Add(messages.back(), random() % 2 ? RoceVerb::SEND : RoceVerb::WRITE);
            }
            if (random() % 2 && requester.CanSend(window))
            {
                data.push_back(requester.Next(window));
            }
            else if (random() % 2 && !data.empty())
            {
                const FabricPacket packet = data.front();
                data.pop_front();
                if (random() % 100 < lossPercent)
                {
                    continue;
                }
                const Arrival arrival = responder.Take(packet);
                if (arrival.kind == ArrivalKind::IN_ORDER)
                {
                    inMessage += packet.payloadBytes;
                }
                for (RoceMessageEnd end; responder.TakeEnd(end); inMessage = 0)
                {
                    ASSERT_EQ(end.bytes, inMessage);
                    received.push_back(inMessage);
                }
                const bool nakked = arrival.answer == ArrivalAnswer::NAK;
                if (arrival.answer != ArrivalAnswer::NONE)
                {
                    acks.emplace_back(nakked, WirePsn(responder.GetExpected() - !nakked));
                }
            }
            else if (!acks.empty())
            {
                const auto [nak, wirePsn] = acks.front();
                acks.pop_front();
                if (random() % 100 < lossPercent)
                {
                    continue;
                }
                const uint64_t psn = ExpandPsn(wirePsn, requester.GetUna());
                ackedBytes += requester.Acknowledge(nak ? psn : psn + 1);
                completed += requester.Complete();
                if (nak && psn == requester.GetUna())
                {
                    requester.Reseek();
                }
            }
            else if (data.empty() && requester.HasOutstanding() && !requester.CanSend(window))
            {
                requester.Reseek();
                timeouts++;
            }
        }
        ASSERT_EQ(received, messages) << "seed " << seed;
        ASSERT_EQ(completed, 20U);
        ASSERT_EQ(ackedBytes, std::accumulate(messages.begin(), messages.end(), uint64_t{0}));
        ASSERT_LE(timeouts, lossPercent ? 10000 : 0) << "without losses nobody waits in vain";
    }
}

} // namespace
