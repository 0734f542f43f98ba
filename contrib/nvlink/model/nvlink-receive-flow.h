/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLINK_RECEIVE_FLOW_H
#define NVLINK_RECEIVE_FLOW_H

#include "ns3/fabric-packet.h"
#include "ns3/message-transport.h"

#include <deque>

namespace ns3
{

/**
 * \ingroup nvlink
 * \brief What a GPU receives from one GPU on one channel.
 *
 * Pieces of a message come over several links and overtake each other: the bytes of each message
 * are counted. A message is delivered when all its bytes and all messages before it are there.
 */
class NvlinkReceiveFlow
{
  public:
    /** A message that is not delivered yet. */
    struct Incoming
    {
        Message message;           //!< the message, once a piece of it has arrived
        uint64_t since{0};         //!< when its sender sent it, ticks
        uint64_t receivedBytes{0}; //!< payload that has arrived
        bool known{false};         //!< a piece has arrived
    };

    /** \param packet a data frame of this flow */
    void Receive(const FabricPacket& packet);

    /**
     * Delivers the next message.
     * \param message the message
     * \return false if the next one in order is not complete
     */
    bool TakeDelivered(Message& message);

    /** \return number of the next message to be delivered */
    uint32_t GetNextSequence() const
    {
        return m_nextSequence;
    }

    /** \return payload that has arrived, of all messages, bytes */
    uint64_t GetReceivedBytes() const
    {
        return m_receivedBytes;
    }

    /** \param sequence number of a message \return it, nullptr if no piece of it is here */
    const Incoming* Find(uint32_t sequence) const;

  private:
    uint64_t m_receivedBytes{0};     //!< payload of all messages
    uint32_t m_nextSequence{0};      //!< of the first of m_messages
    std::deque<Incoming> m_messages; //!< begun, and those that they have overtaken
};

} // namespace ns3

#endif /* NVLINK_RECEIVE_FLOW_H */
