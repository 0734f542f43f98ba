/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "direct-rooted-algorithm.h"

#include "rail-channels.h"
#include "send-window.h"

#include <numeric>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectRootedAlgorithm);

TypeId
DirectRootedAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DirectRootedAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective");
    return tid;
}

uint64_t
DirectRootedAlgorithm::GetPartBytes(const CollectiveRequest& request, uint32_t rank)
{
    return ChunkGrid(request.bytes, request.elementBytes, request.GetGroupSize(), 1, 1)
        .GetSpan(rank)
        .bytes;
}

CollectivePlan
DirectRootedAlgorithm::MakePlan(const CollectiveRequest& request,
                                bool rootSends,
                                uint32_t maxOutstanding)
{
    const uint32_t size = request.GetGroupSize();
    const PlanStepKind ofRoot = rootSends ? PlanStepKind::SEND : PlanStepKind::RECEIVE;
    const PlanStepKind ofOthers = rootSends ? PlanStepKind::RECEIVE : PlanStepKind::SEND;
    std::vector<PlanProgram> programs(size); // by position; the root is first
    SendWindow window(rootSends ? maxOutstanding : size);
    for (uint32_t position = 1; position < size; position++)
    {
        const uint32_t message = position - 1;
        window.Add(
            programs[0].AddStep({ofRoot, PlanBuffer::OPERAND, position, position, 0, message},
                                {window.GetBlocker()}));
        programs[position].AddStep({ofOthers, PlanBuffer::OPERAND, size - position, 0, 0, message});
    }
    for (auto& program : programs)
    {
        program.Finish();
    }
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, 1),
                        std::move(programs));
    std::vector<uint32_t> order(size);
    std::vector<uint32_t> own(size);
    std::iota(own.begin(), own.end(), 0);
    for (uint32_t position = 0; position < size; position++)
    {
        order[position] = (request.root + position) % size;
    }
    plan.AddEqualChannels(order, own);
    return plan;
}

} // namespace ns3
