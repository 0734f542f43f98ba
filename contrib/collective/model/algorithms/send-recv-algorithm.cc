/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "send-recv-algorithm.h"

#include "rail-channels.h"

#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SendRecvAlgorithm);

TypeId
SendRecvAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::SendRecvAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<SendRecvAlgorithm>();
    return tid;
}

bool
SendRecvAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::SEND_RECV && request.GetGroupSize() <= 2 &&
           request.root < request.GetGroupSize();
}

ByteRange
SendRecvAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint64_t bytes = rank == request.root ? request.bytes : 0;
    return {bytes, bytes};
}

CollectivePlan
SendRecvAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    std::vector<PlanProgram> programs(2);
    programs[0].AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, 1, 0, 0, 0});
    programs[0].Finish();
    programs[1].AddStep({PlanStepKind::RECEIVE, PlanBuffer::OPERAND, 1, 0, 0, 0});
    programs[1].Finish();
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, channels, 1),
                        std::move(programs));
    plan.AddEqualChannels({request.root, 1 - request.root}, {0, 1});
    return plan;
}

} // namespace ns3
