/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pxn-message-transport.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"

#include <deque>
#include <gtest/gtest.h>
#include <string>
#include <vector>

/**
 * \file
 * Messages that go by way of the GPU on their receiver's rail: chunks, credits, order, what is told
 * of them.
 */

namespace ns3
{

namespace
{

/** \ingroup tests \brief A network on rails, without switches between them, that a test moves. */
class RailsByHand : public NetworkMessageTransport
{
  public:
    std::deque<Message> underWay; //!< sent and not received
    std::deque<Message> received; //!< received and not acknowledged

    /** The oldest message that goes from a rank to another arrives. */
    void Arrive(uint32_t src, uint32_t dst)
    {
        for (auto message = underWay.begin(); message != underWay.end(); ++message)
        {
            if (message->src == src && message->dst == dst)
            {
                const Message own = *message;
                underWay.erase(message);
                received.push_back(own);
                NotifyReceived(own);
                return;
            }
        }
        FAIL() << "nothing goes from " << src << " to " << dst;
    }

    /** All that has arrived is acknowledged. */
    void AcknowledgeAll()
    {
        while (!received.empty())
        {
            const Message own = received.front();
            received.pop_front();
            NotifySent(own);
        }
        Simulator::Run();
    }

    /** \param src a rank \param dst another one \return payload of the messages between them */
    std::vector<uint64_t> GetBytes(uint32_t src, uint32_t dst) const
    {
        std::vector<uint64_t> bytes;
        for (const Message& message : underWay)
        {
            if (message.src == src && message.dst == dst)
            {
                bytes.push_back(message.bytes);
            }
        }
        return bytes;
    }

    uint32_t GetRankCount() const override
    {
        return 8;
    }

    void Send(const Message& message) override
    {
        underWay.push_back(message);
    }

    bool CanOffload(const std::vector<uint32_t>& ranks) const override
    {
        return ranks.size() == 4;
    }

    bool CanAllReduce(const std::vector<uint32_t>& ranks) const override
    {
        return ranks.size() == 2;
    }

    uint32_t AddTeam(const std::vector<uint32_t>& ranks) override
    {
        return static_cast<uint32_t>(ranks.size());
    }

    std::vector<std::string> DescribePending() const override
    {
        return {"a leg"};
    }

    bool UsesNvlink(uint32_t src, uint32_t dst) const override
    {
        return src != dst && src / 4 == dst / 4;
    }

    bool CanReach(uint32_t src, uint32_t dst) const override
    {
        return UsesNvlink(src, dst) || (src != dst && src % 4 == dst % 4);
    }

    uint64_t GetArrivedBytes(uint32_t, uint32_t, uint32_t) const override
    {
        return 0;
    }
};

/** \ingroup tests \brief PXN over two servers of four GPUs on rails. */
class PxnUnderTest : private MessageEndpoint
{
  public:
    /** \param chunks that may be under way \param level when to relay */
    explicit PxnUnderTest(uint32_t chunks = 3, uint32_t level = PxnRails::ALWAYS)
    {
        Simulator::Destroy();
        pxn->SetAttribute("ChunkBytes", UintegerValue(100));
        pxn->SetAttribute("ChunksInFlight", UintegerValue(chunks));
        pxn->SetAttribute("Level", UintegerValue(level));
        const Topology topology = LoadTopology("rail-optimized:gpus=8,gpusPerServer=4");
        isUsed = pxn->SetNetwork(network, topology);
        for (uint32_t rank = 0; isUsed && rank < 8; rank++)
        {
            pxn->SetEndpoint(rank, this);
        }
    }

    ~PxnUnderTest()
    {
        Simulator::Destroy();
    }

    /** \param src a rank \param dst another one \param bytes payload \param tag its name */
    void Send(uint32_t src, uint32_t dst, uint64_t bytes, uint64_t tag = 7) const
    {
        Message message;
        message.src = src;
        message.dst = dst;
        message.channel = 2;
        message.bytes = bytes;
        message.tag = tag;
        pxn->Send(message);
    }

