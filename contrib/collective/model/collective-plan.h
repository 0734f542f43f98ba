/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_H
#define COLLECTIVE_PLAN_H

#include "chunk-grid.h"
#include "plan-program.h"
#include "size-matrix.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief One channel of a plan: an order of the ranks, and what each position does.
 */
struct PlanChannel
{
    std::vector<uint32_t> order;     //!< group rank by position
    std::vector<uint32_t> positions; //!< position by group rank
    std::vector<uint32_t> programs;  //!< index into CollectivePlan::GetPrograms() by position
    bool isHypercube{false};         //!< distances are added by exclusive or, so that all corners
                                     //!< of a cube of 2^k ranks can share a program

    /**
     * \param position a position
     * \param ahead a distance; below the size of the group, on a hypercube below twice the cube's
     * \return the position that many further on
     */
    uint32_t GetPosition(uint32_t position, uint32_t ahead) const
    {
        if (isHypercube)
        {
            return position ^ ahead;
        }
        const auto size = static_cast<uint32_t>(order.size());
        const uint32_t sum = position + ahead;
        return sum < size ? sum : sum - size;
    }

    /**
     * \param position a position
     * \param ahead see GetPosition()
     * \return the group rank that many positions further on
     */
    uint32_t GetRank(uint32_t position, uint32_t ahead) const
    {
        return order[GetPosition(position, ahead)];
    }
};

/**
 * \ingroup collective
 * \brief What every rank of a group does, step by step, to carry out a request. Immutable.
 *
 * Channels are independent of each other. A plan without channels has nothing to do. The size of a
 * plan grows with the ranks and with the steps of one rank, not with their product.
 */
class CollectivePlan
{
  public:
    /** Nothing to do. */
    CollectivePlan() = default;

    /**
     * \param chunks how the operand is divided
     * \param programs the programs, finished
     */
    CollectivePlan(ChunkGrid chunks, std::vector<PlanProgram> programs);

    /**
     * \param order the group ranks by position
     * \param programs the program of each position
     * \param isHypercube see PlanChannel::isHypercube
     */
    void AddChannel(std::vector<uint32_t> order,
                    std::vector<uint32_t> programs,
                    bool isHypercube = false);

    /**
     * Adds all channels that the operand is divided among, each like the others.
     * \param order the group ranks by position
     * \param programs the program of each position
     * \param isHypercube see PlanChannel::isHypercube
     */
    void AddEqualChannels(const std::vector<uint32_t>& order,
                          const std::vector<uint32_t>& programs,
                          bool isHypercube = false);

    /**
     * Adds all channels that the operand is divided among, with the ranks in the order of the
     * group, all of which play the first program.
     * \param size the number of ranks
     * \param isHypercube see PlanChannel::isHypercube
     */
    void AddEqualChannels(uint32_t size, bool isHypercube = false);

    /** \return how the operand is divided */
    const ChunkGrid& GetChunks() const
    {
        return m_chunks;
    }

    /** \return the programs */
    const std::vector<PlanProgram>& GetPrograms() const
    {
        return m_programs;
    }

    /** \return the channels */
    const std::vector<PlanChannel>& GetChannels() const
    {
        return m_channels;
    }

    /** \return true if no rank has anything to do */
    bool IsEmpty() const
    {
        return m_channels.empty();
    }

    /**
     * \param channel a channel
     * \param position a position on it
     * \return what the rank at that position does
     */
    const PlanProgram& GetProgram(uint32_t channel, uint32_t position) const
    {
        return m_programs[m_channels[channel].programs[position]];
    }

    /**
     * \param channel a channel
     * \param position a position on it
     * \param step a step of the program there
     * \param index which of the step's parts
     * \return the number of the chunk of PlanStep::buffer that the step names
     */
    uint32_t GetChunk(uint32_t channel,
                      uint32_t position,
                      const PlanStep& step,
                      uint32_t index = 0) const
    {
        const uint32_t part = GetPart(channel, position, step.buffer, step.part, step, index);
        return m_chunks.GetIndex(part, channel, step.slice);
    }

    /**
     * \param channel a channel
     * \param position a position on it
     * \param step a copy or a reduction in place
     * \param index which of the step's parts
     * \return the number of the chunk of PlanStep::source that it reads
     */
    uint32_t GetSourceChunk(uint32_t channel,
                            uint32_t position,
                            const PlanStep& step,
                            uint32_t index = 0) const
    {
        const uint32_t first = step.sourcePart == PlanStep::SAME ? step.part : step.sourcePart;
        const uint32_t part = GetPart(channel, position, step.source, first, step, index);
        return m_chunks.GetIndex(part, channel, step.slice);
    }

    /**
     * \param channel a channel
     * \param position a position on it
     * \param step a step of the program there
     * \return the size of the chunks that the step names, bytes
     */
    uint64_t GetBytes(uint32_t channel, uint32_t position, const PlanStep& step) const
    {
        uint64_t bytes = 0;
        for (uint32_t i = 0; i < step.parts; i++)
        {
            const uint32_t part =
                step.buffer == PlanBuffer::SCRATCH
                    ? 0
                    : GetPart(channel, position, step.buffer, step.part, step, i);
            bytes += m_sizes
                         ? GetSize(channel, m_channels[channel].order[position], step.buffer, part)
                         : m_chunks.GetBytes(part, channel, step.slice);
        }
        return bytes;
    }

