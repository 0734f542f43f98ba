/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/nvlink-receive-flow.h"
#include "ns3/nvlink-send-flow.h"

#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <vector>

using namespace ns3;

namespace
{

const std::array<uint16_t, 4> g_ports{0, 1, 2, 3}; //!< links of the flows below

/**
 * \param bytes length
 * \param tag tag
 * \return a message from rank 0 to rank 1
 */
Message
MakeMessage(uint64_t bytes, uint64_t tag = 0)
{
    Message message;
    message.dst = 1;
    message.bytes = bytes;
    message.tag = tag;
    return message;
}

/**
 * \param bytes length of a message
 * \param links number of links
 * \param cutting sizes
 * \return payload of its pieces in order
 */
std::vector<uint32_t>
CutAll(uint64_t bytes, uint32_t links, const NvlinkCutting& cutting)
{
    NvlinkSendFlow flow(1, 0, {g_ports.data(), links});
    flow.Push(MakeMessage(bytes), 0);
    std::vector<uint32_t> sizes;
    while (flow.HasWork())
    {
        sizes.push_back(flow.Cut(cutting).payloadBytes);
    }
    return sizes;
}

/**
 * \param sequence number of the message
 * \param payloadBytes payload
 * \param messageBytes length of the message
 * \return a data frame
 */
FabricPacket
MakePiece(uint32_t sequence, uint32_t payloadBytes, uint64_t messageBytes)
{
    FabricPacket packet{};
    packet.immediate = sequence;
    packet.payloadBytes = payloadBytes;
    packet.messageBytes = messageBytes;
    packet.cookie = 100 + sequence;
    return packet;
}

} // namespace

TEST(NvlinkSendFlow, OneLinkGetsWholePiecesAndTheRest)
{
    EXPECT_EQ(CutAll(10000, 1, {4096, 1024}), (std::vector<uint32_t>{4096, 4096, 1808}));
}

TEST(NvlinkSendFlow, EmptyMessageIsOneEmptyPiece)
{
    EXPECT_EQ(CutAll(0, 4, {4096, 1024}), (std::vector<uint32_t>{0}));
}

TEST(NvlinkSendFlow, PiecesShrinkToTheirShareOfWhatIsLeft)
{
    const auto sizes = CutAll(4000000, 4, {65536, 4096});
    uint64_t left = 4000000;
    for (const uint32_t size : sizes)
    {
        const uint64_t share = std::max<uint64_t>((left + 3) / 4, 4096);
        EXPECT_EQ(size, std::min({share, uint64_t{65536}, left})) << left << " bytes left";
        left -= size;
    }
    EXPECT_EQ(left, 0U);
}

TEST(NvlinkSendFlow, MinimumAtGranularityMeansNoShrinking)
{
    EXPECT_EQ(CutAll(20000, 4, {8192, 8192}), (std::vector<uint32_t>{8192, 8192, 3616}));
}

TEST(NvlinkSendFlow, MessageHasLeftWithItsLastPieceWhateverTheOrder)
{
    NvlinkSendFlow flow(1, 0, {g_ports.data(), 1});
    flow.Push(MakeMessage(200, 7), 0);
    flow.Push(MakeMessage(100, 8), 0);
    flow.Cut({100, 100});
    NvlinkSendFlow::Outgoing done;
    EXPECT_FALSE(flow.PieceLeft(0, done)) << "half of it is not even cut";
    flow.Cut({100, 100});
    flow.Cut({100, 100});
    EXPECT_FALSE(flow.HasWork());
    EXPECT_TRUE(flow.PieceLeft(1, done)) << "the second message was faster";
    EXPECT_EQ(done.message.tag, 8U);
    ASSERT_NE(flow.Find(0), nullptr);
    EXPECT_EQ(flow.Find(0)->onLinks, 1U);
    EXPECT_TRUE(flow.PieceLeft(0, done));
    EXPECT_EQ(done.message.tag, 7U);
    EXPECT_EQ(flow.Find(0), nullptr);
    EXPECT_EQ(flow.Find(1), nullptr);
    EXPECT_EQ(flow.GetNextSequence(), 2U);
}

TEST(NvlinkReceiveFlow, DeliversInOrderWhenAllBytesAreThere)
{
    NvlinkReceiveFlow flow;
    Message message;
    EXPECT_FALSE(flow.TakeDelivered(message));
    flow.Receive(MakePiece(1, 50, 50));
    EXPECT_FALSE(flow.TakeDelivered(message)) << "nothing of message 0 is there";
    EXPECT_EQ(flow.Find(0), nullptr);
    flow.Receive(MakePiece(0, 60, 100));
    EXPECT_FALSE(flow.TakeDelivered(message));
    ASSERT_NE(flow.Find(0), nullptr);
    EXPECT_EQ(flow.Find(0)->receivedBytes, 60U);
    flow.Receive(MakePiece(0, 40, 100));
    ASSERT_TRUE(flow.TakeDelivered(message));
    EXPECT_EQ(message.tag, 100U);
    ASSERT_TRUE(flow.TakeDelivered(message));
    EXPECT_EQ(message.tag, 101U);
    EXPECT_FALSE(flow.TakeDelivered(message));
    EXPECT_EQ(flow.GetNextSequence(), 2U);
    EXPECT_EQ(flow.GetReceivedBytes(), 150U);
}

TEST(NvlinkReceiveFlow, EmptyMessageIsDeliveredByItsFrame)
{
    NvlinkReceiveFlow flow;
    Message message;
    flow.Receive(MakePiece(0, 0, 0));
    ASSERT_TRUE(flow.TakeDelivered(message));
    EXPECT_EQ(message.bytes, 0U);
}
