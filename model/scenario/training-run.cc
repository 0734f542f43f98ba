/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "training-run.h"

#include "collective-setup.h"
#include "run-limits.h"

#include "ns3/attribute-text.h"
#include "ns3/config-error.h"
#include "ns3/gpu-kernel-times.h"
#include "ns3/hardware-table.h"
#include "ns3/kernel-table-csv.h"
#include "ns3/kernel-table.h"
#include "ns3/result-format.h"
#include "ns3/simulator.h"
#include "ns3/source-folder.h"
#include "ns3/uinteger.h"
#include "ns3/workload-reader.h"

#include <array>
#include <utility>
#include <variant>

namespace ns3
{

namespace
{

constexpr const char* DEFAULT_GPU = "H100"; //!< where neither user nor topology names one

/** Names of the parts in a summary, in the order of WorkloadPart. */
constexpr std::array<const char*, WORKLOAD_PART_COUNT> PART_NAMES{"compute",
                                                                  "exposedTp",
                                                                  "exposedDp",
                                                                  "exposedEp",
                                                                  "exposedDpEp",
                                                                  "exposedPp",
                                                                  "bubble"};

/** Names of the kinds of communication, in the order of WorkloadPart; compute and bubble unused. */
constexpr std::array<const char*, WORKLOAD_PART_COUNT>
    COMMUNICATION_NAMES{"", "TP", "DP", "EP", "DP_EP", "PP", ""};

} // namespace

TrainingRun::TrainingRun(const TrainingRunOptions& options)
    : ScenarioRun(options),
      m_options(options)
{
    LoadWorkload();
    BuildCluster();
    WarnOfGroups();
    SetInput("workload", options.workload);
    SetInput("selector", AttributeText::GetDefaultOf("ns3::CollectiveEngine::Selector"));
    SetInput("iterations", std::to_string(options.iterations));
    m_collectives = CreateObject<CollectiveEngine>();
    m_collectives->SetTransport(GetCluster().GetTransport());
    CollectiveSetup(GetTopology()).Configure(m_collectives);
    m_service = std::make_unique<CollectiveEngineService>(m_collectives, GetTopology());
    m_service->RequireRoutes(*m_workload, [this](uint32_t src, uint32_t dst, const auto& purpose) {
        GetCluster().RequireRoute(src, dst, purpose);
    });
    m_executor = CreateObjectWithAttributes<WorkloadExecutor>("Iterations",
                                                              UintegerValue(options.iterations));
    WarnOfUnused();
    PrepareSms();
    m_executor->SetWorkload(m_workload);
    m_executor->SetCollectiveService(m_service.get());
    m_executor->SetFinishedCallback([] { Simulator::Stop(); });
    OpenResults();
    m_recorder = std::make_unique<RunRecorder>(GetResults(), GetCluster(), m_service.get());
    m_executor->AddObserver(m_recorder.get());
    m_collectives->AddObserver(m_recorder.get());
}

TrainingRun::~TrainingRun()
{
    m_executor->Dispose();
    m_service.reset();
    m_collectives->Dispose();
}

std::string
TrainingRun::GetShippedWorkload()
{
    return GetSourceFolder() + "/examples/workloads/gpt-7b.json";
}

void
TrainingRun::LoadWorkload()
{
    const Topology& topology = GetTopology();
    const WorkloadCluster cluster{topology.GetGpuCount(), topology.gpusPerServer};
    m_gpu = m_options.gpu.empty() ? topology.gpuType : m_options.gpu;
    m_workload = std::make_shared<Workload>(WorkloadReader::ReadFile(m_options.workload, cluster));
    if (m_workload->HasKernels())
    {
        if (m_gpu.empty())
        {
            m_gpu = DEFAULT_GPU;
            AddWarning("kernel times are those of the " + m_gpu + ": " + topology.source +
                       " names no GPU, --gpu chooses another one");
        }
        SetInput("gpu", m_gpu);
        const Ptr<KernelTable> table = KernelTable::Load(m_options.kernelTable);
        SetInput("kernelTable",
                 table->GetPath().empty() ? GetShippedKernelTablePath() : table->GetPath());
        m_kernels = table;
        const GpuKernelTimes times(m_kernels, m_gpu);
        m_workload->ResolveKernels(
            [&](const KernelCall& call) { return times.GetKernelTime(call); });
    }
    RequireRepresentableTimes();
}

void
TrainingRun::WarnOfUnused()
{
    const SmCost cost = m_executor->GetSmCost();
    const bool usesGpu = m_kernels || (cost.IsModelled() && cost.gpu == 0);
    const std::pair<const char*, bool> options[] = {
        {"--gpu", !m_options.gpu.empty() && !usesGpu},
        {"--kernelTable", !m_options.kernelTable.empty() && !m_kernels},
    };
    for (const auto& [option, isUnused] : options)
    {
        if (isUnused)
        {
            AddWarning(std::string(option) + " has no effect: " + m_options.workload +
                       " says itself how long everything takes");
        }
    }
}

void
TrainingRun::RequireRepresentableTimes() const
{
    const Time limit = GetLongestRun();
    long double sum = 0;
    for (const WorkloadProgram& program : m_workload->stages)
    {
        for (const WorkloadStream& stream : program.streams)
        {
            for (const WorkloadOp& op : stream.ops)
            {
                const auto* compute = std::get_if<ComputeWork>(&op.work);
                sum += compute ? compute->duration.GetTimeStep() : 0;
            }
        }
    }
    if (sum * m_options.iterations > limit.GetTimeStep())
    {
        throw ConfigError(m_options.workload,
                          "compute times of " + std::to_string(m_options.iterations) +
                              " iterations",
                          FormatFixed(sum * m_options.iterations / Seconds(1).GetTimeStep(), 0) +
                              " s",
                          "at most " + std::to_string(static_cast<int64_t>(limit.GetSeconds())) +
                              " s, in picoseconds the simulated time has no room for more");
    }
}

void
TrainingRun::WarnOfGroups()
{
    const NetworkMessageTransport& transport = *GetCluster().GetTransport();
    for (const ParallelGroup& group : m_workload->layout.GetGroups())
    {
        for (std::size_t i = 1; group.family == GroupFamily::TP && i < group.ranks.size(); i++)
        {
            if (!transport.UsesNvlink(group.ranks[0], group.ranks[i]))
            {
                AddWarning("tensor parallel groups of " + std::to_string(group.ranks.size()) +
                           " ranks communicate over NICs: no NVLink joins ranks " +
                           std::to_string(group.ranks[0]) + " and " +
                           std::to_string(group.ranks[i]));
                return;
            }
        }
    }
}

void
TrainingRun::PrepareSms()
{
    const SmCost cost = m_executor->GetSmCost();
    if (!cost.IsModelled())
    {
        return;
    }
    const HardwareTable table = HardwareTable::Load();
    if (cost.gpu == 0 && table.Has("gpu", m_gpu, "smCount"))
    {
        m_executor->SetAttribute("GpuSms", UintegerValue(table.GetUint("gpu", m_gpu, "smCount")));
    }
    m_executor->GetSmCost().Require();
}

uint32_t
TrainingRun::GetRankCount() const
{
    return m_workload->layout.GetSizes().ranks;
}

void
TrainingRun::Start()
{
    m_executor->Start();
}

double
TrainingRun::GetFractionDone() const
{
    const double all = static_cast<double>(m_executor->GetOpCount());
    return all > 0 ? m_executor->GetDoneCount() / all : 1.0;
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
        record.computeStretch = own.breakdown.GetStretch();
        record.exposedCommunication = own.breakdown.GetExposed();
        record.idle = own.breakdown.Get(WorkloadPart::BUBBLE);
        GetResults().Record(record);
        for (size_t i = 0; i < WORKLOAD_PART_COUNT; i++)
        {
            const Time duration = own.breakdown.Get(static_cast<WorkloadPart>(i));
            GetResults().Record(RankPartRecord{rank, PART_NAMES[i], duration});
        }
    }
}

void
TrainingRun::Complete(RunSummary& summary) const
{
    AddIterations(summary);
    if (m_kernels)
    {
        const KernelProvenanceCounts counts = m_kernels->GetCounts();
        summary.kernelTable = {counts.exact, counts.interpolated, counts.roofline};
    }
    summary.warnings.insert(summary.warnings.end(),
                            m_workload->warnings.begin(),
                            m_workload->warnings.end());
    for (const std::vector<std::string>& lines : {m_workload->notes, m_collectives->GetNotices()})
    {
        summary.notes.insert(summary.notes.end(), lines.begin(), lines.end());
    }
    AddVerdict(summary);
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
    summary.computeStretch = TimeStep(sum.GetStretch().GetTimeStep() / count);
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
    if (!finished)
    {
        std::vector<std::string>& lines = summary.unfinished;
        const NetworkMessageTransport& transport = *GetCluster().GetTransport();
        AddMissing(transport.GetFailures(), lines); // the cause first
        AddMissing(m_executor->DescribeUnfinished(), lines);
        AddMissing(m_collectives->DescribePending(), lines);
        AddMissing(transport.DescribePending(), lines);
    }
}

} // namespace ns3
