/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pipeline-schedule.h"

#include "ns3/boolean.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PipelineSchedule);

TypeId
PipelineSchedule::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PipelineSchedule")
            .SetParent<Object>()
            .SetGroupName("Railyard")
            .AddAttribute("BatchP2p",
                          "A send to a stage and the receive from it that follows are launched as "
                          "one kernel: Megatron-LM's batch_p2p_comm. Else receives are posted "
                          "ahead, and no pass waits for a send.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&PipelineSchedule::m_batchesMessages),
                          MakeBooleanChecker());
    return tid;
}

} // namespace ns3