    Ptr<RailsByHand> network{CreateObject<RailsByHand>()};             //!< carries chunks
    Ptr<PxnMessageTransport> pxn{CreateObject<PxnMessageTransport>()}; //!< under test
    bool isUsed{false};                                                //!< it relays anything
    std::vector<Message> received;                                     //!< by users
    std::vector<Message> sent;                                         //!< acknowledged to users

  private:
    // From MessageEndpoint.
    void MessageReceived(const Message& message) override
    {
        received.push_back(message);
    }

    void MessageSent(const Message& message) override
    {
        sent.push_back(message);
    }
};

} // namespace

TEST(FabricPxn, MessagesOnTheRailOrInTheServerGoAsTheyAre)
{
    const PxnUnderTest test;
    test.Send(0, 3, 1000);
    test.Send(1, 5, 2000);
    EXPECT_EQ(test.network->GetBytes(0, 3), std::vector<uint64_t>{1000});
    EXPECT_EQ(test.network->GetBytes(1, 5), std::vector<uint64_t>{2000});
    EXPECT_EQ(test.network->underWay[0].channel, 2U);
    test.network->Arrive(1, 5);
    ASSERT_EQ(test.received.size(), 1U);
    EXPECT_EQ(test.received[0].tag, 7U);
    test.network->AcknowledgeAll();
    EXPECT_EQ(test.sent.size(), 1U);
    EXPECT_EQ(test.pxn->GetRelayedMessages(), 0U);
}

TEST(FabricPxn, AMessageGoesInChunksAsFarAsThereAreSlots)
{
    const PxnUnderTest test;
    test.Send(0, 5, 450); // GPU 1 of server 1: by way of rank 1
    EXPECT_EQ(test.network->GetBytes(0, 1), (std::vector<uint64_t>{100, 100, 100}));
    test.network->Arrive(0, 1);
    EXPECT_EQ(test.network->GetBytes(1, 5), std::vector<uint64_t>{100}) << "at once";
    test.network->AcknowledgeAll(); // that it came to rank 1
    EXPECT_EQ(test.network->GetBytes(0, 1).size(), 2U) << "it still takes a slot";
    test.network->Arrive(1, 5);
    EXPECT_EQ(test.network->GetBytes(0, 1).size(), 2U) << "the receiver has not acknowledged it";
    test.network->AcknowledgeAll();
    EXPECT_EQ(test.network->GetBytes(0, 1).size(), 3U);
    EXPECT_EQ(test.pxn->FindLostBytes(false), "");
    EXPECT_NE(test.pxn->FindLostBytes(true), "");
    EXPECT_EQ(test.pxn->DescribePending().front(),
              "PXN: rank 0 to rank 5 channel 2 by way of rank 1: 450 bytes since 0 ns, of 5 chunks "
              "4 sent, 1 sent on, 1 arrived");
    EXPECT_EQ(test.pxn->DescribePending().back(), "a leg");
    for (uint32_t chunk = 1; chunk < 5; chunk++)
    {
        EXPECT_TRUE(test.received.empty() && test.sent.empty()) << chunk;
        test.network->Arrive(0, 1);
        EXPECT_EQ(test.network->GetBytes(1, 5), std::vector<uint64_t>{chunk < 4 ? 100U : 50U});
        test.network->Arrive(1, 5);
        EXPECT_EQ(test.received.size(), chunk < 4 ? 0U : 1U);
        test.network->AcknowledgeAll();
    }
    ASSERT_EQ(test.received.size(), 1U);
    ASSERT_EQ(test.sent.size(), 1U);
    for (const Message& message : {test.received[0], test.sent[0]})
    {
        EXPECT_EQ(message.src, 0U);
        EXPECT_EQ(message.dst, 5U);
        EXPECT_EQ(message.channel, 2U);
        EXPECT_EQ(message.bytes, 450U);
        EXPECT_EQ(message.tag, 7U);
    }
    EXPECT_EQ(test.pxn->DescribePending(), std::vector<std::string>{"a leg"});
    EXPECT_EQ(test.pxn->FindLostBytes(true), "");
    EXPECT_EQ(test.pxn->GetArrivedBytes(0, 5, 2), 450U);
}

TEST(FabricPxn, SignalsAndWholeChunksArriveInTheOrderSent)
{
    const PxnUnderTest test(8);
    test.Send(0, 5, 0, 1);
    test.Send(0, 5, 200, 2);
    test.Send(0, 5, 0, 3);
    EXPECT_EQ(test.network->GetBytes(0, 1), (std::vector<uint64_t>{0, 100, 100, 0}));
    for (int i = 0; i < 4; i++)
    {
        test.network->Arrive(0, 1);
    }
    EXPECT_EQ(test.network->GetBytes(1, 5), (std::vector<uint64_t>{0, 100, 100, 0}));
    for (int i = 0; i < 4; i++)
    {
        test.network->Arrive(1, 5);
    }
    test.network->AcknowledgeAll();
    ASSERT_EQ(test.received.size(), 3U);
    ASSERT_EQ(test.sent.size(), 3U);
    for (uint64_t i = 0; i < 3; i++)
    {
        EXPECT_EQ(test.received[i].tag, i + 1);
        EXPECT_EQ(test.sent[i].tag, i + 1);
    }
}

TEST(FabricPxn, SendersShareTheConnectionToAReceiverAndNotTheirSlots)
{
    const PxnUnderTest test(1);
    test.Send(0, 5, 300, 1);
    test.Send(2, 5, 100, 2);
    test.Send(1, 5, 1000, 3); // its own rail
    test.network->Arrive(2, 1);
    test.network->Arrive(0, 1);
    EXPECT_EQ(test.network->GetBytes(1, 5), (std::vector<uint64_t>{1000, 100, 100}));
    EXPECT_EQ(test.network->underWay[1].channel, test.network->underWay[2].channel);
    EXPECT_NE(test.network->underWay[0].channel, test.network->underWay[1].channel);
    test.network->Arrive(1, 5);
    test.network->Arrive(1, 5);
    ASSERT_EQ(test.received.size(), 2U);
    EXPECT_EQ(test.received[0].tag, 3U);
    EXPECT_EQ(test.received[1].src, 2U);
}

TEST(FabricPxn, TeamsAreThoseOfTheNetworkBelow)
{
    const PxnUnderTest test;
    EXPECT_TRUE(test.pxn->CanOffload({0, 1, 2, 3}));
    EXPECT_FALSE(test.pxn->CanOffload({0, 4}));
    EXPECT_TRUE(test.pxn->CanAllReduce({0, 4}));
    EXPECT_FALSE(test.pxn->CanAllReduce({0, 1, 2, 3}));
    EXPECT_EQ(test.pxn->AddTeam({0, 4}), 2U);
}

TEST(FabricPxn, OnlyPxnReachesOtherRailsWhereNoSwitchJoinsThem)
{
    const PxnUnderTest test;
    ASSERT_TRUE(test.isUsed);
    EXPECT_FALSE(test.network->CanReach(0, 5));
    EXPECT_TRUE(test.pxn->CanReach(0, 5));
    EXPECT_TRUE(test.pxn->CanReach(0, 4));
    EXPECT_FALSE(test.pxn->CanReach(0, 0));
    EXPECT_EQ(test.pxn->GetRelay(0, 5), 1U);
    EXPECT_EQ(test.pxn->GetRelay(0, 4), 0U);
    EXPECT_FALSE(PxnUnderTest(3, PxnRails::NEVER).isUsed);
}

} // namespace ns3
