/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_RECEIVE_QUEUE_H
#define ROCE_RECEIVE_QUEUE_H

#include "roce-verb.h"

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
 */
class RoceReceiveQueue
{
  public:
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
        const uint64_t cookie = m_cookies.front();
        m_cookies.pop_front();
        return cookie;
    }

  private:
    std::deque<uint64_t> m_cookies; //!< tags, oldest first
    bool m_refusing{false};         //!< the next one in order met an RNR NAK
};

} // namespace ns3

#endif /* ROCE_RECEIVE_QUEUE_H */
