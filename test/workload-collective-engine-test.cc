/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-test-helper.h"

#include "ns3/boolean.h"
#include "ns3/collective-engine-service.h"
#include "ns3/config.h"
#include "ns3/one-forward-one-backward-schedule.h"
#include "ns3/simai-program.h"

#include <gtest/gtest.h>
#include <set>

namespace ns3
{

namespace
{

/** A transport whose messages take a microsecond and a nanosecond per byte, whatever else goes on.
 */
class PlainTransport : public MessageTransport
{
  public:
    /** \param ranks number of ranks */
    explicit PlainTransport(uint32_t ranks)
        : sent(ranks)
    {
    }

    std::vector<uint64_t> sent;    //!< payload sent by rank
    std::vector<Message> messages; //!< all messages

    uint32_t GetRankCount() const override
    {
        return sent.size();
    }

    void Send(const Message& message) override
    {
        sent[message.src] += message.bytes;
        messages.push_back(message);
        const Time time = MicroSeconds(1) + NanoSeconds(message.bytes);
        Simulator::ScheduleWithContext(message.dst, time, [this, message] {
            NotifyReceived(message);
        });
        Simulator::ScheduleWithContext(message.src, time, [this, message] { NotifySent(message); });
    }

    std::vector<std::string> DescribePending() const override
    {
        return {};
    }
};

/** Keeps what the engine's collectives were in the workload. */
class OriginRecorder : public CollectiveObserver
{
  public:
    const CollectiveEngineService* service{nullptr}; //!< knows
    std::vector<std::string> origins;                //!< label, iteration, bytes
    std::set<std::string> groups;                    //!< names
    std::map<std::vector<uint32_t>, uint32_t> nics;  //!< NICs per rank, by ranks of a group

    void RankJoined(const CollectiveInstance& instance, uint32_t) override
    {
        groups.insert(instance.group->name);
        nics[instance.group->ranks] = instance.group->GetNicsPerRank();
    }

    void CollectiveEnded(const CollectiveInstance& instance) override
    {
        const auto origin = service->GetOrigin(instance);
        origins.push_back(std::string(origin.label) + " #" + std::to_string(origin.iteration) +
                          " " + std::to_string(instance.call.bytes) + " " +
                          std::to_string(instance.GetDuration().GetNanoSeconds()));
    }
};

/** A workload over the engine. */
struct EngineRun : public WorkloadObserver
{
    std::map<int64_t, uint32_t> spans; //!< ranks that had a part in a collective, by its id
    Ptr<PlainTransport> transport;     //!< messages
    WorkloadResult result;             //!< what became of it
    std::vector<std::string> origins;  //!< collectives in the order of their ends
    std::set<std::string> groups;      //!< names of their groups
    std::map<std::vector<uint32_t>, uint32_t> nics; //!< NICs per rank, by ranks of a group

    /**
     * \param text a SimAI workload
     * \param ranks GPUs, 4 per server
     * \param iterations iterations
     * \param nicsOfRanks NICs of each GPU, empty for one each
     */
    EngineRun(const std::string& text,
              uint32_t ranks,
              uint32_t iterations = 1,
              const std::vector<uint32_t>& nicsOfRanks = {})
    {
        Topology topology;
        topology.nodes.resize(ranks);
        for (uint32_t rank = 0; rank < ranks; rank++)
        {
            topology.nodes[rank].server = rank / 4;
            topology.nodes[rank].nics = nicsOfRanks.empty() ? 1 : nicsOfRanks[rank];
        }
        transport = Create<PlainTransport>(ranks);
        auto engine = CreateObject<CollectiveEngine>();
        engine->SetTransport(transport);
        CollectiveEngineService service(engine, topology);
        OriginRecorder recorder;
        recorder.service = &service;
        engine->AddObserver(&recorder);
        auto executor = CreateObject<WorkloadExecutor>();
        executor->SetAttribute("Iterations", UintegerValue(iterations));
        executor->SetWorkload(std::make_shared<Workload>(
            BuildSimaiWorkload(ParseSimai(text),
                               {ranks, 4},
                               *CreateObject<OneForwardOneBackwardSchedule>())));
        executor->SetCollectiveService(&service);
        executor->AddObserver(this);
        executor->Start();
        Simulator::Run();
        result = executor->GetResult();
        origins = recorder.origins;
        groups = recorder.groups;
        nics = recorder.nics;
        engine->RemoveObserver(&recorder);
        executor->Dispose();
        Simulator::Destroy();
    }

