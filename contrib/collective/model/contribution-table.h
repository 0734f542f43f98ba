/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CONTRIBUTION_TABLE_H
#define CONTRIBUTION_TABLE_H

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Says how often each rank has contributed to a sum, for all sums of a proof.
 *
 * Equal sums have equal numbers, and a sum of two is looked up once for each pair: what a proof
 * copies and adds are numbers, however many ranks there are. More than 65535 contributions of a
 * rank count as 65535.
 */
class ContributionTable
{
  public:
    /** \param ranks the number of ranks; sum number r is what rank r alone contributes, once */
    explicit ContributionTable(uint32_t ranks);

    /**
     * \param a number of a sum
     * \param b number of another
     * \return number of what both add up to
     */
    uint32_t Add(uint32_t a, uint32_t b);

    /**
     * \param sum number of a sum
     * \param rank a rank
     * \return how often the rank has contributed
     */
    uint32_t GetCount(uint32_t sum, uint32_t rank) const
    {
        return m_sums[sum].counts[rank];
    }

    /** \param sum number of a sum \return true if every rank has contributed once */
    bool IsOfAll(uint32_t sum) const
    {
        return sum == m_all;
    }

  private:
    using Counts = std::vector<uint16_t>; //!< contributions by rank

    /** \brief A sum. */
    struct Sum
    {
        Counts counts; //!< contributions by rank
        uint64_t hash; //!< of the counts; that of a sum of two is the sum of theirs
    };

    /**
     * \param sum contributions
     * \return the number of the sum
     */
    uint32_t Find(Sum sum);

    std::vector<Sum> m_sums;                               //!< by number
    std::unordered_multimap<uint64_t, uint32_t> m_numbers; //!< of all sums, by hash
    std::unordered_map<uint64_t, uint32_t> m_results;      //!< of Add(), by both numbers
    uint32_t m_all{UINT32_MAX};                            //!< number of the sum of all ranks
};

} // namespace ns3

#endif /* CONTRIBUTION_TABLE_H */
