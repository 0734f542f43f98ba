/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-under-test.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

/**
 * \file
 * Runs whose collectives NVSwitches add up and copy: bytes are conserved in every fidelity, with
 * every message in table flows, whether the run ends by itself or is stopped.
 */

namespace ns3
{

namespace
{

constexpr uint64_t BYTES = 1048576; //!< of a collective of 8 ranks

/** A collective and what it means for a rank's link. */
struct OffloadedCollective
{
    const char* name; //!< of nccl-tests
    uint64_t up;      //!< payload from each GPU, eighths of the size
    uint64_t down;    //!< payload to each GPU, eighths of the size
};

constexpr OffloadedCollective COLLECTIVES[] = {
    {"all_reduce", 9, 9},
    {"all_gather", 1, 8},
    {"reduce_scatter", 8, 1},
};

/**
 * \param collective name \param network name \param stop option --stop
 * \return a run that records its messages
 */
CollectiveBenchOutcome
RunOffloaded(const std::string& collective, const std::string& network, const std::string& stop)
{
    return RunBench({"--algorithm=Nvls",
                     "-b1M",
                     "-e1M",
                     "-n1",
                     "-w0",
                     "-c0",
                     "--messages=true",
                     "--collective=" + collective,
                     "--network=" + network,
                     "--stop=" + stop});
}

} // namespace

TEST(RailyardOffload, BytesAreConservedInEveryNetwork)
{
    for (const OffloadedCollective& collective : COLLECTIVES)
    {
        for (const char* const network : {"packet", "flow", "analytic"})
        {
            SCOPED_TRACE(std::string(collective.name) + " " + network);
            const CollectiveBenchOutcome run = RunOffloaded(collective.name, network, "0s");
            EXPECT_EQ(run.status, 0) << run.out;
            EXPECT_EQ(run.summary.network.payloadBytesDelivered, collective.down * BYTES);
            EXPECT_EQ(run.summary.network.payloadBytesOffloaded, collective.down * BYTES);
            const auto payload = [&](const std::string& end) {
                return run.Ask("SELECT DISTINCT SUM(payload_bytes) FROM links WHERE kind='nvlink' "
                               "AND " +
                               end + "<8 GROUP BY " + end);
            };
            EXPECT_EQ(payload("node"), std::to_string(collective.up * BYTES / 8));
            EXPECT_EQ(payload("peer"), std::to_string(collective.down * BYTES / 8));
            EXPECT_EQ(run.Ask("SELECT COUNT(*) FROM flows WHERE path='nvls' AND "
                              "delivered_bytes=payload_bytes AND end_ns>0"),
                      run.Ask("SELECT COUNT(*) FROM flows"));
        }
    }
}

TEST(RailyardOffload, StoppedRunsDeliverWhatHasArrivedAsAWhole)
{
    for (const char* const network : {"packet", "flow", "analytic"})
    {
        for (const char* const stop : {"1ns", "500ns", "1500ns", "3us", "3500ns", "4us"})
        {
            SCOPED_TRACE(std::string(network) + " " + stop);
            const CollectiveBenchOutcome run = RunOffloaded("all_reduce", network, stop);
            EXPECT_EQ(run.status, 1) << run.out;
            EXPECT_EQ(run.out.find("conserved"), std::string::npos) << run.out;
            EXPECT_EQ(run.Ask("SELECT COUNT(*) FROM flows WHERE (end_ns IS NULL) <> "
                              "(delivered_bytes = 0)"),
                      "0");
        }
    }
}

TEST(RailyardOffload, MessagesOfTeamsUnderWayAreNamed)
{
    const std::string sums = RunOffloaded("all_reduce", "flow", "500ns").out;
    EXPECT_NE(sums.find("NVLink: its team to rank 0 channel 0: 131072 bytes since 0 ns"),
              std::string::npos)
        << sums;
    const std::string copies = RunOffloaded("all_gather", "flow", "100ns").out;
    EXPECT_NE(copies.find("NVLink: rank 7 to its team channel 0: 131072 bytes since 0 ns"),
              std::string::npos)
        << copies;
}

} // namespace ns3
