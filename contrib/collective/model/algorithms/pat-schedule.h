/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PAT_SCHEDULE_H
#define PAT_SCHEDULE_H

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief The messages of NCCL's PAT all-gather (parallel aggregated trees), equal on all ranks.
 *
 * The part of every rank travels down a binomial tree, from far to near: with P the smallest power
 * of two not below n, the rank o positions behind its source hands the part on over the distances
 * d = P/2, P/4, ..., 1 that are below the lowest bit of o that is set, as long as o+d < n (Bruck's
 * algorithm backwards). The trees of all sources are shifts of one another; messages of several
 * trees between the same two ranks are aggregated, A parts at most, A a power of two.
 *
 * While a distance takes less than A parts, d = P/2, ..., P/A, one message has them all: log2 A
 * steps that double what every rank has. After that A parts, P/A positions apart, stand for one:
 * they pass through the remaining tree of P/A positions together, in depth-first order, far
 * branches first. So a rank that only buffers what it still has to pass on holds log2(P/A) times A
 * parts at most, however large the operand. n/A + log2 A messages: a logarithm for small operands,
 * a number that grows with n for large ones.
 */
class PatSchedule
{
  public:
    /** \brief A message that every rank sends to the rank so many positions ahead. */
    struct Transfer
    {
        uint32_t distance; //!< positions ahead
        uint32_t behind;   //!< the first of its parts: positions that its source is behind the
                           //!< sender
        uint32_t stride;   //!< positions from one source to the next, further behind
        uint32_t parts;    //!< number of parts
        std::vector<uint32_t> after; //!< the transfers by which the sender got these parts, if it
                                     //!< is not their source
    };

    /**
     * \param size number of ranks, at least 2
     * \param aggregation parts of a message, at most; a power of two
     */
    PatSchedule(uint32_t size, uint32_t aggregation);

    /** \return the messages, in order */
    const std::vector<Transfer>& GetTransfers() const
    {
        return m_transfers;
    }

  private:
    /**
     * Appends a transfer and all of the tree below it, unless there are no such positions.
     * \param distance positions ahead
     * \param behind the first of its parts
     * \param stride positions from one part to the next
     * \param after see Transfer
     */
    void Descend(uint32_t distance, uint32_t behind, uint32_t stride, std::vector<uint32_t> after);

    /**
     * \param distance positions ahead
     * \param behind the first of the parts
     * \param stride positions from one part to the next
     * \return how many of the parts go there
     */
    uint32_t CountParts(uint32_t distance, uint32_t behind, uint32_t stride) const;

    uint32_t m_size;                   //!< number of ranks
    std::vector<Transfer> m_transfers; //!< in order
};

} // namespace ns3

#endif /* PAT_SCHEDULE_H */
