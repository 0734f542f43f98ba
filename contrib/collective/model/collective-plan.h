/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_PLAN_H
#define COLLECTIVE_PLAN_H

#include "size-matrix.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief A contiguous piece of an operand. */
struct ChunkSpan
{
    uint64_t offset{0}; //!< first byte
    uint64_t bytes{0};  //!< length, 0 allowed
};

/**
 * \ingroup collective
 * \brief Divides an operand into parts, each part among channels, each of those into slices.
 *
 * Every division is as even as whole elements allow: of u units in p pieces the first u mod p have
 * one unit more. The spans cover the operand exactly, in the order part, channel, slice; where
 * there are fewer elements than pieces, some spans are empty.
 */
class ChunkGrid
{
  public:
    /** An empty grid. */
    ChunkGrid() = default;

    /**
     * \param bytes size of the operand
     * \param elementBytes an element is never split; a shorter last one counts as an element
     * \param parts number of parts, at least 1
     * \param channels number of channels, at least 1
     * \param slices number of slices, at least 1
     */
    ChunkGrid(uint64_t bytes,
              uint32_t elementBytes,
              uint32_t parts,
              uint32_t channels,
              uint32_t slices);

    /** \return the number of parts */
    uint32_t GetParts() const
    {
        return m_parts;
    }

    /** \return the number of channels */
    uint32_t GetChannels() const
    {
        return m_channels;
    }

    /** \return the number of slices */
    uint32_t GetSlices() const
    {
        return m_slices;
    }

    /** \return the number of chunks */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_spans.size());
    }

    /**
     * \param part a part
     * \param channel a channel
     * \param slice a slice
     * \return the number of the chunk
     */
    uint32_t GetIndex(uint32_t part, uint32_t channel, uint32_t slice) const
    {
        return (part * m_channels + channel) * m_slices + slice;
    }

    /**
     * \param index the number of a chunk
     * \return where it lies
     */
    const ChunkSpan& GetSpan(uint32_t index) const
    {
        return m_spans[index];
    }

  private:
    uint32_t m_parts{0};            //!< parts
    uint32_t m_channels{0};         //!< channels
    uint32_t m_slices{0};           //!< slices
    std::vector<ChunkSpan> m_spans; //!< by chunk number
};

/** \ingroup collective \brief What a step does. */
enum class PlanStepKind : uint8_t
{
    SEND,           //!< sends chunks; done when the message is acknowledged
    RECEIVE,        //!< puts the arriving chunks in place; done when they have arrived
    RECEIVE_REDUCE, //!< adds the arriving chunks to what is there
    COPY,           //!< copies chunks of the source
    REDUCE,         //!< adds chunks of the source to what is there
    MULTICAST,      //!< sends chunks that switches copy to the rank's whole team, itself among them
    COMBINE,        //!< sends chunks that switches add to those of the rank's whole team for one of
                    //!< it, which receives the sum as a message from itself
    ALL_REDUCE,     //!< sends chunks that switches add to those of the rank's whole team, all of
                    //!< which receive the sum as a message from themselves
};

/**
 * \ingroup collective
 * \param kind what a step does
 * \return true if it waits for a message
 */
constexpr bool
IsReceive(PlanStepKind kind)
{
    return kind == PlanStepKind::RECEIVE || kind == PlanStepKind::RECEIVE_REDUCE;
}

/**
 * \ingroup collective
 * \param kind what a step does
 * \return true if it neither sends nor receives
 */
constexpr bool
IsLocal(PlanStepKind kind)
{
    return kind == PlanStepKind::COPY || kind == PlanStepKind::REDUCE;
}

/**
 * \ingroup collective
 * \param kind what a step does
 * \return true if it sends a message
 */
constexpr bool
IsSend(PlanStepKind kind)
{
    return !IsReceive(kind) && !IsLocal(kind);
}

