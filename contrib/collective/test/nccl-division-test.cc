/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-test-bed.h"

#include "ns3/nccl-division.h"
#include "ns3/nccl-selector.h"
#include "ns3/object-factory.h"
#include "ns3/string.h"

#include <gtest/gtest.h>

/**
 * \file
 * Channels and slices that NCCL would use, computed by hand from the rules of NcclDivision.
 */

namespace ns3
{

namespace
{

const std::vector<uint32_t> SERVER{8};
const std::vector<uint32_t> TWO_SERVERS{8, 8};

/** \param bytes size of an all-reduce on two servers \return the request */
CollectiveRequest
MakeAllReduce(uint64_t bytes)
{
    return MakeRequest(CollectiveKind::ALL_REDUCE, TWO_SERVERS, bytes);
}

} // namespace

// threads x threshold bytes per channel: 512 x 64, 512 x 8 (a ring 8 per rank), 640 x 8.
TEST(CollectiveNcclDivision, ChannelsFollowTheThresholdsOfThreads)
{
    struct Case
    {
        std::string algorithm;
        std::string protocol;
        uint64_t bytes;
        uint32_t channels;
    };
    const std::vector<Case> cases{
        {"Ring", "Simple", 8, 1},
        {"Ring", "Simple", 65535, 1},
        {"Ring", "Simple", 65536, 2},
        {"Ring", "Simple", 24 * 32768 - 1, 23},
        {"Ring", "Simple", 24 * 32768, 24},
        {"Ring", "Simple", 1 << 30, 24},
        {"Tree", "Simple", 65536, 2},
        {"Tree", "LL", 65536, 16},
        {"Ring", "LL", 65536, 1},  // 16 ranks: 65536 bytes each
        {"Ring", "LL", 131072, 2},
        {"Ring", "LL128", 51199, 9},
        {"Ring", "LL128", 51200, 10},
        {"NVLSTree", "Simple", 8, 24},
    };
    for (const auto& [algorithm, protocol, bytes, channels] : cases)
    {
        EXPECT_EQ(NcclDivision(algorithm, protocol, 0).GetNcclChannels(MakeAllReduce(bytes), 24),
                  channels)
            << algorithm << " " << protocol << " " << bytes;
    }
}

// An all-reduce of 64 KiB with LL128 on 16 channels: 12 by the threads. Its traffic is twice that;
// at 16 KiB for a channel, cells are 8 KiB, so that 8 remain. 512 bytes are no limit.
TEST(CollectiveNcclDivision, CellsLeaveChannelsIdle)
{
    const CollectiveRequest small = MakeAllReduce(65536);
    EXPECT_EQ(NcclDivision("Tree", "LL128", 0).GetNcclChannels(small, 16), 12U);
    EXPECT_EQ(NcclDivision("Tree", "LL128", 512).GetNcclChannels(small, 16), 12U);
    EXPECT_EQ(NcclDivision("Tree", "LL128", 16384).GetNcclChannels(small, 16), 8U);
    EXPECT_EQ(NcclDivision("Tree", "LL128", 32768).GetNcclChannels(small, 16), 4U);
    // 1 MiB on 24 channels: 128 cells, 5.3 each, rounded up 6, so that 22 channels do.
    EXPECT_EQ(NcclDivision("Ring", "Simple", 16384).GetNcclChannels(MakeAllReduce(1 << 20), 24),
              22U);
    // All threads of NVLSTree run, cells hold: 32 KiB are 4.
    EXPECT_EQ(NcclDivision("NVLSTree", "Simple", 16384).GetNcclChannels(MakeAllReduce(32768), 16),
              4U);
    EXPECT_EQ(NcclDivision("NVLSTree", "Simple", 16384).GetNcclChannels(MakeAllReduce(1 << 20), 16),
              16U);
}

// A tuner's number holds where there are as many channels; cells of 8 KiB still limit it.
TEST(CollectiveNcclDivision, ATunersNumberTakesThePlaceOfThoseByThreads)
{
    const auto count = [](const std::string& algorithm, uint64_t bytes, uint32_t tuned) {
        return NcclDivision(algorithm, "Simple", 16384, tuned)
            .GetNcclChannels(MakeAllReduce(bytes), 16);
    };
    EXPECT_EQ(count("Tree", 1 << 20, 0), 16U);
    EXPECT_EQ(count("Tree", 1 << 20, 4), 4U);
    EXPECT_EQ(count("Tree", 1 << 20, 40), 16U);
    EXPECT_EQ(count("NVLSTree", 1 << 20, 5), 5U);
    EXPECT_EQ(count("Ring", 65536, 0), 2U);
    EXPECT_EQ(count("Ring", 65536, 7), 4U); // 8 cells, 2 each
    EXPECT_EQ(count("Ring", 65536, 8), 8U);
    // Of 8 rings that NCCL has twice a tuner's 12 channels use all.
    const NcclDivision ring("Ring", "Simple", 0, 12);
    EXPECT_EQ(ring.GetChannels(MakeAllReduce(8), 8), 8U);
    EXPECT_EQ(NcclDivision("Ring", "Simple", 0, 3).GetChannels(MakeAllReduce(8), 8), 3U);
}

// A byte of an all-gather is worth as many as there are ranks, one of a broadcast one, of LL four.
TEST(CollectiveNcclDivision, TrafficDependsOnTheKind)
{
    const NcclDivision simple("Ring", "Simple", 16384);
    // 128 KiB on 16 ranks: 4 channels by the threads, 8 cells of 1 KiB, 2 each
    EXPECT_EQ(simple.GetNcclChannels(
                  MakeRequest(CollectiveKind::ALL_GATHER, TWO_SERVERS, 131072), 16),
              4U);
    // 64 KiB: 2 by the threads, 4 cells of 16 KiB, 2 each
    EXPECT_EQ(simple.GetNcclChannels(
                  MakeRequest(CollectiveKind::BROADCAST, TWO_SERVERS, 65536), 16),
              2U);
    // 16 KiB with LL: 4 by the threads of a tree, 8 cells of 2 KiB, 2 each; with LL128 3, 2 cells
    const CollectiveRequest small = MakeAllReduce(16384);
    EXPECT_EQ(NcclDivision("Tree", "LL", 16384).GetNcclChannels(small, 16), 4U);
    EXPECT_EQ(NcclDivision("Tree", "LL128", 16384).GetNcclChannels(small, 16), 2U);
}

// NCCL has 16 channels on 8 rings; the 8 that are simulated are all used from 8 on.
TEST(CollectiveNcclDivision, RingsThatNcclHasTwiceCountTwice)
{
    const NcclDivision ring("Ring", "Simple", 0);
    EXPECT_EQ(ring.GetChannels(MakeAllReduce(4 * 32768), 8), 4U);
    EXPECT_EQ(ring.GetChannels(MakeAllReduce(12 * 32768), 8), 8U);
    EXPECT_EQ(NcclDivision("Tree", "Simple", 0).GetChannels(MakeAllReduce(12 * 32768), 16), 12U);
}

// Two servers of 8: s = 2.8 steps, so that slices of LL128 are halved below 22.4 and 5.6 of them.
TEST(CollectiveNcclDivision, SlicesOfTreesAreThoseOfTheProtocol)
{
    const auto slice = [](const std::string& protocol, uint64_t bytes) {
        return NcclDivision("Tree", protocol, 0).GetSliceBytes(MakeAllReduce(bytes), 16, 524288);
    };
    EXPECT_EQ(slice("Simple", 4 << 20), 524288U);
    EXPECT_EQ(slice("LL", 4 << 20), 32768U);
    EXPECT_EQ(slice("LL128", 1 << 20), 18000U);
    EXPECT_EQ(slice("LL128", 4 << 20), 36000U);
    EXPECT_EQ(slice("LL128", 16 << 20), 72000U);
    EXPECT_EQ(slice("LL128", 1 << 30), 576000U);
    EXPECT_EQ(NcclDivision("Ring", "LL128", 0).GetSliceBytes(MakeAllReduce(8), 16, 0), 0U);
    EXPECT_EQ(NcclDivision("Tree", "LL", 0)
                  .GetSliceBytes(MakeRequest(CollectiveKind::ALL_REDUCE, SERVER, 8), 1, 7),
              7U)
        << "one chain stands for all channels";
}

// The selector's rings and trees divide so, pinned or not; other selectors' by their attributes.
TEST(CollectiveNcclDivision, TheSelectorsAlgorithmsFollowIt)
{
    const auto selector = CreateObject<NcclSelector>();
    selector->SetAttribute("Gpu", StringValue("H100"));
    selector->SetAttribute("IntraRate", StringValue("3600Gbps"));
    selector->SetAttribute("InterRate", StringValue("400Gbps"));
    const auto count = [&](const std::string& algorithm, const std::string& protocol) {
        const CollectiveRequest request = MakeAllReduce(65536);
        ObjectFactory factory("ns3::" + algorithm + "AllReduceAlgorithm");
        const auto own = factory.Create<CollectiveAlgorithm>();
        EXPECT_EQ(own->Plan(request).GetChannels().size(), 2U);
        const auto used = selector->Select(request, {factory.GetTypeId(), protocol}).algorithm;
        EXPECT_EQ(used->GetInstanceTypeId(), factory.GetTypeId());
        return used->Plan(request).GetChannels().size();
    };
    EXPECT_EQ(count("DoubleBinaryTree", "Simple"), 2U);
    EXPECT_EQ(count("DoubleBinaryTree", "LL128"), 8U);
    EXPECT_EQ(count("DoubleBinaryTree", "LL"), 16U);
    EXPECT_EQ(count("Tree", "Simple"), 2U); // a single tree has half as many channels
    EXPECT_EQ(count("Tree", "LL128"), 8U);
    EXPECT_EQ(count("Tree", "LL"), 8U);
    EXPECT_EQ(count("Ring", "LL128"), 8U);
    EXPECT_EQ(count("Ring", "LL"), 1U);
    // 4 MiB on 8 channels, in slices of 32 KiB with LL and of a step of the buffer with Simple.
    const TypeId tree = TypeId::LookupByName("ns3::TreeAllReduceAlgorithm");
    const auto cut = [&](const std::string& protocol) {
        const CollectiveRequest request = MakeAllReduce(4 << 20);
        const CollectiveChoice choice = selector->Select(request, {tree, protocol});
        return choice.algorithm->Plan(request).GetChunks().GetSlices();
    };
    EXPECT_EQ(cut("LL"), 16U);
    EXPECT_EQ(cut("Simple"), 1U);
}

} // namespace ns3
