/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "gpipe-schedule.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(GpipeSchedule);

TypeId
GpipeSchedule::GetTypeId()
{
    static TypeId tid = TypeId("ns3::GpipeSchedule")
                            .SetParent<PipelineSchedule>()
                            .SetGroupName("Railyard")
                            .AddConstructor<GpipeSchedule>();
    return tid;
}

std::vector<PipelineStep>
GpipeSchedule::Plan(uint32_t stage, uint32_t stages, uint32_t microBatches) const
{
    std::vector<PipelineStep> steps;
    for (bool forward : {true, false})
    {
        for (uint32_t microBatch = 0; microBatch < microBatches; microBatch++)
        {
            steps.push_back({forward, microBatch});
        }
    }
    return steps;
}

} // namespace ns3