/** \ingroup collective \brief Which memory of a rank a step works on. */
enum class PlanBuffer : uint8_t
{
    OPERAND, //!< the operand, in place
    OUTPUT,  //!< a second buffer with as many chunks (all-to-all is not done in place); a chunk of
             //!< it is as large as what arrives in it
    SCRATCH, //!< a third one, of CollectivePlan::GetScratchParts() parts, each as large as part 0
};

/**
 * \ingroup collective
 * \brief One step of a PlanProgram.
 *
 * Peer and part count positions on the channel ahead of the rank that plays the step, modulo the
 * size of the group; on a hypercube (PlanChannel::isHypercube) they are distances instead, added by
 * exclusive or. A step can work on several parts: #parts of them, each #stride positions ahead of
 * the one before, modulo the number of parts; both ends of a message name the same ones.
 *
 * A part is the one of the group rank at that position. In a grid that has not as many parts as the
 * group has ranks, it is the one with the number of that position, modulo the number of parts; in a
 * grid of one part, part is 0. Parts of the scratch, and all parts where
 * CollectivePlan::HasNumberedParts(), are named by their numbers.
 */
struct PlanStep
{
    PlanStepKind kind{PlanStepKind::SEND};  //!< what to do
    PlanBuffer buffer{PlanBuffer::OPERAND}; //!< what a send reads, all others write
    uint32_t peer{0};                       //!< whom to send to or receive from; itself in a
                                            //!< MULTICAST, in an ALL_REDUCE and in a RECEIVE of
                                            //!< what was added up
    uint32_t part{0};                       //!< whose part of the operand, the first of several
    uint32_t slice{0};                      //!< which slice of the part's share of this channel
    uint32_t message{0}; //!< a send and its receive bear the same number; unique among the sends
                         //!< and among the receives of a program
    uint32_t parts{1};   //!< of how many parts
    uint32_t stride{1};  //!< positions from one part to the next
    uint32_t sourcePart{SAME};              //!< what a copy or a reduction in place reads, the
                                            //!< first of several; SAME for #part
    PlanBuffer source{PlanBuffer::OPERAND}; //!< where it reads
    uint8_t connection{0}; //!< in a plan of one channel, which of the transport's carries the
                           //!< message, counted from the group's first

    static constexpr uint32_t SAME = UINT32_MAX; //!< see #sourcePart
};

/**
 * \ingroup collective
 * \brief The steps of one rank on one channel, and which waits for which.
 *
 * Written relative to the rank's position, so that all ranks that do the same share one program.
 */
class PlanProgram
{
  public:
    /** Marks that a message number is not used by a program, and that a step waits for nothing. */
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * \param step the step
     * \param after earlier steps of this program that must be done first; NONE is skipped
     * \return the step's index
     */
    uint32_t AddStep(const PlanStep& step, std::initializer_list<uint32_t> after = {})
    {
        return AddStep(step, after.begin(), after.end());
    }

    /**
     * \param step the step
     * \param after earlier steps of this program that must be done first; NONE is skipped
     * \return the step's index
     */
    uint32_t AddStep(const PlanStep& step, const std::vector<uint32_t>& after)
    {
        return AddStep(step, after.data(), after.data() + after.size());
    }

    /** To be called once, after the last AddStep(): makes what follows available. */
    void Finish();

    /** \return the number of steps */
    uint32_t GetStepCount() const
    {
        return static_cast<uint32_t>(m_steps.size());
    }

    /**
     * \param index a step
     * \return the step
     */
    const PlanStep& GetStep(uint32_t index) const
    {
        return m_steps[index];
    }

    /**
     * \return by step, for how much it waits: earlier steps, and for a receive its message
     */
    const std::vector<uint16_t>& GetWaits() const
    {
        return m_waits;
    }

    /** \return the steps that wait for nothing, in order */
    const std::vector<uint32_t>& GetFirstSteps() const
    {
        return m_firstSteps;
    }

