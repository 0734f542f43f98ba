/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pat-algorithm.h"

#include "powers-of-two.h"
#include "rail-channels.h"
#include "send-window.h"

#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PatAlgorithm);

namespace
{

/**
 * \param transfer a transfer
 * \param behind how far behind the first source is: Transfer::behind for the all-gather's sender
 * \param size the size of the group
 * \return a step on these parts, kind, peer, slice and message still to be set
 */
PlanStep
MakeStep(const PatSchedule::Transfer& transfer, uint32_t behind, uint32_t size)
{
    PlanStep step;
    step.part = (size - behind) % size;
    step.parts = transfer.parts;
    step.stride = (size - transfer.stride % size) % size;
    return step;
}

} // namespace

TypeId
PatAlgorithm::GetTypeId()
{
    static TypeId tid = AddPipelineAttributes(
        TypeId("ns3::PatAlgorithm").SetParent<CollectiveAlgorithm>().SetGroupName("Collective"));
    return tid;
}

bool
PatAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == GetKind();
}

ByteRange
PatAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint32_t size = request.GetGroupSize();
    const ChunkGrid parts(request.bytes, request.elementBytes, size, 1, 1);
    uint64_t bytes = 0;
    if (GetKind() == CollectiveKind::REDUCE_SCATTER)
    {
        bytes = request.bytes - parts.GetSpan(rank).bytes;
        return {bytes, bytes};
    }
    // A rank hands on what comes from o behind over all distances below the lowest bit of o.
    for (uint32_t behind = 0; behind < size; behind++)
    {
        const uint32_t lowest = behind & (~behind + 1);
        for (uint32_t distance = 1; behind + distance < size; distance *= 2)
        {
            const bool handsOn = behind == 0 || distance < lowest;
            bytes += handsOn ? parts.GetSpan((rank + size - behind) % size).bytes : 0;
        }
    }
    return {bytes, bytes};
}

uint32_t
PatAlgorithm::GetAggregation(uint64_t partBytes, uint32_t size) const
{
    const uint32_t most = GetPowerOfTwoAbove(size) / 2;
    uint32_t parts = 1;
    while (parts < most && (m_sliceBytes == 0 || 2 * parts * partBytes <= m_sliceBytes))
    {
        parts *= 2;
    }
    return parts;
}

PlanProgram
PatAlgorithm::MakeGather(const PatSchedule& schedule, uint32_t size, uint32_t slices) const
{
    const auto& transfers = schedule.GetTransfers();
    PlanProgram program;
    SendWindow window(m_slicesInFlight);
    uint32_t message = 0;
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        std::vector<uint32_t> received; // by transfer
        for (const PatSchedule::Transfer& transfer : transfers)
        {
            std::vector<uint32_t> before{window.GetBlocker()};
            for (const uint32_t earlier : transfer.after)
            {
                before.push_back(received[earlier]);
            }
            PlanStep send = MakeStep(transfer, transfer.behind, size);
            send.peer = transfer.distance;
            send.slice = slice;
            send.message = message;
            window.Add(program.AddStep(send, before));
            PlanStep receive = MakeStep(transfer, transfer.behind + transfer.distance, size);
            receive.kind = PlanStepKind::RECEIVE;
            receive.peer = size - transfer.distance;
            receive.slice = slice;
            receive.message = message++;
            received.push_back(program.AddStep(receive));
        }
    }
    program.Finish();
    return program;
}

PlanProgram
PatAlgorithm::MakeReduceScatter(const PatSchedule& schedule, uint32_t size, uint32_t slices) const
{
    const auto& transfers = schedule.GetTransfers();
    PlanProgram program;
    SendWindow window(m_slicesInFlight);
    uint32_t message = 0;
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        // By transfer, what has been added to the parts that it brings in the all-gather.
        std::vector<std::vector<uint32_t>> added(transfers.size());
        for (std::size_t i = transfers.size(); i-- > 0;)
        {
            const PatSchedule::Transfer& transfer = transfers[i];
            added[i].push_back(window.GetBlocker());
            PlanStep send = MakeStep(transfer, transfer.behind + transfer.distance, size);
            send.peer = size - transfer.distance;
            send.slice = slice;
            send.message = message;
            window.Add(program.AddStep(send, added[i]));
            PlanStep receive = MakeStep(transfer, transfer.behind, size);
            receive.kind = PlanStepKind::RECEIVE_REDUCE;
            receive.peer = transfer.distance;
            receive.slice = slice;
            receive.message = message++;
            const uint32_t step = program.AddStep(receive);
            for (const uint32_t earlier : transfer.after)
            {
                added[earlier].push_back(step);
            }
        }
    }
    program.Finish();
    return program;
}

CollectivePlan
PatAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = RailChannels::CountStripes(request);
    const ChunkGrid whole(request.bytes, request.elementBytes, size, channels, 1);
    const uint64_t partBytes = whole.GetSpan(0).bytes;
    const uint32_t slices =
        CutIntoSlices("ns3::PatAlgorithm::SliceBytes", partBytes, m_sliceBytes, size - 1);
    const PatSchedule schedule(size, GetAggregation(partBytes, size));
    PlanProgram program = GetKind() == CollectiveKind::ALL_GATHER
                              ? MakeGather(schedule, size, slices)
                              : MakeReduceScatter(schedule, size, slices);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, slices),
                        {std::move(program)});
    plan.AddEqualChannels(size);
    return plan;
}

} // namespace ns3
