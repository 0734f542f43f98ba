/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-bench-run.h"

#include "collective-setup.h"
#include "run-limits.h"
#include "size-shares.h"

#include "ns3/attribute-text.h"
#include "ns3/comma-list.h"
#include "ns3/config-error.h"
#include "ns3/result-file.h"
#include "ns3/result-format.h"
#include "ns3/simulator.h"
#include "ns3/svg-line-chart.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t MAX_PAIR_SIZES = uint64_t(1) << 27; //!< sizes of pairs of ranks, of all rows

} // namespace

CollectiveBenchRun::CollectiveBenchRun(const CollectiveBenchRunOptions& options)
    : ScenarioRun(options),
      m_options(options)
{
    RequireRanks();
    for (const uint64_t bytes : options.sizes.GetSizes())
    {
        m_sizes.push_back(NcclSize::Round(options.test, bytes, options.type, GetRankCount()));
    }
    SpreadSizes();
    RequireRepresentableTimes();
    BuildCluster();
    // Plans are proven here, where a wrong one is a result.
    m_collectives = CreateObjectWithAttributes<CollectiveEngine>("ProofBudget", UintegerValue(0));
    m_collectives->SetTransport(GetCluster().GetTransport());
    m_costs = DynamicCast<NcclSelector>(CollectiveSetup(GetTopology()).Configure(m_collectives));
    MakeContenders();
    MakeRows();
    m_iterations = std::make_unique<CollectiveIterations>(m_collectives, GetRankCount());
    m_iterations->SetObserver([this](const auto& span) { RecordSpan(span); });
    m_ranks.resize(GetRankCount());
    SetInput("selector", AttributeText::GetDefaultOf("ns3::CollectiveEngine::Selector"));
    SetInput("ngpus", std::to_string(GetRankCount() / options.threads));
    OpenResults();
    m_chartPath = GetResults().AddFile("busbw.svg");
    m_recorder =
        std::make_unique<RunRecorder>(GetResults(), GetCluster(), nullptr, options.messages);
    m_collectives->AddObserver(m_recorder.get());
}

CollectiveBenchRun::~CollectiveBenchRun()
{
    m_iterations.reset();
    if (m_collectives)
    {
        m_collectives->Dispose();
    }
}

void
CollectiveBenchRun::RequireRanks() const
{
    const Topology& topology = GetTopology();
    const uint64_t gpus = topology.GetGpuCount();
    const uint64_t wanted = uint64_t(m_options.threads) * m_options.gpus.value_or(gpus);
    if (wanted > gpus)
    {
        const std::string of = m_options.threads > 1 ? " for all threads together" : "";
        throw ConfigError("command line",
                          "--ngpus",
                          std::to_string(wanted),
                          "at most " + std::to_string(gpus) + of + ", the GPUs of " +
                              topology.source);
    }
    if (m_options.test.isUneven && wanted > SizeShares::MAX_RANKS)
    {
        throw ConfigError("command line",
                          "--ngpus",
                          std::to_string(wanted),
                          "at most " + std::to_string(SizeShares::MAX_RANKS) + " for " +
                              m_options.test.name + ", which has a size for every pair");
    }
    if (m_options.test.isHypercube && (wanted & (wanted - 1)) != 0)
    {
        throw ConfigError("command line",
                          "--ngpus",
                          std::to_string(wanted),
                          "a power of two, as " + m_options.test.name + " needs it");
    }
    if (m_options.test.hasRoot && m_options.root >= wanted)
    {
        throw ConfigError("command line",
                          "--root",
                          std::to_string(m_options.root),
                          "a rank, from 0 to " + std::to_string(wanted - 1));
    }
}

void
CollectiveBenchRun::SpreadSizes()
{
    if (!m_options.test.isUneven || !m_options.shares.empty())
    {
        RemoveInput("skew");
    }
    if (!m_options.test.isUneven)
    {
        return;
    }
    const uint32_t ranks = GetRankCount();
    const uint64_t most = std::max<uint64_t>(1, MAX_PAIR_SIZES / (uint64_t(ranks) * ranks));
    if (m_sizes.size() > most)
    {
        throw ConfigError("command line",
                          "--maxbytes",
                          CountOf(m_sizes.size(), "size"),
                          CountOf(most, "size") + " at most for " + m_options.test.name + " on " +
                              std::to_string(ranks) + " GPUs, with a number for every pair");
    }
    const SizeShares shares = m_options.shares.empty()
                                  ? SizeShares::MakeZipf(ranks, m_options.skew)
                                  : SizeShares::Read(TextFile(m_options.shares), ranks);
    for (const NcclSize& size : m_sizes)
    {
        m_matrices.push_back(shares.Scale(size.bytes / m_options.type.bytes, m_options.type.bytes));
    }
    m_peak = shares.GetPeak();
}

