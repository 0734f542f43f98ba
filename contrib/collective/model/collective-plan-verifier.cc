/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-plan-verifier.h"

#include "symbolic-player.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace ns3
{

namespace
{

/**
 * \param request the request
 * \param plan its plan
 * \return what is wrong with the division of the operand, empty if nothing
 */
std::string
CheckChunks(const CollectiveRequest& request, const CollectivePlan& plan)
{
    if (request.sizes || plan.GetSizes())
    {
        return HaveEqualSizes(request.sizes, plan.GetSizes()) ? ""
                                                              : "the plan is for other sizes";
    }
    uint64_t end = 0;
    for (uint32_t chunk = 0; chunk < plan.GetChunks().GetCount(); chunk++)
    {
        const ChunkSpan span = plan.GetChunks().GetSpan(chunk);
        if (span.offset != end)
        {
            return "chunk " + std::to_string(chunk) + " begins at " + std::to_string(span.offset) +
                   ", not at " + std::to_string(end);
        }
        end += span.bytes;
    }
    return end == request.bytes ? ""
                                : "the chunks cover " + std::to_string(end) + " of " +
                                      std::to_string(request.bytes) + " bytes";
}

/**
 * \param channel a channel
 * \param size the size of the group
 * \return true if every rank has one position
 */
bool
IsPermutation(const PlanChannel& channel, uint32_t size)
{
    std::vector<bool> seen(size, false);
    for (const uint32_t rank : channel.order)
    {
        if (rank >= size || seen[rank])
        {
            return false;
        }
        seen[rank] = true;
    }
    return channel.order.size() == size;
}

/** \brief A step of a plan, where it stands. */
struct PlacedStep
{
    const CollectivePlan& plan; //!< the plan
    uint32_t channel;           //!< channel
    uint32_t position;          //!< position on it
    const PlanStep& step;       //!< the step

    /** \return group rank that plays it */
    uint32_t GetRank() const
    {
        return plan.GetChannels()[channel].order[position];
    }

    /** \return size of what it works on, bytes */
    uint64_t GetBytes() const
    {
        return plan.GetBytes(channel, position, step);
    }

    /** \return group rank that it names */
    uint32_t GetPeer() const
    {
        return plan.GetChannels()[channel].GetRank(position, step.peer);
    }
};

/**
 * \param one an end of a message
 * \param rank the group rank of the other
 * \param isOther whether a step is it
 * \return whether the program of the rank has a step of the same message and opposite direction
 * that works on the same parts, and is it
 */
template <class T>
bool
HasEndAt(const PlacedStep& one, uint32_t rank, const T& isOther)
{
    const PlanChannel& ranks = one.plan.GetChannels()[one.channel];
    const uint32_t position = ranks.positions[rank];
    const PlanProgram& program = one.plan.GetProgram(one.channel, position);
    const uint32_t index = IsSend(one.step.kind) ? program.GetReceive(one.step.message)
                                                 : program.GetSend(one.step.message);
    if (index == PlanProgram::NONE)
    {
        return false;
    }
    const PlacedStep other{one.plan, one.channel, position, program.GetStep(index)};
    const bool isAsLarge = !one.plan.GetSizes() || one.GetBytes() == other.GetBytes();
    return other.step.parts == one.step.parts && isAsLarge && isOther(other);
}

/**
 * \param one a step that belongs to a team
 * \param isOther whether a step of a member is the other end
 * \return whether all of the team have one
 */
template <class T>
bool
HasEndsInTeam(const PlacedStep& one, const T& isOther)
{
    if (one.plan.GetTeams().empty())
    {
        return false;
    }
    const auto& team = one.plan.GetTeams()[one.plan.GetTeamOf(one.GetRank())];
    return std::all_of(team.begin(), team.end(), [&](uint32_t member) {
        return HasEndAt(one, member, isOther);
    });
}

/**
 * \param one a step that sends or receives
 * \return true if its message has the other ends that it needs, which name this one
 */
bool
HasOtherEnd(const PlacedStep& one)
{
    const uint32_t rank = one.GetRank();
    const uint32_t peer = one.GetPeer();
    const bool hasTeams = !one.plan.GetTeams().empty();
    const auto receivesFromHere = [&](const PlacedStep& other) {
        return IsReceive(other.step.kind) && other.GetPeer() == rank;
    };
    switch (one.step.kind)
    {
    case PlanStepKind::SEND:
        return peer != rank && HasEndAt(one, peer, receivesFromHere);
    case PlanStepKind::MULTICAST:
        return peer == rank && HasEndsInTeam(one, receivesFromHere);
    case PlanStepKind::COMBINE:
        return hasTeams && one.plan.GetTeamOf(rank) == one.plan.GetTeamOf(peer) &&
               HasEndAt(one, peer, [&](const PlacedStep& other) {
                   return IsReceive(other.step.kind) && other.GetPeer() == peer;
               });
    case PlanStepKind::ALL_REDUCE:
        return peer == rank && HasEndsInTeam(one, [](const PlacedStep& other) {
                   return IsReceive(other.step.kind) && other.GetPeer() == other.GetRank();
               });
    default:
        break;
    }
    const auto addsUp = [](const PlacedStep& other) {
        return other.step.kind == PlanStepKind::ALL_REDUCE;
    };
    const auto combinesHere = [&](const PlacedStep& other) {
        return other.step.kind == PlanStepKind::COMBINE && other.GetPeer() == rank;
    };
    return (peer == rank && (HasEndsInTeam(one, combinesHere) || HasEndsInTeam(one, addsUp))) ||
           HasEndAt(one, peer, [&](const PlacedStep& other) {
               return other.step.kind == PlanStepKind::MULTICAST
                          ? one.plan.GetTeamOf(rank) == one.plan.GetTeamOf(peer)
                          : other.step.kind == PlanStepKind::SEND && other.GetPeer() == rank;
           });
}

/**
 * \param one a step of a plan with numbered parts
 * \param buffer a buffer that it works on
 * \param first the first part that it names there
 * \return true if there are all of them
 */
bool
HasParts(const PlacedStep& one, PlanBuffer buffer, uint32_t first)
{
    const uint64_t parts = buffer == PlanBuffer::SCRATCH ? one.plan.GetScratchParts()
                                                         : one.plan.GetChunks().GetParts();
    const uint64_t last = first + (one.step.parts - 1) * static_cast<uint64_t>(one.step.stride);
    return last < parts;
}

/**
 * \param one a step
 * \return true if it names positions and parts that there are
 */
bool
NamesPositions(const PlacedStep& one)
{
    const PlanChannel& ranks = one.plan.GetChannels()[one.channel];
    const uint32_t parts = one.plan.GetChunks().GetParts();
    const auto size = static_cast<uint32_t>(ranks.order.size());
    bool named = ranks.GetPosition(one.position, one.step.peer) < size;
    if (one.plan.HasNumberedParts())
    {
        const bool reads = IsLocal(one.step.kind) && one.step.sourcePart != PlanStep::SAME;
        return named && HasParts(one, one.step.buffer, one.step.part) &&
               (!reads || HasParts(one, one.step.source, one.step.sourcePart));
    }
    for (uint32_t i = 0; i < one.step.parts && parts == size; i++)
    {
        const uint32_t ahead = (one.step.part + i * one.step.stride) % parts;
        named = named && ranks.GetPosition(one.position, ahead) < size;
    }
    return named;
}

/**
 * \param one a step
 * \return what is wrong with it, empty if nothing
 */
std::string
CheckStep(const PlacedStep& one)
{
    if (!NamesPositions(one))
    {
        return one.plan.HasNumberedParts() ? "a position or a part beyond the last"
                                           : "a position beyond the last";
    }
    return IsLocal(one.step.kind) || HasOtherEnd(one)
               ? ""
               : "message " + std::to_string(one.step.message) + " has no other end";
}

/**
 * \param request the request
 * \param plan its plan
 * \return what is wrong with the messages, empty if nothing
 */
std::string
CheckMessages(const CollectiveRequest& request, const CollectivePlan& plan)
{
    for (uint32_t channel = 0; channel < plan.GetChannels().size(); channel++)
    {
        if (!IsPermutation(plan.GetChannels()[channel], request.GetGroupSize()))
        {
            return "channel " + std::to_string(channel) + " does not hold every rank once";
        }
        for (uint32_t position = 0; position < request.GetGroupSize(); position++)
        {
            const PlanProgram& program = plan.GetProgram(channel, position);
            for (uint32_t i = 0; i < program.GetStepCount(); i++)
            {
                const PlanStep& step = program.GetStep(i);
                const PlacedStep placed{plan, channel, position, step};
                const std::string problem = CheckStep(placed);
                if (!problem.empty())
                {
                    return "rank " + std::to_string(placed.GetRank()) + " channel " +
                           std::to_string(channel) + " step " + std::to_string(i) + ": " + problem;
                }
            }
        }
    }
    return "";
}

/** \brief What a rank must hold at the end in some chunk. */
struct Promise
{
    bool isPromised{true}; //!< false if nothing is promised
    uint32_t origin{0};    //!< the chunk of the operand that the data comes from
    bool fromAll{false};   //!< every rank contributes once
    uint32_t from{0};      //!< else the only rank that contributes, once
};

/**
 * \param request the request
 * \param grid how the operand is divided
 * \param rank a group rank
 * \param chunk a chunk, of the output for all-to-all
 * \return what the rank must end with there
 */
Promise
GetPromise(const CollectiveRequest& request, const ChunkGrid& grid, uint32_t rank, uint32_t chunk)
{
    const uint32_t perRank = std::max(grid.GetCount() / request.GetGroupSize(), 1U);
    const uint32_t part = chunk / perRank; // of the group rank with this number
    switch (request.kind)
    {
    case CollectiveKind::ALL_REDUCE:
        return {true, chunk, true, 0};
    case CollectiveKind::REDUCE_SCATTER:
        return {part == rank, chunk, true, 0};
    case CollectiveKind::ALL_GATHER:
        return {true, chunk, false, part};
    case CollectiveKind::ALL_TO_ALL:
        return {true, rank * perRank + chunk % perRank, false, part};
    case CollectiveKind::ALL_TO_ALL_V:
        return {grid.GetShare(request.sizes->Get(part, rank), chunk % perRank) > 0,
                rank * perRank + chunk % perRank,
                false,
                part};
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SEND_RECV:
        return {true, chunk, false, request.root};
    case CollectiveKind::REDUCE:
        return {rank == request.root, chunk, true, 0};
    case CollectiveKind::GATHER:
        return {rank == request.root, chunk, false, part};
    case CollectiveKind::SCATTER:
        return {part == rank, chunk, false, request.root};
    }
    return {};
}

/**
 * \param promise what was promised
 * \param data what is there
 * \param contributions who contributed to it
 * \param size the size of the group
 * \return what is wrong, empty if nothing
 */
std::string
Compare(const Promise& promise,
        const SymbolicChunk& data,
        const ContributionTable& contributions,
        uint32_t size)
{
    if (data.origin != promise.origin)
    {
        return data.origin == SymbolicChunk::NOTHING
                   ? "nothing"
                   : "data of chunk " + std::to_string(data.origin) + " instead of chunk " +
                         std::to_string(promise.origin);
    }
    if (promise.fromAll ? contributions.IsOfAll(data.sum) : data.sum == promise.from)
    {
        return "";
    }
    for (uint32_t source = 0; source < size; source++)
    {
        const uint32_t expected = promise.fromAll || source == promise.from ? 1 : 0;
        const uint32_t count = contributions.GetCount(data.sum, source);
        if (count != expected)
        {
            return std::to_string(count) + " contributions of rank " + std::to_string(source) +
                   " instead of " + std::to_string(expected);
        }
    }
    return "";
}

/**
 * \param request the request
 * \param plan its plan
 * \param player after the plan was played
 * \param contributions who contributed to what
 * \return what is wrong with the result, empty if nothing
 */
std::string
CheckResult(const CollectiveRequest& request,
            const CollectivePlan& plan,
            const SymbolicPlayer& player,
            const ContributionTable& contributions)
{
    const bool hasOutput = request.kind == CollectiveKind::ALL_TO_ALL ||
                           request.kind == CollectiveKind::ALL_TO_ALL_V;
    const PlanBuffer buffer =
        hasOutput && !plan.HasNumberedParts() ? PlanBuffer::OUTPUT : plan.GetResult();
    for (uint32_t rank = 0; rank < request.GetGroupSize(); rank++)
    {
        for (uint32_t chunk = 0; chunk < plan.GetChunks().GetCount(); chunk++)
        {
            const Promise promise = GetPromise(request, plan.GetChunks(), rank, chunk);
            if (!promise.isPromised)
            {
                continue;
            }
            const std::string problem =
                Compare(promise,
                        player.GetChunk(rank, buffer, chunk),
                        contributions,
                        request.GetGroupSize());
            if (!problem.empty())
            {
                return "rank " + std::to_string(rank) + " ends with chunk " +
                       std::to_string(chunk) + " holding " + problem;
            }
        }
    }
    return "";
}

} // namespace

std::string
CollectivePlanVerifier::Verify(const CollectiveRequest& request, const CollectivePlan& plan)
{
    if (request.IsEmpty())
    {
        return plan.IsEmpty() ? "" : "the request is empty but its plan is not";
    }
    std::string problem = CheckChunks(request, plan);
    if (problem.empty())
    {
        problem = CheckMessages(request, plan);
    }
    ContributionTable contributions(request.GetGroupSize());
    using Order = SymbolicPlayer::Order;
    for (const auto order : {Order::OLDEST, Order::NEWEST, Order::SHUFFLED})
    {
        SymbolicPlayer player(request, plan, contributions);
        if (problem.empty())
        {
            problem = player.Play(order);
        }
        if (problem.empty())
        {
            problem = CheckResult(request, plan, player, contributions);
        }
    }
    return problem;
}

std::string
CollectivePlanVerifier::Verify(const CollectiveRequest& request,
                               const CollectivePlan& plan,
                               const CollectiveAlgorithm& algorithm)
{
    std::string problem = Verify(request, plan);
    for (uint32_t rank = 0; rank < request.GetGroupSize() && !request.IsEmpty(); rank++)
    {
        const ByteRange expected = algorithm.GetBytesSent(request, rank);
        const uint64_t bytes = plan.GetBytesSent(rank);
        if (problem.empty() && (bytes < expected.min || bytes > expected.max))
        {
            std::ostringstream text;
            text << "rank " << rank << " sends " << bytes << " bytes instead of " << expected.min
                 << " to " << expected.max;
            problem = text.str();
        }
    }
    return problem;
}

uint64_t
CollectivePlanVerifier::GetCost(const CollectiveRequest& request, const CollectivePlan& plan)
{
    const uint64_t size = request.GetGroupSize();
    return size * size * plan.GetChunks().GetCount();
}

} // namespace ns3
