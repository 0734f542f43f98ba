/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collnet-algorithm.h"

#include "program-table.h"

#include "ns3/collective-tag.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(CollnetAlgorithm);

TypeId
CollnetAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::CollnetAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("Collective");
    return tid;
}

CollnetAlgorithm::SliceWriter::SliceWriter(PlanProgram& program,
                                           const Role& role,
                                           uint32_t size,
                                           uint32_t slice,
                                           uint32_t messages)
    : m_program(program),
      m_role(role),
      m_size(size),
      m_slice(slice),
      m_messages(messages)
{
}

uint32_t
CollnetAlgorithm::SliceWriter::Add(PlanStepKind kind,
                                   uint32_t place,
                                   uint32_t message,
                                   uint32_t after)
{
    const uint32_t peer = (m_role.server[place] + m_size - m_role.rank) % m_size;
    return m_program.AddStep(
        {kind, PlanBuffer::OPERAND, peer, 0, m_slice, m_slice * m_messages + message},
        {after});
}

uint32_t
CollnetAlgorithm::SliceWriter::AddUp(uint32_t after)
{
    const uint32_t sent = Add(PlanStepKind::ALL_REDUCE, 0, 0, after);
    return Add(PlanStepKind::RECEIVE, 0, 0, sent);
}

bool
CollnetAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_REDUCE && request.railOffload &&
           ServerLayout(request.placement).GetCount() > 1;
}

uint32_t
CollnetAlgorithm::GetChannelCount(const ServerLayout& layout)
{
    return std::min(layout.GetRails(), CollectiveTag::MAX_CHANNELS);
}

std::vector<CollnetAlgorithm::Role>
CollnetAlgorithm::GetRoles(const ServerLayout& layout, uint32_t channel)
{
    std::vector<Role> roles;
    for (uint32_t server = 0; server < layout.GetCount(); server++)
    {
        Role role;
        role.server = layout.GetRanks(server);
        std::rotate(role.server.begin(), role.server.begin() + channel, role.server.end());
        for (role.place = 0; role.place < role.server.size(); role.place++)
        {
            role.rank = role.server[role.place];
            roles.push_back(role);
        }
    }
    std::sort(roles.begin(), roles.end(), [](const Role& a, const Role& b) {
        return a.rank < b.rank;
    });
    return roles;
}

ByteRange
CollnetAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const ServerLayout layout(request.placement);
    const uint32_t channels = GetChannelCount(layout);
    const ChunkGrid shares(request.bytes, request.elementBytes, 1, channels, 1);
    Role role;
    role.rank = rank;
    role.server = layout.GetRanks(request.placement[rank]);
    const auto ranks = static_cast<uint32_t>(role.server.size());
    const auto rail = static_cast<uint32_t>(
        std::find(role.server.begin(), role.server.end(), rank) - role.server.begin());
    uint64_t bytes = 0;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        role.place = (rail + ranks - channel) % ranks;
        bytes += (GetSends(role) + (role.place == 0)) * shares.GetSpan(channel).bytes;
    }
    return {bytes, bytes};
}

PlanProgram
CollnetAlgorithm::MakeProgram(const Role& role,
                              uint32_t size,
                              uint32_t slices,
                              uint32_t messages) const
{
    PlanProgram program;
    std::vector<uint32_t> settled; // by slice
    for (uint32_t slice = 0; slice < slices; slice++)
    {
        SliceWriter writer(program, role, size, slice, messages);
        const uint32_t window = slice < m_slicesInFlight ? PlanProgram::NONE
                                                         : settled[slice - m_slicesInFlight];
        settled.push_back(WriteSlice(role, writer, window));
    }
    program.Finish();
    return program;
}

CollectivePlan
CollnetAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const ServerLayout layout(request.placement);
    const uint32_t channels = GetChannelCount(layout);
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    uint32_t most = 0;
    std::vector<uint32_t> teams(size, 0);
    uint32_t lone = channels; // ranks that head no rail are teams by themselves
    for (uint32_t server = 0; server < layout.GetCount(); server++)
    {
        const auto& ranks = layout.GetRanks(server);
        most = std::max(most, static_cast<uint32_t>(ranks.size()));
        for (uint32_t rail = 0; rail < ranks.size(); rail++)
        {
            teams[ranks[rail]] = rail < channels ? rail : lone++;
        }
    }
    const uint32_t slices = CutIntoSlices(GetInstanceTypeId().GetName() + "::SliceBytes",
                                          whole.GetSpan(0).bytes,
                                          m_sliceBytes,
                                          GetMessages(most));
    ProgramTable<std::vector<uint32_t>> programs; // by what tells roles apart
    std::vector<std::vector<uint32_t>> players(channels);
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        for (const Role& role : GetRoles(layout, channel))
        {
            std::vector<uint32_t> key{role.place};
            for (const uint32_t rank : role.server)
            {
                key.push_back((rank + size - role.rank) % size);
            }
            players[channel].push_back(programs.GetNumber(std::move(key), [&] {
                return MakeProgram(role, size, slices, GetMessages(most));
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
    plan.SetTeams(std::move(teams));
    return plan;
}

} // namespace ns3
