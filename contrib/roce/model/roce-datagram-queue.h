/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_DATAGRAM_QUEUE_H
#define ROCE_DATAGRAM_QUEUE_H

#include "roce-requester.h"

#include "ns3/fabric-packet.h"

#include <cstdint>
#include <deque>

namespace ns3
{

/** \ingroup roce \brief Where a datagram goes. */
struct RoceAddressHandle
{
    uint32_t rank{0}; //!< end point
    uint32_t qp{0};   //!< number of its queue pair
};

/**
 * \ingroup roce
 * \brief The send queue of an unreliable datagram queue pair (UD): every SEND is one packet, which
 * is delivered or lost (IBA 9.8.3).
 */
class RoceDatagramQueue
{
  public:
    /** \param request a SEND that fits a packet \param to where it goes */
    void Post(const RoceWorkRequest& request, const RoceAddressHandle& to);

    /** \return whether a datagram waits */
    bool HasNext() const
    {
        return m_left < m_entries.size();
    }

    /** \return rank that the next packet goes to; there must be one */
    uint32_t PeekRank() const
    {
        return m_entries[m_left].to.rank;
    }

    /**
     * Fills in the next packet; there must be one.
     * \param [out] packet opcode, sizes, number, destination and source queue pair are set
     * \param number of this queue pair, which the DETH tells
     */
    void BuildNext(FabricPacket& packet, uint32_t number);

    /** \param when the packet built last is expected to leave, with its last bit, ticks */
    void Expect(uint64_t when)
    {
        m_entries[m_left - 1].leaves = when;
    }

    /** \param when the oldest packet that has not departed, which does, leaves with its last bit */
    void NoteDeparture(uint64_t when)
    {
        m_entries[m_departed++].leaves = when;
    }

    /**
     * Takes the oldest datagram, if its departure was noted and is over.
     * \param now ticks
     * \param [out] request as posted
     * \param [out] to where it went
     * \return whether there was one
     */
    bool TakeSent(uint64_t now, RoceWorkRequest& request, RoceAddressHandle& to);

    /** \return whether the departure of the oldest datagram was noted */
    bool HasDeparted() const
    {
        return m_departed > 0;
    }

    /** \return when the oldest datagram that is on its way out leaves, or should, or NEVER */
    uint64_t GetNextDeparture() const
    {
        return m_left > 0 ? m_entries.front().leaves : NEVER;
    }

    /** No datagram is on its way out. */
    static constexpr uint64_t NEVER = UINT64_MAX;

  private:
    /** A datagram. */
    struct Entry
    {
        RoceWorkRequest request; //!< as posted
        RoceAddressHandle to;    //!< where it goes
        uint64_t leaves;         //!< last bit; before the departure as expected, ticks
    };

    std::deque<Entry> m_entries; //!< not told to have left
    size_t m_left{0};            //!< how many of them were built
    size_t m_departed{0};        //!< how many of those have begun to leave
    uint64_t m_psn{0};           //!< number of the next packet
};

} // namespace ns3

#endif /* ROCE_DATAGRAM_QUEUE_H */
