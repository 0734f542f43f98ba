/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "workload-rank.h"

#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * \param op an operation
 * \return true if it receives a message
 */
bool
IsReceive(const WorkloadOp& op)
{
    const auto* transfer = std::get_if<TransferWork>(&op.work);
    return transfer && !transfer->send;
}

/**
 * \param op an operation
 * \return true if it communicates in a way that is exposed from its begin
 */
bool
IsSendOrCollective(const WorkloadOp& op)
{
    return op.part != WorkloadPart::COMPUTE && !IsReceive(op);
}

} // namespace

WorkloadRank::WorkloadRank(uint32_t rank, const WorkloadRun& run)
    : m_rank(rank),
      m_run(&run),
      m_program(&run.workload->GetProgram(rank)),
      m_streams(m_program->streams.size()),
      m_kernels(run.sms.gpu)
{
}

void
WorkloadRank::Start()
{
    m_iterationStart = Simulator::Now();
    m_account.Open(m_iterationStart);
    Pump();
}

bool
WorkloadRank::IsFinished() const
{
    return m_iterations.size() == m_run->iterations;
}

const std::vector<WorkloadIteration>&
WorkloadRank::GetIterations() const
{
    return m_iterations;
}

WorkloadBreakdown
WorkloadRank::GetBreakdown(Time now) const
{
    WorkloadBreakdown breakdown = m_account.GetBreakdown(now);
    for (const WorkloadIteration& iteration : m_iterations)
    {
        breakdown.Add(iteration.breakdown);
    }
    for (uint32_t stream = 0; !IsFinished() && stream < m_streams.size(); stream++)
    {
        if (m_streams[stream].running && IsSendOrCollective(GetNext(stream)))
        {
            breakdown.AddCommunication(GetNext(stream).part, now - m_streams[stream].begin);
        }
    }
    return breakdown;
}

uint64_t
WorkloadRank::GetDoneCount() const
{
    uint64_t count = m_iterations.size() * m_program->GetOpCount();
    if (!IsFinished())
    {
        for (const StreamState& stream : m_streams)
        {
            count += stream.done;
        }
    }
    return count;
}

uint64_t
WorkloadRank::GetJoinedCount(GroupFamily family, WorkloadPart part) const
{
    uint64_t perIteration = 0;
    uint64_t inThisIteration = 0;
    for (std::size_t s = 0; s < m_streams.size(); s++)
    {
        const std::vector<WorkloadOp>& ops = m_program->streams[s].ops;
        const uint32_t joined = m_streams[s].done + (m_streams[s].running ? 1 : 0);
        for (std::size_t i = 0; i < ops.size(); i++)
        {
            const auto* work = std::get_if<CollectiveWork>(&ops[i].work);
            if (work && work->family == family && ops[i].part == part)
            {
                perIteration++;
                inThisIteration += i < joined ? 1 : 0;
            }
        }
    }
    return m_iterations.size() * perIteration + (IsFinished() ? 0 : inThisIteration);
}

WorkloadRank::Standing
WorkloadRank::GetStanding() const
{
    NS_ASSERT_MSG(!IsFinished(), "rank " << m_rank << " is finished");
    const uint32_t stream = FindBlockingStream();
    return {static_cast<uint32_t>(m_iterations.size()),
            &m_program->streams[stream],
            &GetNext(stream),
            m_streams[stream].begin};
}

void
WorkloadRank::Pump()
{
    if (m_pumping) // an operation was done before the call that started it returned
    {
        return;
    }
    m_pumping = true;
    for (bool moved = true; moved && !IsFinished();)
    {
        moved = false;
        for (uint32_t stream = 0; stream < m_streams.size(); stream++)
        {
            while (CanStart(stream))
            {
                StartNext(stream);
                moved = true;
            }
        }
        if (AtEnd())
        {
            EndIteration();
            moved = true;
        }
    }
    m_pumping = false;
    if (m_run->sms.IsModelled())
    {
        Retime();
    }
    m_account.SetCause(FindCause());
    if (IsFinished() && m_run->rankFinished)
    {
        m_run->rankFinished();
    }
}

