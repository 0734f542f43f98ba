/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pipelined-ring-algorithm.h"

#include "send-window.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PipelinedRingAlgorithm);

namespace
{

/** Which program a rank plays. */
enum ProgramIndex : uint32_t
{
    FIRST,  //!< sends
    MIDDLE, //!< receives and passes on
    LAST,   //!< receives
};

} // namespace

TypeId
PipelinedRingAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::PipelinedRingAlgorithm").SetParent<RingAlgorithm>().SetGroupName("Collective");
    return tid;
}

bool
PipelinedRingAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == GetKind() && request.root < request.GetGroupSize();
}

PlanProgram
PipelinedRingAlgorithm::MakeProgram(uint32_t slices, uint32_t size, bool receives, bool sends) const
{
    const PlanStepKind receive =
        GetKind() == CollectiveKind::REDUCE ? PlanStepKind::RECEIVE_REDUCE : PlanStepKind::RECEIVE;
    PlanProgram program;
    SendWindow window(m_slicesInFlight);
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        uint32_t received = PlanProgram::NONE;
        if (receives)
        {
            received = program.AddStep({receive, PlanBuffer::OPERAND, size - 1, 0, slice, slice});
        }
        if (sends)
        {
            window.Add(
                program.AddStep({PlanStepKind::SEND, PlanBuffer::OPERAND, 1, 0, slice, slice},
                                {received, window.GetBlocker()}));
        }
    }
    program.Finish();
    return program;
}

CollectivePlan
PipelinedRingAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = GetChannelCount(request);
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    const uint32_t slices = CutIntoSlices(GetInstanceTypeId().GetName() + "::SliceBytes",
                                          whole.GetSpan(0).bytes,
                                          m_sliceBytes,
                                          1);
    std::vector<PlanProgram> programs(3);
    programs[FIRST] = MakeProgram(slices, size, false, true);
    programs[MIDDLE] = MakeProgram(slices, size, true, true);
    programs[LAST] = MakeProgram(slices, size, true, false);
    std::vector<uint32_t> roles(size, MIDDLE);
    roles.front() = FIRST;
    roles.back() = LAST;
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, channels, slices),
                        std::move(programs));
    for (auto& order : GetOrders(request, channels))
    {
        auto first = std::find(order.begin(), order.end(), request.root);
        first += GetKind() == CollectiveKind::REDUCE ? 1 : 0; // the root comes last
        std::rotate(order.begin(), first, order.end());
        plan.AddChannel(std::move(order), roles);
    }
    return plan;
}

} // namespace ns3
