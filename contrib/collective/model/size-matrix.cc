/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "size-matrix.h"

#include "ns3/abort.h"

#include <numeric>
#include <tuple>
#include <utility>

namespace ns3
{

namespace
{

/**
 * FNV-1a, in words (Fowler, Noll, Vo).
 * \param words what to hash
 * \return the hash
 */
uint64_t
HashWords(const std::vector<uint64_t>& words)
{
    uint64_t hash = 0xcbf29ce484222325U;
    for (const uint64_t word : words)
    {
        hash = (hash ^ word) * 0x100000001b3U;
    }
    return hash;
}

/**
 * \param words numbers
 * \param divisor a divisor
 * \return their sum divided by it, rounded up
 */
uint64_t
DivideUp(const std::vector<uint64_t>& words, uint32_t divisor)
{
    const uint64_t sum = std::accumulate(words.begin(), words.end(), uint64_t{0});
    return divisor == 0 ? 0 : sum / divisor + (sum % divisor != 0 ? 1 : 0);
}

} // namespace

SizeMatrix::SizeMatrix(uint32_t ranks, std::vector<uint64_t> bytes)
    : m_ranks(ranks),
      m_bytes(std::move(bytes)),
      m_meanBytes(DivideUp(m_bytes, ranks)),
      m_hash(HashWords(m_bytes))
{
    NS_ABORT_MSG_IF(m_bytes.size() != static_cast<std::size_t>(ranks) * ranks,
                    "a size matrix of " << ranks << " ranks has " << m_bytes.size()
                                        << " sizes, not one for every pair");
}

uint64_t
SizeMatrix::GetRowBytes(uint32_t source) const
{
    const auto begin = m_bytes.begin() + static_cast<std::ptrdiff_t>(source) * m_ranks;
    return std::accumulate(begin, begin + m_ranks, uint64_t{0});
}

bool
SizeMatrix::operator==(const SizeMatrix& other) const
{
    return m_hash == other.m_hash && m_ranks == other.m_ranks && m_bytes == other.m_bytes;
}

bool
SizeMatrix::operator<(const SizeMatrix& other) const
{
    return this != &other && std::tie(m_hash, m_ranks, m_bytes) <
                                 std::tie(other.m_hash, other.m_ranks, other.m_bytes);
}

bool
HaveEqualSizes(const std::shared_ptr<const SizeMatrix>& a,
               const std::shared_ptr<const SizeMatrix>& b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace ns3
