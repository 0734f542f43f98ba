/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ROCE_PSN_H
#define ROCE_PSN_H

#include <cstdint>

namespace ns3
{

/** \ingroup roce \brief Number of packet sequence numbers on the wire: they have 24 bits. */
constexpr uint32_t PSN_COUNT = 1U << 24;

/**
 * \ingroup roce
 * \param psn a sequence number of 64 bits
 * \return its 24 bits on the wire
 */
constexpr uint32_t
WirePsn(uint64_t psn)
{
    return psn & (PSN_COUNT - 1);
}

/**
 * \ingroup roce
 * Undoes WirePsn(). Right while the two numbers are less than 2^23 apart, which is as far as
 * InfiniBand lets a window grow (IBA 9.7.2).
 *
 * \param wirePsn 24 bits from the wire
 * \param reference a 64-bit number near the one sought, such as the next one expected
 * \return the number nearest to the reference that has these 24 bits, never below 0
 */
constexpr uint64_t
ExpandPsn(uint32_t wirePsn, uint64_t reference)
{
    const uint32_t ahead = (wirePsn - WirePsn(reference)) & (PSN_COUNT - 1);
    const uint32_t behind = PSN_COUNT - ahead;
    return ahead >= PSN_COUNT / 2 && behind <= reference ? reference - behind : reference + ahead;
}

} // namespace ns3

#endif /* ROCE_PSN_H */
