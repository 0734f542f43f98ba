/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "symbolic-player.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{

SymbolicPlayer::SymbolicPlayer(const CollectiveRequest& request,
                               const CollectivePlan& plan,
                               ContributionTable& contributions)
    : m_request(request),
      m_plan(plan),
      m_contributions(contributions)
{
}

std::string
SymbolicPlayer::Play(Order order)
{
    FillOperands();
    m_ready.clear();
    m_nextReady = 0;
    m_lanes.clear();
    for (uint32_t channel = 0; channel < m_plan.GetChannels().size(); channel++)
    {
        for (uint32_t rank = 0; rank < m_request.GetGroupSize(); rank++)
        {
            const uint32_t position = m_plan.GetChannels()[channel].positions[rank];
            const PlanProgram& program = m_plan.GetProgram(channel, position);
            const auto index = static_cast<uint32_t>(m_lanes.size());
            m_lanes.push_back({rank, channel, position, &program, program.GetWaits(), {}, {}});
            for (const uint32_t step : program.GetFirstSteps())
            {
                m_ready.push_back({index, step});
            }
        }
    }
    SkipReceives();
    while (m_nextReady < m_ready.size())
    {
        const std::string problem = Do(TakeReady(order));
        if (!problem.empty())
        {
            return problem;
        }
    }
    return DescribeStuck();
}

void
SymbolicPlayer::SkipReceives()
{
    for (uint32_t index = 0; m_plan.GetSizes() && index < m_lanes.size(); index++)
    {
        const PlanProgram& program = *m_lanes[index].program;
        for (uint32_t step = 0; step < program.GetStepCount(); step++)
        {
            const PlanStep& what = program.GetStep(step);
            if (IsReceive(what.kind) &&
                m_plan.IsSkipped(m_lanes[index].channel, m_lanes[index].position, what))
            {
                Release(index, step);
            }
        }
    }
}

void
SymbolicPlayer::FillOperands()
{
    const uint32_t size = m_request.GetGroupSize();
    const uint32_t chunks = m_plan.GetChunks().GetCount();
    m_scratchChunks = m_plan.GetScratchParts() * m_plan.GetChunks().GetSlices();
    m_data.assign(static_cast<std::size_t>(size) * (2 * chunks + m_scratchChunks), {});
    for (uint32_t rank = 0; rank < size; rank++)
    {
        for (uint32_t chunk = 0; chunk < chunks; chunk++)
        {
            if (Holds(rank, chunk))
            {
                At(rank, PlanBuffer::OPERAND, chunk) = {chunk, rank};
            }
        }
    }
}

bool
SymbolicPlayer::Holds(uint32_t rank, uint32_t chunk) const
{
    const ChunkGrid& grid = m_plan.GetChunks();
    switch (m_request.kind)
    {
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::GATHER:
        return chunk / std::max(grid.GetCount() / m_request.GetGroupSize(), 1U) == rank;
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SCATTER:
    case CollectiveKind::SEND_RECV:
        return rank == m_request.root;
    case CollectiveKind::ALL_REDUCE:
    case CollectiveKind::ALL_TO_ALL:
    case CollectiveKind::ALL_TO_ALL_V:
    case CollectiveKind::REDUCE:
    case CollectiveKind::REDUCE_SCATTER:
        return true;
    }
    return false;
}

SymbolicPlayer::Ready
SymbolicPlayer::TakeReady(Order order)
{
    if (order == Order::SHUFFLED)
    {
        m_random = m_random * 1664525U + 1013904223U; // Numerical Recipes' quick generator
        const std::size_t waiting = m_ready.size() - m_nextReady;
        std::swap(m_ready[m_nextReady + (m_random >> 8) % waiting], m_ready.back());
    }
    if (order == Order::OLDEST)
    {
        return m_ready[m_nextReady++];
    }
    const Ready ready = m_ready.back();
    m_ready.pop_back();
    return ready;
}

std::string
SymbolicPlayer::Do(const Ready& ready)
{
    Lane& lane = m_lanes[ready.lane];
    const PlanStep& step = lane.program->GetStep(ready.step);
    std::string problem;
    if (m_plan.IsSkipped(lane.channel, lane.position, step))
    {
        // neither sent nor received
    }
    else if (IsSend(step.kind))
    {
        problem = Send(lane, step);
    }
    else if (IsReceive(step.kind))
    {
        problem = Receive(lane, step);
    }
    else
    {
        problem = DoLocally(lane, step);
    }
    lane.done++;
    for (auto it = lane.program->GetDependentsBegin(ready.step);
         it != lane.program->GetDependentsEnd(ready.step);
         it++)
    {
        Release(ready.lane, *it);
    }
    return problem;
}

std::string
SymbolicPlayer::DoLocally(const Lane& lane, const PlanStep& step)
{
    std::string problem;
    for (uint32_t i = 0; i < step.parts && problem.empty(); i++)
    {
        const uint32_t to = m_plan.GetChunk(lane.channel, lane.position, step, i);
        const uint32_t from = m_plan.GetSourceChunk(lane.channel, lane.position, step, i);
        SymbolicChunk& target = At(lane.rank, step.buffer, to);
        const SymbolicChunk source = At(lane.rank, step.source, from);
        if (step.kind == PlanStepKind::COPY)
        {
            target = source;
            continue;
        }
        problem = Add(lane, step.message, target, source);
    }
    return problem;
}

