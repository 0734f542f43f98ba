/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plan.h"

#include "ns3/assert.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

namespace
{

/** \brief A range of units. */
struct UnitRange
{
    uint64_t begin; //!< first unit
    uint64_t count; //!< number of units
};

/**
 * \param whole the range to divide
 * \param pieces into how many
 * \param index which piece
 * \return the piece
 */
UnitRange
Split(const UnitRange& whole, uint32_t pieces, uint32_t index)
{
    const uint64_t share = whole.count / pieces;
    const uint64_t larger = whole.count % pieces;
    return {whole.begin + index * share + std::min<uint64_t>(index, larger),
            share + (index < larger ? 1 : 0)};
}

/**
 * \param units the range in elements
 * \param bytes size of the operand
 * \param elementBytes size of an element
 * \return the range in bytes
 */
ChunkSpan
ToSpan(const UnitRange& units, uint64_t bytes, uint32_t elementBytes)
{
    const uint64_t begin = std::min(units.begin * elementBytes, bytes);
    const uint64_t end = std::min((units.begin + units.count) * elementBytes, bytes);
    return {begin, end - begin};
}

} // namespace

ChunkGrid::ChunkGrid(uint64_t bytes,
                     uint32_t elementBytes,
                     uint32_t parts,
                     uint32_t channels,
                     uint32_t slices)
    : m_parts(parts),
      m_channels(channels),
      m_slices(slices)
{
    NS_ASSERT_MSG(elementBytes > 0 && parts > 0 && channels > 0 && slices > 0, "empty division");
    m_spans.reserve(static_cast<std::size_t>(parts) * channels * slices);
    const UnitRange whole{0, bytes / elementBytes + (bytes % elementBytes != 0 ? 1 : 0)};
    for (uint32_t part = 0; part < parts; part++)
    {
        const UnitRange ofPart = Split(whole, parts, part);
        for (uint32_t channel = 0; channel < channels; channel++)
        {
            const UnitRange ofChannel = Split(ofPart, channels, channel);
            for (uint32_t slice = 0; slice < slices; slice++)
            {
                m_spans.push_back(ToSpan(Split(ofChannel, slices, slice), bytes, elementBytes));
            }
        }
    }
}

uint32_t
PlanProgram::AddStep(const PlanStep& step, const uint32_t* begin, const uint32_t* end)
{
    const auto index = static_cast<uint32_t>(m_steps.size());
    const bool receives = IsReceive(step.kind);
    uint16_t waits = receives ? 1 : 0;
    for (const uint32_t* before = begin; before != end; before++)
    {
        if (*before != NONE)
        {
            NS_ASSERT_MSG(*before < index, "a step can only wait for an earlier one");
            m_dependencies.push_back({*before, index});
            waits++;
        }
    }
    m_steps.push_back(step);
    m_waits.push_back(waits);
    if (waits == 0)
    {
        m_firstSteps.push_back(index);
    }
    if (!IsLocal(step.kind))
    {
        auto& steps = receives ? m_receives : m_sends;
        if (steps.size() <= step.message)
        {
            steps.resize(step.message + 1, NONE);
        }
        NS_ASSERT_MSG(steps[step.message] == NONE, "message " << step.message << " used twice");
        steps[step.message] = index;
    }
    return index;
}

void
PlanProgram::Finish()
{
    m_dependentsBegin.assign(m_steps.size() + 1, 0);
    for (const auto& dependency : m_dependencies)
    {
        m_dependentsBegin[dependency.before + 1]++;
    }
    for (std::size_t i = 1; i < m_dependentsBegin.size(); i++)
    {
        m_dependentsBegin[i] += m_dependentsBegin[i - 1];
    }
    m_dependents.resize(m_dependencies.size());
    std::vector<uint32_t> next(m_dependentsBegin.begin(), m_dependentsBegin.end() - 1);
    for (const auto& dependency : m_dependencies)
    {
        m_dependents[next[dependency.before]++] = dependency.after;
    }
    m_dependencies.clear();
    m_dependencies.shrink_to_fit();
    m_steps.shrink_to_fit();
    m_waits.shrink_to_fit();
}

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
CollectivePlan::SetSizes(std::shared_ptr<const SizeMatrix> sizes)
{
    NS_ASSERT_MSG(m_chunks.GetCount() == sizes->GetRanks(), "sizes of another group");
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
