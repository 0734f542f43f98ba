/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef RING_PASS_WRITER_H
#define RING_PASS_WRITER_H

#include "ns3/collective-plan.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief A ring as one of its ranks sees it. An offset counts ranks ahead on the ring; the operand
 * has a share for each.
 */
struct RingView
{
    std::vector<uint32_t> peers;     //!< PlanStep::peer by offset; the rank itself first
    std::vector<uint32_t> parts;     //!< PlanStep::part of the share at an offset, to receive it
    std::vector<uint32_t> sentParts; //!< the same to send it: as the next rank names it
    uint32_t partsPerShare{1};       //!< PlanStep::parts
    uint32_t stride{1};              //!< PlanStep::stride
};

/**
 * \ingroup collective
 * \brief Writes passes around a ring of n ranks, n-1 steps each, into a program.
 *
 * In step t of a pass a rank sends to the next one the share at offset f-t and receives that at
 * offset f-t-1 from the one before; f belongs to the pass. A send waits for the receive of the step
 * before, slice by slice. In a pass that adds up, every send also waits for what comes before the
 * pass, because it sends something of the rank's own; in one that does not, the first alone.
 */
class RingPassWriter
{
  public:
    /** \brief Steps by slice. */
    using SliceSteps = std::vector<std::vector<uint32_t>>;

    /**
     * \param program where to write
     * \param slices slices of every share, which move on independently
     */
    RingPassWriter(PlanProgram& program, uint32_t slices);

    /**
     * \param ring the ring
     * \param firstOffset f: the share that is sent first
     * \param receive what is done with what arrives
     * \param before what comes before the pass, by slice
     * \return the receives, in order, by slice; none on a ring of one
     */
    SliceSteps Write(const RingView& ring,
                     int32_t firstOffset,
                     PlanStepKind receive,
                     const SliceSteps& before);

  private:
    PlanProgram& m_program; //!< where to write
    uint32_t m_slices;      //!< slices of every share
    uint32_t m_message{0};  //!< number of the next message
};

} // namespace ns3

#endif /* RING_PASS_WRITER_H */
