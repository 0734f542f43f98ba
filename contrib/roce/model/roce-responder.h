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
     * The notification point of DCQCN: at most one CNP per interval, at once if none was sent in
     * the last interval; a mark seen within the interval is answered at the first packet after
     * it (Zhu et al., SIGCOMM 2015, section 3.1).
     * \param marked whether the packet carried CE
     * \param now ticks
     * \param interval ticks
     * \return whether a CNP must be sent
     */
    bool TakeCnp(bool marked, uint64_t now, uint64_t interval);

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
};

} // namespace ns3

#endif /* ROCE_RESPONDER_H */
