/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RESPONDER_H
#define ROCE_RESPONDER_H

#include "ns3/fabric-packet.h"

#include <cstdint>

namespace ns3
{

/**
 * \ingroup roce
 * \brief The receiving half of a reliable connection: order, acknowledgements, and when to notify
 * the sender of congestion.
 *
 * In order: accepted, and acknowledged where the packet asks for it. Ahead: refused, with one NAK
 * per gap. Behind (a duplicate): acknowledged again where it asks for it, so that a lost ACK
 * cannot leave the sender waiting. Knows nothing of ports.
 */
class RoceResponder
{
  public:
    /** What to do about a data packet. */
    enum class Verdict : uint8_t
    {
        ACCEPT, //!< in order
        AGAIN,  //!< a duplicate
        GAP,    //!< something before it is missing
    };

    /** \param firstPsn number of the first packet, 64 bit */
    void Configure(uint64_t firstPsn)
    {
        m_expected = firstPsn;
    }

    /**
     * Takes note of a data packet.
     * \param packet the packet
     * \return what it is
     */
    Verdict Accept(const FabricPacket& packet);

    /**
     * \param verdict what Accept() said of a packet
     * \param packet the packet
     * \return whether an ACK must be sent
     */
    static bool WantsAck(Verdict verdict, const FabricPacket& packet)
    {
        return verdict != Verdict::GAP && packet.ackRequest;
    }

    /** \return whether a NAK must be sent for the gap just found; true once per gap */
    bool TakeNak();

    /**
     * The notification point of DCQCN (Zhu et al., SIGCOMM 2015, section 3.1): a CNP at once if
     * none was sent in the last interval; otherwise one per interval if any packet in it was
     * marked. The second kind leaves with the first packet after the interval; a mark that has
     * found none within one more interval is dropped: the burst that it tells of is over.
     * \param marked whether the packet carried CE
     * \param now ticks
     * \param interval ticks
     * \return whether a CNP must be sent
     */
    bool TakeCnp(bool marked, uint64_t now, uint64_t interval);

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
     * payload in messageBytes, the packets in immediate, neither of which it has any other use for.
     * \param [out] ack an acknowledgement
     * \param bytes payload
     * \param packets packets
     */
    static void SetMarks(FabricPacket& ack, uint64_t bytes, uint32_t packets)
    {
        ack.messageBytes = bytes;
        ack.immediate = packets;
        ack.ecnEcho = packets > 0;
    }

    /** \param ack an acknowledgement \return payload that arrived with CE since the one before */
    static uint64_t GetMarkedBytes(const FabricPacket& ack)
    {
        return ack.messageBytes;
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
    uint64_t m_expected{0};    //!< next number in order
    uint32_t m_msn{0};         //!< message sequence number
    bool m_nakSent{false};     //!< the present gap was reported
    bool m_markPending{false}; //!< a mark waits for the interval to end
    bool m_cnpSent{false};     //!< some CNP was sent
    uint64_t m_lastCnp{0};     //!< when, ticks
    uint64_t m_lastMark{0};    //!< when the mark that waits came, ticks
    uint64_t m_markedBytes{0};   //!< payload that came with CE since the last acknowledgement
    uint32_t m_markedPackets{0}; //!< packets that came with CE since the last acknowledgement
};

} // namespace ns3

#endif /* ROCE_RESPONDER_H */
