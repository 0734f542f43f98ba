/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/topology-loader.h"

#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

/**
 * \file
 * GPUs that share NICs: rings and trees use every NIC alike and stay on rails.
 */

namespace ns3
{

namespace
{

/** \ingroup tests \brief What went over Ethernet. */
struct NicTraffic
{
    std::map<uint32_t, uint64_t> sent; //!< by owner of the NIC, bytes
    uint64_t spines{0};                //!< that spines sent, bytes
};

/**
 * \param topology template
 * \param ranks a group
 * \param algorithm short name of an all-reduce
 * \return what went over Ethernet in an all-reduce of 6 MiB
 */
NicTraffic
RunAllReduce(const std::string& topology,
             const std::vector<uint32_t>& ranks,
             const std::string& algorithm)
{
    CollectiveInput input;
    input.topology = LoadTopology(topology);
    input.bytes = 6 << 20;
    input.ranks = ranks;
    input.algorithm = algorithm + "AllReduce";
    const CollectiveOutcome outcome = RunCollective(input);
    NicTraffic traffic;
    for (const LinkRecord& link : outcome.links)
    {
        const bool isGpu = link.node < outcome.topology.GetGpuCount();
        if (link.kind == "ethernet" && isGpu && link.payloadBytes > 0)
        {
            traffic.sent[link.node] += link.payloadBytes;
        }
        traffic.spines += outcome.topology.nodes[link.node].tier > 0 ? link.payloadBytes : 0;
    }
    return traffic;
}

/** \ingroup tests \brief A group over servers whose GPUs share NICs. */
struct SharedNicCase
{
    const char* topology;        //!< template
    std::vector<uint32_t> ranks; //!< group
    uint64_t nics;               //!< that it uses
};

/** \ingroup tests \brief What must hold in every fidelity. */
class RailyardNicRailsCase : public RailyardNetworkCase
{
};

} // namespace

TEST_P(RailyardNicRailsCase, RingsUseNicsThatGpusShareEvenly)
{
    const std::vector<SharedNicCase> cases{
        {"rail-optimized:gpus=16,gpusPerNic=2", CountRanks(16), 8},
        {"rail-optimized:gpus=24,gpusPerNic=2", CountRanks(24), 12}, // an odd number of servers
        {"rail-optimized:gpus=16,gpusPerNic=4", CountRanks(16), 4},
        {"rail-optimized:gpus=16,server=dgx-1-v100", {0, 1, 2, 3, 8, 9, 10, 11}, 4},
        // Two GPUs of one NIC and one of the next.
        {"rail-optimized:gpus=16,gpusPerNic=2", {0, 1, 2, 8, 9, 10}, 4},
        {"rail-optimized:gpus=16,gpusPerNic=2", {2, 4, 5, 10, 12, 13}, 4},
    };
    for (const SharedNicCase& each : cases)
    {
        SCOPED_TRACE(each.topology + testing::PrintToString(each.ranks));
        const NicTraffic traffic = RunAllReduce(each.topology, each.ranks, "Ring");
        EXPECT_EQ(traffic.spines, 0U);
        EXPECT_EQ(traffic.sent.size(), each.nics);
        const uint64_t first = traffic.sent.begin()->second;
        for (const auto& [nic, bytes] : traffic.sent)
        {
            EXPECT_NEAR(static_cast<double>(bytes) / first, 1, 0.001) << nic; // whole elements
        }
    }
}

TEST_P(RailyardNicRailsCase, TreesStayOnTheRailsOfSharedNics)
{
    for (const std::string algorithm : {"Tree", "DoubleBinaryTree"})
    {
        const NicTraffic traffic =
            RunAllReduce("rail-optimized:gpus=16,gpusPerNic=2", CountRanks(16), algorithm);
        EXPECT_EQ(traffic.spines, 0U) << algorithm;
        EXPECT_EQ(traffic.sent.size(), 8U) << algorithm;
        for (const auto& [nic, bytes] : traffic.sent)
        {
            EXPECT_EQ(bytes, traffic.sent.begin()->second) << algorithm << " " << nic;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Networks,
                         RailyardNicRailsCase,
                         testing::Values("packet", "flow", "analytic"),
                         [](const auto& info) { return info.param; });

} // namespace ns3
