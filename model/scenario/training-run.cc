/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-run.h"

#include "ns3/fabric-simulator-impl.h"
#include "ns3/gpu-kernel-times.h"
#include "ns3/kernel-table.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/topology-loader.h"
#include "ns3/uinteger.h"
#include "ns3/workload-reader.h"

#include <algorithm>
#include <chrono>

namespace ns3
{

namespace
{

/** Names of the parts in a summary, in the order of WorkloadPart. */
constexpr std::array<const char*, WORKLOAD_PART_COUNT> PART_NAMES{"compute",
                                                                  "exposedTp",
                                                                  "exposedDp",
                                                                  "exposedEp",
                                                                  "exposedDpEp",
                                                                  "exposedPp",
                                                                  "bubble"};

/** Names of the kinds of communication, in the order of WorkloadPart; compute and bubble unused. */
constexpr std::array<const char*, WORKLOAD_PART_COUNT> COMMUNICATION_NAMES{"",
                                                                           "TP",
                                                                           "DP",
                                                                           "EP",
                                                                           "DP_EP",
                                                                           "PP",
                                                                           ""};

} // namespace

TrainingRun::TrainingRun(const TrainingRunOptions& options)
    : m_options(options),
      m_topology(LoadTopology(options.topology))
{
    LoadWorkload();
    m_cluster = std::make_unique<Cluster>(m_topology);
    m_collectives = CreateObject<CollectiveEngine>();
    m_collectives->SetTransport(m_cluster->GetTransport());
    m_service = std::make_unique<CollectiveEngineService>(m_collectives, m_topology);
    m_executor = CreateObjectWithAttributes<WorkloadExecutor>("Iterations",
                                                              UintegerValue(options.iterations));
    m_executor->SetWorkload(m_workload);
    m_executor->SetCollectiveService(m_service.get());
    m_executor->SetFinishedCallback([] { Simulator::Stop(); });
    m_results = std::make_unique<ResultFolder>(options.results);
    m_recorder = std::make_unique<RunRecorder>(*m_results, *m_cluster, m_service.get());
    m_executor->AddObserver(m_recorder.get());
    m_collectives->AddObserver(m_recorder.get());
}

TrainingRun::~TrainingRun()
{
    m_progress.Finish();
    m_executor->Dispose();
    m_service.reset();
    m_collectives->Dispose();
    m_cluster.reset();
    Simulator::Destroy();
}

std::string
TrainingRun::GetShippedWorkload()
{
    return std::string(RAILYARD_SOURCE_DIR) + "/examples/workloads/gpt-7b.json";
}

const std::string&
TrainingRun::GetResultPath() const
{
    return m_results->GetPath();
}

void
TrainingRun::LoadWorkload()
{
    const WorkloadCluster cluster{m_topology.GetGpuCount(), m_topology.gpusPerServer};
    m_workload = std::make_shared<Workload>(WorkloadReader::ReadFile(m_options.workload, cluster));
    if (m_workload->HasKernels())
    {
        const std::string gpu = !m_options.gpu.empty()       ? m_options.gpu
                                : !m_topology.gpuType.empty() ? m_topology.gpuType
                                                              : "H100";
        m_kernels = KernelTable::Load(m_options.kernelTable);
        GpuKernelTimes times(m_kernels, gpu);
        m_workload->ResolveKernels(times);
    }
}

void
TrainingRun::StartProgress()
{
    auto* engine =
        dynamic_cast<FabricSimulatorImpl*>(PeekPointer(Simulator::GetImplementation()));
    if (!engine || !m_progress.IsEnabled())
    {
        return;
    }
    engine->SetPollHook([this] {
        const double all = static_cast<double>(m_executor->GetOpCount());
        m_progress.Poll({Simulator::Now(),
                         all > 0 ? m_executor->GetDoneCount() / all : 1.0,
                         m_cluster->GetContext().counters.packetHops});
    });
}

RunSummary
TrainingRun::Run()
{
    m_cluster->RecordTo(*m_results, m_workload->layout.GetSizes().ranks);
    m_executor->Start();
    if (m_options.stopTime.IsStrictlyPositive())
    {
        Simulator::Stop(m_options.stopTime);
    }
    StartProgress();
    const auto begin = std::chrono::steady_clock::now();
    Simulator::Run();
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    m_progress.Finish();
    RecordEnd();
    return m_results->Commit(MakeSummary(wall.count()));
}

void
TrainingRun::RecordEnd()
{
    m_recorder->RecordUnfinished();
    const WorkloadResult result = m_executor->GetResult();
    for (uint32_t rank = 0; rank < result.ranks.size(); rank++)
    {
        const WorkloadRankResult& own = result.ranks[rank];
        RankRecord record;
        record.rank = rank;
        record.finished = own.finished;
        record.end = own.end;
        record.compute = own.breakdown.Get(WorkloadPart::COMPUTE);
        record.exposedCommunication = own.breakdown.GetExposed();
        record.idle = own.breakdown.Get(WorkloadPart::BUBBLE);
        m_results->Record(record);
        for (size_t i = 0; i < WORKLOAD_PART_COUNT; i++)
        {
            const Time duration = own.breakdown.Get(static_cast<WorkloadPart>(i));
            m_results->Record(RankPartRecord{rank, PART_NAMES[i], duration});
        }
    }
    m_cluster->RecordLinks(*m_results);
}

RunSummary
TrainingRun::MakeSummary(double wallSeconds) const
{
    RunSummary summary;
    summary.simulatedTime = Simulator::Now();
    AddIterations(summary);
    summary.network = m_cluster->GetNetworkSummary();
    if (m_kernels)
    {
        const KernelProvenanceCounts counts = m_kernels->GetCounts();
        summary.kernelTable = {counts.exact, counts.interpolated, counts.roofline};
    }
    summary.input = m_options.input;
    summary.seed = RngSeedManager::GetRun();
    summary.revision = GetRevision();
    summary.warnings = m_cluster->GetWarnings();
    summary.notes = m_topology.notes;
    const auto append = [&](const std::vector<std::string>& lines) {
        summary.notes.insert(summary.notes.end(), lines.begin(), lines.end());
    };
    append(m_workload->notes);
    append(m_collectives->GetNotices());
    const std::string headers = m_cluster->DescribeHeaders();
    if (!headers.empty())
    {
        summary.notes.push_back(headers);
    }
    AddVerdict(summary);
    summary.engine.name = m_cluster->GetContext().engine.GetName();
    summary.engine.events = Simulator::GetEventCount();
    summary.engine.wallSeconds = wallSeconds;
    summary.engine.FillFromHost();
    return summary;
}

void
TrainingRun::AddIterations(RunSummary& summary) const
{
    const WorkloadResult result = m_executor->GetResult();
    const int64_t count = result.iterations.size();
    summary.iterations = count;
    if (count == 0)
    {
        return;
    }
    WorkloadBreakdown sum;
    for (const WorkloadIteration& iteration : result.iterations)
    {
        sum.Add(iteration.breakdown);
    }
    summary.breakdownOf = count == 1 ? "rank " + std::to_string(result.iterations[0].rank)
                                     : "mean over iterations, of the rank that ended each last";
    for (size_t i = 0; i < WORKLOAD_PART_COUNT; i++)
    {
        const auto part = static_cast<WorkloadPart>(i);
        const Time mean = TimeStep(sum.Get(part).GetTimeStep() / count);
        summary.breakdown.push_back({PART_NAMES[i], mean});
        summary.iterationTime += mean;
        if (*COMMUNICATION_NAMES[i])
        {
            const Time total = TimeStep(sum.GetCommunication(part).GetTimeStep() / count);
            if (total.IsStrictlyPositive())
            {
                summary.communication.push_back({COMMUNICATION_NAMES[i], total, mean});
            }
        }
    }
}

void
TrainingRun::AddVerdict(RunSummary& summary) const
{
    const bool finished = m_executor->IsFinished();
    summary.verdict = finished ? RunVerdict::FINISHED : RunVerdict::UNFINISHED;
    const auto append = [&](const std::vector<std::string>& lines) {
        summary.unfinished.insert(summary.unfinished.end(), lines.begin(), lines.end());
    };
    if (!finished)
    {
        append(m_executor->DescribeUnfinished());
        append(m_collectives->DescribePending());
        append(m_cluster->GetTransport()->DescribePending());
    }
    const PacketMessageTransport& transport = *m_cluster->GetTransport();
    const uint64_t delivered = summary.network.payloadBytesDelivered;
    if (finished && (transport.GetSentBytes() != transport.GetReceivedBytes() ||
                     transport.GetSentBytes() != delivered))
    {
        summary.verdict = RunVerdict::UNFINISHED;
        summary.unfinished.push_back(
            "bytes are not conserved: messages of " + std::to_string(transport.GetSentBytes()) +
            " bytes were sent, of " + std::to_string(transport.GetReceivedBytes()) +
            " bytes arrived, packets delivered " + std::to_string(delivered) + " bytes");
    }
}

} // namespace ns3
