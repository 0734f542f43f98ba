/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpt-workload-builder.h"

#include "gpt-stage-writer.h"

namespace ns3
{

GptWorkloadBuilder::GptWorkloadBuilder(const GptWorkload& workload,
                                       const PipelineSchedule& schedule)
    : m_workload(workload),
      m_schedule(schedule)
{
}

Workload
GptWorkloadBuilder::Build(const WorkloadCluster& cluster) const
{
    m_workload.Check();
    const GptParallel& parallel = m_workload.parallel;
    ParallelSizes sizes;
    sizes.ranks = parallel.tensor * parallel.pipeline * parallel.data;
    sizes.tensorParallel = parallel.tensor;
    sizes.pipelineParallel = parallel.pipeline;
    sizes.ranksPerServer = cluster.gpusPerServer;
    Workload workload;
    workload.source = m_workload.source;
    workload.layout = ParallelLayout(sizes, m_workload.source);
    workload.microBatches = m_workload.GetMicroBatches();
    workload.FitTo(cluster, "parallel (tensor * pipeline * data)");
    if (m_workload.GetPaddedVocabulary() != m_workload.model.vocabularySize)
    {
        workload.notes.push_back("vocab_size " + std::to_string(m_workload.model.vocabularySize) +
                                 " is padded to " +
                                 std::to_string(m_workload.GetPaddedVocabulary()));
    }
    for (uint32_t stage = 0; stage < parallel.pipeline; stage++)
    {
        GptStageWriter writer(m_workload, stage);
        workload.stages.push_back(
            writer.Write(m_schedule.Plan(stage, parallel.pipeline, workload.microBatches),
                         m_schedule.BatchesMessages()));
    }
    return workload;
}

} // namespace ns3
