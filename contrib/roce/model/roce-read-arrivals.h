/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_READ_ARRIVALS_H
#define ROCE_READ_ARRIVALS_H

#include "roce-requester.h"

#include "ns3/loss-recovery.h"
#include "ns3/ptr.h"

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief Packets of READ responses as they come: which are taken, and which must be asked for
 * again.
 *
 * The receiving half of a LossRecovery judges them. Nobody answers a response: instead of a NAK or
 * a selective acknowledgement the requester sends a request for what is missing (IBA 9.7.5).
 */
class RoceReadArrivals
{
  public:
    /** \param recovery the receiving half of which is used by nobody else */
    explicit RoceReadArrivals(Ptr<LossRecovery> recovery);

    /**
     * \param psn number of a packet of a response, 64 bit
     * \param expected first number that is missing, 64 bit
     * \return what it is; its answer says what LostAfter() looks for
     */
    Arrival Accept(uint64_t psn, uint64_t expected);

    /**
     * \param arrival what Accept() said
     * \param psn the packet's number
     * \param next number behind all that was asked for
     * \return what is held lost since, and was not yet asked for again
     */
    std::vector<PsnRange> LostAfter(const Arrival& arrival, uint64_t psn, uint64_t next);

    /**
     * \param expected first number that is missing
     * \param next number behind all that was asked for
     * \return all that is missing
     */
    std::vector<PsnRange> Missing(uint64_t expected, uint64_t next);

    /**
     * Notes a request, so that round trips can be told.
     * \param range what it asks for, 64 bit
     * \param departed when it left, ticks
     */
    void NoteRequest(const PsnRange& range, uint64_t departed);

    /**
     * The round trip from a request to a packet of its response. What the packets before it in the
     * same response take on the wire is no part of it: each counts as if it had been asked for by
     * itself, in time.
     * \param psn number of the packet, 64 bit
     * \param expected first number that was missing before it came, 64 bit
     * \param now ticks
     * \param packetTicks what a packet takes on the wire
     * \return round trip, ticks; 0 if the packet was asked for more than once (Karn's rule)
     */
    uint64_t GetRoundTrip(uint64_t psn, uint64_t expected, uint64_t now, uint64_t packetTicks);

  private:
    /** A part of a READ that was asked for once. */
    struct Part
    {
        PsnRange range;    //!< its numbers
        uint64_t departed; //!< when its request left, ticks
    };

    Ptr<LossRecovery> m_recovery; //!< judges
    uint64_t m_askedEnd{0};       //!< what is missing below was asked for again
    std::deque<Part> m_parts;     //!< that may still arrive, by number
    uint64_t m_notedEnd{0};       //!< what was asked for is below
};

} // namespace ns3

#endif /* ROCE_READ_ARRIVALS_H */
