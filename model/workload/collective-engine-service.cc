/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-engine-service.h"

#include "ns3/abort.h"
#include "ns3/collective-tag.h"
#include "ns3/config-error.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <variant>

namespace ns3
{

namespace
{

/** Added to a rank: a server that nobody shares. */
constexpr uint32_t OWN_SERVER = 1U << 31;

/** \brief What a group does, at least once. */
struct GroupOperation
{
    uint32_t group;      //!< index into the layout's groups
    CollectiveKind kind; //!< operation
    uint64_t bytes;      //!< size of the operand

    /**
     * \param other another operation
     * \return true if it comes before the other in a list
     */
    bool operator<(const GroupOperation& other) const
    {
        return std::tie(group, kind, bytes) < std::tie(other.group, other.kind, other.bytes);
    }
};

/**
 * \param workload a workload
 * \param stage a pipeline stage
 * \return what the groups of its ranks do, each operation once, groups of one rank left out
 */
std::set<GroupOperation>
FindGroupOperations(const Workload& workload, uint32_t stage)
{
    std::set<std::tuple<GroupFamily, CollectiveKind, uint64_t>> work;
    for (const WorkloadStream& stream : workload.stages[stage].streams)
    {
        for (const WorkloadOp& op : stream.ops)
        {
            if (const auto* collective = std::get_if<CollectiveWork>(&op.work))
            {
                work.emplace(collective->family, collective->kind, collective->bytes);
            }
        }
    }
    const ParallelLayout& layout = workload.layout;
    const uint32_t ranks = layout.GetRanksPerStage();
    std::set<GroupOperation> operations;
    for (const auto& [family, kind, bytes] : work)
    {
        for (uint32_t rank = stage * ranks; rank < (stage + 1) * ranks; rank++)
        {
            const uint32_t group = layout.GetGroup(family, rank);
            if (layout.GetGroups()[group].ranks.size() > 1)
            {
                operations.insert({group, kind, bytes});
            }
        }
    }
    return operations;
}

/**
 * \param program program of a pipeline stage
 * \return the stages that it sends to, relative to its own, each once
 */
std::set<int32_t>
FindSendOffsets(const WorkloadProgram& program)
{
    std::set<int32_t> offsets;
    for (const WorkloadStream& stream : program.streams)
    {
        for (const WorkloadOp& op : stream.ops)
        {
            const auto* transfer = std::get_if<TransferWork>(&op.work);
            if (transfer && transfer->send)
            {
                offsets.insert(transfer->stageOffset);
            }
        }
    }
    return offsets;
}

} // namespace

CollectiveEngineService::CollectiveEngineService(Ptr<CollectiveEngine> engine,
                                                 const Topology& topology)
    : m_engine(engine)
{
    for (uint32_t rank = 0; rank < topology.GetGpuCount(); rank++)
    {
        const int32_t server = topology.nodes[rank].server;
        m_servers.push_back(server < 0 ? OWN_SERVER + rank : static_cast<uint32_t>(server));
    }
}

void
CollectiveEngineService::SetGroups(const std::vector<ParallelGroup>& groups)
{
    m_groups.resize(groups.size());
    for (std::size_t i = 0; i < groups.size(); i++)
    {
        const ParallelGroup& group = groups[i];
        if (group.ranks.size() < 2)
        {
            continue;
        }
        m_groups[i] = AddGroup(group.family, group.GetLabel(), group.ranks);
        for (std::size_t j = 0; group.family == GroupFamily::PP && j + 1 < group.ranks.size(); j++)
        {
            const uint32_t a = group.ranks[j];
            const uint32_t b = group.ranks[j + 1];
            const std::string name = "PP " + std::to_string(a) + "-" + std::to_string(b);
            m_pairs[{a, b}].group = AddGroup(GroupFamily::PP, name, {a, b});
            m_pairs[{b, a}].group = AddGroup(GroupFamily::PP, name + " back", {b, a});
        }
    }
}

void
CollectiveEngineService::Join(uint32_t rank, const WorkloadCollectiveCall& call, Done done)
{
    CollectiveCall join;
    join.group = m_groups[call.group];
    join.kind = call.kind;
    join.bytes = call.bytes;
    join.user = AddOrigin(call.label, call.iteration);
    m_engine->Join(rank, join, CollectiveDone([done = std::move(done)](uint64_t instance) {
                       done({static_cast<int64_t>(instance), std::nullopt});
                   }));
}

void
CollectiveEngineService::Send(uint32_t rank, const WorkloadMessageCall& call, Done done)
{
    const std::pair<uint32_t, uint32_t> pair{rank, call.peer};
    m_pairs[pair].sendStarts.push_back(Simulator::Now());
    JoinMessage(rank, pair, call, [done = std::move(done)](uint64_t instance) {
        done({static_cast<int64_t>(instance), std::nullopt});
    });
}

void
CollectiveEngineService::Receive(uint32_t rank, const WorkloadMessageCall& call, Done arrived)
{
    const std::pair<uint32_t, uint32_t> pair{call.peer, rank};
    JoinMessage(rank, pair, call, [this, pair, arrived = std::move(arrived)](uint64_t instance) {
        std::deque<Time>& starts = m_pairs[pair].sendStarts;
        const Time start = starts.front();
        starts.pop_front();
        arrived({static_cast<int64_t>(instance), start});
    });
}

CollectiveEngineService::Origin
CollectiveEngineService::GetOrigin(const CollectiveInstance& collective) const
{
    return m_origins[collective.call.user];
}

uint64_t
CollectiveEngineService::AddOrigin(const char* label, uint32_t iteration)
{
    const auto [number, isNew] =
        m_originNumbers.try_emplace({label, iteration}, m_origins.size());
    if (isNew)
    {
        m_origins.push_back({label, iteration});
    }
    return number->second;
}

CollectiveGroup
CollectiveEngineService::MakeGroup(GroupFamily family,
                                   const std::string& name,
                                   const std::vector<uint32_t>& ranks) const
{
    CollectiveGroup group;
    group.name = name;
    group.parallel = GetGroupFamilyName(family);
    group.ranks = ranks;
    group.firstChannel = static_cast<uint32_t>(family) * CollectiveTag::MAX_CHANNELS;
    for (uint32_t rank : ranks)
    {
        NS_ABORT_MSG_IF(rank >= m_servers.size(),
                        "rank " << rank << " of " << name << " has no GPU in the topology");
        group.servers.push_back(m_servers[rank]);
    }
    return group;
}

uint32_t
CollectiveEngineService::AddGroup(GroupFamily family,
                                  const std::string& name,
                                  const std::vector<uint32_t>& ranks)
{
    return m_engine->AddGroup(MakeGroup(family, name, ranks));
}

void
CollectiveEngineService::RequireRoutes(const Workload& workload,
                                       const std::function<bool(uint32_t, uint32_t)>& canReach,
                                       const std::string& source) const
{
    const ParallelLayout& layout = workload.layout;
    const auto require = [&](uint32_t src, uint32_t dst, const std::string& purpose) {
        if (!canReach(src, dst))
        {
            throw ConfigError(
                source,
                "",
                "no route from rank " + std::to_string(src) + " to rank " + std::to_string(dst),
                "a link or switches between them for the " + purpose + " (GPUs do not forward)");
        }
    };
    for (uint32_t stage = 0; stage < workload.stages.size(); stage++)
    {
        const uint32_t first = stage * layout.GetRanksPerStage();
        for (const GroupOperation& use : FindGroupOperations(workload, stage))
        {
            const ParallelGroup& group = layout.GetGroups()[use.group];
            CollectiveCall call;
            call.kind = use.kind;
            call.bytes = use.bytes;
            const CollectiveGroup made = MakeGroup(group.family, group.GetLabel(), group.ranks);
            for (const auto& [src, dst] : m_engine->GetPairs(made, call))
            {
                require(src,
                        dst,
                        ToString(use.kind) +
                            (" of " + std::to_string(use.bytes) + " bytes on " + group.GetLabel()));
            }
        }
        for (const int32_t offset : FindSendOffsets(workload.stages[stage]))
        {
            for (uint32_t rank = first; rank < first + layout.GetRanksPerStage(); rank++)
            {
                require(rank, layout.GetPipelinePeer(rank, offset), "pipeline's messages");
            }
        }
    }
}

void
CollectiveEngineService::JoinMessage(uint32_t rank,
                                     const std::pair<uint32_t, uint32_t>& pair,
                                     const WorkloadMessageCall& call,
                                     CollectiveDone done)
{
    const auto found = m_pairs.find(pair);
    NS_ABORT_MSG_IF(found == m_pairs.end(),
                    "ranks " << pair.first << " and " << pair.second
                             << " are not neighbours in a pipeline");
    CollectiveCall join;
    join.group = found->second.group;
    join.kind = CollectiveKind::SEND_RECV;
    join.bytes = std::max<uint64_t>(call.bytes, 1);
    join.user = AddOrigin(call.label, call.iteration);
    m_engine->Join(rank, join, std::move(done));
}

} // namespace ns3
