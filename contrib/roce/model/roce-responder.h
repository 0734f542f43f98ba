/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include "ns3/fabric-packet.h"
#include "ns3/loss-recovery.h"
#include "ns3/roce-psn.h"
#include "ns3/roce-wire.h"
#include "ns3/sack-record.h"

#include <cstdint>
#include <map>
#include <vector>

namespace ns3
{

/** \ingroup roce \brief A message all of whose packets, and all before them, arrived. */
struct RoceMessageEnd
{
    RoceOpcode opcode{RoceOpcode::SEND_ONLY}; //!< of its last packet
    uint32_t immediate{0};                    //!< immediate data, if the opcode has it
    uint64_t bytes{0};                        //!< payload
    uint64_t cookie{0};                       //!< the sender's tag
    uint64_t firstPsn{0};                     //!< number of its first packet, 64 bit
    uint64_t lastPsn{0};                      //!< number of its last packet, 64 bit
};

/**
 * \ingroup roce
 * \brief The receiving half of a reliable connection: order, acknowledgements, and when to notify
 * the sender of congestion.
 *
 * The next packet in order is taken at once; any other is judged by the LossRecovery. Messages end in
 * the order in which they were posted, when all their packets are there. Knows nothing of ports.
 */
class RoceResponder
{
  public:
    /** \param firstPsn number of the first packet, 64 bit */
    void Configure(uint64_t firstPsn)
    {
        m_expected = m_nextStart = firstPsn;
    }

    /**
     * \param packet a data packet
     * \return whether it is the next one in order, taken, with nothing kept ahead of it; otherwise
     * Accept() must judge it
     */
    bool AcceptNext(const FabricPacket& packet);

    /**
     * Judges a data packet that AcceptNext() has not taken.
     * \param packet the packet
     * \param recovery the connection's loss recovery
     * \return what it is and how to answer
     */
    Arrival Accept(const FabricPacket& packet, LossRecovery& recovery);

    /** \param packets numbers of a READ request that are the next ones in order */
    void PassRead(uint64_t packets)
    {
        m_expected += packets;
        m_nextStart = m_expected;
        m_msn = WirePsn(m_msn + 1);
    }

    /** \return whether a request ahead of the next one has not been answered by a NAK; it is now */
    bool TakeReadNak()
    {
        const bool isNew = m_nakedRead != m_expected;
        m_nakedRead = m_expected;
        return isNew;
    }

    /** \return whether TakeEnd() has a message */
    bool HasEnded() const
    {
        return m_hasEnded;
    }

    /**
     * Takes the oldest message that ended and was not taken.
     * \param [out] end the message
     * \return whether there was one
     */
    bool TakeEnd(RoceMessageEnd& end);

    /**
     * The notification point of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1): a CNP at once if
     * none was sent in the last interval; otherwise one per interval if any packet in it was
     * marked. The second kind leaves with the first packet after the interval; a mark that has
     * found none within one more interval is dropped: the burst that it tells of is over.
     * \param marked whether the packet carried CE
     * \param now ticks
     * \param interval ticks
     * \param allowed whether the NIC may send a CNP now; if not, a mark waits as within the interval
     * \return whether a CNP must be sent
     */
    bool TakeCnp(bool marked, uint64_t now, uint64_t interval, bool allowed = true);

    /** \param payloadBytes payload of a packet that arrived with CE */
    void CountMark(uint32_t payloadBytes)
    {
        m_markedBytes += payloadBytes;
        m_markedPackets++;
    }

    /** \param [out] ack gets the marks counted since the last acknowledgement */
    void TakeMarks(FabricPacket& ack)
    {
        SetMarks(ack, m_markedBytes, m_markedPackets);
        m_markedBytes = 0;
        m_markedPackets = 0;
    }

    /**
     * An acknowledgement's record says how much arrived with CE since the one before: the
     * payload in messageBytes (40 bits), the packets in immediate.
     * \param [out] ack an acknowledgement
     * \param bytes payload
     * \param packets packets
     */
    static void SetMarks(FabricPacket& ack, uint64_t bytes, uint32_t packets)
    {
        ack.messageBytes = bytes & SackRecord::LOW_MASK;
        ack.immediate = packets;
        ack.ecnEcho = packets > 0;
    }

    /** \param ack an acknowledgement \return payload that arrived with CE since the one before */
    static uint64_t GetMarkedBytes(const FabricPacket& ack)
    {
        return ack.messageBytes & SackRecord::LOW_MASK;
    }

    /** \param ack an acknowledgement \return packets that arrived with CE since the one before */
    static uint32_t GetMarkedPackets(const FabricPacket& ack)
    {
        return ack.immediate;
    }

    /** \return number of the next packet in order, 64 bit */
    uint64_t GetExpected() const
    {
        return m_expected;
    }

    /** \return messages completed, 24 bit */
    uint32_t GetMsn() const
    {
        return m_msn;
    }

  private:
    /** \param end a message that ended, the next one in order */
    void End(RoceMessageEnd end);
    /**
     * \param packet the last one of a message
     * \param psn its number, 64 bit
     * \return the message; its first packet is not known yet
     */
    static RoceMessageEnd EndOf(const FabricPacket& packet, uint64_t psn);

    // What every packet needs fills one cache line.
    uint64_t m_expected{0};      //!< next number in order
    uint64_t m_nextStart{0};     //!< first number of the message that ends next
    uint64_t m_lastCnp{0};       //!< when the last CNP was sent, ticks
    uint64_t m_lastMark{0};      //!< when the mark that waits came, ticks
    uint64_t m_markedBytes{0};   //!< payload that came with CE since the last acknowledgement
    uint32_t m_markedPackets{0}; //!< packets that came with CE since the last acknowledgement
    uint32_t m_msn{0};           //!< message sequence number
    bool m_holding{false};       //!< packets ahead of the next one are kept
    bool m_markPending{false};   //!< a mark waits for the interval to end
    bool m_cnpSent{false};       //!< some CNP was sent
    bool m_hasEnded{false};      //!< some of m_ended was not taken

    uint64_t m_nakedRead{UINT64_MAX};    //!< next number at the last NAK for a READ request
    std::vector<RoceMessageEnd> m_ended; //!< messages that ended
    size_t m_taken{0};                   //!< how many of them were taken
    std::map<uint64_t, RoceMessageEnd> m_waiting; //!< last packets of messages, kept, by number
};

} // namespace ns3

#endif /* ROCE_RESPONDER_H */
