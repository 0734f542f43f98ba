/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"
#include "test-paths.h"

#include <gtest/gtest.h>

/**
 * \file
 * Real SimAI files, unedited, from topology and workload to results, packet by packet.
 */

namespace ns3
{

namespace
{

/** \brief A workload and a topology that fits it. */
struct RealRun
{
    std::string topology; //!< below the real files
    std::string workload; //!< below the real files
};

/** \param run a pair of files \return what it came to */
TrainingOutcome
RunReal(const RealRun& run)
{
    const std::string folder = SharedDir() + "/data/realfiles/";
    const TrainingOutcome outcome = RunTraining({folder + run.topology, folder + run.workload});
    EXPECT_EQ(outcome.status, 0) << run.workload << " on " << run.topology << ": " << outcome.error;
    EXPECT_EQ(outcome.summary.network.drops, 0u) << run.workload;
    EXPECT_EQ(outcome.summary.network.pfcPauses, outcome.summary.network.pfcResumes);
    return outcome;
}

/**
 * Ring AllReduce of a server over NVLink through one cut-through NVSwitch: 2(n-1) steps, each with
 * S/n bytes and their headers on the GPU's link, and two link delays.
 * \param bytes S
 * \param gpus n
 * \param gbps rate of a GPU's NVLink, Gbps
 * \param delayNs delay of a link
 * \param headers header bytes / payload bytes
 * \return busbw, GB/s
 */
double
NvlinkRingBusbw(uint64_t bytes, uint32_t gpus, double gbps, double delayNs, double headers)
{
    const double step = bytes / gpus * (1 + headers) * 8 / gbps + 2 * delayNs; // ns
    const double time = 2 * (gpus - 1) * step;
    return bytes / time * 2 * (gpus - 1) / gpus;
}

} // namespace

TEST(RailyardRealFilesRun, AllReduceOnSpectrumXReachesTheClosedForm)
{
    RAILYARD_NEED_SHARED_FILES();
    const TrainingOutcome outcome =
        RunReal({"simai-generated-topologies/Spectrum-X_16g_8gps_400Gbps_H100",
                 "simai/workloads/microAllReduce_16g.txt"});
    // GPUs 0 to 7 and 8 to 15 on an NVSwitch each, links of 2880 Gbps and 25 ns
    EXPECT_FALSE(outcome.HasNote("NVLink adds")); // raw rates
    EXPECT_TRUE(outcome.HasNote("RoCE packet"));
    for (const uint64_t bytes : {16777216, 67108864})
    {
        const CollectiveSummary& collective = outcome.GetCollective("TP", bytes);
        EXPECT_EQ(collective.ranks, 8u);
        EXPECT_EQ(collective.count, 2u); // both servers
        const double expected = NvlinkRingBusbw(bytes, 8, 2880, 25, 0);
        EXPECT_NEAR(collective.busbwGBps, expected, 0.03 * expected);
    }
}

TEST(RailyardRealFilesRun, HeadersOnNvlinkLowerTheRate)
{
    RAILYARD_NEED_SHARED_FILES();
    const ScopedDefault headers("ns3::NvlinkDevice::HeaderBytes", "16");
    const TrainingOutcome outcome =
        RunReal({"simai-generated-topologies/Spectrum-X_16g_8gps_400Gbps_H100",
                 "simai/workloads/microAllReduce_16g.txt"});
    EXPECT_TRUE(outcome.HasNote("NVLink adds 16 bytes of headers to every 256 bytes"));
    const double expected = NvlinkRingBusbw(67108864, 8, 2880, 25, 16.0 / 256);
    EXPECT_NEAR(outcome.GetCollective("TP", 67108864).busbwGBps, expected, 0.03 * expected);
}

TEST(RailyardRealFilesRun, MicroBenchmarksRun)
{
    RAILYARD_NEED_SHARED_FILES();
    for (const RealRun& run :
         {RealRun{"simai/topologies/Spectrum-X_8g_8gps_400Gbps_A100",
                  "simai/workloads/microAllReduce.txt"},
          RealRun{"simai/topologies/Rail_Opti_SingleToR_16g_8gps_200Gbps_H20",
                  "simai/workloads/microAllReduce_16g.txt"},
          RealRun{"simai-generated-topologies/Rail_Opti_SingleToR_16g_4gps_200Gbps_H100",
                  "simai/workloads/microAllReduce_16g.txt"},
          RealRun{"simai-generated-topologies/Rail_Opti_SingleToR_32g_8gps_400Gbps_H100",
                  "simai/workloads/microAllReduce_32g.txt"},
          RealRun{"simai/topologies/DCN+DualToR_128g_8gps_100Gbps_A100",
                  "simai/workloads/microAllReduce_128g.txt"},
          RealRun{"simai-generated-topologies/AlibabaHPN_64g_8gps_DualToR_DualPlane_200Gbps_H800",
                  "simai/workloads/microAllReduce_32g.txt"}})
    {
        const TrainingOutcome outcome = RunReal(run);
        EXPECT_GT(outcome.GetCollective("TP", 67108864).busbwGBps, 0.0) << run.topology;
    }
}

TEST(RailyardRealFilesRun, TensorParallelGroupAcrossServersRuns)
{
    RAILYARD_NEED_SHARED_FILES();
    const TrainingOutcome outcome = RunReal({"simai/topologies/Spectrum-X_128g_8gps_400Gbps_A100",
                                             "simai/workloads/microAllReduce_16gpus.txt"});
    const CollectiveSummary& collective = outcome.GetCollective("TP", 16777216);
    EXPECT_EQ(collective.ranks, 16u);
    EXPECT_EQ(collective.count, 8u); // groups
    // 8 NICs of 100 Gbps (whatever the file's name says), with headers and acknowledgements
    const double expected = 8 * 12.5 * 4096 / (4096 + 82 + 86);
    EXPECT_NEAR(collective.busbwGBps, expected, 0.03 * expected);
}

TEST(RailyardRealFilesRun, Gpt7bOnOneServerRuns)
{
    RAILYARD_NEED_SHARED_FILES();
    const TrainingOutcome outcome =
        RunReal({"simai/topologies/Spectrum-X_8g_8gps_400Gbps_A100",
                 "aicb-generated/gpt_7B-world_size8-tp4-pp1-ep1-gbs16-mbs1-seq2048-MOE-False-"
                 "GEMM-False-flash_attn-True.txt"});
    EXPECT_GT(outcome.GetPart("compute"), outcome.GetPart("exposedTp"));
    EXPECT_GT(outcome.GetPart("exposedDp"), Time(0));
}

TEST(RailyardRealFilesRun, MixtureOfExpertsRuns)
{
    RAILYARD_NEED_SHARED_FILES();
    const TrainingOutcome outcome =
        RunReal({"simai-generated-topologies/Rail_Opti_SingleToR_32g_8gps_400Gbps_H100",
                 "simai/workloads/workload_ep_test.txt"});
    EXPECT_GT(outcome.GetPart("compute"), Time(0));
    EXPECT_GT(outcome.GetPart("exposedTp"), Time(0));
    EXPECT_GT(outcome.GetPart("exposedEp"), Time(0));
}

TEST(RailyardRealFilesRun, PipelineRunsWithItsMessages)
{
    RAILYARD_NEED_SHARED_FILES();
    const TrainingOutcome outcome = RunReal({"simai/topologies/Spectrum-X_128g_8gps_400Gbps_A100",
                                             "simai/workloads/workload_analytical_128gpu.txt"});
    EXPECT_GT(outcome.GetPart("bubble") + outcome.GetPart("exposedPp"), Time(0));
}

} // namespace ns3
