/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PLAN_PROGRAM_H
#define PLAN_PROGRAM_H

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace ns3
{

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

    /** \return all numbers of connections (PlanStep::connection) are below this */
    uint32_t GetConnectionCount() const
    {
        return m_connections;
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
    uint32_t m_connections{1};               //!< see GetConnectionCount()
};

} // namespace ns3

#endif /* PLAN_PROGRAM_H */
