/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hierarchical-tree-all-reduce-algorithm.h"

#include "hierarchical-algorithm.h"
#include "program-table.h"
#include "rail-channels.h"
#include "ring-pass-writer.h"
#include "server-tree.h"
#include "tree-program-writer.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalTreeAllReduceAlgorithm);

namespace
{

/**
 * \param servers the number of servers
 * \param rails ranks in each
 * \return the role of the ranks of each server in the tree of their rail
 */
std::vector<TreeRole>
GetRoles(uint32_t servers, uint32_t rails)
{
    std::vector<TreeRole> roles(servers);
    const auto getDistance = [&](uint32_t from, uint32_t to) {
        return (to + servers - from) % servers * rails;
    };
    for (uint32_t server = 0; server < servers; server++)
    {
        const uint32_t parent = ServerTree::GetParent(server, servers);
        if (parent != ServerTree::NONE)
        {
            roles[server].parent = getDistance(server, parent);
            roles[server].index = static_cast<uint32_t>(roles[parent].children.size());
            roles[parent].children.push_back(getDistance(parent, server));
        }
    }
    return roles;
}

} // namespace

TypeId
HierarchicalTreeAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid =
        AddPipelineAttributes(TypeId("ns3::HierarchicalTreeAllReduceAlgorithm")
                                  .SetParent<CollectiveAlgorithm>()
                                  .SetGroupName("Collective")
                                  .AddConstructor<HierarchicalTreeAllReduceAlgorithm>());
    return tid;
}

bool
HierarchicalTreeAllReduceAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_REDUCE && ServerLayout(request.placement).IsEven();
}

ByteRange
HierarchicalTreeAllReduceAlgorithm::GetBytesSent(const CollectiveRequest& request,
                                                 uint32_t rank) const
{
    const ServerLayout layout(request.placement);
    const std::vector<uint32_t> order = HierarchicalAlgorithm::GetOrder(layout);
    const uint32_t rails = layout.GetRails();
    const ChunkGrid shares(request.bytes, request.elementBytes, rails, 1, 1);
    const auto rail =
        static_cast<uint32_t>(std::find(order.begin(), order.end(), rank) - order.begin()) % rails;
    const TreeRole role = GetRoles(layout.GetCount(), rails)[request.placement[rank]];
    const uint64_t links = role.children.size() + (role.parent == UINT32_MAX ? 0 : 1);
    const uint64_t bytes = 2 * request.bytes - shares.GetSpan(rail).bytes -
                           shares.GetSpan((rail + 1) % rails).bytes +
                           links * shares.GetSpan(rail).bytes;
    return {bytes, bytes};
}

PlanProgram
HierarchicalTreeAllReduceAlgorithm::MakeProgram(const ServerLayout& layout,
                                                uint32_t rail,
                                                const TreeShape& shape,
                                                const TreeRole& role)
{
    const uint32_t rails = layout.GetRails();
    RingView ring; // of a grid of as many parts as rails: distances modulo their number
    ring.peers = HierarchicalAlgorithm::GetLocalPeers(layout.GetCount(), rails, rail);
    ring.parts.resize(rails);
    std::iota(ring.parts.begin(), ring.parts.end(), 0);
    ring.sentParts = ring.parts;
    PlanProgram program;
    RingPassWriter writer(program, shape.slices);
    RingPassWriter::SliceSteps done(shape.slices);
    done = writer.Write(ring, -1, PlanStepKind::RECEIVE_REDUCE, done);
    TreeStepWriter tree(program, shape, role);
    const uint32_t ringMessages = 2 * (rails - 1) * shape.slices;
    for (uint32_t slice = 0; slice < shape.slices; slice++)
    {
        // After the messages of both passes.
        PlanStep chunk;
        chunk.slice = slice;
        chunk.message = ringMessages + slice * 2 * shape.maxChildren;
        std::vector<uint32_t> sum;
        if (!done[slice].empty())
        {
            sum.push_back(done[slice].back());
        }
        done[slice] = tree.Write(chunk, std::move(sum));
    }
    writer.Write(ring, 0, PlanStepKind::RECEIVE, done);
    program.Finish();
    return program;
}

CollectivePlan
HierarchicalTreeAllReduceAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const ServerLayout layout(request.placement);
    const uint32_t rails = layout.GetRails();
    const uint32_t channels = RailChannels::CountStripes(request);
    const ChunkGrid shares(request.bytes, request.elementBytes, rails, channels, 1);
    const std::vector<TreeRole> roles = GetRoles(layout.GetCount(), rails);
    TreeShape shape;
    shape.slicesInFlight = m_slicesInFlight;
    shape.maxChildren = 2;
    shape.slices = CutIntoSlices("ns3::HierarchicalTreeAllReduceAlgorithm::SliceBytes",
                                 shares.GetSpan(0).bytes,
                                 m_sliceBytes,
                                 2ULL * (rails + shape.maxChildren));
    // Programs differ by the place in the tree and by where the ring closes.
    ProgramTable<std::tuple<uint32_t, uint32_t, std::vector<uint32_t>, uint32_t>> programs;
    std::vector<uint32_t> played;
    for (const TreeRole& role : roles)
    {
        for (uint32_t rail = 0; rail < rails; rail++)
        {
            played.push_back(
                programs.GetNumber({role.parent,
                                    role.index,
                                    role.children,
                                    HierarchicalAlgorithm::GetRailClass(rails, rail)},
                                   [&] { return MakeProgram(layout, rail, shape, role); }));
        }
    }
    CollectivePlan plan(
        ChunkGrid(request.bytes, request.elementBytes, rails, channels, shape.slices),
        programs.Take());
    plan.AddEqualChannels(HierarchicalAlgorithm::GetOrder(layout), played);
    return plan;
}

} // namespace ns3