void
CollectiveBenchRun::RequireRepresentableTimes() const
{
    const Time limit = GetLongestRun();
    const uint64_t slowest = GetSlowestRateBps(GetTopology().links);
    long double bytes = 0;
    for (const NcclSize& size : m_sizes)
    {
        bytes += 2.0L * size.bytes * (m_options.warmUps + m_options.iterations);
    }
    bytes *= std::max(1.0, m_peak);
    if (8 * bytes / slowest > limit.GetSeconds())
    {
        throw ConfigError("command line",
                          "--maxbytes",
                          std::to_string(m_options.sizes.max),
                          "sizes and iterations that the slowest link, " + std::to_string(slowest) +
                              " bit/s, carries within " +
                              std::to_string(static_cast<int64_t>(limit.GetSeconds())) +
                              " s: the simulated time has no room for more");
    }
}

void
CollectiveBenchRun::MakeContenders()
{
    m_contenders = std::make_unique<CollectiveContenders>(m_collectives,
                                                          GetTopology(),
                                                          m_options.test,
                                                          GetRankCount());
    std::vector<CollectiveCall> calls;
    for (std::size_t size = 0; size < m_sizes.size(); size++)
    {
        calls.push_back(MakeCall(size));
    }
    m_contenders->Use(m_options.contest, calls, m_costs);
}

CollectiveCall
CollectiveBenchRun::MakeCall(std::size_t size) const
{
    CollectiveCall call;
    call.kind = m_options.test.kind;
    call.bytes = m_sizes[size].bytes;
    call.elementBytes = m_options.type.bytes;
    call.root = m_options.test.hasRoot ? m_options.root : 0;
    call.sizes = m_options.test.isUneven ? m_matrices[size] : nullptr;
    call.reduction = m_options.reduction;
    call.user = size;
    return call;
}

void
CollectiveBenchRun::MakeRows()
{
    std::set<std::tuple<std::size_t, std::string, std::size_t>> known;
    for (std::size_t size = 0; size < m_sizes.size(); size++)
    {
        const CollectiveCall call = MakeCall(size);
        for (std::size_t i = 0; i < m_contenders->GetAll().size(); i++)
        {
            const CollectiveContender& contender = m_contenders->GetAll()[i];
            const PlannedCollective planned =
                m_collectives->GetPlan(contender.groups.front(), call);
            if (planned.plan)
            {
                m_rows.push_back({size, i});
            }
            else if (!m_options.contest.IsComparison())
            {
                Refuse({size, i});
            }
            // The ways of a plan are those of every plan with as many channels, but for pairs of
            // ranks that have nothing for each other.
            if (planned.plan &&
                (m_options.test.isUneven ||
                 known.emplace(i, planned.GetName(), planned.plan->GetChannels().size()).second))
            {
                for (const CollectiveGroup& group : contender.groups)
                {
                    RequireRoutes(group, call);
                }
            }
        }
    }
}

void
CollectiveBenchRun::Refuse(const Row& row) const
{
    const CollectiveContender& contender = m_contenders->GetAll()[row.contender];
    const CollectiveRefusal why =
        m_collectives->Explain(contender.groups.front(), MakeCall(row.size));
    if (!why.option.empty())
    {
        throw ConfigError("command line",
                          "--" + why.option,
                          why.value,
                          why.expected + " for " + Describe(row));
    }
    throw ConfigError("command line",
                      contender.label.empty() ? "--collective" : "--algorithm",
                      contender.label.empty() ? m_options.test.name : contender.label,
                      "an algorithm that can do " + Describe(row));
}

void
CollectiveBenchRun::RequireRoutes(const CollectiveGroup& group, const CollectiveCall& call)
{
    for (const auto& [src, dst] : m_collectives->GetPairs(group, call))
    {
        GetCluster().RequireRoute(src, dst, m_options.test.name);
    }
}

std::vector<std::string>
CollectiveBenchRun::GetLabels() const
{
    std::vector<std::string> labels;
    for (const CollectiveContender& contender : m_contenders->GetAll())
    {
        labels.push_back(contender.label);
    }
    return labels;
}

