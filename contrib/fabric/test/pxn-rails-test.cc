/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ns3/pxn-rails.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <string>

/**
 * \file
 * Which GPU's NIC sends a message so that it stays on its receiver's rail.
 */

namespace ns3
{

namespace
{

/** \param topology template \param level when to relay \return who relays */
PxnRails
MakeRails(const std::string& topology, uint32_t level = PxnRails::ALWAYS)
{
    return {LoadTopology(topology), level};
}

} // namespace

TEST(FabricPxnRails, TheGpuOnTheRailOfTheReceiverSends)
{
    const PxnRails rails = MakeRails("rail-optimized:gpus=32");
    EXPECT_TRUE(rails.HasRelays());
    for (uint32_t src = 0; src < 32; src++)
    {
        for (uint32_t dst = 0; dst < 32; dst++)
        {
            const bool isInside = src / 8 == dst / 8;
            EXPECT_EQ(rails.GetRelay(src, dst), isInside ? src : src / 8 * 8 + dst % 8)
                << src << " to " << dst;
        }
    }
}

TEST(FabricPxnRails, GpusUnderOneLeafAreOnRailsByTheirNumberAsInNccl)
{
    const PxnRails rails = MakeRails("leaf-spine:gpus=32,leaves=2,spines=2,server=dgx-h100");
    EXPECT_EQ(rails.GetRelay(1, 11), 3U);
    EXPECT_EQ(rails.GetRelay(3, 11), 3U);
}

TEST(FabricPxnRails, TraysOfAnNvlinkDomainHaveTheirOwnRails)
{
    // 72 GPUs in an NVLink domain, four rails: GPU 5 of a domain is the second of its second tray.
    const PxnRails rails = MakeRails("rail-optimized:gpus=144,server=gb200-nvl72");
    EXPECT_EQ(rails.GetRelay(5, 72 + 1), 5U) << "on the same rail";
    EXPECT_EQ(rails.GetRelay(5, 72 + 3), 7U) << "in the sender's tray";
    EXPECT_EQ(rails.GetRelay(72 + 70, 4), 72 + 68U);
}

TEST(FabricPxnRails, TheOwnerOfASharedNicSendsForAllAtLevelTwo)
{
    const std::string topology = "rail-optimized:gpus=16,gpusPerNic=2";
    const PxnRails always = MakeRails(topology);
    EXPECT_EQ(always.GetRelay(0, 8 + 1), 0U) << "its own NIC, which it owns";
    EXPECT_EQ(always.GetRelay(1, 8 + 0), 0U) << "its own NIC, which its neighbour owns";
    EXPECT_EQ(always.GetRelay(0, 8 + 7), 6U);
    const PxnRails ifRemote = MakeRails(topology, PxnRails::IF_REMOTE);
    EXPECT_EQ(ifRemote.GetRelay(1, 8 + 0), 1U) << "the NIC is its own, too";
    EXPECT_EQ(ifRemote.GetRelay(0, 8 + 7), 6U);
}

TEST(FabricPxnRails, NobodyRelaysWithoutNvlinkOrIfNotWanted)
{
    EXPECT_FALSE(MakeRails("rail-optimized:gpus=16", PxnRails::NEVER).HasRelays());
    EXPECT_FALSE(MakeRails("single-server").HasRelays()) << "there is no other server";
    EXPECT_FALSE(MakeRails("star:gpus=8").HasRelays()) << "hosts";
    EXPECT_FALSE(MakeRails("rail-optimized:gpus=16,server=l40s").HasRelays())
        << "over PCIe, NCCL sends from the sender's NIC";
}

TEST(FabricPxnRails, GpusWithoutAnNvlinkBetweenThemDoNotRelay)
{
    // A DGX-1 is a cube mesh: GPU 0 has links to 1, 2, 3 and 4, not to 5, 6 and 7. The NIC of two
    // is that of the first.
    const PxnRails mesh = MakeRails("rail-optimized:gpus=16,server=dgx-1-v100");
    EXPECT_EQ(mesh.GetRelay(0, 8 + 3), 2U);
    EXPECT_EQ(mesh.GetRelay(0, 8 + 5), 4U);
    EXPECT_EQ(mesh.GetRelay(0, 8 + 6), 0U);
    EXPECT_EQ(mesh.GetRelay(3, 8 + 6), 3U);
    // Pairs with bridges, on PCIe switches.
    const PxnRails pairs = MakeRails("rail-optimized:gpus=16,server=a100-pcie");
    EXPECT_EQ(pairs.GetRelay(1, 8 + 0), 0U);
    EXPECT_EQ(pairs.GetRelay(1, 8 + 2), 1U) << "over PCIe, NCCL sends from the sender's NIC";
}

} // namespace ns3
