/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "verbs-under-test.h"

#include "ns3/double.h"
#include "ns3/scoped-defaults.h"
#include "ns3/uinteger.h"

#include <functional>
#include <random>
#include <string>

/**
 * \file
 * Verbs: immediate data, datagrams, all kinds of requests together.
 */

using namespace ns3;

namespace
{

constexpr uint64_t MS = 1000000000; //!< ticks

TEST(RoceVerbs, ImmediateDataArrives)
{
    VerbsUnderTest test;
    test.PostSend({RoceVerb::SEND, 1500, 1, 0, true, 0xaaaa});
    test.PostSend({RoceVerb::WRITE, 1500, 2, 0, true, 0xbbbb});
    test.PostSend({RoceVerb::WRITE, 100, 3, 0, true, 0xcccc});
    test.PostSend({RoceVerb::SEND, 0, 4, 0, true, 0xdddd});
    test.PostSend({RoceVerb::WRITE, 100, 5});
    test.PostSend({RoceVerb::SEND, 100, 6});
    test.Run();
    EXPECT_EQ(test.GetOpcodes(),
              (VerbsUnderTest::Opcodes{{RoceOpcode::SEND_FIRST, 0},
                                       {RoceOpcode::SEND_LAST_WITH_IMMEDIATE, 1},
                                       {RoceOpcode::WRITE_FIRST, 2},
                                       {RoceOpcode::WRITE_LAST_WITH_IMMEDIATE, 3},
                                       {RoceOpcode::WRITE_ONLY_WITH_IMMEDIATE, 4},
                                       {RoceOpcode::SEND_ONLY_WITH_IMMEDIATE, 5},
                                       {RoceOpcode::WRITE_ONLY, 6},
                                       {RoceOpcode::SEND_ONLY, 7}}));
    ASSERT_EQ(test.here.size(), 6U);
    ASSERT_EQ(test.there.size(), 5U) << "a WRITE without immediate data is not told";
    const uint32_t immediates[] = {0xaaaa, 0xbbbb, 0xcccc, 0xdddd, 0};
    for (size_t i = 0; i < 5; i++)
    {
        const RoceCompletion& completion = test.there[i].completion;
        EXPECT_TRUE(completion.received);
        EXPECT_EQ(completion.withImmediate, i < 4);
        EXPECT_EQ(completion.immediate, immediates[i]);
        EXPECT_EQ(completion.channel, 5U);
        EXPECT_EQ(completion.qp, test.peerQp);
    }
}

/** \ingroup tests \brief UD queue pairs at both ends. */
class RoceDatagram : public testing::Test
{
  protected:
    RoceDatagram()
        : from(test.ends[0]->CreateUdQp()),
          to(test.ends[1]->CreateUdQp())
    {
    }

    VerbsUnderTest test;            //!< both ends
    const uint32_t from;            //!< UD queue pair here
    const uint32_t to;              //!< UD queue pair there
    RoceAddressHandle there{1, to}; //!< where datagrams go
};

TEST_F(RoceDatagram, ArrivesOnceWithItsSource)
{
    test.ends[1]->PostRecv(to, 50);
    test.ends[1]->PostRecv(to, 51);
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 1000, 1}, there);
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 0, 2, 0, true, 0xabc}, there);
    test.Run();
    EXPECT_EQ(test.GetOpcodes(),
              (VerbsUnderTest::Opcodes{{RoceOpcode::UD_SEND_ONLY, 0},
                                       {RoceOpcode::UD_SEND_ONLY_WITH_IMMEDIATE, 1}}));
    EXPECT_TRUE(test.Acks().empty());
    ASSERT_EQ(test.here.size(), 2U);
    EXPECT_EQ(test.here[0].completion.cookie, 1U);
    EXPECT_EQ(test.here[0].when, test.Ser(1000 + 62 + 8)) << "it has left";
    EXPECT_EQ(test.here[1].when, test.Ser(1070) + test.Ser(62 + 8 + 4));
    ASSERT_EQ(test.there.size(), 2U);
    for (uint64_t i = 0; i < 2; i++)
    {
        const RoceCompletion& completion = test.there[i].completion;
        EXPECT_TRUE(completion.received);
        EXPECT_EQ(completion.cookie, i + 1);
        EXPECT_EQ(completion.receiveCookie, 50 + i);
        EXPECT_EQ(completion.peerRank, 0U);
        EXPECT_EQ(completion.peerQp, from) << "an answer goes there";
        EXPECT_EQ(completion.bytes, i ? 0U : 1000U);
        EXPECT_EQ(completion.withImmediate, i == 1);
        EXPECT_EQ(completion.immediate, i ? 0xabcU : 0U);
    }
    EXPECT_EQ(test.there[0].when, 2 * test.Ser(1070) + MS / 1000);
}

