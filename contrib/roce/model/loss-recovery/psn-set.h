/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PSN_SET_H
#define PSN_SET_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup roce
 * \brief A set of packet sequence numbers within a window that moves forward: a ring of bits.
 *
 * Memory grows with the span of the members, 1 bit each. Every member is at or above the base.
 */
class PsnSet
{
  public:
    /** \param base numbers below it are dropped, and are not taken any more; never goes back */
    void Advance(uint64_t base);

    /** \param psn a number, at or above the base \return whether it is new */
    bool Insert(uint64_t psn);

    /** \param psn a number, dropped if it is a member */
    void Erase(uint64_t psn);

    /** \param psn a number \return whether it is a member */
    bool Contains(uint64_t psn) const
    {
        return psn >= m_base && psn < m_end && (WordOf(psn) >> (psn % BITS) & 1);
    }

    /** \param from a number \return the first member at or above it, or GetEnd() */
    uint64_t FirstFrom(uint64_t from) const;

    /** \param psn a number below GetEnd() \return bit i says whether psn - 63 + i is a member */
    uint64_t GetBitsUpTo(uint64_t psn) const;

    /** \return whether it has no member */
    bool IsEmpty() const
    {
        return m_count == 0;
    }

    /** \return number of members */
    uint64_t GetCount() const
    {
        return m_count;
    }

    /** \return a number above all members, those that were dropped included */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /** \param base the same as after construction, with this base */
    void Reset(uint64_t base);

  private:
    static constexpr uint64_t BITS = 64; //!< of a word

    /** \param psn a number within the ring \return its word */
    uint64_t WordOf(uint64_t psn) const
    {
        return m_words[psn / BITS & (m_words.size() - 1)];
    }

    /** \param psn a number that must fit into the ring, which grows */
    void MakeRoom(uint64_t psn);

    std::vector<uint64_t> m_words; //!< ring; its size is 0 or a power of two
    uint64_t m_base{0};            //!< least number that may be a member
    uint64_t m_end{0};             //!< above all members
    uint64_t m_count{0};           //!< members
};

} // namespace ns3

#endif /* PSN_SET_H */
