/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MESSAGE_TRANSPORT_H
#define MESSAGE_TRANSPORT_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup fabric \brief What the network does with a Message. */
enum class MessageKind : uint8_t
{
    UNICAST,   //!< carries it from its source to its destination
    MULTICAST, //!< copies it in switches to all ranks of a team, its source among them
    COMBINE,   //!< adds up in switches what all ranks of a team send to one of them, which
               //!< contributes through the network, too, and gets one message
    ALL_REDUCE, //!< adds up in switches what all ranks of a team send, and copies the sum to all
};

/** \ingroup fabric \brief One message from rank to rank. */
struct Message
{
    uint32_t src{0};     //!< sending rank
    uint32_t dst{0};     //!< receiving rank
    uint32_t channel{0}; //!< messages of one (src, dst, channel) arrive in the order sent
    uint64_t bytes{0};   //!< payload, 0 allowed (a pure signal)
    uint64_t tag{0};     //!< the user's own identification, carried unchanged; equal in what a team
                         //!< combines
    MessageKind kind{MessageKind::UNICAST}; //!< what the network does with it
    uint32_t team{0}; //!< from MessageTransport::AddTeam(), for all but UNICAST
};

/**
 * \ingroup fabric
 * \brief What a rank wants to hear from a MessageTransport.
 *
 * Both calls happen in an event of the rank's own node. A rank learns of another rank's progress
 * through MessageReceived() alone.
 */
class MessageEndpoint
{
  public:
    virtual ~MessageEndpoint() = default;

    /**
     * The message's last byte reached this rank.
     * \param message the message, dst is this rank
     */
    virtual void MessageReceived(const Message& message) = 0;

    /**
     * The message was acknowledged: this rank, its sender, may reuse the buffer.
     * \param message the message, src is this rank
     */
    virtual void MessageSent(const Message& message) = 0;

    /**
     * Fetches memory for a call to come; changes nothing. May be called in vain.
     * \param rank this rank
     * \param channel of the message
     * \param stage of FabricEvent::Fetcher
     */
    virtual void Fetch(uint32_t rank, uint32_t channel, uint32_t stage) const
    {
    }
};

/**
 * \ingroup fabric
 * \brief Carries messages between ranks, whatever the fidelity of the network below.
 *
 * Collectives and workloads know this interface alone. Src and dst of a UNICAST must differ.
 *
 * Some networks reduce and copy on the way (SHARP) for a team of ranks. Of a MULTICAST every rank
 * of it hears MessageReceived(), with itself as dst. For a COMBINE every rank calls Send() with
 * equal dst, channel, bytes, tag and team, in the same order for one (dst, channel); dst hears of
 * the sum by MessageReceived() once, with itself as src. For an ALL_REDUCE every rank calls Send()
 * with itself as dst and equal channel, bytes, tag and team, in the same order for one channel;
 * every rank hears of the sum by MessageReceived() once, with itself as src and dst.
 */
class MessageTransport : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param rank a rank below GetRankCount()
     * \param endpoint who hears of the rank's messages, not owned, must outlive the simulation;
     * without one the messages are carried and nobody is told
     */
    void SetEndpoint(uint32_t rank, MessageEndpoint* endpoint);

    /** \return the number of ranks */
    virtual uint32_t GetRankCount() const = 0;

    /**
     * \param ranks some ranks, ascending
     * \return whether the network reduces and copies among them: MULTICAST and COMBINE
     */
    virtual bool CanOffload(const std::vector<uint32_t>& ranks) const;

    /**
     * \param ranks some ranks, ascending
     * \return whether the network does the whole of an ALL_REDUCE among them
     */
    virtual bool CanAllReduce(const std::vector<uint32_t>& ranks) const;

    /**
     * Aborts if both CanOffload() and CanAllReduce() are false.
     * \param ranks some ranks, ascending; equal ones have equal numbers
     * \return the number of their team
     */
    virtual uint32_t AddTeam(const std::vector<uint32_t>& ranks);

    /**
     * Starts to carry a message; called in an event of the sender's node (or before Run()).
     * \param message the message
     */
    virtual void Send(const Message& message) = 0;

    /**
     * \return a line for every message under way (who sends how much to whom since when), or for
     * the first of many and how many there are more, so that a stuck simulation can say who waits
     * for whom
     */
    virtual std::vector<std::string> DescribePending() const = 0;

  protected:
    /** \param message tells its receiver that it arrived */
    void NotifyReceived(const Message& message) const;
    /** \param message tells its sender that it was acknowledged */
    void NotifySent(const Message& message) const;
    /**
     * Has memory fetched for one of these to come.
     * \param rank who will be told
     * \param channel of the message
     * \param stage of FabricEvent::Fetcher
     */
    void FetchEndpoint(uint32_t rank, uint32_t channel, uint32_t stage) const
    {
        if (rank < m_endpoints.size() && m_endpoints[rank])
        {
            m_endpoints[rank]->Fetch(rank, channel, stage);
        }
    }

  private:
    std::vector<MessageEndpoint*> m_endpoints; //!< by rank
};

} // namespace ns3

#endif /* MESSAGE_TRANSPORT_H */
