/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef NVLS_ALGORITHM_H
#define NVLS_ALGORITHM_H

#include "slice-pipeline.h"

#include "ns3/collective-algorithm.h"

#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief Algorithms in one server whose switches add up and copy: NCCL's NVLS, on NVLink SHARP.
 *
 * The operand has a part for each rank, cut into slices of SliceBytes. The sum of a slice is formed
 * in the switches (multimem.ld_reduce): every rank, the part's own among them, sends the slice once
 * and the part's rank receives the sum. A slice that all ranks are to have is written once by the
 * part's rank and copied by the switches to all (multimem.st). For the same part no more than
 * SlicesInFlight slices are on their way at a time.
 */
class NvlsAlgorithm : public CollectiveAlgorithm, public SlicePipeline
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param request a request
     * \return whether switches can do its arithmetic, if it has any: sums of numbers of 2 bytes and
     * more, minima and maxima of all of them but floats and doubles (NCCL's ncclNvlsSupported())
     */
    static bool CanReduce(const CollectiveRequest& request);

    bool Supports(const CollectiveRequest& request) const override;
    ByteRange GetBytesSent(const CollectiveRequest& request, uint32_t rank) const override;

  protected:
    /** \brief Which halves of an all-reduce there are. */
    struct Passes
    {
        CollectiveKind kind; //!< what is done
        bool combines;       //!< sums are formed
        bool multicasts;     //!< parts are copied to all
    };

  private:
    /** \return what the algorithm does */
    virtual Passes GetPasses() const = 0;

    CollectivePlan DoPlan(const CollectiveRequest& request) const override;

    /**
     * \param size the number of ranks
     * \param rank a group rank
     * \param slices the number of slices of a part
     * \return what the rank does
     */
    PlanProgram MakeProgram(uint32_t size, uint32_t rank, uint32_t slices) const;
};

} // namespace ns3

#endif /* NVLS_ALGORITHM_H */
