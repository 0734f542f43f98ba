/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recursive-algorithm.h"

#include "powers-of-two.h"
#include "rail-channels.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecursiveAlgorithm);

TypeId
RecursiveAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecursiveAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective");
    return tid;
}

bool
RecursiveAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == GetKind();
}

ByteRange
RecursiveAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint32_t size = request.GetGroupSize();
    const ChunkGrid parts(request.bytes, request.elementBytes, size, 1, 1);
    uint64_t bytes = 0;
    if (GetKind() == CollectiveKind::REDUCE_SCATTER)
    {
        bytes = request.bytes - parts.GetSpan(rank).bytes;
        return {bytes, bytes};
    }
    for (uint32_t distance = 1; distance < size; distance *= 2)
    {
        for (uint32_t i = 0; i < std::min(distance, size - distance); i++)
        {
            bytes += parts.GetSpan(IsPowerOfTwo(size) ? rank ^ i : (rank + i) % size).bytes;
        }
    }
    return {bytes, bytes};
}

CollectivePlan
RecursiveAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const bool isCube = IsPowerOfTwo(size);
    const bool gathers = GetKind() == CollectiveKind::ALL_GATHER;
    std::vector<uint32_t> distances;
    for (uint32_t distance = 1; distance < size; distance *= 2)
    {
        distances.push_back(distance);
    }
    if (!gathers)
    {
        std::reverse(distances.begin(), distances.end());
    }
    PlanProgram program;
    std::vector<uint32_t> received;
    for (uint32_t message = 0; message < distances.size(); message++)
    {
        // Of the two ends, the near one has the parts from itself on, the far one those behind.
        const uint32_t distance = distances[message];
        const uint32_t parts = std::min(distance, size - distance);
        const uint32_t back = isCube ? distance : size - distance;
        PlanStep send{PlanStepKind::SEND, PlanBuffer::OPERAND, back, 0, 0, message, parts, 1};
        PlanStep receive{PlanStepKind::RECEIVE,
                         PlanBuffer::OPERAND,
                         distance,
                         distance,
                         0,
                         message,
                         parts,
                         1};
        if (!gathers)
        {
            std::swap(send.peer, receive.peer);
            std::swap(send.part, receive.part);
            receive.kind = PlanStepKind::RECEIVE_REDUCE;
        }
        program.AddStep(send, received);
        received.push_back(program.AddStep(receive));
    }
    program.Finish();
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, 1),
                        {std::move(program)});
    plan.AddEqualChannels(size, isCube);
    return plan;
}

} // namespace ns3
