/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-engine-service.h"

#include "ns3/abort.h"
#include "ns3/collective-tag.h"
#include "ns3/config-error.h"
#include "ns3/simulator.h"

#include <set>
#include <tuple>
#include <utility>
#include <variant>

namespace ns3
{

namespace
{

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
 * \param workload a workload
 * \return the groups of several ranks that do something, with the streams that they do it on
 */
std::set<std::pair<uint32_t, WorkloadPart>>
FindCommunicators(const Workload& workload)
{
    const ParallelLayout& layout = workload.layout;
    const uint32_t ranks = layout.GetRanksPerStage();
    std::set<std::pair<uint32_t, WorkloadPart>> communicators;
    for (uint32_t stage = 0; stage < workload.stages.size(); stage++)
    {
        std::set<std::pair<GroupFamily, WorkloadPart>> uses;
        for (const WorkloadStream& stream : workload.stages[stage].streams)
        {
            for (const WorkloadOp& op : stream.ops)
            {
                if (const auto* collective = std::get_if<CollectiveWork>(&op.work))
                {
                    uses.emplace(collective->family, op.part);
                }
            }
        }
        for (const auto& [family, part] : uses)
        {
            for (uint32_t rank = stage * ranks; rank < (stage + 1) * ranks; rank++)
            {
                const uint32_t group = layout.GetGroup(family, rank);
                if (layout.GetGroups()[group].ranks.size() > 1)
                {
                    communicators.emplace(group, part);
                }
            }
        }
    }
    return communicators;
}

/**
 * \param program program of a pipeline stage
 * \return the stages that it sends bytes to, relative to its own, and how many, each once
 */
std::set<std::pair<int32_t, uint64_t>>
FindSends(const WorkloadProgram& program)
{
    std::set<std::pair<int32_t, uint64_t>> sends;
    for (const WorkloadStream& stream : program.streams)
    {
        for (const WorkloadOp& op : stream.ops)
        {
            const auto* transfer = std::get_if<TransferWork>(&op.work);
            if (transfer && transfer->send && transfer->bytes > 0)
            {
                sends.emplace(transfer->stageOffset, transfer->bytes);
            }
        }
    }
    return sends;
}

} // namespace

CollectiveEngineService::CollectiveEngineService(Ptr<CollectiveEngine> engine,
                                                 const Topology& topology)
    : m_engine(engine),
      m_maker(topology)
{
}

void
CollectiveEngineService::SetWorkload(const Workload& workload)
{
    const std::vector<ParallelGroup>& groups = workload.layout.GetGroups();
    m_communicators.resize(groups.size() * WORKLOAD_PART_COUNT);
    uint32_t last = 0;
    uint32_t stream = 0;
    for (const auto& [index, part] : FindCommunicators(workload))
    {
        const ParallelGroup& group = groups[index];
        stream = index == last ? stream : 0;
        m_communicators[GetCommunicator(index, part)] =
            m_engine->AddGroup(MakeGroup(group.family, group.GetLabel(), group.ranks, stream));
        last = index;
        stream++;
    }
    for (const ParallelGroup& group : groups)
    {
        if (group.family == GroupFamily::PP)
        {
            AddPairs(group.ranks);
        }
    }
}

void
CollectiveEngineService::AddPairs(const std::vector<uint32_t>& ranks)
{
    for (std::size_t i = 0; i + 1 < ranks.size(); i++)
    {
        const uint32_t a = ranks[i];
        const uint32_t b = ranks[i + 1];
        const std::string name = "PP " + std::to_string(a) + "-" + std::to_string(b);
        m_pairs[{a, b}].group = m_engine->AddGroup(MakeGroup(GroupFamily::PP, name, {a, b}));
        m_pairs[{b, a}].group =
            m_engine->AddGroup(MakeGroup(GroupFamily::PP, name + " back", {b, a}));
    }
}

void
CollectiveEngineService::Join(uint32_t rank, const WorkloadCollectiveCall& call, Done done)
{
    CollectiveCall join;
    join.group = m_communicators[GetCommunicator(call.group, call.part)];
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
    if (call.bytes == 0)
    {
        const Time start = Simulator::Now();
        Simulator::ScheduleWithContext(call.peer, Time(0), [this, pair, start] {
            m_pairs[pair].signals.push_back(start);
            MatchSignals(m_pairs[pair]);
        });
        done({});
        return;
    }
    m_pairs[pair].sendStarts.push_back(Simulator::Now());
    JoinMessage(rank, pair, call, [done = std::move(done)](uint64_t instance) {
        done({static_cast<int64_t>(instance), std::nullopt});
    });
}

void
CollectiveEngineService::Receive(uint32_t rank, const WorkloadMessageCall& call, Done arrived)
{
    if (call.bytes == 0)
    {
        Pair& messages = m_pairs[{call.peer, rank}];
        messages.waiting.push_back(std::move(arrived));
        MatchSignals(messages);
        return;
    }
    const std::pair<uint32_t, uint32_t> pair{call.peer, rank};
    JoinMessage(rank, pair, call, [this, pair, arrived = std::move(arrived)](uint64_t instance) {
        std::deque<Time>& starts = m_pairs[pair].sendStarts;
        const Time start = starts.front();
        starts.pop_front();
        arrived({static_cast<int64_t>(instance), start});
    });
}

void
CollectiveEngineService::MatchSignals(Pair& pair)
{
    while (!pair.signals.empty() && !pair.waiting.empty())
    {
        const Time start = pair.signals.front();
        const Done arrived = std::move(pair.waiting.front());
        pair.signals.pop_front();
        pair.waiting.pop_front();
        arrived({-1, start});
    }
}

CollectiveEngineService::Origin
CollectiveEngineService::GetOrigin(const CollectiveInstance& collective) const
{
    return m_origins[collective.call.user];
}

uint64_t
CollectiveEngineService::AddOrigin(const char* label, uint32_t iteration)
{
    const auto [number, isNew] = m_originNumbers.try_emplace({label, iteration}, m_origins.size());
    if (isNew)
    {
        m_origins.push_back({label, iteration});
    }
    return number->second;
}

CollectiveGroup
CollectiveEngineService::MakeGroup(GroupFamily family,
                                   const std::string& name,
                                   const std::vector<uint32_t>& ranks,
                                   uint32_t stream) const
{
    CollectiveGroup group = m_maker.Make(name, GetGroupFamilyName(family), ranks);
    group.firstChannel =
        (stream * GROUP_FAMILY_COUNT + static_cast<uint32_t>(family)) * CollectiveTag::MAX_CHANNELS;
    return group;
}

void
CollectiveEngineService::RequireRoutes(
    const Workload& workload,
    const std::function<void(uint32_t src, uint32_t dst, const std::string& purpose)>& require)
    const
{
    const ParallelLayout& layout = workload.layout;
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
            RequireAlgorithm(workload.source, made, call);
            for (const auto& [src, dst] : m_engine->GetPairs(made, call))
            {
                require(src,
                        dst,
                        ToString(use.kind) +
                            (" of " + std::to_string(use.bytes) + " bytes on " + group.GetLabel()));
            }
        }
        for (const auto& [offset, bytes] : FindSends(workload.stages[stage]))
        {
            CollectiveCall call;
            call.kind = CollectiveKind::SEND_RECV;
            call.bytes = bytes;
            for (uint32_t rank = first; rank < first + layout.GetRanksPerStage(); rank++)
            {
                const uint32_t peer = layout.GetPipelinePeer(rank, offset);
                RequireAlgorithm(workload.source,
                                 MakeGroup(GroupFamily::PP, "PP", {rank, peer}),
                                 call);
                require(rank, peer, "pipeline's messages");
            }
        }
    }
}

