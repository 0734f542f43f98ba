/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pairwise-all-to-all-algorithm.h"

#include "powers-of-two.h"
#include "rail-channels.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PairwiseAllToAllAlgorithm);

TypeId
PairwiseAllToAllAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PairwiseAllToAllAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<PairwiseAllToAllAlgorithm>();
    return tid;
}

bool
PairwiseAllToAllAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_TO_ALL;
}

ByteRange
PairwiseAllToAllAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const ChunkGrid parts(request.bytes, request.elementBytes, request.GetGroupSize(), 1, 1);
    const uint64_t bytes = request.bytes - parts.GetSpan(rank).bytes;
    return {bytes, bytes};
}

CollectivePlan
PairwiseAllToAllAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const bool isCube = IsPowerOfTwo(size);
    PlanProgram program;
    program.AddStep({PlanStepKind::COPY, PlanBuffer::OUTPUT, 0, 0, 0, 0});
    uint32_t sent = PlanProgram::NONE;
    uint32_t received = PlanProgram::NONE;
    for (uint32_t step = 1; step < size; step++)
    {
        const uint32_t source = isCube ? step : size - step;
        sent = program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, step, step, 0, step - 1},
                               {sent, received});
        received = program.AddStep(
            {PlanStepKind::RECEIVE, PlanBuffer::OUTPUT, source, source, 0, step - 1});
    }
    program.Finish();
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, 1),
                        {std::move(program)});
    plan.AddEqualChannels(size, isCube);
    return plan;
}

} // namespace ns3
