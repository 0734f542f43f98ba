/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef PIPELINE_SCHEDULE_H
#define PIPELINE_SCHEDULE_H

#include "ns3/object.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/** \ingroup railyard \brief One forward or backward pass of a micro-batch through a stage. */
struct PipelineStep
{
    bool forward{true};     //!< forward or backward
    uint32_t microBatch{0}; //!< micro-batch, counted from 0
};

/**
 * \ingroup railyard
 * \brief In which order a pipeline stage works through the micro-batches of an iteration.
 *
 * A schedule is pure: it knows neither times nor messages. Before a forward pass a stage receives
 * from the stage before it, after it it sends to the next one; backward passes go the other way.
 * Messages of a pair of stages must come in the order in which both plans name them.
 *
 * With attribute BatchP2p a stage that sends to a neighbour after a pass and receives from it
 * before the next one launches both together, as Megatron-LM does (batch_p2p_comm:
 * send_forward_recv_backward and send_backward_recv_forward): the receive does not begin before the
 * pass is done, and the next pass waits for the send, too.
 */
class PipelineSchedule : public Object
{
  public:
    /** \return the TypeId */
    static TypeId GetTypeId();

    /**
     * \param stage stage, counted from 0
     * \param stages number of stages
     * \param microBatches number of micro-batches
     * \return every micro-batch once forward and once backward, in the order of work
     */
    virtual std::vector<PipelineStep> Plan(uint32_t stage,
                                           uint32_t stages,
                                           uint32_t microBatches) const = 0;

    /** \return attribute BatchP2p */
    bool BatchesMessages() const
    {
        return m_batchesMessages;
    }

  private:
    bool m_batchesMessages; //!< attribute BatchP2p
};

} // namespace ns3

#endif /* PIPELINE_SCHEDULE_H */
