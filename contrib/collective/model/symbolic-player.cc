/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "symbolic-player.h"

#include <sstream>
#include <utility>

namespace ns3
{

SymbolicPlayer::SymbolicPlayer(const CollectiveRequest& request, const CollectivePlan& plan)
    : m_request(request),
      m_plan(plan)
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
            m_lanes.push_back({rank, channel, position, &program, program.GetWaits(), {}});
            for (const uint32_t step : program.GetFirstSteps())
            {
                m_ready.push_back({index, step});
            }
        }
    }
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
SymbolicPlayer::FillOperands()
{
    const uint32_t size = m_request.GetGroupSize();
    const uint32_t chunks = m_plan.GetChunks().GetCount();
    m_data.assign(static_cast<std::size_t>(size) * 2 * chunks, {});
    for (uint32_t rank = 0; rank < size; rank++)
    {
        for (uint32_t chunk = 0; chunk < chunks; chunk++)
        {
            if (Holds(rank, chunk))
            {
                SymbolicChunk& data = At(rank, PlanBuffer::OPERAND, chunk);
                data.origin = chunk;
                data.count.assign(size, 0);
                data.count[rank] = 1;
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
        return chunk / (grid.GetChannels() * grid.GetSlices()) == rank;
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SEND_RECV:
        return rank == m_request.root;
    default:
        return true;
    }
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
    const uint32_t chunk = m_plan.GetChunk(lane.channel, lane.position, step);
    std::string problem;
    switch (step.kind)
    {
    case PlanStepKind::SEND: {
        const uint32_t peer = m_plan.GetChannels()[lane.channel].GetRank(lane.position, step.peer);
        const uint32_t peerLane = lane.channel * m_request.GetGroupSize() + peer;
        auto& arrivals = m_lanes[peerLane].arrivals;
        if (arrivals.size() <= step.message)
        {
            arrivals.resize(step.message + 1);
        }
        arrivals[step.message] = At(lane.rank, step.buffer, chunk);
        Release(peerLane, m_lanes[peerLane].program->GetReceive(step.message));
        break;
    }
    case PlanStepKind::RECEIVE:
    case PlanStepKind::RECEIVE_REDUCE:
        problem = Receive(lane, step);
        break;
    case PlanStepKind::COPY:
        At(lane.rank, step.buffer, chunk) = At(lane.rank, PlanBuffer::OPERAND, chunk);
        break;
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
    const uint32_t chunk = m_plan.GetChunk(lane.channel, lane.position, step);
    SymbolicChunk& target = At(lane.rank, step.buffer, chunk);
    SymbolicChunk arrived = std::move(lane.arrivals[step.message]);
    if (step.kind == PlanStepKind::RECEIVE)
    {
        target = std::move(arrived);
        return "";
    }
    if (arrived.origin != target.origin || arrived.origin == SymbolicChunk::NOTHING)
    {
        std::ostringstream problem;
        problem << "rank " << lane.rank << " channel " << lane.channel << " message "
                << step.message << " adds chunk " << arrived.origin << " to chunk "
                << target.origin;
        return problem.str();
    }
    for (uint32_t rank = 0; rank < target.count.size(); rank++)
    {
        target.count[rank] += arrived.count[rank];
    }
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
    const std::size_t half =
        2 * static_cast<std::size_t>(rank) + (buffer == PlanBuffer::OUTPUT ? 1 : 0);
    return m_data[half * m_plan.GetChunks().GetCount() + chunk];
}

const SymbolicChunk&
SymbolicPlayer::GetChunk(uint32_t rank, PlanBuffer buffer, uint32_t chunk) const
{
    return const_cast<SymbolicPlayer*>(this)->At(rank, buffer, chunk);
}

} // namespace ns3
