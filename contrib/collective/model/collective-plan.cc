/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plan.h"

#include "ns3/assert.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace ns3
{

CollectivePlan::CollectivePlan(ChunkGrid chunks, std::vector<PlanProgram> programs)
    : m_chunks(std::move(chunks)),
      m_programs(std::move(programs))
{
}

void
CollectivePlan::AddChannel(std::vector<uint32_t> order,
                           std::vector<uint32_t> programs,
                           bool isHypercube)
{
    NS_ASSERT_MSG(order.size() == programs.size(), "a program for every position");
    PlanChannel channel;
    channel.positions.resize(order.size());
    for (uint32_t position = 0; position < order.size(); position++)
    {
        channel.positions[order[position]] = position;
    }
    channel.order = std::move(order);
    channel.programs = std::move(programs);
    channel.isHypercube = isHypercube;
    m_channels.push_back(std::move(channel));
}

void
CollectivePlan::AddEqualChannels(const std::vector<uint32_t>& order,
                                 const std::vector<uint32_t>& programs,
                                 bool isHypercube)
{
    for (uint32_t channel = 0; channel < m_chunks.GetChannels(); channel++)
    {
        AddChannel(order, programs, isHypercube);
    }
}

void
CollectivePlan::AddEqualChannels(uint32_t size, bool isHypercube)
{
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    AddEqualChannels(order, std::vector<uint32_t>(size, 0), isHypercube);
}

void
CollectivePlan::SetSizes(std::shared_ptr<const SizeMatrix> sizes)
{
    NS_ASSERT_MSG(m_chunks.GetParts() == sizes->GetRanks(), "sizes of another group");
    NS_ASSERT_MSG(m_chunks.GetSlices() == 1, "parts of different sizes have no slices");
    m_sizes = std::move(sizes);
}

void
CollectivePlan::SetTeams(std::vector<uint32_t> teams)
{
    m_teamOf = std::move(teams);
    m_teams.clear();
    for (uint32_t rank = 0; rank < m_teamOf.size(); rank++)
    {
        m_teams.resize(std::max<std::size_t>(m_teams.size(), m_teamOf[rank] + 1));
        m_teams[m_teamOf[rank]].push_back(rank);
    }
}

uint64_t
CollectivePlan::GetBytesSent(uint32_t rank) const
{
    uint64_t bytes = 0;
    for (uint32_t channel = 0; channel < m_channels.size(); channel++)
    {
        const uint32_t position = m_channels[channel].positions[rank];
        const PlanProgram& program = GetProgram(channel, position);
        for (uint32_t i = 0; i < program.GetStepCount(); i++)
        {
            const PlanStep& step = program.GetStep(i);
            bytes += IsSend(step.kind) ? GetBytes(channel, position, step) : 0;
        }
    }
    return bytes;
}

std::vector<std::pair<uint32_t, uint32_t>>
CollectivePlan::GetPairs() const
{
    std::vector<std::set<uint32_t>> peers; // of the sends, by program
    for (const PlanProgram& program : m_programs)
    {
        peers.emplace_back();
        for (uint32_t i = 0; i < program.GetStepCount(); i++)
        {
            const PlanStep& step = program.GetStep(i);
            if (step.kind == PlanStepKind::SEND)
            {
                peers.back().insert(step.peer);
            }
        }
    }
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (const PlanChannel& channel : m_channels)
    {
        for (uint32_t position = 0; position < channel.order.size(); position++)
        {
            for (const uint32_t peer : peers[channel.programs[position]])
            {
                const uint32_t from = channel.order[position];
                const uint32_t to = channel.GetRank(position, peer);
                if (!m_sizes || m_sizes->Get(from, to) > 0)
                {
                    pairs.emplace(from, to);
                }
            }
        }
    }
    return {pairs.begin(), pairs.end()};
}

} // namespace ns3
