/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef ECMP_HASH_H
#define ECMP_HASH_H

#include <cstdint>

namespace ns3
{

/**
 * \ingroup fabric
 * \brief Hash for equal-cost multipath: the finaliser of MurmurHash3 (Appleby, public domain) over
 * (source, destination, entropy) and a salt.
 *
 * Every switch needs its own salt: with the same hash at two tiers, the second tier sees only flows
 * that agree in the bits that the first one used, and half of its links stay idle.
 *
 * \param src sending end point
 * \param dst receiving end point
 * \param flow entropy of the flow
 * \param salt of the switch
 * \return 32 well-mixed bits
 */
inline uint32_t
EcmpHash(uint32_t src, uint32_t dst, uint32_t flow, uint64_t salt)
{
    const auto mix = [](uint64_t h) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ULL;
        return h ^ (h >> 33);
    };
    const uint64_t ends = static_cast<uint64_t>(src) << 32 | dst;
    return static_cast<uint32_t>(mix(mix(ends ^ salt) ^ flow) >> 32);
}

/**
 * \ingroup fabric
 * \param hash 32 well-mixed bits
 * \param count number of choices, above 0
 * \return a choice below count, by multiplication instead of modulo
 */
inline uint32_t
EcmpChoice(uint32_t hash, uint32_t count)
{
    return static_cast<uint32_t>(static_cast<uint64_t>(hash) * count >> 32);
}

} // namespace ns3

#endif /* ECMP_HASH_H */