uint32_t
CollectiveBenchRun::GetRankCount() const
{
    return m_options.threads * m_options.gpus.value_or(GetTopology().GetGpuCount());
}

std::string
CollectiveBenchRun::Describe(const Row& row) const
{
    const std::string& label = m_contenders->GetAll()[row.contender].label;
    return m_options.test.name + " of " + std::to_string(m_sizes[row.size].bytes) + " bytes on " +
           std::to_string(GetRankCount()) + " GPUs" + (label.empty() ? "" : " with " + label);
}

void
CollectiveBenchRun::Start()
{
    Simulator::ScheduleNow([this] { StartRow(); });
}

void
CollectiveBenchRun::StartRow()
{
    const Row& row = m_rows[m_row];
    CollectiveIterationsWork work;
    work.call = MakeCall(row.size);
    work.steps = MakeSteps(row);
    work.warmUps = m_options.warmUps;
    work.iterations = m_options.iterations;
    work.isBlocking = m_options.isBlocking;
    m_iterations->Start(work, [this](Time start, Time end) { RowEnded(start, end); });
}

std::vector<CollectiveIterationsStep>
CollectiveBenchRun::MakeSteps(const Row& row) const
{
    const std::vector<uint32_t>& groups = m_contenders->GetAll()[row.contender].numbers;
    const uint64_t bytes = m_sizes[row.size].bytes;
    if (!m_options.test.isHypercube || groups.size() == 1)
    {
        return {{groups, bytes}};
    }
    const std::size_t ranks = GetRankCount();
    std::vector<CollectiveIterationsStep> steps;
    for (std::size_t begin = 0; begin < groups.size(); begin += ranks)
    {
        steps.push_back({{groups.begin() + begin, groups.begin() + begin + ranks},
                         bytes / ranks << steps.size()});
    }
    return steps;
}

void
CollectiveBenchRun::RowEnded(Time start, Time end)
{
    const Row row = m_rows[m_row++];
    CollectiveBenchRecord record = MakeRecord(row);
    record.start = start;
    record.end = end;
    GetResults().Record(record);
    m_done.push_back({row.size, row.contender, record});
    if (m_sizeCallback && (m_row == m_rows.size() || m_rows[m_row].size != row.size))
    {
        std::vector<std::optional<CollectiveBenchRecord>> ofSize(m_contenders->GetAll().size());
        for (auto done = m_done.rbegin(); done != m_done.rend() && done->size == row.size; ++done)
        {
            ofSize[done->contender] = done->record;
        }
        HideProgress();
        m_sizeCallback(ofSize);
    }
    if (m_row == m_rows.size())
    {
        Simulator::Stop();
    }
    else
    {
        Simulator::Schedule(MilliSeconds(GAP_MS), [this] { StartRow(); });
    }
}

CollectiveBenchRecord
CollectiveBenchRun::MakeRecord(const Row& row)
{
    const NcclTest& test = m_options.test;
    const CollectiveContender& contender = m_contenders->GetAll()[row.contender];
    const PlannedCollective planned =
        m_collectives->GetPlan(contender.groups.front(), MakeCall(row.size));
    CollectiveBenchRecord record;
    record.kind = ToString(test.kind);
    record.algorithm = m_contenders->GetLabel(planned.GetName());
    record.protocol = planned.protocol.name;
    record.ranks = GetRankCount();
    record.bytes = m_sizes[row.size].bytes;
    record.elements = m_sizes[row.size].elements;
    record.type = m_options.type.name;
    record.operation = test.reduces ? m_options.operation : "none";
    record.root = test.hasRoot ? int64_t(m_options.root) : -1;
    record.warmUps = m_options.warmUps;
    record.iterations = m_options.iterations;
    record.busFactor =
        GetBusbwFactor(test.isHypercube ? CollectiveKind::ALL_GATHER : test.kind, record.ranks);
    record.wrong = m_options.check ? CountWrong(row) : std::nullopt;
    return record;
}

std::optional<uint64_t>
CollectiveBenchRun::CountWrong(const Row& row)
{
    const CollectiveCall call = MakeCall(row.size);
    const CollectiveGroup& group = m_contenders->GetAll()[row.contender].groups.front();
    const std::optional<std::string> problem =
        m_prover.Prove(m_collectives->MakeRequest(group, call),
                       m_collectives->GetPlan(group, call));
    if (!problem)
    {
        return std::nullopt;
    }
    if (!problem->empty())
    {
        m_faults.push_back("the plan for " + Describe(row) + " is wrong: " + *problem);
    }
    return problem->empty() ? 0 : call.bytes / call.elementBytes;
}

