/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef MESSAGE_LANE_H
#define MESSAGE_LANE_H

#include "message-router.h"

#include "ns3/fabric-engine.h"
#include "ns3/fetch-lines.h"
#include "ns3/message-transport.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{

class RoutedMessageTransport;

/** \ingroup fabric \brief A message of a MessageLane. */
struct alignas(CACHE_LINE) MessageRecord
{
    static constexpr uint64_t NEVER = UINT64_MAX; //!< time that is not known yet

    uint64_t bytes{0};            //!< payload
    uint64_t tag{0};              //!< Message::tag
    uint64_t since{0};            //!< when it was given to the transport, ticks
    uint64_t headAt{NEVER};       //!< when its first bit is there, ticks, where that counts
    uint64_t arriveAt{NEVER};     //!< when its last bit is there, ticks
    uint64_t tailAt{NEVER};       //!< when its last bit is there at the earliest, where that counts
    MessageRecord* next{nullptr}; //!< the message after it on the lane
    uint32_t missing{0};          //!< ranks of its team that have yet to contribute to the sum
    bool arrived{false};          //!< its receiver was told
    bool sent{false};             //!< its sender was told
};

/** \ingroup fabric \brief What the messages of a MessageLane have in common. */
struct MessageEnds
{
    uint32_t src{0};                        //!< Message::src
    uint32_t dst{0};                        //!< Message::dst
    uint32_t channel{0};                    //!< Message::channel
    uint32_t team{0};                       //!< Message::team
    MessageKind kind{MessageKind::UNICAST}; //!< Message::kind
};

/** \ingroup fabric \brief What messages of a size are on a lane. */
struct MessageSize
{
    uint64_t bytes{UINT64_MAX}; //!< payload
    uint64_t wireBytes{0};      //!< on a link
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

    /** \param o a volume, which begins with the same messages \return the lesser of both */
    MessageVolume GetLesser(const MessageVolume& o) const
    {
        return {std::min(messages, o.messages),
                std::min(payloadBytes, o.payloadBytes),
                std::min(wireBytes, o.wireBytes),
                std::min(packets, o.packets),
                std::min(acks, o.acks)};
    }

    /** \param o part of it that is taken off */
    void Subtract(const MessageVolume& o)
    {
        messages -= o.messages;
        payloadBytes -= o.payloadBytes;
        wireBytes -= o.wireBytes;
        packets -= o.packets;
        acks -= o.acks;
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

    /** \param record whose arrival is known: its sender hears so a way back later */
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

    /** \param bytes payload of a message \return see MessageSize::latency */
    uint64_t GetLatency(uint64_t bytes) const;

    /** \return ends, channel and kind */
    const MessageEnds& GetEnds() const
    {
        return m_ends;
    }

    /** \param record a message of it \return the message */
    Message MakeMessage(const MessageRecord& record) const
    {
        return {m_ends.src,
                m_ends.dst,
                m_ends.channel,
                record.bytes,
                record.tag,
                m_ends.kind,
                m_ends.team};
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

    /** \param bytes payload of a message whose last bit has left */
    void CountLeft(uint64_t bytes)
    {
        GetSize(bytes);
        m_leftOfSize++;
    }

    /** \return how many messages have left as a whole */
    uint64_t GetLeftCount() const
    {
        return m_left.messages + m_leftOfSize;
    }

    /** \return messages whose last bit has left */
    MessageVolume GetLeft() const;

    /** \param count at least #arrivedMessages \return the first so many messages, left or not */
    MessageVolume GetFirst(uint64_t count) const;

    /** Fetches the memory that a message that begins, ends or arrives touches. */
    void Fetch() const
    {
        FetchLines(&m_arrival, HOT_LINES);
    }

  private:
    friend class RoutedMessageTransport;

    /** \param bytes payload of a message \param count of such messages \return what they are */
    MessageVolume GetVolume(uint64_t bytes, uint64_t count) const;

    /** From m_arrival on, which most messages touch, with what a derived class puts first. */
    static constexpr std::size_t HOT_LINES = 6;

    /** \param event m_arrival, to come \param stage of FabricEvent::Fetcher */
    static void FetchForArrival(const FabricEvent* event, uint32_t stage);
    /** \param event m_ack, to come \param stage of FabricEvent::Fetcher */
    static void FetchForAck(const FabricEvent* event, uint32_t stage);

    /** \param bytes payload that m_size is to be of */
    void SetSize(uint64_t bytes);
    /** The next message arrives. */
    void OnArrival();
    /** The sender hears of the next message. */
    void OnAck();
    /** Gives messages that are done with back, from the oldest on to the first that is not. */
    void Release();

    MessageRoute m_route;      //!< the way
    uint64_t m_ackLatency{0};  //!< from an arrival to that of its acknowledgement, ticks
    MessageVolume m_left;      //!< that have left, but for m_leftOfSize

  public:
    /**
     * Of a COMBINE or an ALL_REDUCE, by member of the team: the message that it contributes to
     * next, or nullptr.
     */
    std::vector<MessageRecord*> contributions;

  private:
    MemberEvent<MessageLane, &MessageLane::OnAck> m_ack; //!< of m_acking

    // What every message touches: three lines of cache, and what a derived class puts first. Their
    // order is that of memory, whoever may see them.
    /** Of m_arriving. */
    alignas(CACHE_LINE) MemberEvent<MessageLane, &MessageLane::OnArrival> m_arrival;
    MessageRecord* m_arriving{nullptr};           //!< the oldest that has not arrived
    MessageRecord* m_acking{nullptr};             //!< the oldest whose sender was not told
    MessageRecord* m_first{nullptr};              //!< the oldest that is not done with
    MessageRecord* m_last{nullptr};               //!< the newest
    RoutedMessageTransport* m_transport{nullptr}; //!< it belongs to
    const MessageFraming* m_framing{nullptr};     //!< what its fabric adds
    MessageSize m_size;        //!< of the last size asked for
    MessageEnds m_ends;        //!< what messages have in common
    uint64_t m_leftOfSize{0};  //!< how many of m_size have left since it was asked for
    uint64_t m_lastArrival{0}; //!< of the newest message whose arrival is known, ticks

  public:
    uint64_t arrivedBytes{0};    //!< payload of messages that have arrived
    uint64_t arrivedMessages{0}; //!< messages that have arrived
    uint64_t sentMessages{0}; //!< messages that were given to the transport, all of a team as one
};

} // namespace ns3

#endif /* MESSAGE_LANE_H */
