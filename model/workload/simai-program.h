/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SIMAI_PROGRAM_H
#define SIMAI_PROGRAM_H

#include "pipeline-schedule.h"
#include "simai-policy.h"
#include "simai-workload.h"
#include "workload-program.h"

namespace ns3
{

/**
 * \ingroup railyard
 * \brief Turns a SimaiWorkload into what every rank of a cluster does.
 *
 * Checks that the header's sizes fit each other, the batch sizes of the file name, and the cluster;
 * what the header lacks is taken from the cluster and noted.
 *
 * With one pipeline stage the rows are run as they stand in the file: all forward, then all
 * backward. With several, every stage runs
 *  - the forward pass of the prologue,
 *  - the micro-batches as the schedule says, with messages of pp_comm bytes between neighbouring
 *    stages,
 *  - the forward pass of the epilogue, then the backward passes of epilogue and prologue.
 *
 * \param workload workload as it stands in the file
 * \param cluster cluster to run on
 * \param schedule order of the micro-batches if there are several pipeline stages
 * \return the workload; a ConfigError says what does not fit
 */
Workload BuildSimaiWorkload(const SimaiWorkload& workload,
                            const WorkloadCluster& cluster,
                            const PipelineSchedule& schedule);

} // namespace ns3

#endif /* SIMAI_PROGRAM_H */
