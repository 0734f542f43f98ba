/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include <gtest/gtest.h>

/**
 * \file
 * Cases on collectives over networks of every fidelity: direct NVLinks (H14), several NVSwitches
 * (H15), ring collectives over NICs (H16), overhead per step (H17).
 */

namespace ns3
{

namespace
{

/** \return path of a topology: 8 GPUs wired to each other, no switch */
std::string
WriteDirectTopology()
{
    return WriteTestFile("direct.topology",
                         "8 8 0 0 16 H100\n\n"
                         "0 1 200Gbps 0.005ms 0\n0 2 200Gbps 0.005ms 0\n0 3 400Gbps 0.005ms 0\n"
                         "0 4 400Gbps 0.005ms 0\n1 2 400Gbps 0.005ms 0\n1 3 200Gbps 0.005ms 0\n"
                         "1 5 400Gbps 0.005ms 0\n2 3 400Gbps 0.005ms 0\n2 6 200Gbps 0.005ms 0\n"
                         "3 7 200Gbps 0.005ms 0\n4 5 200Gbps 0.005ms 0\n4 6 200Gbps 0.005ms 0\n"
                         "4 7 400Gbps 0.005ms 0\n5 6 400Gbps 0.005ms 0\n5 7 200Gbps 0.005ms 0\n"
                         "6 7 400Gbps 0.005ms 0\n");
}

/**
 * \param rates rate of the link from each GPU to each NVSwitch, Gbps
 * \return path of a topology: a server of 8 GPUs
 */
std::string
WritePlanes(const std::vector<uint32_t>& rates)
{
    std::string text = std::to_string(8 + rates.size()) + " 8 " + std::to_string(rates.size()) +
                       " 0 " + std::to_string(8 * rates.size()) + " H100\n";
    std::string links;
    for (uint32_t plane = 0; plane < rates.size(); plane++)
    {
        text += std::to_string(8 + plane) + " ";
        for (uint32_t gpu = 0; gpu < 8; gpu++)
        {
            links += std::to_string(gpu) + " " + std::to_string(8 + plane) + " " +
                     std::to_string(rates[plane]) + "Gbps 0.000025ms 0\n";
        }
    }
    return WriteTestFile("planes.topology", text + "\n" + links);
}

/** \param time a time \return it in milliseconds */
double
ToMs(Time time)
{
    return time.GetPicoSeconds() / 1e9;
}

} // namespace

INSTANTIATE_TEST_SUITE_P(Networks,
                         RailyardNetworkCase,
                         testing::Values("packet", "flow", "analytic"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(RailyardNetworkCase, H14RingOverDirectLinks)
{
    const CollectiveOutcome outcome = RunCollective(WriteDirectTopology(),
                                                    {0, 1, 2, 3, 7, 6, 5, 4},
                                                    CollectiveKind::ALL_REDUCE,
                                                    64000000);
    // NVLink adds no header here: its rates are effective rates.
    EXPECT_GE(ToMs(outcome.duration), 4.485);
    EXPECT_LE(ToMs(outcome.duration), 4.55 * 1.03);
    EXPECT_EQ(outcome.sent, std::vector<uint64_t>(8, 112000000)); // 2 * 7/8 of the bytes
    EXPECT_EQ(outcome.received, outcome.sent);
}

TEST_P(RailyardNetworkCase, H14MissingLinkIsNamedBeforeTheRun)
{
    const TrainingOutcome outcome =
        RunTraining({WriteDirectTopology(),
                     WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                                   {"a -1 1 ALLREDUCE 64000000 1 NONE 0 1 NONE 0 0"})});
    EXPECT_EQ(outcome.status, 2);
    for (const char* part : {"direct.topology",
                             "no route from rank 3 to rank 4",
                             "AllReduce of 64000000 bytes on TP[0]",
                             "GPUs do not forward"})
    {
        EXPECT_NE(outcome.error.find(part), std::string::npos) << outcome.error;
    }
}

TEST_P(RailyardNetworkCase, H14RingOrderOfAWorkloadIsAnAttribute)
{
    const std::string workload =
        WriteWorkload("model_parallel_NPU_group: 8 ep: 1 pp: 1 ga: 1 all_gpus: 8",
                      {"a -1 1 ALLREDUCE 64000000 1 NONE 0 1 NONE 0 0"});
    {
        const ScopedDefault order("ns3::RingAlgorithm::Order", "0,1,2,3,7,6,5,4");
        const TrainingOutcome outcome = RunTraining({WriteDirectTopology(), workload});
        ASSERT_EQ(outcome.status, 0) << outcome.error;
        const double ms = ToMs(outcome.summary.collectives.at(0).time);
        EXPECT_GE(ms, 4.485);
        EXPECT_LE(ms, 4.55 * 1.03);
    }
    const ScopedDefault order("ns3::RingAlgorithm::Order", "0,1,2,3,7,6,4,5");
    const TrainingOutcome outcome = RunTraining({WriteDirectTopology(), workload});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("no route from rank 5 to rank 0"), std::string::npos)
        << outcome.error;
    EXPECT_NE(outcome.error.find("ns3::RingAlgorithm::Order"), std::string::npos) << outcome.error;
}

TEST(RailyardCase, H14PipelineNeedsRoutesBetweenItsStages)
{
    // 8 stages of one GPU: stage 3 sends to stage 4
    const TrainingOutcome outcome =
        RunTraining({WriteDirectTopology(),
                     WriteWorkload("model_parallel_NPU_group: 1 ep: 1 pp: 8 ga: 1 all_gpus: 8 "
                                   "pp_comm: 1000000",
                                   {"embedding_layer -1 1 NONE 0 1 NONE 0 1 NONE 0 0"})});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_NE(outcome.error.find("no route from rank 3 to rank 4"), std::string::npos)
        << outcome.error;
    EXPECT_NE(outcome.error.find("pipeline"), std::string::npos) << outcome.error;
}

TEST_P(RailyardNetworkCase, H15SeveralNvswitchPlanesAddUp)
{
    std::vector<double> times;
    for (const std::vector<uint32_t>& rates :
         {std::vector<uint32_t>{1000, 800, 800, 1000}, std::vector<uint32_t>{3600}})
    {
        const CollectiveOutcome outcome =
            RunCollective(WritePlanes(rates), CountRanks(8), CollectiveKind::ALL_REDUCE, 256000000);
        EXPECT_NEAR(ToMs(outcome.duration), 0.9956, 0.9956 * 0.01);
        EXPECT_LE(outcome.busbwGBps, 450.0);
        EXPECT_GE(outcome.busbwGBps, 445.0);
        times.push_back(ToMs(outcome.duration));
    }
    EXPECT_NEAR(times[0] / times[1], 1.0, 0.03);
}

TEST_P(RailyardNetworkCase, H16AllReduceBytesTimeAndLimit)
{
    const CollectiveOutcome outcome =
        RunCollective(WriteFourGpuStar(), CountRanks(4), CollectiveKind::ALL_REDUCE, 100000000);
    EXPECT_EQ(outcome.sent, std::vector<uint64_t>(4, 150000000));
    EXPECT_EQ(outcome.received, std::vector<uint64_t>(4, 150000000));
    EXPECT_EQ(outcome.delivered, 600000000u);
    EXPECT_EQ(outcome.mtuBytes, 4096u);
    EXPECT_EQ(outcome.headerBytes, 82u);
    const double packetMs = (outcome.mtuBytes + outcome.headerBytes) * 8 / 400e6;
    EXPECT_GE(ToMs(outcome.duration), 3.000);
    EXPECT_LE(ToMs(outcome.duration),
              3.000 * outcome.GetWireFactor() * 1.03 + 6 * (0.002 + packetMs));
    EXPECT_LE(outcome.busbwGBps, 50.0);
    EXPECT_GE(outcome.busbwGBps, 0.93 * 50 / outcome.GetWireFactor());
}

/** The exact time of doc/cases.md: a link carries its data and the ACKs of what comes in. */
TEST(RailyardCase, H16AcknowledgementsShareTheLinks)
{
    const ScopedDefault mtu("ns3::RoceNicDevice::MtuBytes", "1000");
    const auto run = [](uint64_t packetsPerAck) {
        const ScopedDefault interval("ns3::RoceNicDevice::AckInterval",
                                     std::to_string(packetsPerAck));
        return RunCollective(WriteFourGpuStar(),
                             CountRanks(4),
                             CollectiveKind::ALL_REDUCE,
                             100000000);
    };
    for (const uint64_t packetsPerAck : {1, 4})
    {
        const CollectiveOutcome outcome = run(packetsPerAck);
        EXPECT_EQ(outcome.headerBytes, 82U);
        const double ack = 86.0 / packetsPerAck;
        const double factor = 1 + (82 + ack) / 1000;
        const double gapMs = 0.002 + 1082 * 8 / 400e6; // from the last packet to the next step
        const double ackMs = 0.002 + 2 * 86 * 8 / 400e6;
        const double expected =
            3.000 * factor + 6 * gapMs * (1 - ack / (1082 + ack)) + ackMs; // 3.51724, 3.32440
        EXPECT_NEAR(ToMs(outcome.duration), expected, 0.00005);
        EXPECT_GE(outcome.busbwGBps, 0.93 * 50 / factor);
        EXPECT_LE(outcome.busbwGBps, 50 / factor);
        EXPECT_EQ(outcome.sent, std::vector<uint64_t>(4, 150000000));
    }
}

TEST_P(RailyardNetworkCase, H16AllGatherAndReduceScatterAreHalfOfIt)
{
    for (const CollectiveKind kind : {CollectiveKind::ALL_GATHER, CollectiveKind::REDUCE_SCATTER})
    {
        const CollectiveOutcome outcome =
            RunCollective(WriteFourGpuStar(), CountRanks(4), kind, 100000000);
        EXPECT_EQ(outcome.sent, std::vector<uint64_t>(4, 75000000));
        EXPECT_EQ(outcome.received, std::vector<uint64_t>(4, 75000000));
        EXPECT_GE(ToMs(outcome.duration), 1.500);
        EXPECT_LE(outcome.busbwGBps, 50.0);
        EXPECT_GE(outcome.busbwGBps, 0.93 * 50 / outcome.GetWireFactor());
    }
}

TEST_P(RailyardNetworkCase, H17OverheadPerStepAddsUp)
{
    std::vector<CollectiveOutcome> outcomes;
    for (const uint32_t overheadUs : {2, 6})
    {
        const ScopedDefault overhead("ns3::CollectiveEngine::SendOverhead",
                                     std::to_string(overheadUs) + "us");
        const CollectiveOutcome outcome = RunCollective("star:gpus=16,nicRate=400Gbps,delay=0ns",
                                                        CountRanks(16),
                                                        CollectiveKind::ALL_REDUCE,
                                                        64 << 20);
        const double serialisation = 30 * (4 << 20) * 8 / 400e6; // ms, of the payload
        const double overheadMs = 30 * overheadUs / 1e3;
        const double packetMs = (outcome.mtuBytes + outcome.headerBytes) * 8 / 400e6;
        EXPECT_GE(ToMs(outcome.duration), serialisation + overheadMs); // 2.577, 2.697
        EXPECT_LE(ToMs(outcome.duration),
                  serialisation * outcome.GetWireFactor() * 1.03 + overheadMs + 30 * packetMs);
        outcomes.push_back(outcome);
    }
    EXPECT_GE(outcomes[1].busbwGBps / outcomes[0].busbwGBps, 0.94);
    EXPECT_LE(outcomes[1].busbwGBps / outcomes[0].busbwGBps, 0.97);
    const double added = ToMs(outcomes[1].duration - outcomes[0].duration);
    EXPECT_NEAR(added, 0.120, 0.002); // 30 steps of 4 us
}

} // namespace ns3