void
CollectiveBenchRun::RecordSpan(const CollectiveIterationSpan& span)
{
    SpanRecord record;
    record.rank = span.rank;
    record.stream = "collective";
    record.name = Describe(m_rows[m_row]);
    record.category = "collective";
    record.start = span.begin;
    record.end = span.end;
    record.bytes = m_sizes[m_rows[m_row].size].bytes;
    record.iteration = span.iteration;
    GetResults().Record(record);
    m_ranks[span.rank].busy += span.end - span.begin;
    m_ranks[span.rank].end = span.end;
}

double
CollectiveBenchRun::GetFractionDone() const
{
    long double all = 0;
    long double done = 0;
    for (std::size_t i = 0; i < m_rows.size(); i++)
    {
        const long double bytes = 1 + m_sizes[m_rows[i].size].bytes;
        all += bytes;
        done += i < m_row ? bytes : 0;
    }
    return all > 0 ? static_cast<double>(done / all) : 1.0;
}

void
CollectiveBenchRun::RecordEnd()
{
    m_recorder->RecordUnfinished();
    for (uint32_t rank = 0; rank < m_ranks.size(); rank++)
    {
        RankRecord record;
        record.rank = rank;
        record.finished = m_row == m_rows.size();
        record.end = m_ranks[rank].end;
        record.exposedCommunication = m_ranks[rank].busy;
        record.idle = record.end - record.exposedCommunication;
        GetResults().Record(record);
    }
    WriteChart();
}

void
CollectiveBenchRun::WriteChart() const
{
    SvgLineChart chart(std::string(ToString(m_options.test.kind)) + " on " +
                           std::to_string(GetRankCount()) + " GPUs",
                       "size, bytes",
                       "bus bandwidth, GB/s");
    for (std::size_t i = 0; i < m_contenders->GetAll().size(); i++)
    {
        std::vector<SvgLineChart::Point> points;
        for (const CollectiveBenchRow& row : m_done)
        {
            if (row.contender == i)
            {
                points.emplace_back(row.record.bytes, row.record.GetBusbwGBps());
            }
        }
        const std::string& label = m_contenders->GetAll()[i].label;
        chart.AddLine(label.empty() ? m_options.test.name : label, points);
    }
    ResultFile file(m_chartPath);
    file.Write(chart.Format());
    file.Close();
}

void
CollectiveBenchRun::Complete(RunSummary& summary) const
{
    if (m_options.test.isUneven && GetRankCount() > 1)
    {
        summary.notes.push_back("the busiest rank sends or receives " + FormatFixed(m_peak, 2) +
                                " times what each does if sizes are even");
    }
    const std::vector<std::string>& notices = m_collectives->GetNotices();
    summary.notes.insert(summary.notes.end(), notices.begin(), notices.end());
    if (!m_contenders->GetLeftOut().empty())
    {
        summary.notes.push_back("left out, as no costs of kernels are known of them or options "
                                "forbid them: " +
                                JoinList(m_contenders->GetLeftOut()));
    }
    const bool finished = m_row == m_rows.size();
    summary.verdict = finished && m_faults.empty() ? RunVerdict::FINISHED : RunVerdict::UNFINISHED;
    summary.unfinished.insert(summary.unfinished.end(), m_faults.begin(), m_faults.end());
    if (!finished)
    {
        AddUnfinished(summary);
    }
}

void
CollectiveBenchRun::AddUnfinished(RunSummary& summary) const
{
    std::vector<std::string>& lines = summary.unfinished;
    const auto& transport = *GetCluster().GetTransport();
    const auto& failures = transport.GetFailures();
    lines.insert(lines.end(), failures.begin(), failures.end());
    lines.push_back(std::to_string(m_row) + " of " + std::to_string(m_rows.size()) +
                    " rows are done; " + Describe(m_rows[m_row]) +
                    (m_iterations->IsActive() ? ", " + m_iterations->Describe() : " is next"));
    AddMissing(m_collectives->DescribePending(), lines);
    AddMissing(transport.DescribePending(), lines); // which has the failures, too
}

} // namespace ns3
