/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "scenario-test-helper.h"

#include "ns3/cluster.h"
#include "ns3/collective-helper.h"
#include "ns3/result-memory.h"
#include "ns3/run-recorder.h"
#include "ns3/simulator.h"
#include "ns3/sqlite-database.h"
#include "ns3/topology-loader.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

/**
 * \file
 * What is recorded of the messages of collectives.
 */

namespace ns3
{

/** Two groups of the same ranks share channels: messages of both are under way at once. */
TEST(RailyardRunRecorder, GroupsOnTheSameChannelsAreKeptApart)
{
    Simulator::Destroy();
    ResultMemory memory;
    {
        Cluster cluster(LoadTopology("star:hosts=2,nicRate=100Gbps"));
        const Ptr<CollectiveEngine> engine = CollectiveHelper().Install(cluster.GetTransport());
        RunRecorder recorder(memory, cluster, nullptr);
        engine->AddObserver(&recorder);
        for (const uint64_t bytes : {8000, 2000})
        {
            CollectiveCall call;
            call.group = engine->AddGroup(CollectiveHelper::MakeGroup(
                cluster.GetTopology(), "group of " + std::to_string(bytes), "DP", {0, 1}));
            call.bytes = bytes;
            for (uint32_t rank = 0; rank < 2; rank++)
            {
                engine->Join(rank, call, [] {});
            }
        }
        Simulator::Run();
        recorder.RecordUnfinished();
        engine->RemoveObserver(&recorder);
        engine->Dispose();
    }
    Simulator::Destroy();
    std::map<int64_t, uint64_t> bytes;
    for (const FlowRecord& flow : memory.Get<FlowRecord>())
    {
        EXPECT_TRUE(flow.end && flow.senderEnd);
        EXPECT_EQ(flow.deliveredBytes, flow.bytes);
        bytes[flow.collective] += flow.bytes;
    }
    EXPECT_EQ(bytes, (std::map<int64_t, uint64_t>{{0, 16000}, {1, 4000}}));
}

TEST(RailyardTrainingFlows, MessagesOverNicsHaveIdealTimesAndRetransmissions)
{
    const TrainingOutcome outcome = RunTraining(
        {WriteFourGpuStar("0.01"),
         WriteWorkload("model_parallel_NPU_group: 4 ep: 1 pp: 1 ga: 1 all_gpus: 4",
                       {"a -1 0 ALLREDUCE 4000000 0 ALLREDUCE 4000000 0 NONE 0 0"})});
    ASSERT_EQ(outcome.status, 0);
    SqliteDatabase database(outcome.folder + "/results.db", SqliteDatabase::Mode::READ);
    auto flows = database.Prepare("SELECT count(*), sum(ideal_ns IS NULL), sum(slowdown < 1), "
                                  "sum(retransmitted_packets) FROM flows");
    ASSERT_TRUE(flows.Step());
    EXPECT_GT(flows.GetInteger(0), 20);
    EXPECT_EQ(flows.GetInteger(1), 0);
    EXPECT_EQ(flows.GetInteger(2), 0);
    EXPECT_GT(flows.GetInteger(3), 0);
    EXPECT_EQ(flows.GetInteger(3),
              static_cast<int64_t>(outcome.summary.network.retransmittedPackets));
}

} // namespace ns3
