/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "psn-set.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

void
PsnSet::Reset(uint64_t base)
{
    if (m_count > 0)
    {
        std::fill(m_words.begin(), m_words.end(), 0);
    }
    m_base = m_end = base;
    m_count = 0;
}

void
PsnSet::Advance(uint64_t base)
{
    for (uint64_t psn = FirstFrom(m_base); m_count > 0 && psn < base; psn = FirstFrom(psn))
    {
        Erase(psn);
    }
    m_base = std::max(m_base, base);
    m_end = std::max(m_end, m_base);
}

void
PsnSet::MakeRoom(uint64_t psn)
{
    const uint64_t needed = psn / BITS - m_base / BITS + 1;
    if (needed <= m_words.size())
    {
        return;
    }
    uint64_t size = std::max<uint64_t>(m_words.size(), 1);
    while (size < needed)
    {
        size *= 2;
    }
    std::vector<uint64_t> words(size, 0);
    for (uint64_t i = 0; i < m_words.size(); i++)
    {
        const uint64_t word = m_base / BITS + i;
        words[word & (size - 1)] = m_words[word & (m_words.size() - 1)];
    }
    m_words = std::move(words);
}

bool
PsnSet::Insert(uint64_t psn)
{
    NS_ASSERT_MSG(psn >= m_base, "a packet number below the window");
    MakeRoom(psn);
    uint64_t& word = m_words[psn / BITS & (m_words.size() - 1)];
    const uint64_t bit = uint64_t{1} << (psn % BITS);
    const bool isNew = !(word & bit);
    word |= bit;
    m_count += isNew;
    m_end = std::max(m_end, psn + 1);
    return isNew;
}

void
PsnSet::Erase(uint64_t psn)
{
    if (Contains(psn))
    {
        m_words[psn / BITS & (m_words.size() - 1)] &= ~(uint64_t{1} << (psn % BITS));
        m_count--;
    }
}

uint64_t
PsnSet::FirstFrom(uint64_t from) const
{
    from = std::max(from, m_base);
    while (m_count > 0 && from < m_end)
    {
        const uint64_t rest = WordOf(from) >> (from % BITS);
        if (rest)
        {
            return from + __builtin_ctzll(rest);
        }
        from += BITS - from % BITS;
    }
    return m_end;
}

uint64_t
PsnSet::GetBitsUpTo(uint64_t psn) const
{
    if (psn < m_base || psn >= m_end || m_count == 0)
    {
        return 0;
    }
    const uint64_t place = psn % BITS;
    uint64_t bits = WordOf(psn) << (BITS - 1 - place);
    if (psn / BITS > m_base / BITS && place < BITS - 1)
    {
        bits |= WordOf(psn - BITS) >> (place + 1);
    }
    return bits;
}

} // namespace ns3
