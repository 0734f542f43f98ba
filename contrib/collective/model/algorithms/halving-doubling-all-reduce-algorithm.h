/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef HALVING_DOUBLING_ALL_REDUCE_ALGORITHM_H
#define HALVING_DOUBLING_ALL_REDUCE_ALGORITHM_H

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief All-reduce by recursive halving and doubling (Rabenseifner).
 *
 * Let p = 2^k be the largest power of two that is not larger than the group. In step i of the
 * reduce-scatter, i = 0 .. k-1, ranks whose positions differ by d = 2^i exchange the half that the
 * other needs of what both still work on, S/2, then S/4, ..., S/p, and add up. The all-gather runs
 * the same steps backwards. The operand has p parts; the sum of part q is completed at position q.
 * The first exchange, with the nearest rank, is the largest: distance doubling, as MPICH's
 * all-reduce has it.
 *
 * The other r = n-p ranks fold in: of each of the first r pairs of ranks the first sends its whole
 * operand to the second before, and gets the result from it after.
 *
 * Time 2 k a + 2 (p-1)/p S/B, and 2 (a + S/B) more if r > 0. A rank of the p sends 2 (p-1)/p S, and
 * S more if it has a partner; the partner sends S (Thakur, Rabenseifner, Gropp: Optimization of
 * collective communication operations in MPICH, 2005, section 4.5).
 *
 * One channel, with several NICs per rank one for each (RailChannels::CountStripes()); all ranks of
 * the p play at most two different programs on a hypercube.
 */
class HalvingDoublingAllReduceAlgorithm : public CollectiveAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  private:
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param size the size of the group
     * \return the group rank at each position: the p ranks of the cube first; position p+i folds
     * into position i
     */
    static std::vector<uint32_t> GetOrder(uint32_t size);

    /**
     * \param cube the number of ranks of the cube, p
     * \param hasPartner whether another rank folds into this one
     * \return what a rank of the cube does
     */
    static PlanProgram MakeProgram(uint32_t cube, bool hasPartner);

    /**
     * \param cube the number of ranks of the cube, p
     * \return what a rank does that folds into one of the cube
     */
    static PlanProgram MakeFoldedProgram(uint32_t cube);
};

} // namespace ns3

#endif /* HALVING_DOUBLING_ALL_REDUCE_ALGORITHM_H */
