/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-executor.h"

#include "ns3/abort.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("WorkloadExecutor");
NS_OBJECT_ENSURE_REGISTERED(WorkloadExecutor);

namespace
{

/** At most so many ranks are named in a line. */
constexpr std::size_t MAX_NAMED_RANKS = 8;

/**
 * \param ranks ranks
 * \return them as a phrase
 */
std::string
NameRanks(const std::vector<uint32_t>& ranks)
{
    std::ostringstream phrase;
    phrase << (ranks.size() == 1 ? "rank" : "ranks");
    std::size_t i = 0;
    for (uint32_t named = 0; i < ranks.size() && named < MAX_NAMED_RANKS; named++)
    {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
        {
            last++;
        }
        last = last == i + 1 ? i : last; // two are no range
        phrase << (i == 0 ? " " : ", ") << ranks[i];
        if (last > i)
        {
            phrase << "-" << ranks[last];
        }
        i = last + 1;
    }
    if (i < ranks.size())
    {
        phrase << " and " << ranks.size() - i << " more";
    }
    return phrase.str();
}

/** Ranks that stand at the same operation and wait for the same. */
struct Crowd
{
    std::string place;             //!< operation
    std::string wait;              //!< for what they wait
    std::vector<uint32_t> ranks{}; //!< who, in order
    Time first{};                  //!< since when, the first of them
    Time last{};                   //!< since when, the last of them

    /** \param rank one more \param since since when */
    void Add(uint32_t rank, Time since)
    {
        first = ranks.empty() ? since : std::min(first, since);
        last = ranks.empty() ? since : std::max(last, since);
        ranks.push_back(rank);
    }

    /** \return one line */
    std::string Describe() const
    {
        std::ostringstream line;
        line << NameRanks(ranks) << (ranks.size() == 1 ? " stands at " : " stand at ") << place
             << " since " << first.GetNanoSeconds();
        if (last > first)
        {
            line << " to " << last.GetNanoSeconds();
        }
        line << " ns, " << wait;
        return line.str();
    }
};

} // namespace

