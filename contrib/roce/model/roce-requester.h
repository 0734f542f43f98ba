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
    bool withImmediate{false};     //!< SEND and WRITE: it carries immediate data
    uint32_t immediate{0};         //!< that data
};

/** \ingroup roce \brief Packet numbers that follow each other, 64 bit. */
struct PsnRange
{
    uint64_t psn; //!< first number
    uint64_t end; //!< behind the last one
};

/** \ingroup roce \brief What a requester needs to know of its connection. */
struct RoceRequesterParameters
{
    uint32_t mtuBytes{4096};        //!< payload of a full packet
    uint32_t ackEveryPackets{1};    //!< ask for an ACK this often, and on the last packet
    uint64_t maxOutstanding{1};     //!< packets that may be unacknowledged, at most 2^23
    uint32_t maxReads{1};           //!< READs that may be under way
    uint32_t readPartPackets{0};    //!< READs are asked for so much at a time, within the window;
                                    //!< 0: as a whole, whatever the window
    uint64_t firstPsn{0};           //!< number of the first packet
};

/**
 * \ingroup roce
 * \brief The sending half of a reliable connection: messages to packets, window.
 *
 * Packet sequence numbers have 64 bit here and 24 on the wire. New packets are sent in order; what
 * is sent again, and when, is up to the LossRecovery. Knows nothing of time and ports.
 *
 * A READ takes the numbers of its response (IBA 9.7.5); several READs that follow each other may
 * be under way. The first of them is sent when all before it is acknowledged, and what follows the
 * last waits until all of them have arrived, as if posted with a fence.
 *
 * With readPartPackets a READ is asked for in parts, each a request of its own on the wire: what
 * was asked for and has not arrived stays within the window, as what was sent and is not
 * acknowledged does. maxReads counts READs, not parts.
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

    /** \param packets that may be unacknowledged from now on */
    void SetMaxOutstanding(uint64_t packets)
    {
        m_parameters.maxOutstanding = packets;
    }

    /** \param request a message, sent after those posted before */
    void Post(const RoceWorkRequest& request);

    /**
     * While no ACK is under way that could open the window again, one more packet may always be
     * sent: a window, or a number of packets, that shrinks must not leave the connection waiting.
     * \param windowBytes payload bytes that may be outstanding
     * \return whether a packet may be sent now, as far as the window decides
     */
    bool CanSend(uint64_t windowBytes) const
    {
        const uint64_t outstanding = m_next - m_una;
        return (m_next < m_limit &&
                (m_asked <= m_una || (outstanding < m_parameters.maxOutstanding &&
                                      outstanding * m_parameters.mtuBytes < windowBytes))) ||
               (m_readReady && CanAsk(windowBytes));
    }

    /** \return whether READs are under way: not all that was asked for has arrived */
    bool IsReading() const
    {
        return m_reading && m_una < m_next;
    }

    /** \param range of the READs under way, asked for again */
    void Reread(const PsnRange& range);

    /** \return whether something is to be asked for again and was not yet */
    bool HasRereads() const
    {
        return !m_rereads.empty();
    }

    /** \param hold whether SENDs and WRITEs wait, whatever the window */
    void Hold(bool hold);

    /** \return whether Hold() holds them */
    bool IsHeld() const
    {
        return m_held;
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
    /** \param windowBytes payload bytes that may be outstanding \return whether more may be read */
    bool CanAsk(uint64_t windowBytes) const
    {
        const uint64_t outstanding = m_next - m_una;
        return m_parameters.readPartPackets == 0 || outstanding == 0 || !m_rereads.empty() ||
               (outstanding < m_parameters.maxOutstanding &&
                outstanding * m_parameters.mtuBytes < windowBytes);
    }

    /**
     * \param [out] packet the request for the next READ, or for what of one is asked for again
     * \return whether it is asked for again
     */
    bool BuildReadRequest(FabricPacket& packet);
    /**
     * \param [out] packet a request for a part of a READ
     * \param entry the READ
     * \param range the part
     */
    void FillReadRequest(FabricPacket& packet, const Entry& entry, const PsnRange& range) const;
    /** \param psn a number of a message \return the message */
    const Entry& FindEntry(uint64_t psn) const;
    /** Finds out how far packets and READ requests may be sent. */
    void UpdateLimits();
    /** The same, where there are READs. */
    void LimitToRun();
    /** Finds out whether a READ request may be sent. */
    void UpdateReadReady();
    /** \param range nothing that lies within it is to be asked for again */
    void DropRereads(const PsnRange& range);

    /** \param psn a number below m_end \return payload bytes of that packet */
    uint32_t PayloadOf(const Entry& entry, uint64_t psn) const;
    /** Points m_cursor at the message that holds m_next. */
    void SeekCursor();

    // By cache line: what every packet needs first.
    uint64_t m_una{0};                    //!< first number not acknowledged
    uint64_t m_next{0};                   //!< next number to send
    uint64_t m_highest{0};                //!< first number never sent
    uint64_t m_asked{0};                  //!< first number beyond the last AckReq under way
    uint64_t m_limit{0};                  //!< SENDs and WRITEs are sent below
    uint64_t m_end{0};                    //!< first number beyond all messages
    RoceRequesterParameters m_parameters; //!< of the connection
    bool m_readReady{false};              //!< a READ request may be sent
    bool m_reading{false};                //!< what is outstanding are READs
    bool m_held{false};                   //!< see Hold()
    uint32_t m_reads{0};                  //!< READs among the messages
    size_t m_cursor{0};                   //!< message that holds m_next
    std::deque<Entry> m_messages;         //!< posted and not acknowledged

    LossRecovery* m_recovery{nullptr};    //!< of the connection, not owned
    uint64_t m_readLimit{0};              //!< READs are asked for below
    std::vector<PsnRange> m_rereads;      //!< to be asked for again, first one first
};

} // namespace ns3

#endif /* ROCE_REQUESTER_H */
