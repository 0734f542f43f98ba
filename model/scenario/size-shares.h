/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIZE_SHARES_H
#define SIZE_SHARES_H

#include "ns3/size-matrix.h"
#include "ns3/text-scanner.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * \ingroup railyard
 * \brief How the bytes of an uneven all-to-all are spread over pairs of ranks, whatever their
 * number: the traffic of skewed experts. Immutable.
 */
class SizeShares
{
  public:
    /** Most ranks: there is a number for every pair. */
    static constexpr uint32_t MAX_RANKS = 4096;
    /** Largest weight in a file. */
    static constexpr uint64_t MAX_WEIGHT = uint64_t(1) << 40;
    /** Largest exponent: almost all goes to one rank. */
    static constexpr double MAX_EXPONENT = 16;

    /**
     * Zipf's law: every rank has as much for rank d as for rank 0, divided by (d+1)^exponent.
     * \param ranks 1 to MAX_RANKS
     * \param exponent 0, which is even, to MAX_EXPONENT
     * \return that
     */
    static SizeShares MakeZipf(uint32_t ranks, double exponent);

    /**
     * A line for each rank, with a whole number for each: what the one has for the other, in any
     * unit, its own part included. Commas or blanks between numbers; lines that are blank or begin
     * with a # count for nothing. A ConfigError if it is not that, or if all numbers are 0.
     * \param file the file
     * \param ranks 1 to MAX_RANKS
     * \return that
     */
    static SizeShares Read(const TextFile& file, uint32_t ranks);

    /**
     * Elements are rounded so that their sum is exact; pairs with weight 0 have none.
     * \param elements what a rank has for all on average, itself included
     * \param elementBytes size of an element
     * \return the sizes of all pairs
     */
    std::shared_ptr<const SizeMatrix> Scale(uint64_t elements, uint32_t elementBytes) const;

    /** \return the most that a rank sends or receives, over what all do if sizes are even */
    double GetPeak() const;

  private:
    /** \param ranks number of ranks \param weights by source and destination, some above 0 */
    SizeShares(uint32_t ranks, std::vector<uint64_t> weights);

    uint32_t m_ranks;                //!< number of ranks
    std::vector<uint64_t> m_weights; //!< by source and destination
};

} // namespace ns3

#endif /* SIZE_SHARES_H */
