/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "stepped-ring-algorithm.h"

#include "ring-pass-writer.h"
#include "slice-pipeline.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(SteppedRingAlgorithm);

TypeId
SteppedRingAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::SteppedRingAlgorithm")
            .SetParent<RingAlgorithm>()
            .SetGroupName("Collective")
            .AddAttribute("SliceBytes",
                          "Largest message: what a channel moves per step is cut into slices no "
                          "larger than this, which travel independently. 0: one message per step.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SteppedRingAlgorithm::m_sliceBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

ByteRange
SteppedRingAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    // In a pass a rank sends all parts but the one after that which it sends first.
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = GetChannelCount(request);
    const auto orders = GetOrders(request, channels);
    const ChunkGrid parts(request.bytes, request.elementBytes, size, channels, 1);
    uint64_t bytes = GetPasses().size() * request.bytes;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        const auto& order = orders[channel];
        const auto position =
            static_cast<uint32_t>(std::find(order.begin(), order.end(), rank) - order.begin());
        for (const auto& pass : GetPasses())
        {
            const uint32_t kept = order[(position + pass.firstPart + 1 + size) % size];
            bytes -= parts.GetSpan(parts.GetIndex(kept, channel, 0)).bytes;
        }
    }
    return {bytes, bytes};
}

CollectivePlan
SteppedRingAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = GetChannelCount(request);
    const ChunkGrid whole(request.bytes, request.elementBytes, size, channels, 1);
    const uint32_t slices = SlicePipeline::CutIntoSlices("ns3::SteppedRingAlgorithm::SliceBytes",
                                                         whole.GetSpan(0).bytes,
                                                         m_sliceBytes,
                                                         GetPasses().size() * (size - 1));
    RingView ring;
    ring.peers.resize(size);
    std::iota(ring.peers.begin(), ring.peers.end(), 0);
    ring.parts = ring.peers;
    ring.sentParts = ring.peers;
    PlanProgram program;
    RingPassWriter writer(program, slices);
    RingPassWriter::SliceSteps before(slices);
    for (const auto& pass : GetPasses())
    {
        const auto received = writer.Write(ring, pass.firstPart, pass.receive, before);
        for (uint32_t slice = 0; slice < slices; slice++)
        {
            before[slice] = {received[slice].back()};
        }
    }
    program.Finish();
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, slices),
                        {std::move(program)});
    for (auto& order : GetOrders(request, channels))
    {
        plan.AddChannel(std::move(order), std::vector<uint32_t>(size, 0));
    }
    return plan;
}

} // namespace ns3
