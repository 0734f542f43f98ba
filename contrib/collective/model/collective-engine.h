/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_ENGINE_H
#define COLLECTIVE_ENGINE_H

#include "collective-group.h"
#include "collective-ledger.h"
#include "collective-observer.h"
#include "collective-plan-cache.h"
#include "collective-rank.h"
#include "collective-request.h"
#include "collective-selector.h"

#include "ns3/message-transport.h"
#include "ns3/object.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Carries out the collectives of all ranks over a MessageTransport.
 *
 * The engine is the MessageEndpoint of every rank of the transport. A rank calls Join() when it
 * reaches a collective and is told when its own part is done: everything it must receive has
 * arrived (and been added up), and everything it sends has been acknowledged. The n-th Join() of a
 * rank on a group belongs to the n-th collective of that group; all ranks must ask for the same.
 * Ranks may join at different times, and have any number of collectives open, of one group or of
 * several; order between collectives is the caller's business (streams). Collectives that reduce in
 * switches (NVLS, NVLSTree, CollNet) on one team and channel are to be joined one after another, or
 * by all ranks in the same order and as one batch: switches add up in the order of the sends.
 *
 * The algorithm comes from the selector, the plan from the algorithm, once for groups of the same
 * shape. A rank sends a chunk as soon as its plan allows, whether or not the receiver has joined;
 * what arrives before that is kept. (NCCL's receiver grants buffers first, so a late receiver
 * delays the first chunk there.)
 *
 * Local costs: those of the CollectiveProtocol that the selector chooses with the algorithm,
 * SendOverhead before every send, ReduceBandwidth for adding up what arrives; copies are free.
 * Sends of one rank do not wait for each other's overhead. What the network adds up or copies in
 * switches costs ranks no more than a message.
 */