bool
WorkloadRank::CanStart(uint32_t stream) const
{
    const StreamState& state = m_streams[stream];
    if (state.running || state.done == m_program->streams[stream].ops.size())
    {
        return false;
    }
    const WorkloadOp& op = m_program->streams[stream].ops[state.done];
    const auto first = m_program->waits.begin() + op.firstWait;
    return std::all_of(first, first + op.waitCount, [this](const WorkloadWait& wait) {
        return IsDone(wait);
    });
}

bool
WorkloadRank::IsDone(const WorkloadWait& wait) const
{
    return m_streams[wait.stream].done > wait.ordinal;
}

void
WorkloadRank::StartNext(uint32_t stream)
{
    m_streams[stream].running = true;
    m_streams[stream].begin = Simulator::Now();
    std::visit([this, stream](const auto& work) { StartWork(stream, work); }, GetNext(stream).work);
}

void
WorkloadRank::StartWork(uint32_t stream, const ComputeWork& work)
{
    if (work.duration.IsZero())
    {
        OnComputed(stream);
    }
    else if (m_run->sms.IsModelled())
    {
        m_kernels.Start(stream, work.duration, Simulator::Now()); // Retime() schedules its end
    }
    else
    {
        Simulator::Schedule(work.duration, &WorkloadRank::OnComputed, this, stream);
    }
}

uint32_t
WorkloadRank::CountTakenSms() const
{
    uint32_t taken = 0;
    for (uint32_t stream = 0; !IsFinished() && stream < m_streams.size(); stream++)
    {
        if (m_streams[stream].running)
        {
            const auto& work = GetNext(stream).work;
            taken += std::holds_alternative<CollectiveWork>(work) ? m_run->sms.collective
                     : std::holds_alternative<TransferWork>(work) ? m_run->sms.transfer
                                                                  : 0;
        }
    }
    return taken;
}

void
WorkloadRank::Retime()
{
    const bool changed = m_kernels.SetTaken(CountTakenSms(), Simulator::Now());
    for (const auto& [stream, kernel] : m_kernels.GetKernels())
    {
        EventId& end = m_ends[stream];
        if (changed || end.IsExpired())
        {
            end.Cancel();
            end = Simulator::Schedule(m_kernels.GetRemaining(stream),
                                      &WorkloadRank::OnComputed,
                                      this,
                                      stream);
        }
    }
}

void
WorkloadRank::StartWork(uint32_t stream, const CollectiveWork& work)
{
    const ParallelLayout& layout = m_run->workload->layout;
    WorkloadCollectiveCall call;
    call.group = layout.GetGroup(work.family, m_rank);
    call.part = GetNext(stream).part;
    call.kind = work.kind;
    call.bytes = work.bytes;
    call.label = m_program->names[GetNext(stream).name].c_str();
    call.iteration = m_iterations.size();
    if (layout.GetGroups()[call.group].ranks.size() == 1)
    {
        OnCommunicated(stream, {});
    }
    else
    {
        m_run->service->Join(m_rank, call, [this, stream](const auto& communication) {
            OnCommunicated(stream, communication);
        });
    }
}

void
WorkloadRank::StartWork(uint32_t stream, const TransferWork& work)
{
    WorkloadMessageCall call;
    call.peer = m_run->workload->layout.GetPipelinePeer(m_rank, work.stageOffset);
    call.bytes = work.bytes;
    call.together = work.together;
    call.label = m_program->names[GetNext(stream).name].c_str();
    call.iteration = m_iterations.size();
    const auto done = [this, stream](const WorkloadCommunication& communication) {
        OnCommunicated(stream, communication);
    };
    if (work.send)
    {
        m_run->service->Send(m_rank, call, done);
    }
    else
    {
        m_run->service->Receive(m_rank, call, done);
    }
}