std::string
SymbolicPlayer::Send(const Lane& lane, const PlanStep& step)
{
    if (step.kind == PlanStepKind::COMBINE)
    {
        return Combine(lane,
                       step,
                       m_plan.GetChannels()[lane.channel].GetRank(lane.position, step.peer));
    }
    if (step.kind == PlanStepKind::ALL_REDUCE)
    {
        std::string problem;
        for (const uint32_t member : m_plan.GetTeams()[m_plan.GetTeamOf(lane.rank)])
        {
            problem = problem.empty() ? Combine(lane, step, member) : problem;
        }
        return problem;
    }
    SymbolicMessage content;
    for (uint32_t i = 0; i < step.parts; i++)
    {
        const uint32_t chunk = m_plan.GetChunk(lane.channel, lane.position, step, i);
        content.push_back(At(lane.rank, step.buffer, chunk));
    }
    if (step.kind == PlanStepKind::MULTICAST)
    {
        for (const uint32_t member : m_plan.GetTeams()[m_plan.GetTeamOf(lane.rank)])
        {
            Deliver(member, lane.channel, step.message, content);
        }
        return "";
    }
    Deliver(m_plan.GetChannels()[lane.channel].GetRank(lane.position, step.peer),
            lane.channel,
            step.message,
            std::move(content));
    return "";
}

void
SymbolicPlayer::Deliver(uint32_t rank, uint32_t channel, uint32_t message, SymbolicMessage content)
{
    const uint32_t index = channel * m_request.GetGroupSize() + rank;
    Lane& lane = m_lanes[index];
    if (lane.arrivals.size() <= message)
    {
        lane.arrivals.resize(message + 1);
    }
    lane.arrivals[message] = std::move(content);
    Release(index, lane.program->GetReceive(message));
}

std::string
SymbolicPlayer::Combine(const Lane& lane, const PlanStep& step, uint32_t root)
{
    Lane& to = m_lanes[lane.channel * m_request.GetGroupSize() + root];
    if (to.arrivals.size() <= step.message)
    {
        to.arrivals.resize(step.message + 1);
    }
    if (to.combined.size() <= step.message)
    {
        to.combined.resize(step.message + 1, 0);
    }
    SymbolicMessage& sum = to.arrivals[step.message];
    const bool first = to.combined[step.message]++ == 0;
    for (uint32_t i = 0; i < step.parts; i++)
    {
        const uint32_t chunk = m_plan.GetChunk(lane.channel, lane.position, step, i);
        const SymbolicChunk& own = At(lane.rank, step.buffer, chunk);
        if (first)
        {
            sum.push_back(own);
            continue;
        }
        const std::string problem = Add(to, step.message, sum[i], own);
        if (!problem.empty())
        {
            return problem;
        }
    }
    if (to.combined[step.message] == m_plan.GetTeams()[m_plan.GetTeamOf(root)].size())
    {
        Release(lane.channel * m_request.GetGroupSize() + root,
                to.program->GetReceive(step.message));
    }
    return "";
}

void
SymbolicPlayer::Release(uint32_t lane, uint32_t step)
{
    if (--m_lanes[lane].waits[step] == 0)
    {
        m_ready.push_back({lane, step});
    }
}

std::string
SymbolicPlayer::Receive(Lane& lane, const PlanStep& step)
{
    SymbolicMessage content = std::move(lane.arrivals[step.message]);
    for (uint32_t i = 0; i < step.parts; i++)
    {
        const uint32_t chunk = m_plan.GetChunk(lane.channel, lane.position, step, i);
        SymbolicChunk& target = At(lane.rank, step.buffer, chunk);
        if (step.kind == PlanStepKind::RECEIVE)
        {
            target = content[i];
            continue;
        }
        const std::string problem = Add(lane, step.message, target, content[i]);
        if (!problem.empty())
        {
            return problem;
        }
    }
    return "";
}

std::string
SymbolicPlayer::Add(const Lane& lane,
                    uint32_t message,
                    SymbolicChunk& target,
                    const SymbolicChunk& arrived)
{
    if (arrived.origin != target.origin || arrived.origin == SymbolicChunk::NOTHING)
    {
        std::ostringstream problem;
        const auto name = [](uint32_t origin) {
            return origin == SymbolicChunk::NOTHING ? "nothing" : "chunk " + std::to_string(origin);
        };
        problem << "rank " << lane.rank << " channel " << lane.channel << " message " << message
                << " adds " << name(arrived.origin) << " to " << name(target.origin);
        return problem.str();
    }
    target.sum = m_contributions.Add(target.sum, arrived.sum);
    return "";
}

std::string
SymbolicPlayer::DescribeStuck() const
{
    for (const auto& lane : m_lanes)
    {
        for (uint32_t i = 0; lane.done < lane.program->GetStepCount(); i++)
        {
            if (lane.waits[i] > 0)
            {
                const PlanStep& step = lane.program->GetStep(i);
                std::ostringstream problem;
                problem << "deadlock: rank " << lane.rank << " waits for ever on channel "
                        << lane.channel << " at step " << i << " (message " << step.message
                        << ", peer "
                        << m_plan.GetChannels()[lane.channel].GetRank(lane.position, step.peer)
                        << ")";
                return problem.str();
            }
        }
    }
    return "";
}

SymbolicChunk&
SymbolicPlayer::At(uint32_t rank, PlanBuffer buffer, uint32_t chunk)
{
    const std::size_t chunks = m_plan.GetChunks().GetCount();
    return m_data[rank * (2 * chunks + m_scratchChunks) +
                  static_cast<std::size_t>(buffer) * chunks + chunk];
}

const SymbolicChunk&
SymbolicPlayer::GetChunk(uint32_t rank, PlanBuffer buffer, uint32_t chunk) const
{
    return const_cast<SymbolicPlayer*>(this)->At(rank, buffer, chunk);
}

} // namespace ns3