class CollectiveEngine : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    CollectiveEngine();
    ~CollectiveEngine() override;

    /** \param transport carries the messages; to be set once, before everything else */
    void SetTransport(Ptr<MessageTransport> transport);

    /**
     * Aborts if there are plans already, which another has chosen.
     * \param selector chooses the algorithms, instead of one that attribute Selector names
     */
    void SetSelector(Ptr<CollectiveSelector> selector);

    /**
     * Aborts if the group is not sound.
     * \param group a group of the transport's ranks
     * \return its number
     */
    uint32_t AddGroup(const CollectiveGroup& group);

    /**
     * \param group the number of a group
     * \return the group
     */
    const CollectiveGroup& GetGroup(uint32_t group) const;

    /**
     * \param call a call
     * \return why Join() would refuse it, empty if it would not
     */
    std::string Check(const CollectiveCall& call);

    /**
     * \param group a group of the transport's ranks, which need not have been added
     * \param call what it is to do; CollectiveCall::group is not used
     * \return why it cannot, empty if it can
     */
    std::string Check(const CollectiveGroup& group, const CollectiveCall& call);

    /**
     * \param group a group of the transport's ranks, which need not have been added
     * \param call what no algorithm does; CollectiveCall::group is not used
     * \return the restriction of the selector that is the reason, if one is
     */
    CollectiveRefusal Explain(const CollectiveGroup& group, const CollectiveCall& call);

    /**
     * \param group a group of the transport's ranks, which need not have been added
     * \param call what it does; CollectiveCall::group is not used
     * \return who sends to whom: sender and receiver, each pair once, ascending; none if there is
     * nothing to move or if no algorithm supports the call
     */
    std::vector<std::pair<uint32_t, uint32_t>> GetPairs(const CollectiveGroup& group,
                                                        const CollectiveCall& call);

    /**
     * \param group a group of the transport's ranks, which need not have been added
     * \param call what it does; CollectiveCall::group is not used
     * \return what an algorithm is asked for
     */
    CollectiveRequest MakeRequest(const CollectiveGroup& group, const CollectiveCall& call);

    /**
     * \param group a group of the transport's ranks, which need not have been added
     * \param call what it does; CollectiveCall::group is not used
     * \return how it is done, without a plan if no algorithm supports the call
     */
    PlannedCollective GetPlan(const CollectiveGroup& group, const CollectiveCall& call);

    /**
     * A rank enters its next collective of a group. Returns at once. Aborts if Check() objects or
     * if another rank of the group asked for something else.
     * \param rank the transport's rank, a member of the group
     * \param call what to do
     * \param done called in an event of the rank when its part is done, never inside Join()
     */
    void Join(uint32_t rank, const CollectiveCall& call, CollectiveDone done);
    /** \copydoc Join */
    void Join(uint32_t rank, const CollectiveCall& call, std::function<void()> done);

    /**
     * A rank enters collectives of any of its groups, of one group in the order given, and launches
     * them as one kernel, as what NCCL finds between ncclGroupStart() and ncclGroupEnd(): it pays
     * the longest of their launches once, all begin together and progress side by side, whatever
     * their order (what reduces in switches aside, see above), they share the rate at which a
     * kernel feeds the links in the server, and the rank is done when it is done with all. Ranks
     * need not put the same collectives together.
     * Returns at once. Aborts as Join() does.
     * \param rank the transport's rank, a member of all groups
     * \param calls what to do; without any, done is called at the same time
     * \param done called in an event of the rank when its part of all is done, never inside
     * JoinTogether()
     */
    void JoinTogether(uint32_t rank,
                      const std::vector<CollectiveCall>& calls,
                      CollectivesDone done);

    /** \param observer hears of everything from now on, not owned */
    void AddObserver(CollectiveObserver* observer);

    /** \param observer hears no more */
    void RemoveObserver(CollectiveObserver* observer);

    /** \return the number of collectives that have begun and not ended */
    uint64_t GetOpenCount() const;

    /**
     * \return what the user should know, one line each: collectives without effect, once for each
     * kind and parallel dimension (group name, if that is empty)
     */
    const std::vector<std::string>& GetNotices() const;

    /**
     * \return who waits for whom: for every open collective a line with the ranks that have not
     * joined, and one with the first message that each rank misses on each channel
     */
    std::vector<std::string> DescribePending() const;

  protected:
    void DoDispose() override;

  private:
    /** \brief A group and the number of its shape. */
    struct GroupEntry
    {
        CollectiveGroup group; //!< the group
        uint32_t shape;        //!< in the plan cache
    };

    /** \param overhead attribute SendOverhead */
    void SetSendOverhead(Time overhead);
    /** \return attribute SendOverhead */
    Time GetSendOverhead() const;
    /** \param bandwidth attribute ReduceBandwidth */
    void SetReduceBandwidth(DataRate bandwidth);
    /** \return attribute ReduceBandwidth */
    DataRate GetReduceBandwidth() const;

    /**
     * \param group a group
     * \param shape its number in the plan cache
     * \param call what it is to do
     * \return why it cannot, empty if it can
     */
    std::string CheckPlan(const CollectiveGroup& group, uint32_t shape, const CollectiveCall& call);

    /** \param lines gets what the ranks wait for, a line for each collective */
    void AddWaits(std::vector<std::string>& lines) const;

    /** Creates the selector on first use. */
    void PrepareSelector();

    /**
     * Aborts if Check() objects.
     * \param rank a rank that joins
     * \param call what it asks for
     * \return how it is done
     */
    const PlannedCollective& RequirePlan(uint32_t rank, const CollectiveCall& call);

    /**
     * Adds a notice if a call can have no effect.
     * \param call a call
     */
    void NoticeNoEffect(const CollectiveCall& call);

    TypeId m_selectorType;                                      //!< attribute Selector
    uint64_t m_proofBudget;                                     //!< attribute ProofBudget
    Ptr<MessageTransport> m_transport;                          //!< carries the messages
    Ptr<CollectiveSelector> m_selector;                         //!< chooses the algorithms
    CollectiveContext m_context;                                //!< what the ranks share
    CollectivePlanCache m_plans;                                //!< the plans
    std::vector<std::unique_ptr<GroupEntry>> m_groups;          //!< by number
    std::vector<std::unique_ptr<CollectiveRank>> m_ranks;       //!< by rank of the transport
    std::vector<std::string> m_notices;                         //!< see GetNotices()
    std::set<std::pair<CollectiveKind, std::string>> m_noticed; //!< what notices were given for
};

} // namespace ns3

#endif /* COLLECTIVE_ENGINE_H */
