/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef STEPPED_RING_ALGORITHM_H
#define STEPPED_RING_ALGORITHM_H

#include "ring-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Ring algorithms that move one n-th of the operand from every rank to the next per step.
 *
 * The operand has a part for each of the n ranks, and every channel carries an equal share of each
 * part. A pass is n-1 steps. In step t of a pass, the rank at position p sends to position p+1 the
 * part of position p+f-t and receives from p-1 the part of p+f-t-1, where f belongs to the pass. A
 * step's send waits for the receive of the step before; nothing else is synchronised.
 *
 * Each pass sends (n-1)/n of the operand per rank and takes at least (n-1) (S/(nB) + a), with S
 * bytes, B the rate and a the latency of a hop (Thakur, Rabenseifner, Gropp: Optimization of
 * collective communication operations in MPICH, 2005).
 *
 * With SliceBytes, the parts are cut further and each slice moves on as soon as it has arrived.
 */
class SteppedRingAlgorithm : public RingAlgorithm
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  protected:
    /** \brief Once around the ring, n-1 steps. */
    struct Pass
    {
        int32_t firstPart;    //!< f: the part sent first, positions ahead
        PlanStepKind receive; //!< what is done with what arrives
    };

  private:
    /** \return the passes that make up the collective */
    virtual std::vector<Pass> GetPasses() const = 0;
    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    uint64_t m_sliceBytes; //!< attribute SliceBytes
};

} // namespace ns3

#endif /* STEPPED_RING_ALGORITHM_H */
