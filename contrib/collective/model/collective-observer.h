/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef COLLECTIVE_OBSERVER_H
#define COLLECTIVE_OBSERVER_H

#include "collective-instance.h"

#include "ns3/message-transport.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/** \ingroup collective \brief One message of a collective. */
struct CollectiveMessage
{
    uint32_t channel{0}; //!< channel of the plan
    uint32_t step{0};    //!< number of the message within its channel and pair of ranks; on a ring
                         //!< without slices the step of the ring
    uint32_t src{0};     //!< sending rank
    uint32_t dst{0};     //!< receiving rank; of a MULTICAST, the sending one
    MessageKind kind{MessageKind::UNICAST}; //!< what the network does with it
    uint64_t bytes{0};   //!< size, the flags of LL and LL128 included
    Time start;          //!< when it was given to the transport
    Time end;            //!< when its last byte reached the receiver (of a MULTICAST, the last of
                         //!< them; of a COMBINE, the sum); 0 while under way
};

/**
 * \ingroup collective
 * \brief Hears of everything a CollectiveEngine does. Override what is of interest.
 *
 * Called inside the events of the simulation; must not call the engine.
 */
class CollectiveObserver
{
  public:
    virtual ~CollectiveObserver() = default;

    /**
     * Asked once, when it begins to observe: to follow messages costs as much as to carry them
     * without packets.
     * \return whether it wants to hear of messages
     */
    virtual bool ObservesMessages() const;

    /**
     * A message was given to the transport.
     * \param instance its collective
     * \param message the message
     */
    virtual void MessageStarted(const CollectiveInstance& instance,
                                const CollectiveMessage& message);

    /**
     * A message has arrived.
     * \param instance its collective
     * \param message the message
     */
    virtual void MessageEnded(const CollectiveInstance& instance, const CollectiveMessage& message);

    /**
     * A rank has joined a collective.
     * \param instance the collective
     * \param rank the rank
     */
    virtual void RankJoined(const CollectiveInstance& instance, uint32_t rank);

    /**
     * A rank is done with a collective.
     * \param instance the collective
     * \param rank the rank
     * \param joined when it had joined
     */
    virtual void RankDone(const CollectiveInstance& instance, uint32_t rank, Time joined);

    /**
     * The last rank is done.
     * \param instance the collective, complete
     */
    virtual void CollectiveEnded(const CollectiveInstance& instance);
};

} // namespace ns3

#endif /* COLLECTIVE_OBSERVER_H */
