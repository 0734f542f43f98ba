/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-test-network.h"

#include "ns3/uinteger.h"

#include <cmath>
#include <gtest/gtest.h>

using namespace ns3;

namespace
{

constexpr uint64_t MIB = 1 << 20;
const std::vector<uint32_t> g_ring{0, 1, 2, 3, 4, 5, 6, 7}; //!< ranks in order

/** One wiring of the table in doc/nvlink.md. */
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
            {"four planes", PlanesTopology(8, {1000, 800, 800, 1000}, NanoSeconds(25)), g_ring},
            {"18 links", PlanesTopology(8, {200, 200}, NanoSeconds(25), 9), g_ring},
            {"direct", DirectTopology(8, H14Links(), MicroSeconds(5)), {0, 1, 2, 3, 7, 6, 5, 4}}};
}

/**
 * \param topology eight GPUs
 * \param granularity attribute Granularity
 * \return the network
 */
std::unique_ptr<NvlinkTestNetwork>
MakeNetwork(const Topology& topology, uint32_t granularity)
{
    return std::make_unique<NvlinkTestNetwork>(topology, [&](NvlinkHelper& helper) {
        helper.SetDeviceAttribute("Granularity", UintegerValue(granularity));
    });
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
    return RunRing(*MakeNetwork(wiring.topology, granularity), wiring.order, bytes, channels)
        .GetSeconds();
}

/**
 * \param wiring topology where every GPU reaches every other
 * \param bytes buffer of every GPU, an eighth for each
 * \param granularity attribute Granularity
 * \return time until the last message has arrived, seconds
 */
double
AllToAllSeconds(const GranularityCase& wiring, uint64_t bytes, uint32_t granularity)
{
    const auto network = MakeNetwork(wiring.topology, granularity);
    for (uint32_t distance = 1; distance < 8; distance++)
    {
        for (uint32_t src = 0; src < 8; src++)
        {
            network->Send(src, (src + distance) % 8, bytes / 8);
        }
    }
    network->Run();
    Time end;
    for (const NotingEndpoint& endpoint : network->endpoints)
    {
        EXPECT_EQ(endpoint.received.size(), 7U);
        end = std::max(end, endpoint.received.back().first);
    }
    return end.GetSeconds();
}

/**
 * Compares the default granularity with 4 KiB.
 * \param wirings networks and rings
 * \param bytes AllReduce buffer
 * \param channelCounts numbers of channels to try
 * \param bound largest relative difference allowed
 */
void
CheckGranularity(const std::vector<GranularityCase>& wirings,
                 uint64_t bytes,
                 const std::vector<uint32_t>& channelCounts,
                 double bound)
{
    for (const GranularityCase& wiring : wirings)
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

// With one link for each pair a lone message takes the same time at any granularity: the switch
// cuts through and pieces follow each other without a gap. What remains is who goes first: with
// several links, which of them ends last (up to the smallest packet, 4 KiB, per step); with
// several channels, in which order packets of different messages leave.
TEST(NvlinkGranularity, ErrorOfLargeBuffers)
{
    CheckGranularity(GranularityCases(), 16 * MIB, {1, 8}, 0.015);
    CheckGranularity(GranularityCases(), 64 * MIB, {1}, 0.005);
}

// A message of one or two packets goes as a whole where 4 KiB packets of two channels alternate:
// its receiver may go on up to one message earlier in every step.
TEST(NvlinkGranularity, ErrorOfSmallBuffers)
{
    std::vector<GranularityCase> wirings = GranularityCases();
    const GranularityCase direct = wirings.back();
    CheckGranularity(wirings, MIB, {1, 8}, 0.10);
    wirings.pop_back();
    CheckGranularity(wirings, MIB, {2}, 0.10);
    // Two messages of a packet each: a step of the slowest links takes m + d instead of 2m + d.
    const double message = 65536 * 8 / 200e9;
    const double delay = 5e-6;
    const double ratio = RingSeconds(direct, MIB, 2, 65536) / RingSeconds(direct, MIB, 2, 4096);
    EXPECT_GE(ratio, (message + delay) / (2 * message + delay));
    EXPECT_LT(ratio, 1.001);
}

// GPUs send at once to seven others: at the end of the last messages a link may be left with a
// packet of its own while others are idle.
TEST(NvlinkGranularity, ErrorOfAllToAll)
{
    for (const GranularityCase& wiring : GranularityCases())
    {
        if (wiring.order != g_ring)
        {
            continue; // not every pair has a link
        }
        const double fine = AllToAllSeconds(wiring, 16 * MIB, 4096);
        const double coarse = AllToAllSeconds(wiring, 16 * MIB, 65536);
        EXPECT_LE(std::abs(coarse / fine - 1), 0.03) << wiring.name;
    }
}
