/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-algorithm.h"

#include "rail-channels.h"
#include "tree-program-writer.h"

#include "ns3/collective-tag.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeAlgorithm);

namespace
{

/**
 * \param tree a tree
 * \return the role of the rank at each position of the tree's order
 */
std::vector<TreeRole>
GetRoles(const ServerTree& tree)
{
    const auto& order = tree.GetOrder();
    const auto size = static_cast<uint32_t>(order.size());
    std::vector<uint32_t> positions(size);
    for (uint32_t position = 0; position < size; position++)
    {
        positions[order[position]] = position;
    }
    std::vector<TreeRole> roles(size);
    for (uint32_t position = 0; position < size; position++)
    {
        const auto getDistance = [&](uint32_t rank) {
            return (positions[rank] + size - position) % size;
        };
        const ServerTree::Node& node = tree.GetNode(order[position]);
        TreeRole& role = roles[position];
        if (node.parent != ServerTree::NONE)
        {
            role.parent = getDistance(node.parent);
            role.index = node.index;
        }
        for (const uint32_t child : node.children)
        {
            role.children.push_back(getDistance(child));
        }
    }
    return roles;
}

} // namespace

TypeId
TreeAlgorithm::GetTypeId()
{
    static TypeId tid = AddChannelAttributes(AddPipelineAttributes(
        TypeId("ns3::TreeAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddAttribute("Channels",
                          "Number of trees that share the operand. 0: automatic, one (or a pair of "
                          "complementary ones) for each rail of NICs that all servers have, times "
                          "the NICs of a rank, so that each NIC carries one; one chain in a group "
                          "in one server.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&TreeAlgorithm::m_channels),
                          MakeUintegerChecker<uint32_t>(0, CollectiveTag::MAX_CHANNELS))
            .AddAttribute("MinChannelBytes",
                          "Automatic channels: no more of them than give each so many bytes of "
                          "the operand, but a pair if trees come in pairs; 0 for no such limit. "
                          "Default: as of ns3::RingAlgorithm. Without effect beside "
                          "ns3::NcclSelector, which divides operands as NCCL does.",
                          UintegerValue(MIN_CHANNEL_BYTES),
                          MakeUintegerAccessor(&TreeAlgorithm::m_minChannelBytes),
                          MakeUintegerChecker<uint64_t>()),
        "Beside ns3::NcclSelector trees between servers have slices of LL's and LL128's own with "
        "these protocols."));
    return tid;
}

bool
TreeAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == GetKind() && request.root < request.GetGroupSize();
}

uint32_t
TreeAlgorithm::GetTreesPerRail(const ServerLayout&) const
{
    return 1;
}

bool
TreeAlgorithm::GoesUp() const
{
    return GetKind() != CollectiveKind::BROADCAST;
}

bool
TreeAlgorithm::GoesDown() const
{
    return GetKind() != CollectiveKind::REDUCE;
}

uint32_t
TreeAlgorithm::GetChannelCount(const CollectiveRequest& request, const ServerLayout& layout) const
{
    if (m_channels > 0)
    {
        return m_channels;
    }
    const uint32_t trees = GetTreesPerRail(layout);
    const uint32_t rails = layout.GetCount() < 2 ? 1 : layout.GetNicRails();
    const uint32_t channels = Bound(RailChannels(rails, request.nicsPerRank, trees).GetCount());
    return Limit(request, channels, trees, m_minChannelBytes);
}

std::vector<ServerTree>
TreeAlgorithm::GetTrees(const CollectiveRequest& request) const
{
    const ServerLayout layout(request.placement, request.nics);
    const RailChannels rails(layout.GetNicRails(), request.nicsPerRank, GetTreesPerRail(layout));
    const bool hasRoot = HasRoot(request.kind);
    const uint32_t channels = GetChannelCount(request, layout);
    std::vector<ServerTree> trees;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        trees.emplace_back(layout,
                           rails.GetRail(channel),
                           rails.GetTree(channel) == 1,
                           hasRoot ? request.placement[request.root] : 0);
        if (hasRoot)
        {
            trees.back().SetRoot(request.root);
        }
    }
    return trees;
}

ByteRange
TreeAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const std::vector<ServerTree> trees = GetTrees(request);
    const auto channels = static_cast<uint32_t>(trees.size());
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    uint64_t bytes = 0;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        const ServerTree::Node& node = trees[channel].GetNode(rank);
        const uint64_t sends = (GoesUp() && node.parent != ServerTree::NONE ? 1 : 0) +
                               (GoesDown() ? node.children.size() : 0);
        bytes += sends * whole.GetSpan(channel).bytes;
    }
    return {bytes, bytes};
}

CollectivePlan
TreeAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const std::vector<ServerTree> trees = GetTrees(request);
    const auto channels = static_cast<uint32_t>(trees.size());
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    std::vector<std::vector<TreeRole>> roles;
    TreeShape shape;
    for (const ServerTree& tree : trees)
    {
        roles.push_back(GetRoles(tree));
        for (const TreeRole& role : roles.back())
        {
            shape.maxChildren =
                std::max(shape.maxChildren, static_cast<uint32_t>(role.children.size()));
        }
    }
    shape.slices = CutIntoSlices("ns3::TreeAlgorithm::SliceBytes",
                                 whole.GetSpan(0).bytes,
                                 GetSlice(request, channels, m_sliceBytes),
                                 2ULL * shape.maxChildren);
    shape.slicesInFlight = m_slicesInFlight;
    shape.up = GoesUp();
    shape.down = GoesDown();
    TreeProgramWriter writer(shape);
    std::vector<std::vector<uint32_t>> programs(channels);
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        for (const TreeRole& role : roles[channel])
        {
            programs[channel].push_back(writer.GetProgram(role));
        }
    }
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, channels, shape.slices),
                        writer.TakePrograms());
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        plan.AddChannel(trees[channel].GetOrder(), std::move(programs[channel]));
    }
    return plan;
}

} // namespace ns3
