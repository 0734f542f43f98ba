/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "one-forward-one-backward-schedule.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(OneForwardOneBackwardSchedule);

TypeId
OneForwardOneBackwardSchedule::GetTypeId()
{
    static TypeId tid = TypeId("ns3::OneForwardOneBackwardSchedule")
                            .SetParent<PipelineSchedule>()
                            .SetGroupName("Railyard")
                            .AddConstructor<OneForwardOneBackwardSchedule>();
    return tid;
}

std::vector<PipelineStep>
OneForwardOneBackwardSchedule::Plan(uint32_t stage, uint32_t stages, uint32_t microBatches) const
{
    const uint32_t warmUp = std::min(microBatches, stages - stage - 1);
    std::vector<PipelineStep> steps;
    for (uint32_t forward = 0; forward < warmUp; forward++)
    {
        steps.push_back({true, forward});
    }
    for (uint32_t backward = 0; backward < microBatches; backward++)
    {
        if (warmUp + backward < microBatches)
        {
            steps.push_back({true, warmUp + backward});
        }
        steps.push_back({false, backward});
    }
    return steps;
}

} // namespace ns3