void
WorkloadRank::OnComputed(uint32_t stream)
{
    m_account.Advance(Simulator::Now());
    if (m_kernels.GetKernels().count(stream) > 0)
    {
        m_account.AddStretch(m_kernels.End(stream, Simulator::Now()));
    }
    Complete(stream, m_streams[stream].begin, -1);
    Pump();
}

void
WorkloadRank::OnCommunicated(uint32_t stream, const WorkloadCommunication& communication)
{
    Time begin = m_streams[stream].begin;
    m_account.Advance(Simulator::Now());
    if (IsReceive(GetNext(stream)))
    {
        begin = std::max(begin, communication.sendStart.value_or(begin));
        m_account.BookReceive(stream, begin);
    }
    Complete(stream, begin, communication.collective);
    Pump();
}

void
WorkloadRank::Complete(uint32_t stream, Time begin, int64_t collective)
{
    const WorkloadOp& op = GetNext(stream);
    if (op.part != WorkloadPart::COMPUTE)
    {
        m_account.AddCommunication(op.part, Simulator::Now() - begin);
    }
    m_streams[stream].running = false;
    m_streams[stream].done++;
    Report(stream, op, begin, collective);
}

bool
WorkloadRank::AtEnd() const
{
    for (std::size_t i = 0; i < m_streams.size(); i++)
    {
        if (m_streams[i].done < m_program->streams[i].ops.size())
        {
            return false;
        }
    }
    return true;
}

void
WorkloadRank::EndIteration()
{
    const Time now = Simulator::Now();
    m_iterations.push_back({m_rank, m_iterationStart, now, m_account.Close()});
    m_iterationStart = now;
    if (!IsFinished())
    {
        m_streams.assign(m_streams.size(), StreamState());
    }
}

uint32_t
WorkloadRank::FindRunning(uint32_t stream) const
{
    while (!m_streams[stream].running)
    {
        const WorkloadOp& op = GetNext(stream);
        const auto first = m_program->waits.begin() + op.firstWait;
        const auto last = first + op.waitCount;
        const auto unmet =
            std::find_if(first, last, [this](const WorkloadWait& wait) { return !IsDone(wait); });
        NS_ASSERT_MSG(unmet != last, "rank " << m_rank << " could go on but does not");
        stream = unmet->stream;
    }
    return stream;
}

uint32_t
WorkloadRank::FindBlockingStream() const
{
    uint32_t stream = 0;
    while (m_streams[stream].done == m_program->streams[stream].ops.size())
    {
        stream++;
    }
    return FindRunning(stream);
}

RankTimeAccount::Cause
WorkloadRank::FindCause() const
{
    if (IsFinished())
    {
        return {WorkloadPart::BUBBLE, std::nullopt};
    }
    const uint32_t stream = FindBlockingStream();
    const WorkloadOp& op = GetNext(stream);
    return {op.part, IsReceive(op) ? std::optional<uint32_t>(stream) : std::nullopt};
}

const WorkloadOp&
WorkloadRank::GetNext(uint32_t stream) const
{
    return m_program->streams[stream].ops[m_streams[stream].done];
}

void
WorkloadRank::Report(uint32_t stream, const WorkloadOp& op, Time begin, int64_t collective) const
{
    WorkloadSpan span;
    span.rank = m_rank;
    span.iteration = m_iterations.size();
    span.program = m_program;
    span.stream = &m_program->streams[stream];
    span.op = &op;
    span.collective = collective;
    span.start = begin;
    span.end = Simulator::Now();
    const ParallelLayout& layout = m_run->workload->layout;
    if (const auto* collective = std::get_if<CollectiveWork>(&op.work))
    {
        span.group = &layout.GetGroups()[layout.GetGroup(collective->family, m_rank)];
    }
    else if (const auto* transfer = std::get_if<TransferWork>(&op.work))
    {
        span.peer = layout.GetPipelinePeer(m_rank, transfer->stageOffset);
    }
    for (WorkloadObserver* observer : m_run->observers)
    {
        observer->OperationDone(span);
    }
}

} // namespace ns3
