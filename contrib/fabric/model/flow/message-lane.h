/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MESSAGE_LANE_H
#define MESSAGE_LANE_H

#include "message-router.h"

#include "ns3/fabric-engine.h"
#include "ns3/message-transport.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class RoutedMessageTransport;

/** \ingroup fabric \brief A message of a MessageLane. */
struct alignas(64) MessageRecord
{
    static constexpr uint64_t NEVER = UINT64_MAX; //!< time that is not known yet

    uint64_t bytes{0};            //!< payload
    uint64_t tag{0};              //!< Message::tag
    uint64_t since{0};            //!< when it was given to the transport, ticks
    uint64_t headAt{NEVER};       //!< when its first bit is there, ticks, where that counts
    uint64_t arriveAt{NEVER};     //!< when its last bit is there, ticks
    uint64_t tailAt{NEVER};       //!< when its last bit is there at the earliest, where that counts
    MessageRecord* next{nullptr}; //!< the message after it on the lane
    uint32_t missing{0};          //!< ranks that have yet to contribute to a COMBINE
    bool arrived{false};          //!< its receiver was told
    bool sent{false};             //!< its sender was told
};

/** \ingroup fabric \brief What messages of a size are on a lane. */
struct MessageSize
{
    uint64_t bytes{UINT64_MAX}; //!< payload
    uint64_t wireBytes{0};      //!< on a link
    uint64_t packets{0};        //!< pieces
    uint64_t acks{0};           //!< acknowledgements
    uint64_t latency{0};        //!< from the last bit of the fluid to its arrival, ticks
};

/** \ingroup fabric \brief What messages whose last bit has left come to. */
struct MessageVolume
{
    uint64_t messages{0};     //!< messages
    uint64_t payloadBytes{0}; //!< payload
    uint64_t wireBytes{0};    //!< on a link
    uint64_t packets{0};      //!< pieces
    uint64_t acks{0};         //!< acknowledgements of them

    /** \param o more */
    void Add(const MessageVolume& o)
    {
        messages += o.messages;
        payloadBytes += o.payloadBytes;
        wireBytes += o.wireBytes;
        packets += o.packets;
        acks += o.acks;
    }
};

/**
 * \ingroup fabric
 * \brief The messages of a rank to another on a channel of a RoutedMessageTransport, one after
 * another: queued, on the way, arrived, acknowledged.
 */
class MessageLane
{
  public:
    MessageLane();
    virtual ~MessageLane();
    MessageLane(const MessageLane&) = delete;
    MessageLane& operator=(const MessageLane&) = delete;

    /**
     * \param transport it belongs to
     * \param first a message of it, for its ends, channel and kind
     * \param route the way
     * \param framing what its fabric adds
     */
    void Bind(RoutedMessageTransport* transport,
              const Message& first,
              MessageRoute route,
              const MessageFraming& framing);

    /**
     * \param record what arrives, after all before it
     * \param at when, ticks
     */
    void Arrive(MessageRecord& record, uint64_t at);

    /** \param record whose arrival is known: its sender hears so GetAckLatency() later */
    void Acknowledge(MessageRecord& record);

    /** \param bytes payload \return what a message of that size is; valid until the next call */
    const MessageSize& GetSize(uint64_t bytes)
    {
        if (bytes != m_size.bytes)
        {
            SetSize(bytes);
        }
        return m_size;
    }

    /** \return from the arrival of a message to that of its acknowledgement, ticks */
    uint64_t GetAckLatency() const
    {
        return m_ackLatency;
    }

    /** \return ends, channel and kind; no size and no tag */
    const Message& GetTemplate() const
    {
        return m_template;
    }

    /** \param record a message of it \return the message */
    Message MakeMessage(const MessageRecord& record) const
    {
        Message message = m_template;
        message.bytes = record.bytes;
        message.tag = record.tag;
        return message;
    }

    /** \return the way */
    const MessageRoute& GetRoute() const
    {
        return m_route;
    }

    /** \return what its fabric adds */
    const MessageFraming& GetFraming() const
    {
        return *m_framing;
    }

    /** Fetches the memory that a message that begins or ends touches. */
    void Prefetch() const
    {
        const auto* const begin = reinterpret_cast<const char*>(this);
        for (std::size_t line = 0; line < HOT_BYTES; line += 64)
        {
            __builtin_prefetch(begin + line, 1);
        }
    }

    /** \return the oldest message that is not done with, or nullptr */
    MessageRecord* GetFirst() const
    {
        return m_first;
    }

  private:
    friend class RoutedMessageTransport;

    static constexpr std::size_t HOT_BYTES = 5 * 64; //!< of a lane, which most messages touch

    /** \param bytes payload that m_size is to be of */
    void SetSize(uint64_t bytes);
    /** The next message arrives. */
    void OnArrival();
    /** The sender hears of the next message. */
    void OnAck();
    /** \param record a message that is done with or not; gives done ones back from the oldest on */
    void Release();

    // What every message touches, behind the event that the engine fetches ahead with what follows.
    MemberEvent<MessageLane, &MessageLane::OnArrival> m_arrival; //!< of m_arriving
    MessageRecord* m_arriving{nullptr};           //!< the oldest that has not arrived
    MessageRecord* m_acking{nullptr};             //!< the oldest whose sender was not told
    MessageRecord* m_first{nullptr};              //!< the oldest that is not done with
    MessageRecord* m_last{nullptr};               //!< the newest
    RoutedMessageTransport* m_transport{nullptr}; //!< it belongs to
    const MessageFraming* m_framing{nullptr};     //!< what its fabric adds
    Message m_template;                           //!< what messages have in common
    uint64_t m_lastArrival{0}; //!< of the newest message whose arrival is known, ticks
    MessageSize m_size;        //!< of the last size asked for

  public:
    MessageVolume left;          //!< messages whose last bit has left
    uint64_t arrivedBytes{0};    //!< payload of messages that have arrived
    uint64_t arrivedMessages{0}; //!< messages that have arrived
    uint64_t sentMessages{0}; //!< messages that were given to the transport, all of a team as one

    /** Of a COMBINE, by member of the team: the message that it contributes to next, or nullptr. */
    std::vector<MessageRecord*> contributions;

  private:
    uint64_t m_ackLatency{0}; //!< see GetAckLatency(), ticks
    MemberEvent<MessageLane, &MessageLane::OnAck> m_ack; //!< of m_acking
    MessageRoute m_route;                                //!< the way
};

} // namespace ns3

#endif /* MESSAGE_LANE_H */
