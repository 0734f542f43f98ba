/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_RANK_H
#define COLLECTIVE_RANK_H

#include "collective-group.h"
#include "collective-ledger.h"
#include "collective-operation.h"
#include "collective-plan-cache.h"
#include "collective-request.h"
#include "collective-tag.h"
#include "step-window.h"

#include "ns3/data-rate.h"
#include "ns3/message-transport.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief What all ranks of a CollectiveEngine have in common. */
struct CollectiveContext
{
    MessageTransport* transport{nullptr}; //!< carries the messages
    CollectiveLedger ledger;              //!< the books
    Time sendOverhead;                    //!< delay before every send
    DataRate reduceBandwidth;             //!< how fast arriving data is added up; 0: at once
};

/**
 * \ingroup collective
 * \brief One rank of a CollectiveEngine: plays its part of every collective it has joined.
 *
 * Its state is touched by its own Join() and by the messages that it receives or that are
 * acknowledged to it, and by nothing else.
 */
class CollectiveRank : public MessageEndpoint
{
  public:
    /**
     * \param rank the transport's rank
     * \param context shared, must outlive the rank
     */
    CollectiveRank(uint32_t rank, CollectiveContext& context);
    ~CollectiveRank() override;

    /**
     * \param number the number of a group that the rank belongs to, larger than any before
     * \param group the group, must outlive the rank
     * \param groupRank the rank's position in it
     */
    void AddGroup(uint32_t number, const CollectiveGroup* group, uint32_t groupRank);

    /**
     * The rank enters the next collective of a group.
     * \param call what to do
     * \param planned how, must last until the rank is done
     * \param done called with the id of the collective when the rank has received and sent
     * everything
     */
    void Join(const CollectiveCall& call, const PlannedCollective& planned, CollectiveDone done);

    /** \brief Collectives that the rank launches together, see CollectiveEngine::JoinTogether(). */
    struct Batch;

    /**
     * \param count how many collectives there are going to be, more than 0
     * \param done called when the rank is done with all of them
     * \return without a collective yet
     */
    std::shared_ptr<Batch> OpenBatch(std::size_t count, CollectivesDone done) const;

    /**
     * The rank enters the next collective of a group, without beginning it.
     * \param batch of this rank, with fewer collectives than it is going to have
     * \param call what to do
     * \param planned how, must last until the rank is done
     */
    void Join(const std::shared_ptr<Batch>& batch,
              const CollectiveCall& call,
              const PlannedCollective& planned);

    /** \param batch all of it, which begins as one kernel */
    void Launch(const std::shared_ptr<Batch>& batch);

    void MessageReceived(const Message& message) override;
    void MessageSent(const Message& message) override;
    void Fetch(uint32_t rank, uint32_t channel, uint32_t stage) const override;

    /**
     * \param group the number of a group that the rank belongs to
     * \return how many collectives of the group it has joined
     */
    uint64_t GetJoinedCount(uint32_t group) const;

    /** \return what the rank waits for: on each channel the first message that is missing */
    std::vector<CollectiveWait> GetWaits() const;

  private:
    /** Its part of a collective. */
    using Operation = CollectiveOperation;

    /** A step waits for nothing any more but is not done: a send under way, data being added. */
    static constexpr uint16_t BUSY = StepWindow::DONE - 1;

    /** \brief What a rank knows of a group that it belongs to. */
    struct Membership
    {
        uint32_t number;                      //!< number of the group
        uint32_t groupRank;                   //!< the rank's position in it
        const CollectiveGroup* group;         //!< the group
        uint64_t joined{0};                   //!< collectives joined
        std::vector<Operation*> operations{}; //!< joined and not done, by sequence
        std::map<uint64_t, std::vector<CollectiveTag>> early{}; //!< messages of collectives that
                                                                //!< have not begun here
    };

    /**
     * \param group the number of a group that the rank belongs to
     * \return the membership
     */
    Membership& GetMembership(uint32_t group);

    /**
     * \param tag of a message
     * \return whether it belongs to m_recent: the low halves of the sequence numbers of those that
     * are open differ
     */
    bool IsRecent(const CollectiveTag& tag) const
    {
        return m_recent && m_recent->call.group == tag.group &&
               static_cast<uint16_t>(m_recent->sequence) == tag.sequence;
    }

    /**
     * \param tag of a message of a collective that is joined and not done
     * \return the rank's part of it
     */
    Operation& FindOperation(const CollectiveTag& tag);

    /**
     * \param membership a membership
     * \param sequence a collective that is joined and not done
     * \return the rank's part of it
     */
    Operation& GetOperation(Membership& membership, uint64_t sequence);

    /**
     * Enters the next collective of a group. An empty one is done.
     * \param call what to do
     * \param planned how
     * \param done whom to tell
     * \return the rank's part of it, nothing done yet; null if it is empty
     */
    Operation* Enter(const CollectiveCall& call,
                     const PlannedCollective& planned,
                     CollectiveDone done);

    /**
     * \param membership the group
     * \param call what to do
     * \param planned how
     * \param done whom to tell
     * \return the rank's part of the collective, nothing done yet
     */
    Operation& Open(Membership& membership,
                    const CollectiveCall& call,
                    const PlannedCollective& planned,
                    CollectiveDone done);

    /**
     * Does without the messages that the plan does not send.
     * \param operation a collective that has begun
     */
    void SkipReceives(Operation& operation);

    /**
     * The kernel runs.
     * \param operation the rank's part
     */
    void Begin(Operation* operation);

    /**
     * Tells the books that a message has arrived.
     * \param message the message
     * \param membership its group
     * \param sequence its collective
     */
    void RecordArrival(const Message& message, Membership& membership, uint64_t sequence);

    /**
     * One thing less that a step waits for.
     * \param operation whose
     * \param channel its channel
     * \param step the step
     */
    void Release(Operation& operation, uint32_t channel, uint32_t step);

    /**
     * A step waits for nothing any more.
     * \param operation whose
     * \param channel its channel
     * \param step the step
     */
    void Start(Operation& operation, uint32_t channel, uint32_t step);

    /**
     * \param operation whose
     * \param channel its channel
     * \param step the send
     */
    void Send(Operation* operation, uint32_t channel, uint32_t step);

    /**
     * A step is done.
     * \param operation whose
     * \param channel its channel
     * \param step the step
     */
    void Complete(Operation& operation, uint32_t channel, uint32_t step);

    /**
     * Chunks have been added up.
     * \param operation whose
     * \param channel its channel
     * \param step the receive, or the reduction in place
     */
    void Reduced(Operation* operation, uint32_t channel, uint32_t step);

    /**
     * Closes a collective if the rank is done with it.
     * \param operation the rank's part
     */
    void CloseIfDone(Operation& operation);

    uint32_t m_rank;                                //!< the transport's rank
    Operation* m_recent{nullptr};                   //!< the one that last had a message, or nullptr
    CollectiveContext& m_context;                   //!< shared by all ranks
    std::vector<Membership> m_memberships;          //!< by number of the group
    std::vector<std::unique_ptr<Operation>> m_pool; //!< all operations ever made
    std::vector<Operation*> m_free;                 //!< those that are not in use
};

} // namespace ns3

#endif /* COLLECTIVE_RANK_H */