    /**
     * \param index a step
     * \return the first of the steps that wait for it
     */
    const uint32_t* GetDependentsBegin(uint32_t index) const
    {
        return m_dependents.data() + m_dependentsBegin[index];
    }

    /**
     * \param index a step
     * \return the end of the steps that wait for it
     */
    const uint32_t* GetDependentsEnd(uint32_t index) const
    {
        return m_dependents.data() + m_dependentsBegin[index + 1];
    }

    /** \return all message numbers are below this */
    uint32_t GetMessageCount() const
    {
        return static_cast<uint32_t>(std::max(m_sends.size(), m_receives.size()));
    }

    /**
     * \param message a message number
     * \return the step that sends it, NONE if there is none
     */
    uint32_t GetSend(uint32_t message) const
    {
        return message < m_sends.size() ? m_sends[message] : NONE;
    }

    /**
     * \param message a message number
     * \return the step that receives it, NONE if there is none
     */
    uint32_t GetReceive(uint32_t message) const
    {
        return message < m_receives.size() ? m_receives[message] : NONE;
    }

  private:
    /** \brief One step waits for another. */
    struct Dependency
    {
        uint32_t before; //!< the step that must be done first
        uint32_t after;  //!< the step that waits
    };

    /**
     * \param step the step
     * \param begin the earlier steps that must be done first; NONE is skipped
     * \param end their end
     * \return the step's index
     */
    uint32_t AddStep(const PlanStep& step, const uint32_t* begin, const uint32_t* end);

    std::vector<PlanStep> m_steps;           //!< in order of AddStep()
    std::vector<Dependency> m_dependencies;  //!< until Finish()
    std::vector<uint16_t> m_waits;           //!< by step
    std::vector<uint32_t> m_firstSteps;      //!< steps that wait for nothing
    std::vector<uint32_t> m_dependents;      //!< dependents of step 0, of step 1, ...
    std::vector<uint32_t> m_dependentsBegin; //!< by step, where its dependents begin
    std::vector<uint32_t> m_sends;           //!< sending step by message number
    std::vector<uint32_t> m_receives;        //!< receiving step by message number
};

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
            const uint32_t chunk = step.buffer == PlanBuffer::SCRATCH
                                       ? m_chunks.GetIndex(0, channel, step.slice)
                                       : GetChunk(channel, position, step, i);
            bytes += m_sizes ? GetSize(m_channels[channel].order[position], step.buffer, chunk)
                             : m_chunks.GetSpan(chunk).bytes;
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
     * Makes the sizes of parts differ by rank: that of a part of the operand is what the rank has for
     * that group rank, that of a part of the output what that group rank has for it. Messages
     * without bytes are not sent then, and not waited for. The division has a part for each rank
     * and nothing else.
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
     * \param rank a group rank
     * \param buffer a buffer
     * \param part a part of it
     * \return its size if sizes differ by rank
     */
    uint64_t GetSize(uint32_t rank, PlanBuffer buffer, uint32_t part) const
    {
        return buffer == PlanBuffer::OUTPUT ? m_sizes->Get(part, rank) : m_sizes->Get(rank, part);
    }

    ChunkGrid m_chunks;                          //!< the operand
    std::shared_ptr<const SizeMatrix> m_sizes;   //!< see SetSizes()
    std::vector<PlanProgram> m_programs;         //!< shared by positions and channels
    std::vector<PlanChannel> m_channels;         //!< the channels
    std::vector<uint32_t> m_teamOf;              //!< by group rank
    std::vector<std::vector<uint32_t>> m_teams;  //!< group ranks by team
    uint32_t m_scratchParts{0};                  //!< see SetBuffers()
    PlanBuffer m_result{PlanBuffer::OPERAND};    //!< see SetBuffers()
    bool m_hasNumberedParts{false};              //!< see SetBuffers()
};

} // namespace ns3

#endif /* COLLECTIVE_PLAN_H */
