/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SYMBOLIC_PLAYER_H
#define SYMBOLIC_PLAYER_H

#include "collective-plan.h"
#include "collective-request.h"
#include "contribution-table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief What a chunk holds, as symbols. */
struct SymbolicChunk
{
    static constexpr uint32_t NOTHING = UINT32_MAX; //!< origin of a chunk without data

    uint32_t origin{NOTHING}; //!< the chunk of the operand that the data comes from
    uint32_t sum{NOTHING};    //!< who contributed, see ContributionTable
};

/** \ingroup collective \brief What a message holds, by part. */
using SymbolicMessage = std::vector<SymbolicChunk>;

/**
 * \ingroup collective
 * \brief Plays a plan with symbols for data, in an order of events that can be chosen.
 *
 * Used by CollectivePlanVerifier. The plan's structure must be sound: every message has a sender
 * and a receiver.
 */
class SymbolicPlayer
{
  public:
    /** \brief Which of the steps that are ready goes next. */
    enum class Order
    {
        OLDEST,   //!< the one that has been ready longest
        NEWEST,   //!< the one that became ready last
        SHUFFLED, //!< any, by a fixed pseudo-random sequence
    };

    /**
     * \param request the request, which says what each rank holds at the start
     * \param plan the plan
     * \param contributions what SymbolicChunk::sum stands for, of as many ranks
     */
    SymbolicPlayer(const CollectiveRequest& request,
                   const CollectivePlan& plan,
                   ContributionTable& contributions);

    /**
     * \param order the order of events
     * \return what went wrong, empty if every step was done
     */
    std::string Play(Order order);

    /**
     * \param rank a group rank
     * \param buffer a buffer
     * \param chunk a chunk
     * \return what it holds
     */
    const SymbolicChunk& GetChunk(uint32_t rank, PlanBuffer buffer, uint32_t chunk) const;

  private:
    /** \brief A rank's program on a channel. */
    struct Lane
    {
        uint32_t rank;                         //!< group rank
        uint32_t channel;                      //!< channel
        uint32_t position;                     //!< position on the channel
        const PlanProgram* program;            //!< what it does
        std::vector<uint16_t> waits;           //!< by step, for how much it still waits
        std::vector<SymbolicMessage> arrivals; //!< by message number
        std::vector<uint32_t> combined;        //!< by message number, ranks that contributed
        uint32_t done{0};                      //!< steps done
    };

    /** \brief A step that can be done. */
    struct Ready
    {
        uint32_t lane; //!< whose
        uint32_t step; //!< which
    };

    /** Makes do without the messages that the plan does not send. */
    void SkipReceives();

    /** Gives every rank what it holds at the start. */
    void FillOperands();

    /**
     * \param rank a group rank
     * \param chunk a chunk of the grid
     * \return true if the rank holds the chunk at the start
     */
    bool Holds(uint32_t rank, uint32_t chunk) const;

    /**
     * \param order the order of events
     * \return the step to be done next, removed from the ready ones
     */
    Ready TakeReady(Order order);

    /**
     * \param ready the step to do
     * \return what went wrong, empty if nothing
     */
    std::string Do(const Ready& ready);

    /**
     * \param lane whose step
     * \param step the step that waits for one thing less
     */
    void Release(uint32_t lane, uint32_t step);

    /**
     * \param lane a lane
     * \param step a copy or a reduction in place
     * \return what went wrong, empty if nothing
     */
    std::string DoLocally(const Lane& lane, const PlanStep& step);

    /**
     * \param lane the lane of the sender
     * \param step a step that sends
     * \return what went wrong, empty if nothing
     */
    std::string Send(const Lane& lane, const PlanStep& step);

    /**
     * \param rank a group rank
     * \param channel a channel
     * \param message number of a message, which it gets
     * \param content what the message holds
     */
    void Deliver(uint32_t rank, uint32_t channel, uint32_t message, SymbolicMessage content);

    /**
     * \param lane the lane of the sender
     * \param step a combine or an all-reduce
     * \param root group rank that gets the sum
     * \return what went wrong, empty if nothing
     */
    std::string Combine(const Lane& lane, const PlanStep& step, uint32_t root);

    /**
     * \param lane a lane
     * \param message number of a message
     * \param target what is there
     * \param arrived what is added to it
     * \return what went wrong, empty if nothing
     */
    std::string Add(const Lane& lane,
                    uint32_t message,
                    SymbolicChunk& target,
                    const SymbolicChunk& arrived);

    /**
     * \param lane the lane of the receiver
     * \param step the receive
     * \return what went wrong, empty if nothing
     */
    std::string Receive(Lane& lane, const PlanStep& step);

    /** \return who waits for whom, for the first lane that is not done */
    std::string DescribeStuck() const;

    /**
     * \param rank a group rank
     * \param buffer a buffer
     * \param chunk a chunk
     * \return what it holds
     */
    SymbolicChunk& At(uint32_t rank, PlanBuffer buffer, uint32_t chunk);

    const CollectiveRequest& m_request; //!< the request
    const CollectivePlan& m_plan;       //!< the plan
    ContributionTable& m_contributions; //!< what SymbolicChunk::sum stands for
    std::vector<SymbolicChunk> m_data;  //!< by rank, buffer and chunk
    std::size_t m_scratchChunks{0};     //!< chunks of a rank's scratch
    std::vector<Lane> m_lanes;          //!< by channel and group rank
    std::vector<Ready> m_ready;         //!< from m_nextReady on, the steps that can be done
    std::size_t m_nextReady{0};         //!< the oldest ready step
    uint32_t m_random{1};               //!< state of the pseudo-random sequence
};

} // namespace ns3

#endif /* SYMBOLIC_PLAYER_H */