/**
 * Queues an acknowledgement, which means nothing, in the port of the NIC on test.
 * \param test both ends
 * \param priority class
 * \param bytes size
 */
void
EnqueueAck(VerbsUnderTest& test, uint32_t priority, uint32_t bytes)
{
    FabricPacket* ack = test.context->pool.Allocate();
    ack->dst = 1;
    ack->qp = test.peerQp;
    ack->opcode = static_cast<uint8_t>(RoceOpcode::ACKNOWLEDGE);
    ack->frameClass = static_cast<uint8_t>(FrameClass::ACK);
    ack->frameBytes = bytes;
    ack->priority = priority;
    test.nic->GetPort(0).Enqueue(ack, EngineUnderTest::Now());
}

/**
 * Sends a datagram that waits in the port behind an acknowledgement, and holds it up there.
 * \param test both ends
 * \param qp UD queue pair
 * \param to where it goes
 * \param holdUp called while the acknowledgement leaves, with its end, ticks
 */
void
SendHeldUp(VerbsUnderTest& test,
           uint32_t qp,
           RoceAddressHandle to,
           std::function<void(uint64_t)> holdUp)
{
    for (uint64_t cookie = 1; cookie <= 2; cookie++)
    {
        test.ends[0]->PostSend(qp, {RoceVerb::SEND, 1000, cookie}, to);
    }
    const uint64_t first = test.Ser(1070);
    const uint64_t second = first + test.Ser(1000);
    EngineUnderTest::At(first / 2, [&test] { EnqueueAck(test, test.nic->GetPriority(), 1000); });
    EngineUnderTest::At(first + test.Ser(500), [holdUp, second] { holdUp(second); });
}

TEST_F(RoceDatagram, HasNotLeftWhileItsClassIsPaused)
{
    const uint64_t until = 7 * MS / 1000;
    SendHeldUp(test, from, there, [&](uint64_t) {
        test.nic->GetPort(0).Pause(test.nic->GetPriority(), until, EngineUnderTest::Now());
    });
    test.ends[1]->PostRecv(to, 1);
    test.ends[1]->PostRecv(to, 2);
    test.Run();
    ASSERT_EQ(test.here.size(), 2U);
    EXPECT_EQ(test.here[0].when, test.Ser(1070));
    EXPECT_EQ(test.here[1].when, until + test.Ser(1070));
    EXPECT_EQ(test.there[1].when, until + 2 * test.Ser(1070) + MS / 1000);
}

TEST_F(RoceDatagram, HasNotLeftWhileHigherClassesGoFirst)
{
    uint64_t end = 0;
    SendHeldUp(test, from, there, [&](uint64_t free) {
        for (int i = 0; i < 10; i++)
        {
            EnqueueAck(test, 7, 2000);
        }
        end = free + 10 * test.Ser(2000);
    });
    test.Run();
    ASSERT_EQ(test.here.size(), 2U);
    EXPECT_EQ(test.here[1].when, end + test.Ser(1070));
}

TEST_F(RoceDatagram, WithoutAReceiveItIsDroppedAndCounted)
{
    test.ends[1]->PostRecv(to, 50);
    for (uint64_t cookie = 0; cookie < 5; cookie++)
    {
        test.ends[0]->PostSend(from, {RoceVerb::SEND, 100, cookie}, there);
    }
    test.Run();
    EXPECT_EQ(test.here.size(), 5U) << "the sender does not know";
    EXPECT_EQ(test.there.size(), 1U);
    EXPECT_EQ(test.ends[1]->GetDroppedDatagrams(to), 4U);
    EXPECT_EQ(test.context->counters.payloadBytesDelivered, 100U);
}

