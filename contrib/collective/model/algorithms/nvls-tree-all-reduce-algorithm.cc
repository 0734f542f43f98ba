/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvls-tree-all-reduce-algorithm.h"

#include "nvls-algorithm.h"
#include "program-table.h"
#include "rail-channels.h"
#include "server-tree.h"

#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(NvlsTreeAllReduceAlgorithm);

namespace
{

constexpr uint32_t MOST_CHILDREN = 2; //!< of a head: of the root of a tree one, of others two
constexpr uint32_t TREES = 2;         //!< on every rail

/** Messages of a slice: sum, copy, up from each child, down to each child. */
constexpr uint32_t MESSAGES = 2 + 2 * MOST_CHILDREN;

} // namespace

TypeId
NvlsTreeAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = AddChannelAttributes(
        AddPipelineAttributes(TypeId("ns3::NvlsTreeAllReduceAlgorithm")
                                  .SetParent<CollectiveAlgorithm>()
                                  .SetGroupName("Collective")
                                  .AddConstructor<NvlsTreeAllReduceAlgorithm>()));
    return tid;
}

bool
NvlsTreeAllReduceAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_REDUCE && request.offload &&
           NvlsAlgorithm::CanReduce(request) &&
           ServerLayout(request.placement).GetCount() > 1;
}

uint32_t
NvlsTreeAllReduceAlgorithm::GetChannelCount(const CollectiveRequest& request) const
{
    const uint32_t rails = ServerLayout(request.placement, request.nics).GetNicRails();
    const uint32_t channels = RailChannels(rails, request.nicsPerRank, TREES).GetCount();
    return Limit(request, Bound(channels), TREES, 0);
}

std::vector<NvlsTreeAllReduceAlgorithm::Role>
NvlsTreeAllReduceAlgorithm::GetServerRoles(const ServerLayout& layout,
                                           uint32_t nics,
                                           uint32_t channel)
{
    const RailChannels rails(layout.GetNicRails(), nics, TREES);
    const uint32_t rail = rails.GetRail(channel);
    const uint32_t servers = layout.GetCount();
    const auto parentOf = [&](uint32_t server) {
        return rails.GetTree(channel) == 0 ? ServerTree::GetParent(server, servers)
                                           : ServerTree::GetSecondParent(server, servers);
    };
    std::vector<std::vector<uint32_t>> children(servers); // servers, by server
    std::vector<uint32_t> index(servers, 0);
    for (uint32_t server = 0; server < servers; server++)
    {
        if (parentOf(server) != ServerTree::NONE)
        {
            index[server] = static_cast<uint32_t>(children[parentOf(server)].size());
            children[parentOf(server)].push_back(server);
        }
    }
    std::vector<Role> roles;
    for (uint32_t server = 0; server < servers; server++)
    {
        const uint32_t parent = parentOf(server);
        Role role{};
        role.head = layout.GetHead(server, rail);
        role.offloads = layout.GetRanks(server).size() > 1;
        role.parent = parent == ServerTree::NONE ? UINT32_MAX : layout.GetHead(parent, rail);
        role.index = index[server];
        for (const uint32_t child : children[server])
        {
            role.children.push_back(layout.GetHead(child, rail));
        }
        roles.push_back(std::move(role));
    }
    return roles;
}

ByteRange
NvlsTreeAllReduceAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint32_t channels = GetChannelCount(request);
    const ServerLayout layout(request.placement, request.nics);
    const ChunkGrid shares(request.bytes, request.elementBytes, 1, channels, 1);
    uint64_t bytes = 0;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        const Role role =
            GetServerRoles(layout, request.nicsPerRank, channel)[request.placement[rank]];
        const bool isHead = role.head == rank;
        const uint64_t toServers = role.children.size() + (role.parent != UINT32_MAX ? 1 : 0);
        const uint64_t times =
            (role.offloads ? 1 : 0) + (isHead ? (role.offloads ? 1 : 0) + toServers : 0);
        bytes += times * shares.GetSpan(channel).bytes;
    }
    return {bytes, bytes};
}

