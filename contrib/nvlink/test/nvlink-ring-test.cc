/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/uinteger.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;
const std::vector<uint32_t> g_ring{0, 1, 2, 3, 4, 5, 6, 7};          //!< ranks in order
const std::vector<uint32_t> g_h14Ring{0, 1, 2, 3, 7, 6, 5, 4};       //!< along the links of H14
const std::vector<uint64_t> g_h15Planes{1000, 800, 800, 1000};       //!< Gbit/s

/** One line of the table in doc/nvlink.md. */
struct GranularityCase
{
    const char* name;            //!< shown when it fails
    Topology topology;           //!< eight GPUs
    std::vector<uint32_t> order; //!< of the ring
};

/** \return the wirings of the table in doc/nvlink.md */
std::vector<GranularityCase>
GranularityCases()
{
    return {{"one plane", PlanesTopology(8, {2880}, NanoSeconds(25)), g_ring},
            {"four planes", PlanesTopology(8, g_h15Planes, NanoSeconds(25)), g_ring},
            {"18 links", PlanesTopology(8, {200, 200}, NanoSeconds(25), 9), g_ring},
            {"direct", DirectTopology(8, H14Links(), MicroSeconds(5)), g_h14Ring}};
}

/**
 * \param wiring topology and ring
 * \param bytes AllReduce buffer
 * \param channels channels
 * \param granularity attribute Granularity
 * \return time of the ring, seconds
 */
double
RingSeconds(const GranularityCase& wiring, uint64_t bytes, uint32_t channels, uint32_t granularity)
{
    NvlinkTestNetwork network(wiring.topology, [&](NvlinkHelper& helper) {
        helper.SetDeviceAttribute("Granularity", UintegerValue(granularity));
    });
    return RunRing(network, wiring.order, bytes, channels).GetSeconds();
}

/**
 * Compares the default granularity with 4 KiB.
 * \param bytes AllReduce buffer
 * \param channelCounts numbers of channels to try
 * \param bound largest relative difference allowed
 */
void
CheckGranularity(uint64_t bytes, const std::vector<uint32_t>& channelCounts, double bound)
{
    for (const GranularityCase& wiring : GranularityCases())
    {
        for (const uint32_t channels : channelCounts)
        {
            const double fine = RingSeconds(wiring, bytes, channels, 4096);
            const double coarse = RingSeconds(wiring, bytes, channels, 65536);
            EXPECT_LE(std::abs(coarse / fine - 1), bound)
                << wiring.name << ", " << channels << " channels, " << bytes << " bytes";
        }
    }
}

} // namespace

TEST(NvlinkRing, H14RingOrderHasALinkForEveryPair)
{
    NvlinkTestNetwork network(DirectTopology(8, H14Links(), MicroSeconds(5)));
    for (uint32_t i = 0; i < 8; i++)
    {
        EXPECT_TRUE(network.transport->CanReach(g_h14Ring[i], g_h14Ring[(i + 1) % 8]));
        EXPECT_EQ(network.transport->CanReach(i, (i + 1) % 8), i != 3 && i != 7)
            << i << " to " << (i + 1) % 8;
    }
    EXPECT_FALSE(network.transport->CanReach(2, 2));
    EXPECT_FALSE(network.transport->CanReach(0, 8));
}

TEST(NvlinkRing, H14TimeIsSetByTheSlowLinks)
{
    NvlinkTestNetwork network(DirectTopology(8, H14Links(), MicroSeconds(5)));
    const double end = RunRing(network, g_h14Ring, 64000000).GetSeconds();
    EXPECT_GE(end, 4.485e-3);
    EXPECT_LE(end, 4.55e-3);
    for (uint32_t rank = 0; rank < 8; rank++)
    {
        EXPECT_EQ(network.endpoints[rank].received.size(), 14U);
    }
}

TEST(NvlinkRingDeathTest, H14PairWithoutALinkIsNamed)
{
    NvlinkTestNetwork network(DirectTopology(8, H14Links(), MicroSeconds(5)));
    EXPECT_DEATH(network.Send(3, 4, 1000), "no NVLink route from rank 3 to rank 4");
}

TEST(NvlinkRing, H15PlanesCarryTheRingAsOneLink)
{
    const uint64_t bytes = 256000000;
    const GranularityCase planes{"A", PlanesTopology(8, g_h15Planes, NanoSeconds(0)), g_ring};
    const GranularityCase single{"B", PlanesTopology(8, {3600}, NanoSeconds(0)), g_ring};
    const double a = RingSeconds(planes, bytes, 1, 65536);
    const double b = RingSeconds(single, bytes, 1, 65536);
    const double ideal = 14 * (bytes / 8) * 8 / 3600e9;
    EXPECT_NEAR(b, ideal, ideal * 1e-6) << "0.9956 ms";
    EXPECT_NEAR(a, b, b * 0.001) << "the planes end a step up to one smallest packet apart";
}

// With one link for each pair a lone message takes the same time at any granularity: the switch
// cuts through and pieces follow each other without a gap. What remains is who goes first: with
// several links, which of them ends last (up to the smallest packet, 4 KiB, per step); with
// several channels, in which order packets of different messages leave.
TEST(NvlinkRing, GranularityErrorOfLargeBuffers)
{
    CheckGranularity(16 * MIB, {1, 8}, 0.015);
    CheckGranularity(64 * MIB, {1}, 0.005);
}

// A message of one or two packets goes as a whole where 4 KiB packets of two channels alternate:
// its receiver may go on up to one message earlier in every step.
TEST(NvlinkRing, GranularityErrorOfSmallBuffers)
{
    CheckGranularity(MIB, {1, 2, 8}, 0.10);
}