void
CollectiveEngineService::RequireAlgorithm(const std::string& source,
                                          const CollectiveGroup& group,
                                          const CollectiveCall& call) const
{
    const std::string problem = m_engine->Check(group, call);
    if (!problem.empty())
    {
        const CollectiveRefusal why = m_engine->Explain(group, call);
        if (!why.option.empty())
        {
            throw ConfigError("command line",
                              "--" + why.option,
                              why.value,
                              why.expected + " for " + ToString(call.kind) + " of " +
                                  std::to_string(call.bytes) + " bytes on group " + group.name +
                                  " of " + std::to_string(group.ranks.size()) + " ranks, in " +
                                  source);
        }
        throw ConfigError(source,
                          "",
                          problem,
                          "an algorithm for it among those that attribute Selector of "
                          "ns3::CollectiveEngine chooses from (ns3::FirstFitSelector::Algorithms)");
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
    join.bytes = call.bytes;
    join.user = AddOrigin(call.label, call.iteration);
    if (call.together == 1)
    {
        m_engine->Join(rank, join, std::move(done));
        return;
    }
    Batch& batch = m_batches[rank];
    batch.calls.push_back(join);
    batch.done.push_back(std::move(done));
    if (batch.calls.size() < call.together)
    {
        return;
    }
    const Batch whole = std::exchange(batch, {});
    m_engine->JoinTogether(rank, whole.calls, [done = whole.done](const auto& instances) {
        for (std::size_t i = 0; i < done.size(); i++)
        {
            done[i](instances[i]);
        }
    });
}

} // namespace ns3
