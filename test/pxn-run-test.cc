/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/routed-network.h"
#include "ns3/scenario-options.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

/**
 * \file
 * PXN on clusters, in the three fidelities: which links carry what, how long it takes, and that
 * rails without spines need it.
 */

namespace ns3
{

namespace
{

const std::string LEVEL = "ns3::PxnMessageTransport::Level"; //!< attribute

/** \ingroup tests \brief Payload by where it went. */
struct PxnTraffic
{
    std::vector<uint64_t> nvlink; //!< by GPU: that it sent over NVLink, bytes
    std::vector<uint64_t> nic;    //!< by GPU: that its NIC sent, bytes
    uint64_t spines{0};           //!< that spines sent, bytes
    uint64_t delivered{0};        //!< by the summary, bytes
    Time duration;                //!< of the collective
};

/**
 * \param topology template
 * \param bytes operand of an all-to-all of all GPUs
 * \return what went where
 */
PxnTraffic
RunAllToAll(const std::string& topology, uint64_t bytes)
{
    const CollectiveOutcome outcome =
        RunCollective({LoadTopology(topology), bytes, CollectiveKind::ALL_TO_ALL});
    const uint32_t gpus = outcome.topology.GetGpuCount();
    PxnTraffic traffic;
    traffic.delivered = outcome.delivered;
    traffic.duration = outcome.duration;
    traffic.nvlink.resize(gpus);
    traffic.nic.resize(gpus);
    for (const LinkRecord& link : outcome.links)
    {
        if (link.node < gpus)
        {
            auto& sent = link.kind == "nvlink" ? traffic.nvlink : traffic.nic;
            sent[link.node] += link.payloadBytes;
        }
        else if (outcome.topology.nodes[link.node].tier > 0)
        {
            traffic.spines += link.payloadBytes;
        }
    }
    return traffic;
}

/** \ingroup tests \brief Messages over PXN that meet nobody: each GPU sends to the next one. */
class PxnShift : private MessageEndpoint
{
  public:
    /**
     * \param topology template of servers of eight
     * \param bytes payload of each message
     * \return when the last message arrived
     */
    Time Run(const std::string& topology, uint64_t bytes)
    {
        Simulator::Destroy();
        FabricEngine::Select("fabric");
        const ScopedDefault control("ns3::RoceNicDevice::CongestionControl",
                                    ScenarioOptions::FindCongestionControl("No").GetName());
        {
            Cluster cluster(LoadTopology(topology));
            const uint32_t gpus = cluster.GetTopology().GetGpuCount();
            for (uint32_t rank = 0; rank < gpus; rank++)
            {
                cluster.GetTransport()->SetEndpoint(rank, this);
            }
            for (uint32_t rank = 0; rank < gpus; rank++)
            {
                Message message;
                message.src = rank;
                message.dst = (rank / 8 * 8 + 8 + (rank + 1) % 8) % gpus;
                message.bytes = bytes;
                cluster.GetTransport()->Send(message);
            }
            Simulator::Run();
            EXPECT_EQ(m_received, gpus);
            EXPECT_EQ(cluster.GetNetworkSummary().payloadBytesDelivered, gpus * bytes);
        }
        Simulator::Destroy();
        return m_last;
    }

  private:
    // From MessageEndpoint.
    void MessageReceived(const Message&) override
    {
        m_received++;
        m_last = Simulator::Now();
    }

    void MessageSent(const Message&) override
    {
    }