std::vector<uint32_t>
NvlsTreeAllReduceAlgorithm::GetKey(const Role& role, uint32_t size)
{
    std::vector<uint32_t> key{role.offloads ? 1U : 0U, role.GetAhead(role.head, size)};
    if (role.head == role.rank)
    {
        key.push_back(role.parent == UINT32_MAX ? UINT32_MAX : role.GetAhead(role.parent, size));
        key.push_back(role.index);
        for (const uint32_t child : role.children)
        {
            key.push_back(role.GetAhead(child, size));
        }
    }
    return key;
}

PlanProgram
NvlsTreeAllReduceAlgorithm::MakeProgram(const Role& role, uint32_t size, uint32_t slices) const
{
    constexpr uint32_t none = PlanProgram::NONE;
    PlanProgram program;
    const bool isHead = role.head == role.rank;
    std::vector<uint32_t> settled; // by slice, the step behind which it is
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        const uint32_t window =
            slice < m_slicesInFlight ? none : settled[slice - m_slicesInFlight];
        const auto add = [&](PlanStepKind kind,
                             uint32_t peer,
                             uint32_t message,
                             const std::vector<uint32_t>& after) {
            return program.AddStep({kind,
                                    PlanBuffer::OPERAND,
                                    role.GetAhead(peer, size),
                                    0,
                                    slice,
                                    slice * MESSAGES + message},
                                   after);
        };
        uint32_t last = none;
        if (role.offloads)
        {
            last = add(PlanStepKind::COMBINE, role.head, 0, {window});
        }
        if (isHead)
        {
            last = role.offloads ? add(PlanStepKind::RECEIVE, role.rank, 0, {last}) : window;
            for (uint32_t i = 0; i < role.children.size(); i++)
            {
                last = add(PlanStepKind::RECEIVE_REDUCE, role.children[i], 2 + i, {last});
            }
            if (role.parent != UINT32_MAX)
            {
                last = add(PlanStepKind::SEND, role.parent, 2 + role.index, {last});
                last = add(PlanStepKind::RECEIVE,
                           role.parent,
                           2 + MOST_CHILDREN + role.index,
                           {last});
            }
            const uint32_t result = last;
            for (uint32_t i = 0; i < role.children.size(); i++)
            {
                last = add(PlanStepKind::SEND,
                           role.children[i],
                           2 + MOST_CHILDREN + i,
                           {result});
            }
            if (role.offloads)
            {
                last = add(PlanStepKind::MULTICAST, role.rank, 1, {result});
            }
        }
        if (role.offloads)
        {
            last = add(PlanStepKind::RECEIVE, role.head, 1, {last});
        }
        settled.push_back(last);
    }
    program.Finish();
    return program;
}

CollectivePlan
NvlsTreeAllReduceAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = GetChannelCount(request);
    const ServerLayout layout(request.placement, request.nics);
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    const uint32_t slices = CutIntoSlices("ns3::NvlsTreeAllReduceAlgorithm::SliceBytes",
                                          whole.GetSpan(0).bytes,
                                          m_sliceBytes,
                                          MESSAGES);
    ProgramTable<std::vector<uint32_t>> programs; // by what tells roles apart
    std::vector<std::vector<uint32_t>> players(channels);
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        const std::vector<Role> roles = GetServerRoles(layout, request.nicsPerRank, channel);
        for (uint32_t rank = 0; rank < size; rank++)
        {
            Role role = roles[request.placement[rank]];
            role.rank = rank;
            players[channel].push_back(programs.GetNumber(GetKey(role, size), [&] {
                return MakeProgram(role, size, slices);
            }));
        }
    }
    CollectivePlan plan(ChunkGrid(request.bytes, request.elementBytes, 1, channels, slices),
                        programs.Take());
    std::vector<uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0);
    for (auto& programsOfChannel : players)
    {
        plan.AddChannel(order, std::move(programsOfChannel));
    }
    plan.SetTeams(request.placement);
    return plan;
}

} // namespace ns3
