/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_LEDGER_H
#define COLLECTIVE_LEDGER_H

#include "collective-group.h"
#include "collective-instance.h"
#include "collective-observer.h"
#include "collective-tag.h"

#include "ns3/message-transport.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

struct PlannedCollective;

/**
 * \ingroup collective
 * \brief The books of a CollectiveEngine: which collectives are open, and who is told of what.
 *
 * The only state that ranks share, and nothing in it steers a rank: it counts, tells observers and
 * checks that the ranks of a group ask for the same.
 */
class CollectiveLedger
{
  public:
    /** \brief What a rank moved in a collective. */
    struct Volume
    {
        uint64_t messages{0}; //!< messages sent
        uint64_t bytes{0};    //!< bytes of them, the flags of LL and LL128 included
    };

    /** \param observer is told from now on, not owned */
    void AddObserver(CollectiveObserver* observer);

    /**
     * \param observer was added once, is told no more
     */
    void RemoveObserver(CollectiveObserver* observer);

    /**
     * \param group a group, valid for the life of the ledger
     * \return its number: groups are numbered from 0
     */
    uint32_t AddGroup(const CollectiveGroup* group);

    /**
     * A rank joins a collective. Aborts if the ranks of the group do not ask for the same.
     * \param rank the rank
     * \param sequence how many collectives of the group it joined before
     * \param call what it asks for
     * \param planned how it is done
     * \return CollectiveInstance::id
     */
    uint64_t Join(uint32_t rank,
                  uint64_t sequence,
                  const CollectiveCall& call,
                  const PlannedCollective& planned);

    /**
     * A rank is done.
     * \param rank the rank
     * \param group the group
     * \param sequence the collective
     * \param joined when the rank had joined
     * \param volume what it moved
     */
    void Done(uint32_t rank, uint32_t group, uint64_t sequence, Time joined, const Volume& volume);

    /**
     * A message was given to the transport.
     * \param message the message
     * \param sequence its collective
     * \param receivers how often MessageEnded() will be called
     */
    void MessageStarted(const Message& message, uint64_t sequence, uint32_t receivers);

    /**
     * A message has arrived. Called once for each rank that gets a MULTICAST, and for each rank
     * that has contributed to a COMBINE with it as src.
     * \param message the message
     * \param sequence its collective
     */
    void MessageEnded(const Message& message, uint64_t sequence);

    /** \return the number of collectives that some but not all ranks are done with or in */
    uint64_t GetOpenCount() const
    {
        return m_open;
    }

    /**
     * \param group a group
     * \param sequence a collective of it that has begun and not ended
     * \return its instance
     */
    const CollectiveInstance& GetInstance(uint32_t group, uint64_t sequence) const;

    /**
     * \param group a group
     * \return the collectives of the group that have begun, from the first that has not ended
     */
    const std::deque<CollectiveInstance>& GetInstances(uint32_t group) const
    {
        return m_groups[group].instances;
    }

  private:
    /** \brief The open collectives of a group. */
    struct Group
    {
        const CollectiveGroup* group;             //!< the group
        uint64_t firstSequence{0};                //!< of the first instance
        std::deque<CollectiveInstance> instances; //!< by sequence, without gaps
    };

    /** \brief Tells messages under way apart. */
    struct MessageKey
    {
        uint64_t tag; //!< Message::tag
        uint32_t src; //!< Message::src
        uint32_t dst; //!< Message::dst

        /**
         * \param other another key
         * \return true if equal
         */
        bool operator==(const MessageKey& other) const
        {
            return tag == other.tag && src == other.src && dst == other.dst;
        }
    };

    /** \brief Hash of a MessageKey. */
    struct MessageKeyHash
    {
        /**
         * \param key a key
         * \return its hash
         */
        std::size_t operator()(const MessageKey& key) const
        {
            const uint64_t ends = static_cast<uint64_t>(key.src) << 32 | key.dst;
            return (key.tag * 0x9E3779B97F4A7C15ULL) ^ (ends * 0xC2B2AE3D27D4EB4FULL);
        }
    };

    /** \brief A message under way. */
    struct UnderWay
    {
        Time start;         //!< when it began
        uint32_t receivers; //!< ranks that it has not reached
    };

    /** \param message a message \return its key, the same whoever receives it */
    static MessageKey GetKey(const Message& message);

    /**
     * \param message a message
     * \return the same as observers see it, without times
     */
    static CollectiveMessage Describe(const Message& message);

    std::vector<Group> m_groups;                  //!< by number
    std::vector<CollectiveObserver*> m_observers; //!< in the order added
    std::vector<CollectiveObserver*> m_messageObservers; //!< those that observe messages
    uint64_t m_nextId{0};                         //!< of the next instance
    uint64_t m_open{0};                           //!< collectives begun and not ended
    /** Messages under way; kept only while somebody observes them. Never iterated. */
    std::unordered_map<MessageKey, UnderWay, MessageKeyHash> m_underWay;
};

} // namespace ns3

#endif /* COLLECTIVE_LEDGER_H */
