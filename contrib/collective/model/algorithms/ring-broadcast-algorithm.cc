/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-broadcast-algorithm.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingBroadcastAlgorithm);

namespace
{

/** Which program a rank plays. */
enum ProgramIndex : uint32_t
{
    ROOT,   //!< sends
    MIDDLE, //!< receives and passes on
    LAST,   //!< receives
};

} // namespace

TypeId
RingBroadcastAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RingBroadcastAlgorithm")
            .SetParent<RingAlgorithm>()
            .SetGroupName("Collective")
            .AddConstructor<RingBroadcastAlgorithm>()
            .AddAttribute("SliceBytes",
                          "Largest message. Default: the step of NCCL's Simple protocol, 4 MiB of "
                          "buffer (NCCL_BUFFSIZE) in 8 steps (NCCL_STEPS). 0: one message per "
                          "channel and hop, no pipelining.",
                          UintegerValue(524288),
                          MakeUintegerAccessor(&RingBroadcastAlgorithm::m_sliceBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("SlicesInFlight",
                          "Slices of a channel that a rank has sent and that are not yet "
                          "acknowledged, at most. Default: NCCL_STEPS.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&RingBroadcastAlgorithm::m_slicesInFlight),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
RingBroadcastAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::BROADCAST && request.root < request.GetGroupSize();
}

ByteRange
RingBroadcastAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    // All but the last rank of a ring send its share; a rank may be last on any of the rings.
    return {rank == request.root ? request.bytes : 0, request.bytes};
}

PlanProgram
RingBroadcastAlgorithm::MakeProgram(uint32_t slices, uint32_t size, bool receives, bool sends) const
{
    PlanProgram program;
    std::vector<uint32_t> sent;
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        uint32_t received = PlanProgram::NONE;
        if (receives)
        {
            received = program.AddStep(
                {PlanStepKind::RECEIVE, PlanBuffer::OPERAND, size - 1, 0, slice, slice});
        }
        if (sends)
        {
            const uint32_t acknowledged =
                slice < m_slicesInFlight ? PlanProgram::NONE : sent[slice - m_slicesInFlight];
            sent.push_back(
                program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, 1, 0, slice, slice},
                                {received, acknowledged}));
        }
    }
    program.Finish();
    return program;
}

CollectivePlan
RingBroadcastAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = GetChannelCount(request);
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    const uint32_t slices = GetSliceCount(whole.GetSpan(0).bytes, m_sliceBytes);
    RequireMessages("ns3::RingBroadcastAlgorithm::SliceBytes", slices, 1, whole.GetSpan(0).bytes);
    std::vector<PlanProgram> programs(3);
    programs[ROOT] = MakeProgram(slices, size, false, true);
    programs[MIDDLE] = MakeProgram(slices, size, true, true);
    programs[LAST] = MakeProgram(slices, size, true, false);
    std::vector<uint32_t> roles(size, MIDDLE);
    roles.front() = ROOT;
    roles.back() = LAST;
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, channels, slices),
                        std::move(programs));
    for (auto& order : GetOrders(request, channels))
    {
        std::rotate(order.begin(),
                    std::find(order.begin(), order.end(), request.root),
                    order.end());
        plan.AddChannel(std::move(order), roles);
    }
    return plan;
}

} // namespace ns3