    /**
     * Gives ranks a third memory, names parts of the operand by their numbers, and says where
     * results are. The division has one channel.
     * \param parts parts of the scratch
     * \param result where ranks end with what the collective promises
     */
    void SetBuffers(uint32_t parts, PlanBuffer result)
    {
        m_scratchParts = parts;
        m_result = result;
        m_hasNumberedParts = true;
    }

    /** \return parts of PlanBuffer::SCRATCH */
    uint32_t GetScratchParts() const
    {
        return m_scratchParts;
    }

    /** \return whether steps name parts by their numbers instead of by positions */
    bool HasNumberedParts() const
    {
        return m_hasNumberedParts;
    }

    /** \return where SetBuffers() says that results are; the operand else, if not all-to-all */
    PlanBuffer GetResult() const
    {
        return m_result;
    }

    /**
     * Makes the sizes of parts differ by rank: that of a part of the operand is what the rank has
     * for that group rank, that of a part of the output what that group rank has for it; channels
     * share each of them as parts of the operand. Messages without bytes are not sent then, and not
     * waited for. The division has a part for each rank and no slices.
     * \param sizes the sizes
     */
    void SetSizes(std::shared_ptr<const SizeMatrix> sizes);

    /** \return what SetSizes() set, null if parts are equal for all ranks */
    const std::shared_ptr<const SizeMatrix>& GetSizes() const
    {
        return m_sizes;
    }

    /**
     * \param channel a channel
     * \param position a position on it
     * \param step a step of the program there
     * \return true if its message has no bytes and is not sent
     */
    bool IsSkipped(uint32_t channel, uint32_t position, const PlanStep& step) const
    {
        return m_sizes && !IsLocal(step.kind) && GetBytes(channel, position, step) == 0;
    }

    /**
     * Says who reduces and copies together.
     * \param teams the number of each group rank's team, teams numbered from 0
     */
    void SetTeams(std::vector<uint32_t> teams);

    /** \return the group ranks of each team, ascending; empty if the plan needs none */
    const std::vector<std::vector<uint32_t>>& GetTeams() const
    {
        return m_teams;
    }

    /** \param rank a group rank \return the number of its team */
    uint32_t GetTeamOf(uint32_t rank) const
    {
        return m_teamOf[rank];
    }

    /**
     * \param rank a group rank
     * \return the payload that it sends
     */
    uint64_t GetBytesSent(uint32_t rank) const;

    /**
     * \return who sends to whom, other than through a team: sending and receiving group rank, each
     * pair once, ascending
     */
    std::vector<std::pair<uint32_t, uint32_t>> GetPairs() const;

  private:
    /**
     * \param channel a channel
     * \param position a position on it
     * \param buffer a buffer
     * \param first the first part that a step names there
     * \param step the step
     * \param index which of its parts
     * \return the number of the part
     */
    uint32_t GetPart(uint32_t channel,
                     uint32_t position,
                     PlanBuffer buffer,
                     uint32_t first,
                     const PlanStep& step,
                     uint32_t index) const
    {
        if (m_hasNumberedParts || buffer == PlanBuffer::SCRATCH)
        {
            return first + index * step.stride;
        }
        const PlanChannel& ranks = m_channels[channel];
        const uint32_t parts = m_chunks.GetParts();
        const uint32_t ahead = index == 0 ? first : (first + index * step.stride) % parts;
        const uint32_t at = ranks.GetPosition(position, ahead);
        return parts == ranks.order.size() ? ranks.order[at] : at % parts;
    }

    /**
     * \param channel a channel
     * \param rank a group rank
     * \param buffer a buffer
     * \param part a part of it
     * \return the channel's share of it if sizes differ by rank, bytes
     */
    uint64_t GetSize(uint32_t channel, uint32_t rank, PlanBuffer buffer, uint32_t part) const
    {
        return m_chunks.GetShare(buffer == PlanBuffer::OUTPUT ? m_sizes->Get(part, rank)
                                                              : m_sizes->Get(rank, part),
                                 channel);
    }

    ChunkGrid m_chunks;                         //!< the operand
    std::shared_ptr<const SizeMatrix> m_sizes;  //!< see SetSizes()
    std::vector<PlanProgram> m_programs;        //!< shared by positions and channels
    std::vector<PlanChannel> m_channels;        //!< the channels
    std::vector<uint32_t> m_teamOf;             //!< by group rank
    std::vector<std::vector<uint32_t>> m_teams; //!< group ranks by team
    uint32_t m_scratchParts{0};                 //!< see SetBuffers()
    PlanBuffer m_result{PlanBuffer::OPERAND};   //!< see SetBuffers()
    bool m_hasNumberedParts{false};             //!< see SetBuffers()
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_H */