    uint32_t m_received{0}; //!< messages
    Time m_last;            //!< when the last of them arrived
};

/** \param more words of the command line \return of an all-to-all with these */
CollectiveBenchOutcome
RunBenchOfRails(const std::vector<std::string>& more)
{
    std::vector<std::string> words{"--collective=alltoall",
                                   "-b",
                                   "256K",
                                   "-e",
                                   "256K",
                                   "-n",
                                   "1",
                                   "-w",
                                   "0",
                                   "--messages=true"};
    words.insert(words.end(), more.begin(), more.end());
    return RunBench(words);
}

/** \ingroup tests \brief What must hold in every fidelity. */
class RailyardPxnCase : public RailyardNetworkCase
{
};

} // namespace

TEST_P(RailyardPxnCase, AllToAllStaysOnRails)
{
    constexpr uint64_t PART = 64 << 10; // of a rank for another, bytes
    for (const uint64_t servers : {2, 3, 4})
    {
        const uint64_t gpus = 8 * servers;
        const std::string topology = "rail-optimized:gpus=" + std::to_string(gpus);
        const PxnTraffic traffic = RunAllToAll(topology, gpus * PART);
        EXPECT_EQ(traffic.spines, 0U);
        EXPECT_EQ(traffic.delivered, gpus * (gpus - 1) * PART);
        // To each GPU of its server: what is for that GPU, and for those on its rail elsewhere.
        EXPECT_EQ(traffic.nvlink, std::vector<uint64_t>(gpus, 7 * servers * PART));
        EXPECT_EQ(traffic.nic, std::vector<uint64_t>(gpus, 8 * (servers - 1) * PART));
    }
    const ScopedDefault off(LEVEL, "0");
    const PxnTraffic without = RunAllToAll("rail-optimized:gpus=16", 16 * PART);
    EXPECT_EQ(without.spines, 16U * 7 * PART);
    EXPECT_EQ(without.nvlink, std::vector<uint64_t>(16, 7 * PART));
    EXPECT_EQ(without.nic, std::vector<uint64_t>(16, 8 * PART));
}

TEST_P(RailyardPxnCase, AllToAllOnRailsAloneNeedsPxnAndIsNearItsBound)
{
    constexpr uint64_t BYTES = 4 << 20;
    const PxnTraffic traffic = RunAllToAll("rail-only:gpus=16", BYTES);
    const double factor =
        RunCollective("star:gpus=2", {0, 1}, CollectiveKind::SEND_RECV, 1 << 20).GetWireFactor();
    const double bound = BYTES / 2 * 8 / 400e9 * factor; // the NICs send half of it, s
    EXPECT_GE(traffic.duration.GetSeconds(), bound);
    EXPECT_LE(traffic.duration.GetSeconds(), bound * 1.35); // and some of NVLink before and after
}

TEST_P(RailyardPxnCase, BenchRefusesRailsAloneWithoutPxn)
{
    const std::string network = std::string("--network=") + GetParam();
    const CollectiveBenchOutcome with = RunBenchOfRails({"--topology=rail-only:gpus=16", network});
    EXPECT_EQ(with.status, 0) << with.error;
    EXPECT_EQ(with.GetRow().wrong, 0U);
    EXPECT_EQ(with.Ask("SELECT path, count(*) FROM flows GROUP BY path ORDER BY path"),
              "nic 16 nvlink 112 pxn 112");
    const CollectiveBenchOutcome without =
        RunBenchOfRails({"--topology=rail-only:gpus=16", network, "--NCCL_PXN_DISABLE=1"});
    EXPECT_EQ(without.status, 2);
    EXPECT_NE(without.error.find("no route from rank 0 to rank 9"), std::string::npos)
        << without.error;
}

INSTANTIATE_TEST_SUITE_P(Networks,
                         RailyardPxnCase,
                         testing::Values("packet", "flow", "analytic"),
                         [](const auto& info) { return info.param; });

TEST(RailyardPxn, FidelitiesAgreeWhereNobodyWaits)
{
    for (const uint64_t bytes : {1 << 20, 16 << 20})
    {
        std::map<std::string, double> ns;
        for (const std::string network : {"packet", "flow", "analytic"})
        {
            const ScopedClusterNetwork chosen(
                ClusterNetwork::Find(TextValue("test", "network", network)));
            ns[network] = PxnShift().Run("rail-optimized:gpus=16", bytes).GetPicoSeconds() / 1e3;
        }
        EXPECT_NEAR(ns["flow"] / ns["packet"], 1, 0.02) << bytes;
        EXPECT_NEAR(ns["analytic"] / ns["packet"], 1, 0.02) << bytes;
    }
}

TEST(RailyardPxn, AMessageTakesTheNicsTimeAndThatOfAChunkOnNvlink)
{
    const ScopedClusterNetwork chosen(ClusterNetwork::Find(TextValue("test", "network", "packet")));
    constexpr uint64_t BYTES = 16 << 20;
    Time own;
    {
        const ScopedDefault off(LEVEL, "0");
        own = PxnShift().Run("star:gpus=16,server=dgx-h100", BYTES);
    }
    const Time relayed = PxnShift().Run("star:gpus=16,server=dgx-h100", BYTES);
    const double chunkNs = 131072 * 8 / 3600.0; // on 450 GB/s
    const double moreNs = (relayed - own).GetPicoSeconds() / 1e3;
    EXPECT_GT(moreNs, chunkNs);
    EXPECT_LT(moreNs, chunkNs + 700); // and latencies
}

TEST(RailyardPxn, BothEnginesGiveTheSame)
{
    const std::string topology = "--topology=rail-optimized:gpus=16";
    const CollectiveBenchOutcome fabric = RunBenchOfRails({topology, "--engine=fabric"});
    const CollectiveBenchOutcome standard = RunBenchOfRails({topology, "--engine=default"});
    ASSERT_EQ(fabric.status, 0) << fabric.error;
    ASSERT_EQ(standard.status, 0) << standard.error;
    EXPECT_EQ(fabric.GetRow().GetTime(), standard.GetRow().GetTime());
    const std::string flows = "SELECT src_rank, dst_rank, path, start_ns, end_ns, sender_end_ns "
                              "FROM flows ORDER BY flow";
    EXPECT_EQ(fabric.Ask(flows), standard.Ask(flows));
}

TEST(RailyardPxn, ALossyLinkDelaysAndLosesNothing)
{
    const CollectiveBenchOutcome outcome =
        RunBenchOfRails({"--topology=rail-only:gpus=16,lossRate=0.01"});
    ASSERT_EQ(outcome.status, 0) << outcome.error << outcome.out;
    EXPECT_EQ(outcome.Ask("SELECT sum(retransmitted_packets) FROM flows"),
              std::to_string(outcome.summary.network.retransmittedPackets));
    EXPECT_GT(outcome.summary.network.retransmittedPackets, 0U);
}

TEST(RailyardPxn, AStoppedRunSaysWhoWaitsByWayOfWhom)
{
    const CollectiveBenchOutcome outcome =
        RunBenchOfRails({"--topology=rail-only:gpus=16", "--stop=3us"});
    EXPECT_EQ(outcome.status, 1) << outcome.error;
    const auto& lines = outcome.summary.unfinished;
    const auto found = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
        return line.rfind("PXN: rank ", 0) == 0 && line.find("by way of rank") != std::string::npos;
    });
    EXPECT_NE(found, lines.end()) << testing::PrintToString(lines);
    for (const std::string& line : lines)
    {
        EXPECT_EQ(line.find("not conserved"), std::string::npos) << line;
    }
}

} // namespace ns3