TypeId
WorkloadExecutor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::WorkloadExecutor")
            .SetParent<Object>()
            .SetGroupName("Railyard")
            .AddConstructor<WorkloadExecutor>()
            .AddAttribute("Iterations",
                          "Number of training iterations to run",
                          UintegerValue(1),
                          MakeUintegerAccessor(&WorkloadExecutor::m_iterations),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("GpuSms",
                          "Streaming multiprocessors of a GPU; 0: unknown. Scenarios take those "
                          "of their GPU where it is 0.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadExecutor::m_gpuSms),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("CollectiveSms",
                          "SMs that a collective holds on each of its ranks, from its launch to "
                          "its end: one for each channel of NCCL, 16 to 32 on an H100. 0: none, "
                          "kernels keep their speed.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadExecutor::m_collectiveSms),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("TransferSms",
                          "SMs that sending or receiving a message of the pipeline holds, from "
                          "its launch to its end. 0: none.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&WorkloadExecutor::m_transferSms),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

WorkloadExecutor::WorkloadExecutor()
{
}

WorkloadExecutor::~WorkloadExecutor()
{
}

void
WorkloadExecutor::DoDispose()
{
    m_ranks.clear();
    m_run = WorkloadRun();
    m_workload.reset();
    m_finished = nullptr;
    Object::DoDispose();
}

void
WorkloadExecutor::SetWorkload(std::shared_ptr<const Workload> workload)
{
    m_workload = std::move(workload);
    m_run.workload = m_workload.get();
}

void
WorkloadExecutor::SetCollectiveService(CollectiveService* service)
{
    m_run.service = service;
}

void
WorkloadExecutor::AddObserver(WorkloadObserver* observer)
{
    m_run.observers.push_back(observer);
}

void
WorkloadExecutor::SetFinishedCallback(std::function<void()> finished)
{
    m_finished = std::move(finished);
}

void
WorkloadExecutor::Start()
{
    NS_ABORT_MSG_IF(!m_workload || !m_run.service || !m_ranks.empty(),
                    "WorkloadExecutor needs a workload and a collective service, and starts once");
    const uint32_t ranks = m_workload->layout.GetSizes().ranks;
    NS_LOG_INFO(m_workload->source << ": " << ranks << " ranks");
    m_start = Simulator::Now();
    m_run.iterations = m_iterations;
    m_run.sms = GetSmCost();
    m_run.sms.Require();
    m_run.rankFinished = [this] { RankFinished(); };
    m_run.service->SetWorkload(*m_workload);
    for (uint32_t rank = 0; rank < ranks; rank++)
    {
        m_ranks.emplace_back(rank, m_run);
        Simulator::ScheduleWithContext(rank, Time(0), &WorkloadRank::Start, &m_ranks.back());
    }
}

bool
WorkloadExecutor::IsFinished() const
{
    return !m_ranks.empty() && m_finishedRanks == m_ranks.size();
}

uint64_t
WorkloadExecutor::GetDoneCount() const
{
    uint64_t count = 0;
    for (const WorkloadRank& rank : m_ranks)
    {
        count += rank.GetDoneCount();
    }
    return count;
}

uint64_t
WorkloadExecutor::GetOpCount() const
{
    uint64_t count = 0;
    for (const WorkloadProgram& program : m_workload->stages)
    {
        count += program.GetOpCount();
    }
    return count * m_workload->layout.GetRanksPerStage() * m_iterations;
}

WorkloadResult
WorkloadExecutor::GetResult() const
{
    WorkloadResult result;
    result.finished = IsFinished();
    result.start = m_start;
    result.end = m_start;
    std::size_t iterations = m_iterations;
    for (const WorkloadRank& rank : m_ranks)
    {
        iterations = std::min(iterations, rank.GetIterations().size());
        result.end =
            std::max(result.end,
                     rank.IsFinished() ? rank.GetIterations().back().end : Simulator::Now());
    }
    for (const WorkloadRank& rank : m_ranks)
    {
        result.ranks.push_back({rank.IsFinished(),
                                rank.IsFinished() ? rank.GetIterations().back().end : result.end,
                                rank.GetBreakdown(result.end)});
    }
    for (std::size_t i = 0; i < iterations && !m_ranks.empty(); i++)
    {
        const auto last =
            std::max_element(m_ranks.begin(),
                             m_ranks.end(),
                             [i](const WorkloadRank& a, const WorkloadRank& b) {
                                 return a.GetIterations()[i].end < b.GetIterations()[i].end;
                             });
        result.iterations.push_back(last->GetIterations()[i]);
    }
    return result;
}

std::vector<std::string>
WorkloadExecutor::DescribeUnfinished() const
{
    std::vector<Crowd> crowds; // in the order of their first ranks
    std::map<std::pair<std::string, std::string>, std::size_t> numbers;
    for (uint32_t rank = 0; rank < m_ranks.size(); rank++)
    {
        if (m_ranks[rank].IsFinished())
        {
            continue;
        }
        const std::string place = DescribePlace(rank);
        const std::string wait = DescribeWait(rank);
        const auto [number, isNew] = numbers.try_emplace({place, wait}, crowds.size());
        if (isNew)
        {
            crowds.push_back({place, wait});
        }
        crowds[number->second].Add(rank, m_ranks[rank].GetStanding().since);
    }
    std::vector<std::string> lines;
    for (const Crowd& crowd : crowds)
    {
        lines.push_back(crowd.Describe());
    }
    return lines;
}

std::string
WorkloadExecutor::DescribePlace(uint32_t rank) const
{
    const WorkloadRank::Standing standing = m_ranks[rank].GetStanding();
    const WorkloadOp& op = *standing.op;
    std::ostringstream text;
    text << "'" << m_workload->GetProgram(rank).names[op.name] << "' (iteration "
         << standing.iteration;
    if (op.microBatch >= 0)
    {
        text << ", micro-batch " << op.microBatch;
    }
    text << ", stream " << standing.stream->name << ")";
    return text.str();
}

std::string
WorkloadExecutor::DescribeWait(uint32_t rank) const
{
    const WorkloadOp& op = *m_ranks[rank].GetStanding().op;
    if (const auto* collective = std::get_if<CollectiveWork>(&op.work))
    {
        return DescribeCollective(rank, *collective);
    }
    if (const auto* transfer = std::get_if<TransferWork>(&op.work))
    {
        return DescribeTransfer(rank, *transfer);
    }
    return "computes";
}

std::string
WorkloadExecutor::DescribeCollective(uint32_t rank, const CollectiveWork& work) const
{
    const ParallelLayout& layout = m_workload->layout;
    const ParallelGroup& group = layout.GetGroups()[layout.GetGroup(work.family, rank)];
    const WorkloadPart part = m_ranks[rank].GetStanding().op->part;
    const uint64_t joined = m_ranks[rank].GetJoinedCount(work.family, part);
    std::vector<uint32_t> missing;
    for (uint32_t member : group.ranks)
    {
        if (m_ranks[member].GetJoinedCount(work.family, part) < joined)
        {
            missing.push_back(member);
        }
    }
    std::ostringstream phrase;
    phrase << ToString(work.kind) << " of " << work.bytes << " bytes on " << group.GetLabel()
           << ": ";
    if (missing.empty())
    {
        phrase << "all " << group.ranks.size() << " ranks joined, waits for their data";
    }
    else
    {
        phrase << "waits for " << NameRanks(missing) << " to join";
    }
    return phrase.str();
}

std::string
WorkloadExecutor::DescribeTransfer(uint32_t rank, const TransferWork& work) const
{
    const uint32_t peer = m_workload->layout.GetPipelinePeer(rank, work.stageOffset);
    return "waits for rank " + std::to_string(peer) + " to " +
           (work.send ? "acknowledge " : "send ") + std::to_string(work.bytes) + " bytes";
}

void
WorkloadExecutor::RankFinished()
{
    m_finishedRanks++;
    if (IsFinished() && m_finished)
    {
        m_finished();
    }
}

} // namespace ns3