TEST_F(RoceDatagram, WhatIsLostIsNotRepeated)
{
    for (uint64_t cookie = 0; cookie < 4; cookie++)
    {
        test.ends[1]->PostRecv(to, 50);
        test.ends[0]->PostSend(from, {RoceVerb::SEND, 100, cookie}, there);
    }
    test.wire->drop = [](FabricPacket& packet, uint32_t) { return packet.psn == 1; };
    test.Run();
    EXPECT_EQ(test.there.size(), 3U);
    EXPECT_EQ(test.Data().size(), 4U);
    EXPECT_EQ(test.context->counters.timeouts, 0U);
}

TEST_F(RoceDatagram, GoesToUdQueuePairsOnly)
{
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 1001, 1}, there);
    test.Run();
    ASSERT_EQ(test.here.size(), 1U);
    EXPECT_EQ(test.here[0].completion.status, RoceStatus::LENGTH_ERROR) << "longer than the MTU";
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 100, 2}, {1, test.peerQp});
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 100, 3}, {1, 99});
    test.ends[0]->PostSend(from, {RoceVerb::SEND, 100, 4}, {1, 0});
    test.Run();
    EXPECT_EQ(test.here.size(), 4U);
    EXPECT_TRUE(test.there.empty());
    EXPECT_EQ(test.peer->GetStrayDatagrams(), 2U);
}

TEST_F(RoceDatagram, IsNotHeldBackByACongestionControl)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedCongestionControl::Rate", UintegerValue(1000000000));
    for (const auto& nic : {test.nic, test.peer})
    {
        nic->SetAttribute("CongestionControl", TypeIdValue(FixedCongestionControl::GetTypeId()));
    }
    const uint32_t free = test.ends[0]->CreateUdQp();
    for (uint64_t cookie = 0; cookie < 10; cookie++)
    {
        test.ends[0]->PostSend(free, {RoceVerb::SEND, 1000, cookie}, there);
    }
    test.Run();
    const auto data = test.Data();
    ASSERT_EQ(data.size(), 10U);
    EXPECT_EQ(data[9].when - data[0].when, 9 * test.Ser(1070)) << "back to back";
}

/** \ingroup tests \brief Requests of all kinds in both directions, with losses and reordering. */
class RandomVerbs
{
  public:
    static constexpr uint64_t REQUESTS = 40; //!< of each end

    /**
     * \param recovery TypeId name
     * \param seed of all choices
     * \param control TypeId name of the congestion control
     */
    RandomVerbs(const char* recovery,
                uint32_t seed,
                const std::string& control = "ns3::NoCongestionControl")
        : m_random(seed),
          m_options(MakeOptions(recovery, control)),
          m_test(m_options)
    {
        const uint32_t lossPercent = m_random() % 3 ? m_random() % 10 : 0;
        const uint64_t spread = m_random() % 2 ? 1 : 1 + m_random() % 2000000;
        m_test.wire->drop = [=](FabricPacket&, uint32_t) { return m_random() % 100 < lossPercent; };
        m_test.wire->hold = [=](const FabricPacket&) { return m_random() % spread; };
        for (uint32_t end = 0; end < 2; end++)
        {
            PostAll(end);
        }
        m_test.Run();
        EXPECT_EQ(m_test.context->counters.payloadBytesDelivered, m_bytes);
        Check(m_test.here, 1);
        Check(m_test.there, 0);
    }

    /** \return when what ended, at both ends */
    std::vector<std::pair<uint64_t, uint64_t>> GetHistory() const
    {
        std::vector<std::pair<uint64_t, uint64_t>> history;
        for (const auto& seen : {m_test.here, m_test.there})
        {
            for (const NotedCompletion& noted : seen)
            {
                history.emplace_back(noted.when, noted.completion.cookie);
            }
        }
        return history;
    }

  private:
    /** \param recovery TypeId name \param control likewise \return options */
    NicOptions MakeOptions(const char* recovery, const std::string& control)
    {
        NicOptions options;
        options.congestionControl = control;
        options.lossRecovery = recovery;
        options.ackInterval = 1 + m_random() % 8;
        options.firstPsn = m_random() % 2 ? PSN_COUNT - m_random() % 200 : 0;
        options.maxReads = 1 + m_random() % 5;
        options.rnrTimer = 1 + m_random() % 8;
        return options;
    }

