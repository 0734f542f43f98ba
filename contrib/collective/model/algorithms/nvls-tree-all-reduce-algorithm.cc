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

/** \brief Writes the steps of a slice. */
class NvlsTreeAllReduceAlgorithm::SliceWriter
{
  public:
    /**
     * \param program gets the steps
     * \param role of the rank
     * \param size the number of ranks
     * \param slice number of the slice
     */
    SliceWriter(PlanProgram& program, const Role& role, uint32_t size, uint32_t slice)
        : m_program(program),
          m_role(role),
          m_size(size),
          m_slice(slice)
    {
    }

    /**
     * \param window step that must be done before the first, or PlanProgram::NONE
     * \return the step with which the slice is settled
     */
    uint32_t Write(uint32_t window)
    {
        uint32_t last = PlanProgram::NONE;
        if (m_role.offloads)
        {
            last = Add(PlanStepKind::COMBINE, m_role.head, 0, window);
        }
        if (m_role.head == m_role.rank)
        {
            last = m_role.offloads ? Add(PlanStepKind::RECEIVE, m_role.rank, 0, last) : window;
            last = Distribute(Collect(last));
        }
        return m_role.offloads ? Add(PlanStepKind::RECEIVE, m_role.head, 1, last) : last;
    }

  private:
    /**
     * \param kind what to do
     * \param peer with which group rank
     * \param message its number within the slice
     * \param after step that must be done first, or PlanProgram::NONE
     * \return the step
     */
    uint32_t Add(PlanStepKind kind, uint32_t peer, uint32_t message, uint32_t after)
    {
        return m_program.AddStep({kind,
                                  PlanBuffer::OPERAND,
                                  m_role.GetAhead(peer, m_size),
                                  0,
                                  m_slice,
                                  m_slice * MESSAGES + message},
                                 {after});
    }

    /** \param after step of a head with its server's sum \return it has the result */
    uint32_t Collect(uint32_t after)
    {
        uint32_t last = after;
        for (uint32_t i = 0; i < m_role.children.size(); i++)
        {
            last = Add(PlanStepKind::RECEIVE_REDUCE, m_role.children[i], 2 + i, last);
        }
        if (m_role.parent != UINT32_MAX)
        {
            last = Add(PlanStepKind::SEND, m_role.parent, 2 + m_role.index, last);
            last =
                Add(PlanStepKind::RECEIVE, m_role.parent, 2 + MOST_CHILDREN + m_role.index, last);
        }
        return last;
    }

    /** \param result step with which a head has it \return the last that passes it on */
    uint32_t Distribute(uint32_t result)
    {
        uint32_t last = result;
        for (uint32_t i = 0; i < m_role.children.size(); i++)
        {
            last = Add(PlanStepKind::SEND, m_role.children[i], 2 + MOST_CHILDREN + i, result);
        }
        return m_role.offloads ? Add(PlanStepKind::MULTICAST, m_role.rank, 1, result) : last;
    }

    PlanProgram& m_program; //!< gets the steps
    const Role& m_role;     //!< of the rank
    const uint32_t m_size;  //!< ranks
    const uint32_t m_slice; //!< the slice
};

PlanProgram
NvlsTreeAllReduceAlgorithm::MakeProgram(const Role& role, uint32_t size, uint32_t slices) const
{
    PlanProgram program;
    std::vector<uint32_t> settled; // by slice
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        const uint32_t window =
            slice < m_slicesInFlight ? PlanProgram::NONE : settled[slice - m_slicesInFlight];
        settled.push_back(SliceWriter(program, role, size, slice).Write(window));
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
