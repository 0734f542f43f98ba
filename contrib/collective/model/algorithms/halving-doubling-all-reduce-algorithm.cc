/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "halving-doubling-all-reduce-algorithm.h"

#include "powers-of-two.h"
#include "rail-channels.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingAllReduceAlgorithm);

namespace
{

const PlanBuffer DATA = PlanBuffer::OPERAND; //!< everything happens in place

/** Which program a rank plays. */
enum ProgramIndex : uint32_t
{
    PARTNER, //!< of the cube, with a rank that folds into it
    PLAIN,   //!< of the cube
    FOLDED,  //!< not of the cube
};

} // namespace

TypeId
HalvingDoublingAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HalvingDoublingAllReduceAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<HalvingDoublingAllReduceAlgorithm>();
    return tid;
}

bool
HalvingDoublingAllReduceAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_REDUCE;
}

std::vector<uint32_t>
HalvingDoublingAllReduceAlgorithm::GetOrder(uint32_t size)
{
    const uint32_t cube = GetPowerOfTwoBelow(size);
    const uint32_t folded = size - cube;
    std::vector<uint32_t> order(size);
    for (uint32_t position = 0; position < cube; position++)
    {
        order[position] = position < folded ? 2 * position + 1 : position + folded;
    }
    for (uint32_t i = 0; i < folded; i++)
    {
        order[cube + i] = 2 * i;
    }
    return order;
}

ByteRange
HalvingDoublingAllReduceAlgorithm::GetBytesSent(const CollectiveRequest& request,
                                                uint32_t rank) const
{
    const std::vector<uint32_t> order = GetOrder(request.GetGroupSize());
    const uint32_t cube = GetPowerOfTwoBelow(request.GetGroupSize());
    const auto position =
        static_cast<uint32_t>(std::find(order.begin(), order.end(), rank) - order.begin());
    if (position >= cube)
    {
        return {request.bytes, request.bytes};
    }
    // On the way to its part a rank gives every other away once; on the way back it sends all that
    // it has at distances 2d, 4d, ... to distance d.
    const ChunkGrid parts(request.bytes, request.elementBytes, cube, 1, 1);
    uint64_t bytes = request.bytes - parts.GetSpan(position).bytes;
    for (uint32_t distance = 1; distance < cube; distance *= 2)
    {
        for (uint32_t other = 0; other < cube; other += 2 * distance)
        {
            bytes += parts.GetSpan(position ^ other).bytes;
        }
    }
    bytes += position + cube < order.size() ? request.bytes : 0;
    return {bytes, bytes};
}

PlanProgram
HalvingDoublingAllReduceAlgorithm::MakeProgram(uint32_t cube, bool hasPartner)
{
    PlanProgram program;
    std::vector<uint32_t> received; // all that a send may depend on
    uint32_t message = 0;
    if (hasPartner)
    {
        received.push_back(
            program.AddStep({PlanStepKind::RECEIVE_REDUCE, DATA, cube, 0, 0, message, cube, 1}));
    }
    message++;
    for (uint32_t distance = 1; distance < cube; distance *= 2, message++)
    {
        const uint32_t parts = cube / (2 * distance);
        program.AddStep(
            {PlanStepKind::SEND, DATA, distance, distance, 0, message, parts, 2 * distance},
            received);
        received.push_back(program.AddStep(
            {PlanStepKind::RECEIVE_REDUCE, DATA, distance, 0, 0, message, parts, 2 * distance}));
    }
    for (uint32_t distance = cube / 2; distance > 0; distance /= 2, message++)
    {
        const uint32_t parts = cube / (2 * distance);
        program.AddStep({PlanStepKind::SEND, DATA, distance, 0, 0, message, parts, 2 * distance},
                        received);
        received.push_back(program.AddStep(
            {PlanStepKind::RECEIVE, DATA, distance, distance, 0, message, parts, 2 * distance}));
    }
    if (hasPartner)
    {
        program.AddStep({PlanStepKind::SEND, DATA, cube, 0, 0, message, cube, 1}, received);
    }
    program.Finish();
    return program;
}

PlanProgram
HalvingDoublingAllReduceAlgorithm::MakeFoldedProgram(uint32_t cube)
{
    uint32_t last = 1; // the number of the last message, as in MakeProgram()
    for (uint32_t distance = 1; distance < cube; distance *= 2)
    {
        last += 2;
    }
    PlanProgram program;
    program.AddStep({PlanStepKind::SEND, DATA, cube, cube, 0, 0, cube, 1});
    program.AddStep({PlanStepKind::RECEIVE, DATA, cube, cube, 0, last, cube, 1});
    program.Finish();
    return program;
}

CollectivePlan
HalvingDoublingAllReduceAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t cube = GetPowerOfTwoBelow(size);
    std::vector<PlanProgram> programs(3);
    programs[PARTNER] = MakeProgram(cube, true);
    programs[PLAIN] = MakeProgram(cube, false);
    programs[FOLDED] = MakeFoldedProgram(cube);
    std::vector<uint32_t> roles(size, PLAIN);
    std::fill(roles.begin(), roles.begin() + (size - cube), PARTNER);
    std::fill(roles.begin() + cube, roles.end(), FOLDED);
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, cube, channels, 1),
                        std::move(programs));
    plan.AddEqualChannels(GetOrder(size), roles, true);
    return plan;
}

} // namespace ns3