    /** \param end posts its requests, and the receives of the other end */
    void PostAll(uint32_t end)
    {
        uint64_t when = 0;
        for (uint64_t cookie = 0; cookie < REQUESTS; cookie++)
        {
            RoceWorkRequest request;
            request.verb = static_cast<RoceVerb>(m_random() % 3);
            request.bytes = m_random() % 5 ? m_random() % 20000 : 0;
            request.cookie = cookie;
            request.withImmediate = request.verb != RoceVerb::READ && m_random() % 2;
            request.immediate = request.withImmediate ? m_random() : 0;
            m_bytes += request.bytes;
            m_receives[end] += request.verb == RoceVerb::SEND || request.withImmediate;
            when += m_random() % (MS / REQUESTS);
            EngineUnderTest::At(when, [=]() {
                m_test.ends[end]->PostSend(end ? m_test.peerQp : m_test.qp, request);
            });
        }
        for (uint64_t i = 0; i < m_receives[end]; i++)
        {
            EngineUnderTest::At(i ? m_random() % (2 * MS) : 0, [=]() {
                m_test.ends[1 - end]->PostRecv(end ? m_test.qp : m_test.peerQp, i);
            });
        }
    }

    /** \param seen completions of an end \param sender the end that uses its receives */
    void Check(const std::vector<NotedCompletion>& seen, uint32_t sender) const
    {
        uint64_t ended = 0;
        uint64_t received = 0;
        for (const NotedCompletion& noted : seen)
        {
            const RoceCompletion& completion = noted.completion;
            EXPECT_EQ(completion.status, RoceStatus::SUCCESS);
            uint64_t& count = completion.received ? received : ended;
            EXPECT_TRUE(completion.received || completion.cookie == count) << "in order, once";
            count++;
        }
        EXPECT_EQ(ended, REQUESTS);
        EXPECT_EQ(received, m_receives[sender]);
    }

    std::mt19937 m_random;                //!< choices
    const NicOptions m_options;           //!< of the NICs
    VerbsUnderTest m_test;                //!< both ends
    uint64_t m_bytes{0};                  //!< of all requests
    std::array<uint64_t, 2> m_receives{}; //!< that the requests of an end use up
};

/** \ingroup tests \brief The same for every loss recovery. */
class RoceVerbsRandom : public testing::TestWithParam<const char*>
{
};

INSTANTIATE_TEST_SUITE_P(Recoveries, RoceVerbsRandom, testing::Values(GO_BACK_N, SELECTIVE));

TEST_P(RoceVerbsRandom, RequestsEndOnceInOrderWhateverIsLost)
{
    for (uint32_t seed = 1; seed <= 12; seed++)
    {
        SCOPED_TRACE(seed);
        const auto history = RandomVerbs(GetParam(), seed).GetHistory();
        if (seed <= 3)
        {
            EXPECT_EQ(RandomVerbs(GetParam(), seed).GetHistory(), history);
        }
    }
}

TEST_P(RoceVerbsRandom, RequestsEndWhoeverGovernsReads)
{
    ScopedDefaults defaults;
    defaults.Set("ns3::FixedWindowCongestionControl::Window", UintegerValue(5000));
    defaults.Set("ns3::DctcpCongestionControl::InitialWindow", UintegerValue(20000));
    defaults.Set("ns3::SwiftCongestionControl::InitialWindow", DoubleValue(20));
    // A packet in a hundred round trips, its default, takes longer than the local ACK timeout.
    defaults.Set("ns3::SwiftCongestionControl::MinWindow", DoubleValue(0.5));
    defaults.Set("ns3::HpccCongestionControl::BaseRtt", TimeValue(MicroSeconds(3)));
    defaults.Set("ns3::PowerTcpCongestionControl::BaseRtt", TimeValue(MicroSeconds(3)));
    for (const char* name : {"FixedWindow", "Dctcp", "Swift", "Hpcc", "PowerTcp", "Timely"})
    {
        for (uint32_t seed = 1; seed <= 8; seed++)
        {
            SCOPED_TRACE(std::string(name) + " " + std::to_string(seed));
            RandomVerbs(GetParam(), seed, "ns3::" + std::string(name) + "CongestionControl");
        }
    }
}

} // namespace
