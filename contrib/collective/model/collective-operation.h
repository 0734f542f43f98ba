/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_OPERATION_H
#define COLLECTIVE_OPERATION_H

#include "collective-group.h"
#include "collective-ledger.h"
#include "collective-plan-cache.h"
#include "collective-plan.h"
#include "collective-protocol.h"
#include "collective-request.h"
#include "collective-tag.h"
#include "step-window.h"

#include "ns3/data-rate.h"
#include "ns3/fetch-lines.h"
#include "ns3/message-transport.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief What a rank waits for on a channel. */
struct CollectiveWait
{
    uint32_t group;      //!< number of the group
    uint64_t sequence;   //!< which collective of the group
    CollectiveCall call; //!< what it does
    uint32_t rank;       //!< who waits
    uint32_t peer;       //!< for whom
    bool isSend;         //!< for an acknowledgement, else for data
    uint32_t channel;    //!< where
    uint32_t message;    //!< the first message that is missing
};

/** \ingroup collective \brief A rank's part of a collective. */
struct alignas(CACHE_LINE) CollectiveOperation
{
    /** \brief The rank's program on a channel: a line of cache. */
    struct alignas(CACHE_LINE) Lane
    {
        StepWindow steps;  //!< what to do; waits of its steps, or that they are under way
        uint32_t position; //!< the rank's position on the channel

        /** \return what to do */
        const PlanProgram& GetProgram() const
        {
            return steps.GetProgram();
        }
    };

    static_assert(sizeof(Lane) == CACHE_LINE, "a message touches one line of it");

    // What every message touches: two lines of cache.
    uint64_t sequence{0};                        //!< how many the group had before
    const CollectiveGroup* group{nullptr};       //!< the group
    std::shared_ptr<const CollectivePlan> plan;  //!< how
    const CollectiveProtocol* protocol{nullptr}; //!< at what cost
    std::vector<Lane> lanes;                     //!< by channel
    uint64_t left{0};                            //!< steps that are not done
    CollectiveLedger::Volume volume;             //!< what it has sent
    uint32_t team{0};                            //!< its number in the transport
    bool begun{false};                           //!< the kernel runs
    bool costs{false};                           //!< sends take time of their own
    CollectiveCall call;                         //!< what to do, the group first

    std::shared_ptr<Time> free;      //!< when the kernel can send in the server, which all of a
                                     //!< batch share; null if its protocol has no rate
    std::vector<uint32_t> teamRanks; //!< the rank's team, if the plan has teams
    Time joined;                     //!< when the rank joined
    uint64_t instance{0};            //!< CollectiveInstance::id
    CollectiveDone done;             //!< whom to tell

    /** Fetches what every message touches. */
    void Fetch() const
    {
        FetchLines(this, 2);
    }

    /**
     * Begins with a plan.
     * \param planned plan and protocol, must outlive it
     * \param groupRank the rank's position in #group
     */
    void SetPlan(const PlannedCollective& planned, uint32_t groupRank);

    /**
     * Finds the rank's team.
     * \param groupRank the rank's position in the group
     * \param transport gets it, if it has several ranks
     */
    void FindTeam(uint32_t groupRank, MessageTransport& transport);

    /**
     * \param channel CollectiveTag::channel of a message
     * \return the lane that it belongs to: connections of a plan of one channel share one
     */
    uint32_t GetLane(uint32_t channel) const
    {
        return channel < lanes.size() ? channel : 0;
    }

    /**
     * \param channel a channel
     * \param step one of the rank's steps there
     * \return the size of its chunks, bytes
     */
    uint64_t GetBytes(uint32_t channel, const PlanStep& step) const
    {
        return plan->GetBytes(channel, lanes[channel].position, step);
    }

    /**
     * Books the rank's kernel for a send: those inside the server wait for each other where the
     * kernel has a rate, those of a channel to the same rank where its thread block has one: it
     * passes data up and down a tree side by side.
     * \param channel its channel
     * \param what a step that sends
     * \param sendOverhead delay before every send
     * \return when its message is given to the transport, from now on
     */
    Time BookSend(uint32_t channel, const PlanStep& what, Time sendOverhead);

    /**
     * \param rank the rank, of the transport
     * \param channel a channel
     * \param step the number of a step that sends
     * \return its message
     */
    Message MakeMessage(uint32_t rank, uint32_t channel, uint32_t step) const;

    /**
     * \param rank the rank, of the transport
     * \param channel a channel
     * \param waits gets one more if a message is missing
     */
    void AddWait(uint32_t rank, uint32_t channel, std::vector<CollectiveWait>& waits) const;

    /**
     * \param rate a rate
     * \param bytes size of some data
     * \return how long it takes at that rate
     */
    static Time GetTimeAt(DataRate rate, uint64_t bytes);

  private:
    /**
     * \param channel a channel
     * \param what a step that sends
     * \return whether it sends to another server
     */
    bool LeavesServer(uint32_t channel, const PlanStep& what) const;

    /**
     * Books a channel's thread block.
     * \param channel a channel
     * \param peer whom data is for, see PlanStep::peer
     * \param busy how long the block passes it on
     * \return when it begins
     */
    Time BookBlock(uint32_t channel, uint32_t peer, Time busy);

    /**
     * Books the rank's kernel.
     * \param earliest when it may begin to send
     * \param busy how long it sends
     * \return when it begins
     */
    Time BookKernel(Time earliest, Time busy);

    /**
     * \param bytes data of a send, which leaves the server or not
     * \param leaves whether it does
     * \param passed how long the rank passes it on
     * \return by how much its message is late for that
     */
    Time GetLag(uint64_t bytes, bool leaves, Time passed) const;

    /** \brief What of a channel's thread block serves one peer. */
    struct Block
    {
        uint32_t peer; //!< see PlanStep::peer
        Time free;     //!< when it can pass data on again
    };

    std::vector<std::vector<Block>> m_blocks; //!< by channel, those that have passed any data on;
                                              //!< empty if the protocol has no channelRate
};

} // namespace ns3

#endif /* COLLECTIVE_OPERATION_H */
