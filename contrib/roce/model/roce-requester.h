/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_REQUESTER_H
#define ROCE_REQUESTER_H

#include "roce-verb.h"

#include "ns3/fabric-packet.h"
#include "ns3/loss-recovery.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief A message posted to a queue pair. */
struct RoceWorkRequest
{
    RoceVerb verb{RoceVerb::SEND}; //!< operation
    uint64_t bytes{0};             //!< length, 0 allowed
    uint64_t cookie{0};            //!< the application's own tag, told to both ends
    uint64_t postedAt{0};          //!< when it was posted, ticks; filled in by the NIC
};

/** \ingroup roce \brief What a requester needs to know of its connection. */
struct RoceRequesterParameters
{
    uint32_t mtuBytes{4096};        //!< payload of a full packet
    uint32_t ackEveryPackets{1};    //!< ask for an ACK this often, and on the last packet
    uint64_t maxOutstanding{1};     //!< packets that may be unacknowledged, at most 2^23
    uint64_t firstPsn{0};           //!< number of the first packet
};

/**
 * \ingroup roce
 * \brief The sending half of a reliable connection: messages to packets, window.
 *
 * Packet sequence numbers have 64 bit here and 24 on the wire. New packets are sent in order; what
 * is sent again, and when, is up to the LossRecovery. Knows nothing of time and ports.
 */
class RoceRequester
{
  public:
    /** A message under way. */
    struct Entry
    {
        RoceWorkRequest request; //!< as posted
        uint64_t firstPsn;       //!< number of its first packet
        uint64_t packets;        //!< number of packets, at least 1
    };

    /**
     * Call before anything else.
     * \param parameters of the connection
     * \param recovery its loss recovery, started; must outlive this
     */
    void Configure(const RoceRequesterParameters& parameters, LossRecovery& recovery);

    /** \param request a message, sent after those posted before */
    void Post(const RoceWorkRequest& request);

    /**
     * While no ACK is under way that could open the window again, one more packet may always be
     * sent: a window that shrinks must not leave the connection waiting.
     * \param windowBytes payload bytes that may be outstanding
     * \return whether a packet may be sent now, as far as the window decides
     */
    bool CanSend(uint64_t windowBytes) const
    {
        const uint64_t outstanding = m_next - m_una;
        return m_next < m_end && outstanding < m_parameters.maxOutstanding &&
               (m_asked <= m_una || outstanding * m_parameters.mtuBytes < windowBytes);
    }

    /** \return whether a packet is sent or waits to be */
    bool HasUnacknowledged() const
    {
        return m_una < m_end;
    }

    /** \return whether a packet below the next one to send was sent and not acknowledged */
    bool HasOutstanding() const
    {
        return m_una < m_next;
    }

    /**
     * Fills in the next packet and moves on; CanSend() must hold.
     * \param packet its opcode, sizes, number, AckReq, message are set
     * \param windowBytes payload bytes that may be outstanding
     * \return whether the packet was sent before
     */
    bool BuildNext(FabricPacket& packet, uint64_t windowBytes);

    /**
     * Everything below a number is acknowledged.
     * \param psn first number not acknowledged, 64 bit
     * \return payload bytes newly acknowledged
     */
    uint64_t Acknowledge(uint64_t psn);

    /** Goes on with the number that the loss recovery names. */
    void Reseek();

    /** \return the oldest message, all of whose packets are acknowledged, or nullptr */
    const Entry* PeekCompleted() const;
    /** Drops the oldest message. */
    void PopCompleted();
    /** \return all messages, oldest first; none is left and nothing is sent any more */
    std::vector<RoceWorkRequest> Abandon();

    /** \return first number not acknowledged, 64 bit */
    uint64_t GetUna() const
    {
        return m_una;
    }

    /** \return number of the next packet, 64 bit */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** \return where it stands */
    SendNumbers GetNumbers() const
    {
        return {m_una, m_next, m_highest};
    }

    /** \return messages that are not acknowledged, oldest first */
    const std::deque<Entry>& GetMessages() const
    {
        return m_messages;
    }

  private:
    /** \param psn a number below m_end \return payload bytes of that packet */
    uint32_t PayloadOf(const Entry& entry, uint64_t psn) const;
    /** Points m_cursor at the message that holds m_next. */
    void SeekCursor();

    RoceRequesterParameters m_parameters; //!< of the connection
    LossRecovery* m_recovery{nullptr};    //!< of the connection, not owned
    std::deque<Entry> m_messages;         //!< posted and not acknowledged
    size_t m_cursor{0};                   //!< message that holds m_next
    uint64_t m_una{0};                    //!< first number not acknowledged
    uint64_t m_next{0};                   //!< next number to send
    uint64_t m_highest{0};                //!< first number never sent
    uint64_t m_asked{0};                  //!< first number beyond the last AckReq under way
    uint64_t m_end{0};                    //!< first number beyond all messages
};

} // namespace ns3

#endif /* ROCE_REQUESTER_H */
