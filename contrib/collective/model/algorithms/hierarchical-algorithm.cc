/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hierarchical-algorithm.h"

#include "rail-channels.h"
#include "ring-pass-writer.h"
#include "slice-pipeline.h"

#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalAlgorithm);

TypeId
HierarchicalAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::HierarchicalAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddAttribute("SliceBytes",
                          "Largest message inside a server: a rail's share is cut into slices no "
                          "larger than this, which travel independently, so that those inside and "
                          "those between servers overlap. 0: one message per step.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&HierarchicalAlgorithm::m_sliceBytes),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

bool
HierarchicalAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == GetKind() && ServerLayout(request.placement).IsEven();
}

std::vector<uint32_t>
HierarchicalAlgorithm::GetOrder(const ServerLayout& layout)
{
    std::vector<uint32_t> order;
    for (uint32_t server = 0; server < layout.GetCount(); server++)
    {
        const auto& ranks = layout.GetRanks(server);
        order.insert(order.end(), ranks.begin(), ranks.end());
    }
    return order;
}

ByteRange
HierarchicalAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const ServerLayout layout(request.placement);
    const std::vector<uint32_t> order = GetOrder(layout);
    const uint32_t rails = layout.GetRails();
    const auto size = static_cast<uint32_t>(order.size());
    const auto position =
        static_cast<uint32_t>(std::find(order.begin(), order.end(), rank) - order.begin());
    const uint32_t rail = position % rails;
    const ChunkGrid parts(request.bytes, request.elementBytes, size, 1, 1);
    const auto getShare = [&](uint32_t ofRail) {
        uint64_t bytes = 0;
        for (uint32_t other = ofRail; other < size; other += rails)
        {
            bytes += parts.GetSpan(order[other]).bytes;
        }
        return bytes;
    };
    // A pass sends everything but one share: the rank's own if it reduces, the next one's if not.
    const uint64_t share = getShare(rail);
    uint64_t bytes = 0;
    if (GetKind() != CollectiveKind::ALL_GATHER)
    {
        bytes += request.bytes - share + share - parts.GetSpan(rank).bytes;
    }
    if (GetKind() != CollectiveKind::REDUCE_SCATTER)
    {
        const uint32_t next = order[(position + rails) % size]; // the rank itself if alone
        bytes += request.bytes - getShare((rail + 1) % rails) + share - parts.GetSpan(next).bytes;
    }
    return {bytes, bytes};
}

std::vector<uint32_t>
HierarchicalAlgorithm::GetLocalPeers(uint32_t servers, uint32_t rails, uint32_t rail)
{
    const uint32_t size = servers * rails;
    std::vector<uint32_t> peers;
    for (uint32_t offset = 0; offset < rails; offset++)
    {
        peers.push_back(((rail + offset) % rails + size - rail) % size);
    }
    return peers;
}

PlanProgram
HierarchicalAlgorithm::MakeProgram(uint32_t servers,
                                   uint32_t rails,
                                   uint32_t rail,
                                   uint32_t slices) const
{
    const uint32_t size = servers * rails;
    // Inside: a share is one part of every server. Receivers name the first part at or ahead of
    // their position, at the same distances on all rails, and senders name what the receiver does.
    RingView local;
    local.peers = GetLocalPeers(servers, rails, rail);
    local.partsPerShare = servers;
    local.stride = rails;
    for (uint32_t offset = 0; offset < rails; offset++)
    {
        const uint32_t next = local.peers[1 % rails];
        local.parts.push_back(offset);
        local.sentParts.push_back((next + (offset + rails - 1) % rails) % size);
    }
    RingView remote; // shares: one part
    for (uint32_t offset = 0; offset < servers; offset++)
    {
        remote.peers.push_back(offset * rails);
    }
    remote.parts = remote.peers;
    remote.sentParts = remote.peers;
    PlanProgram program;
    RingPassWriter writer(program, slices);
    RingPassWriter::SliceSteps done(slices);
    const auto pass = [&](const RingView& ring, int32_t firstOffset, PlanStepKind receive) {
        const auto received = writer.Write(ring, firstOffset, receive, done);
        for (uint32_t slice = 0; slice < slices && !received[slice].empty(); slice++)
        {
            // Of a pass that adds up, the share that comes last stays; what was added before it
            // went on.
            const auto begin = receive == PlanStepKind::RECEIVE_REDUCE ? received[slice].end() - 1
                                                                       : received[slice].begin();
            done[slice].insert(done[slice].end(), begin, received[slice].end());
        }
    };
    if (GetKind() != CollectiveKind::ALL_GATHER)
    {
        pass(local, -1, PlanStepKind::RECEIVE_REDUCE);
        pass(remote, -1, PlanStepKind::RECEIVE_REDUCE);
    }
    if (GetKind() != CollectiveKind::REDUCE_SCATTER)
    {
        pass(remote, 0, PlanStepKind::RECEIVE);
        pass(local, 0, PlanStepKind::RECEIVE);
    }
    program.Finish();
    return program;
}

CollectivePlan
HierarchicalAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const ServerLayout layout(request.placement);
    const uint32_t servers = layout.GetCount();
    const uint32_t rails = layout.GetRails();
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = RailChannels::CountStripes(request);
    const ChunkGrid shares(request.bytes, request.elementBytes, rails, channels, 1);
    const uint32_t slices = SlicePipeline::CutIntoSlices("ns3::HierarchicalAlgorithm::SliceBytes",
                                                         shares.GetSpan(0).bytes,
                                                         m_sliceBytes,
                                                         2ULL * (servers + rails));
    std::vector<PlanProgram> programs;
    std::vector<uint32_t> numbers; // of the programs, by rail
    for (uint32_t rail = 0; rail < rails; rail++)
    {
        if (GetRailClass(rails, rail) == rail)
        {
            programs.push_back(MakeProgram(servers, rails, rail, slices));
        }
        numbers.push_back(rail + 1 < rails ? std::min(rail, 1U)
                                           : static_cast<uint32_t>(programs.size() - 1));
    }
    std::vector<uint32_t> roles;
    for (uint32_t position = 0; position < size; position++)
    {
        roles.push_back(numbers[position % rails]);
    }
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, size, channels, slices),
                        std::move(programs));
    plan.AddEqualChannels(GetOrder(layout), roles);
    return plan;
}

} // namespace ns3
