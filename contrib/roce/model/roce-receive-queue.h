/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVE_QUEUE_H
#define ROCE_RECEIVE_QUEUE_H

#include "roce-responder.h"
#include "roce-verb.h"

#include "ns3/abort.h"
#include "ns3/psn-set.h"

#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Receives posted to a queue pair, and what a SEND meets that finds none: RNR (receiver not
 * ready, IBA 9.7.5.2.8).
 *
 * The receive is used up when the message ends; messages end one after the other, so that one that
 * is there when a message starts is there at its end.
 *
 * Receives count from the first one that is posted on. A message is judged by the packet that needs
 * the receive (NeedsReceive()): if that one was taken before, when receives were always there - in
 * order, or kept ahead of a gap - the message uses none up. Packets that come later, be it into the
 * gap, are judged.
 */
class RoceReceiveQueue
{
  public:
    /** Receives that always counted, as those of UD do. */
    RoceReceiveQueue() = default;

    /**
     * Receives that count from now on.
     * \param expected number of the next packet in order, 64 bit
     * \param kept numbers of packets ahead of it that are kept
     */
    RoceReceiveQueue(uint64_t expected, const PsnSet& kept)
        : m_expectedBefore(expected),
          m_keptBefore(kept)
    {
    }

    /**
     * \param end a message that ended
     * \return whether it uses a receive up
     */
    bool IsUsedBy(const RoceMessageEnd& end) const
    {
        if (!UsesReceive(end.opcode))
        {
            return false;
        }
        const uint64_t judged = NeedsReceive(end.opcode) ? end.lastPsn : end.firstPsn;
        return judged >= m_expectedBefore && !m_keptBefore.Contains(judged);
    }

    /** What to do with a data packet. */
    enum class Verdict : uint8_t
    {
        TAKE,    //!< judge it by its number
        RNR_NAK, //!< refuse it, with an RNR NAK
        DROP,    //!< refuse it without a word
    };

    /** \param cookie the user's tag of the receive */
    void Post(uint64_t cookie)
    {
        m_cookies.push_back(cookie);
    }

    /** \return whether there is none */
    bool IsEmpty() const
    {
        return m_cookies.empty();
    }

    /**
     * A packet ahead of the next one is taken only if the receives suffice even if every number
     * before it starts a message; and none is while an RNR NAK is under way. \param opcode of a
     * data packet \param psn its number, 64 bit \param expected the next one in order, 64 bit
     * \return what to do with it
     */
    Verdict Judge(RoceOpcode opcode, uint64_t psn, uint64_t expected)
    {
        if (psn < expected)
        {
            return Verdict::TAKE;
        }
        const bool enough = !NeedsReceive(opcode) || m_cookies.size() > psn - expected;
        if (psn == expected)
        {
            m_refusing = !enough;
            return enough ? Verdict::TAKE : Verdict::RNR_NAK;
        }
        return enough && !m_refusing ? Verdict::TAKE : Verdict::DROP;
    }

    /** \return tag of the oldest receive, which is used up; there must be one */
    uint64_t Take()
    {
        NS_ABORT_MSG_IF(m_cookies.empty(), "a message was taken without a receive");
        const uint64_t cookie = m_cookies.front();
        m_cookies.pop_front();
        return cookie;
    }

  private:
    std::deque<uint64_t> m_cookies; //!< tags, oldest first
    bool m_refusing{false};         //!< the next one in order met an RNR NAK
    uint64_t m_expectedBefore{0};   //!< next number in order when receives began to count
    PsnSet m_keptBefore;            //!< numbers that were kept then
};

} // namespace ns3

#endif /* ROCE_RECEIVE_QUEUE_H */