    void OperationDone(const WorkloadSpan& span) override
    {
        if (span.group || span.peer >= 0)
        {
            spans[span.collective]++;
        }
    }
};

} // namespace

TEST(RailyardWorkloadCollectiveEngine, H20CollectivesAppearInOrderWithTheirLabels)
{
    const EngineRun run(
        "HYBRID_TRANSFORMER model_parallel_NPU_group: 8 ep: 1 pp: 1 all_gpus: 8\n3\n"
        "a -1 1 ALLGATHER 65536 0 NONE 0 0 NONE 0 0\n"
        "b -1 1 REDUCESCATTER 0 0 NONE 0 0 NONE 0 0\n"
        "c -1 1 ALLREDUCE 4 0 NONE 0 0 NONE 0 0\n",
        8,
        2);
    EXPECT_TRUE(run.result.finished);
    ASSERT_EQ(run.origins.size(), 6u);
    EXPECT_EQ(run.origins[0].rfind("a forward AllGather #0 65536 ", 0), 0u) << run.origins[0];
    EXPECT_EQ(run.origins[1], "b forward ReduceScatter #0 0 0");
    EXPECT_EQ(run.origins[2].rfind("c forward AllReduce #0 4 ", 0), 0u) << run.origins[2];
    EXPECT_GE(run.result.iterations.at(0).breakdown.Get(WorkloadPart::TP), MicroSeconds(14 + 7));
    EXPECT_EQ(run.origins[4], "b forward ReduceScatter #1 0 0");
    EXPECT_EQ(run.spans,
              (std::map<int64_t, uint32_t>{{0, 8}, {1, 8}, {2, 8}, {3, 8}, {4, 8}, {5, 8}}));
}

TEST(RailyardWorkloadCollectiveEngine, H21BytesThatEveryRankSends)
{
    const EngineRun run(
        "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 ep: 4 pp: 1 all_gpus: 8\n2\n"
        "g -1 0 NONE 0 0 NONE 0 0 ALLREDUCE_DP_EP 32000000 0\n"
        "m -1 1 ALLTOALL_EP 8000000 1 ALLTOALL_EP 8000000 1 NONE 0 0\n",
        8);
    EXPECT_TRUE(run.result.finished);
    for (uint64_t bytes : run.transport->sent)
    {
        EXPECT_EQ(bytes, 2u * 6000000 + 32000000);
    }
}

TEST(RailyardWorkloadCollectiveEngine, GroupsCountTheNicsOfTheRankWithFewest)
{
    const EngineRun run(
        "HYBRID_TRANSFORMER model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 8\n1\n"
        "a -1 1 ALLREDUCE 65536 0 NONE 0 0 ALLREDUCE 65536 0\n",
        8,
        1,
        {4, 2, 3, 4, 4, 4, 4, 4});
    EXPECT_TRUE(run.result.finished);
    EXPECT_EQ(run.nics.at({0, 2, 4, 6}), 3U);
    EXPECT_EQ(run.nics.at({1, 3, 5, 7}), 2U);
    EXPECT_EQ(run.nics.size(), 6U); // four more in a server each
}

namespace
{

/**
 * \param bytes of a message
 * \return H22: 4 stages, 8 micro-batches, forward 1 ms, backward 2 ms
 */
std::string
WritePipeline(uint64_t bytes)
{
    return "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 ep: 1 pp: 4 vpp: 1 ga: 8 all_gpus: 4 "
           "pp_comm: " +
           std::to_string(bytes) +
           "\n1\nembedding_layer -1 1000000 NONE 0 1000000 NONE 0 1000000 NONE 0 0\n";
}

} // namespace

TEST(RailyardWorkloadCollectiveEngine, PipelineMessagesCarryTheirBytes)
{
    const EngineRun run(WritePipeline(99000), 4);
    EXPECT_TRUE(run.result.finished);
    EXPECT_EQ(run.transport->messages.size(), 48u);
    EXPECT_EQ(run.origins.size(), 48u);
    for (const Message& message : run.transport->messages)
    {
        EXPECT_EQ(message.bytes, 99000u);
    }
    const Time transfer = MicroSeconds(1) + NanoSeconds(99000);
    EXPECT_GE(run.result.end, MilliSeconds(33) + 6 * transfer);
    EXPECT_LE(run.result.end, MilliSeconds(33) + 22 * transfer);
    // stage 3 waits for its first message: 3 forward passes and 2 transfers of bubble
    const WorkloadBreakdown& last = run.result.ranks.at(3).breakdown;
    EXPECT_GT(last.Get(WorkloadPart::PP), Time(0));
    EXPECT_EQ(last.GetCommunication(WorkloadPart::PP), 16 * transfer);
    EXPECT_GE(last.Get(WorkloadPart::BUBBLE), MilliSeconds(9));
}

// Two stages, m micro-batches, forward f = 1 ms, backward b = 2 ms, messages of x. Stage 1 ends its
// first backward pass after 2f + b + x. From then on both stages launch a send and a receive after
// a pass each, and wait for both: f + b + x for each further micro-batch. The last gradients take
// x, and stage 0 its last backward pass.
TEST(RailyardWorkloadCollectiveEngine, BatchedPipelineMessagesAreDoneTogether)
{
    const std::string text =
        "HYBRID_TRANSFORMER model_parallel_NPU_group: 1 ep: 1 pp: 2 vpp: 1 ga: 4 all_gpus: 2 "
        "pp_comm: 99000\n1\nembedding_layer -1 1000000 NONE 0 1000000 NONE 0 1000000 NONE 0 0\n";
    const Time transfer = MicroSeconds(1) + NanoSeconds(99000);
    const EngineRun ahead(text, 2);
    Config::SetDefault("ns3::PipelineSchedule::BatchP2p", BooleanValue(true));
    const EngineRun batched(text, 2);
    const EngineRun empty(WritePipeline(0), 4);
    Config::SetDefault("ns3::PipelineSchedule::BatchP2p", BooleanValue(false));
    EXPECT_TRUE(batched.result.finished);
    EXPECT_EQ(batched.result.end, MilliSeconds(4 + 3 * 3 + 2) + (1 + 3 + 1) * transfer);
    EXPECT_EQ(batched.transport->messages.size(), 8u);
    EXPECT_EQ(batched.spans.size(), 8u);
    EXPECT_LT(ahead.result.end, batched.result.end);
    EXPECT_EQ(empty.result.end, MilliSeconds(33)) << "nothing to batch";
}

TEST(RailyardWorkloadCollectiveEngine, PipelineWithoutBytesSendsNothingAndKeepsItsOrder)
{
    const EngineRun run(WritePipeline(0), 4, 2);
    EXPECT_TRUE(run.result.finished);
    EXPECT_TRUE(run.transport->messages.empty());
    EXPECT_TRUE(run.origins.empty());
    EXPECT_EQ(run.spans, (std::map<int64_t, uint32_t>{{-1, 2 * 96}}));
    EXPECT_EQ(run.result.end, MilliSeconds(2 * 33));
    for (const WorkloadRankResult& rank : run.result.ranks)
    {
        EXPECT_EQ(rank.breakdown.GetCommunication(WorkloadPart::PP), Time(0));
        EXPECT_EQ(rank.breakdown.Get(WorkloadPart::COMPUTE), MilliSeconds(2 * 24));
    }
}

TEST(RailyardWorkloadCollectiveEngine, MicroBenchmarksBelongToTheirDataParallelGroup)
{
    const EngineRun run("MICRO\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 8000 0\n", 8);
    EXPECT_TRUE(run.result.finished);
    EXPECT_EQ(run.groups, (std::set<std::string>{"DP[0]"}));
    EXPECT_EQ(run.result.ranks.at(0).breakdown.Get(WorkloadPart::DP), run.result.end);
}

} // namespace ns3
