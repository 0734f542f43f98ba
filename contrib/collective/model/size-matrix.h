/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIZE_MATRIX_H
#define SIZE_MATRIX_H

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief How many bytes each rank of a group has for each other: the sizes of an uneven all-to-all.
 * Immutable.
 */
class SizeMatrix
{
  public:
    /**
     * Aborts if there are not ranks x ranks sizes.
     * \param ranks the size of the group
     * \param bytes what group rank s has for group rank d at s * ranks + d, its own part included
     */
    SizeMatrix(uint32_t ranks, std::vector<uint64_t> bytes);

    /** \return the size of the group */
    uint32_t GetRanks() const
    {
        return m_ranks;
    }

    /**
     * \param source a group rank
     * \param destination a group rank
     * \return what the one has for the other, bytes
     */
    uint64_t Get(uint32_t source, uint32_t destination) const
    {
        return m_bytes[static_cast<std::size_t>(source) * m_ranks + destination];
    }

    /** \param source a group rank \return what it has for all, itself included, bytes */
    uint64_t GetRowBytes(uint32_t source) const;

    /** \return what a rank has for all on average, rounded up, bytes */
    uint64_t GetMeanBytes() const
    {
        return m_meanBytes;
    }

    /** \param other another \return true if all sizes are equal */
    bool operator==(const SizeMatrix& other) const;

    /** \param other another \return an order of all matrices, by content alone */
    bool operator<(const SizeMatrix& other) const;

  private:
    uint32_t m_ranks;              //!< the size of the group
    std::vector<uint64_t> m_bytes; //!< by source and destination
    uint64_t m_meanBytes;          //!< see GetMeanBytes()
    uint64_t m_hash;               //!< of all sizes
};

/**
 * \ingroup collective
 * \param a a matrix, null for none
 * \param b another, null for none
 * \return true if both have the same content
 */
bool HaveEqualSizes(const std::shared_ptr<const SizeMatrix>& a,
                    const std::shared_ptr<const SizeMatrix>& b);

} // namespace ns3

#endif /* SIZE_MATRIX_H */
