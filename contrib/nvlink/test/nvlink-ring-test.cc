/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include <gtest/gtest.h>

using namespace ns3;

namespace
{

const std::vector<uint32_t> g_h14Ring{0, 1, 2, 3, 7, 6, 5, 4}; //!< along the links of H14

/**
 * \param topology eight GPUs
 * \param bytes AllReduce buffer
 * \return time of a ring through the GPUs in order, seconds
 */
double
RingSeconds(const Topology& topology, uint64_t bytes)
{
    NvlinkTestNetwork network(topology);
    return RunRing(network, {0, 1, 2, 3, 4, 5, 6, 7}, bytes).GetSeconds();
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
    const double a = RingSeconds(PlanesTopology(8, {1000, 800, 800, 1000}, NanoSeconds(0)), bytes);
    const double b = RingSeconds(PlanesTopology(8, {3600}, NanoSeconds(0)), bytes);
    const double ideal = 14 * (bytes / 8) * 8 / 3600e9;
    EXPECT_NEAR(b, ideal, ideal * 1e-6) << "0.9956 ms";
    EXPECT_NEAR(a, b, b * 0.001) << "the planes end a step up to one smallest packet apart";
}
