/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_READ_ARRIVALS_H
#define ROCE_READ_ARRIVALS_H

#include "roce-requester.h"

#include "ns3/loss-recovery.h"
#include "ns3/ptr.h"

#include <cstdint>
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

  private:
    Ptr<LossRecovery> m_recovery; //!< judges
    uint64_t m_askedEnd{0};       //!< what is missing below was asked for again
};

} // namespace ns3

#endif /* ROCE_READ_ARRIVALS_H */
