/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "direct-all-to-all-algorithm.h"

#include "rail-channels.h"
#include "send-window.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectAllToAllAlgorithm);

TypeId
DirectAllToAllAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DirectAllToAllAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddConstructor<DirectAllToAllAlgorithm>()
            .AddAttribute("MaxOutstanding",
                          "Messages that a rank has sent on each channel and that are not yet "
                          "acknowledged, at most. Default: the peers that NCCL serves in one batch "
                          "(NCCL_MAX_DEV_WORK_P2P_PER_BATCH).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&DirectAllToAllAlgorithm::m_maxOutstanding),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
DirectAllToAllAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_TO_ALL;
}

ByteRange
DirectAllToAllAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const ChunkGrid parts(request.bytes, request.elementBytes, request.GetGroupSize(), 1, 1);
    const uint64_t bytes = request.bytes - parts.GetSpan(rank).bytes;
    return {bytes, bytes};
}

PlanProgram
DirectAllToAllAlgorithm::MakeProgram(uint32_t size, uint32_t maxOutstanding)
{
    PlanProgram program;
    program.AddStep({PlanStepKind::COPY, PlanBuffer::OUTPUT, 0, 0, 0, 0});
    SendWindow window(maxOutstanding);
    for (uint32_t ahead = 1; ahead < size; ahead++)
    {
        const uint32_t message = ahead - 1;
        const uint32_t behind = size - ahead;
        window.Add(
            program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, ahead, ahead, 0, message},
                            {window.GetBlocker()}));
        program.AddStep({PlanStepKind::RECEIVE, PlanBuffer::OUTPUT, behind, behind, 0, message});
    }
    program.Finish();
    return program;
}

CollectivePlan
DirectAllToAllAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, 1),
                        {MakeProgram(size, m_maxOutstanding)});
    plan.AddEqualChannels(size);
    return plan;
}

} // namespace ns3
