/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef WORKLOAD_OBSERVER_H
#define WORKLOAD_OBSERVER_H

#include "workload-program.h"

#include "ns3/nstime.h"

#include <cstdint>

namespace ns3
{

/** \ingroup railyard \brief An operation that a rank did; references are valid during the call. */
struct WorkloadSpan
{
    uint32_t rank{0};                        //!< rank
    uint32_t iteration{0};                   //!< iteration, counted from 0
    const WorkloadProgram* program{nullptr}; //!< the rank's program
    const WorkloadStream* stream{nullptr};   //!< stream
    const WorkloadOp* op{nullptr};           //!< operation
    const ParallelGroup* group{nullptr};     //!< group of a collective, otherwise null
    int64_t peer{-1};                        //!< other rank of a message, otherwise -1
    int64_t collective{-1};                  //!< id of the collective in the results, -1 for none
    Time start; //!< kernel or communication began; for a message that is
                //!< received: its sender began to send, or the rank to wait,
                //!< whichever was later
    Time end;   //!< it was done

    /** \return the operation's name */
    const std::string& GetName() const
    {
        return program->names[op->name];
    }
};

/** \ingroup railyard \brief Hears of everything that the ranks of a workload do. */
class WorkloadObserver
{
  public:
    virtual ~WorkloadObserver() = default;

    /**
     * An operation is done; called in an event of the rank's node, for each stream of a rank in
     * order. Operations that take no time are told too, collectives of zero bytes among them.
     * \param span the operation
     */
    virtual void OperationDone(const WorkloadSpan& span) = 0;
};

} // namespace ns3

#endif /* WORKLOAD_OBSERVER_H */
