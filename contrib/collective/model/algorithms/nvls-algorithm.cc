/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvls-algorithm.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlsAlgorithm);

TypeId
NvlsAlgorithm::GetTypeId()
{
    static TypeId tid = AddPipelineAttributes(TypeId("ns3::NvlsAlgorithm")
                                                  .SetParent<CollectiveAlgorithm>()
                                                  .SetGroupName("Collective"),
                                              131072,
                                              "NCCL_NVLS_CHUNKSIZE");
    return tid;
}

bool
NvlsAlgorithm::CanReduce(const CollectiveRequest& request)
{
    if (request.kind == CollectiveKind::ALL_GATHER)
    {
        return true;
    }
    const ReductionOperation operation = request.reduction.operation;
    const bool isSum = operation == ReductionOperation::SUM;
    switch (request.reduction.type)
    {
    case ElementType::INT8:
    case ElementType::FLOAT8:
        return false;
    case ElementType::FLOAT:
    case ElementType::DOUBLE:
        return isSum;
    default:
        return isSum || operation == ReductionOperation::MAX ||
               operation == ReductionOperation::MIN;
    }
}

bool
NvlsAlgorithm::Supports(const CollectiveRequest& request) const
{
    const auto& servers = request.placement;
    return request.kind == GetPasses().kind && request.offload && CanReduce(request) &&
           std::all_of(servers.begin(), servers.end(), [&](uint32_t server) {
               return server == servers.front();
           });
}

ByteRange
NvlsAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const ChunkGrid parts(request.bytes, request.elementBytes, request.GetGroupSize(), 1, 1);
    const uint64_t bytes = (GetPasses().combines ? request.bytes : 0) +
                           (GetPasses().multicasts ? parts.GetSpan(rank).bytes : 0);
    return {bytes, bytes};
}

PlanProgram
NvlsAlgorithm::MakeProgram(uint32_t size, uint32_t rank, uint32_t slices) const
{
    const Passes passes = GetPasses();
    PlanProgram program;
    // Message numbers: a part's slices in order, sums first.
    const auto number = [&](uint32_t part, uint32_t slice, bool isCopy) {
        return ((isCopy && passes.combines ? size : 0) + part) * slices + slice;
    };
    std::vector<std::vector<uint32_t>> arrived(size); // by part and slice, when it is settled
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        for (uint32_t i = 0; i < size; i++)
        {
            // Every rank begins with its own part, so the sums of all form side by side.
            const uint32_t part = (rank + i) % size;
            const uint32_t window = slice < m_slicesInFlight
                                        ? PlanProgram::NONE
                                        : arrived[part][slice - m_slicesInFlight];
            PlanStep step{PlanStepKind::COMBINE, PlanBuffer::OPERAND, i, i, slice, 0};
            uint32_t last = PlanProgram::NONE; // what the slice's next step waits for
            if (passes.combines)
            {
                step.message = number(part, slice, false);
                last = program.AddStep(step, {window});
                if (part == rank)
                {
                    step.kind = PlanStepKind::RECEIVE;
                    last = program.AddStep(step, {last});
                }
            }
            step.message = number(part, slice, true);
            if (passes.multicasts && part == rank)
            {
                step.kind = PlanStepKind::MULTICAST;
                last = program.AddStep(step, {last, passes.combines ? PlanProgram::NONE : window});
            }
            if (passes.multicasts)
            {
                step.kind = PlanStepKind::RECEIVE;
                last = program.AddStep(step, {last});
            }
            arrived[part].push_back(last);
        }
    }
    program.Finish();
    return program;
}

CollectivePlan
NvlsAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const ChunkGrid whole(request.bytes, request.elementBytes, size, 1, 1);
    const uint32_t slices = CutIntoSlices("ns3::NvlsAlgorithm::SliceBytes",
                                          whole.GetSpan(0).bytes,
                                          m_sliceBytes,
                                          2 * size);
    std::vector<PlanProgram> programs;
    for (uint32_t rank = 0; rank < size; rank++)
    {
        programs.push_back(MakeProgram(size, rank, slices));
    }
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, 1, slices),
                        std::move(programs));
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    plan.AddChannel(order, order);
    plan.SetTeams(std::vector<uint32_t>(size, 0));
    return plan;
}

} // namespace ns3
