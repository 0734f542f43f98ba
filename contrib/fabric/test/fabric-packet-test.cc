/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/fabric-packet.h"
#include "ns3/packet.h"

#include <gtest/gtest.h>
#include <memory>
#include <vector>

using namespace ns3;

TEST(FabricPacketPool, ReleaseDropsTheForeignFrame)
{
    FabricPacketPool pool;
    const Ptr<Packet> frame = Create<Packet>(100);
    FabricPacket* packet = pool.Allocate();
    pool.AttachForeign(packet, frame);
    EXPECT_EQ(PeekPointer(frame), packet->foreign);
    EXPECT_EQ(frame->GetReferenceCount(), 2U);
    pool.Release(packet);
    EXPECT_EQ(frame->GetReferenceCount(), 1U);
    EXPECT_EQ(pool.Allocate()->foreign, nullptr);
}

TEST(FabricPacketPool, ForeignFramesInUseGoWithThePool)
{
    constexpr uint32_t COUNT = 5000; // several slabs
    std::vector<Ptr<Packet>> frames;
    {
        auto pool = std::make_unique<FabricPacketPool>();
        for (uint32_t i = 0; i < COUNT; i++)
        {
            FabricPacket* packet = pool->Allocate();
            frames.push_back(Create<Packet>(100));
            pool->AttachForeign(packet, frames.back());
            if (i % 3 == 0)
            {
                pool->Release(packet);
            }
        }
        EXPECT_EQ(frames.back()->GetReferenceCount(), 2U);
    }
    for (const auto& frame : frames)
    {
        ASSERT_EQ(frame->GetReferenceCount(), 1U);
    }
}
