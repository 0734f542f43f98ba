/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-operation.h"

#include "ns3/link-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \param kind what a step that sends does \return what the network does with its message */
MessageKind
GetMessageKind(PlanStepKind kind)
{
    switch (kind)
    {
    case PlanStepKind::MULTICAST:
        return MessageKind::MULTICAST;
    case PlanStepKind::COMBINE:
        return MessageKind::COMBINE;
    case PlanStepKind::ALL_REDUCE:
        return MessageKind::ALL_REDUCE;
    default:
        return MessageKind::UNICAST;
    }
}

} // namespace

void
CollectiveOperation::SetPlan(const PlannedCollective& planned, uint32_t groupRank)
{
    plan = planned.plan;
    protocol = &planned.protocol;
    free = protocol->rankRate.GetBitRate() > 0 ? std::make_shared<Time>() : nullptr;
    begun = false;
    volume = {};
    left = 0;
    lanes.clear();
    m_blocks.clear();
    m_blocks.resize(protocol->channelRate.GetBitRate() > 0 ? plan->GetChannels().size() : 0);
    for (uint32_t channel = 0; channel < plan->GetChannels().size(); channel++)
    {
        const uint32_t position = plan->GetChannels()[channel].positions[groupRank];
        const PlanProgram& program = plan->GetProgram(channel, position);
        lanes.push_back({StepWindow(program), position});
        left += program.GetStepCount();
    }
}

void
CollectiveOperation::FindTeam(uint32_t groupRank, MessageTransport& transport)
{
    teamRanks.clear();
    if (plan->GetTeams().empty())
    {
        return;
    }
    for (const uint32_t member : plan->GetTeams()[plan->GetTeamOf(groupRank)])
    {
        teamRanks.push_back(group->ranks[member]);
    }
    std::sort(teamRanks.begin(), teamRanks.end());
    if (teamRanks.size() > 1)
    {
        team = transport.AddTeam(teamRanks);
    }
}

bool
CollectiveOperation::LeavesServer(uint32_t channel, const PlanStep& what) const
{
    const auto& servers = group->servers;
    const PlanChannel& ranks = plan->GetChannels()[channel];
    const uint32_t position = lanes[channel].position;
    return what.kind == PlanStepKind::ALL_REDUCE ||
           servers[ranks.order[position]] != servers[ranks.GetRank(position, what.peer)];
}

Time
CollectiveOperation::BookSend(uint32_t channel, const PlanStep& what, Time sendOverhead)
{
    const bool leaves = LeavesServer(channel, what);
    const Time delay =
        sendOverhead + (leaves ? protocol->interOverhead : protocol->intraOverhead);
    const bool takesBlock = protocol->channelRate.GetBitRate() > 0;
    const bool takesKernel = !leaves && protocol->rankRate.GetBitRate() > 0;
    if (!takesBlock && !takesKernel)
    {
        return delay;
    }
    const uint64_t bytes = GetBytes(channel, what);
    const Time ofBlock = takesBlock ? GetTimeAt(protocol->channelRate, bytes) : Time(0);
    const Time ofKernel = takesKernel ? GetTimeAt(protocol->rankRate, bytes) : Time(0);
    const Time now = Simulator::Now();
    Time start = now + delay;
    if (takesKernel)
    {
        // What waits for its thread block does not keep the rank's others waiting.
        start = BookKernel(start, ofKernel);
    }
    if (takesBlock)
    {
        start = Max(start, BookBlock(channel, what.peer, ofBlock) + delay);
    }
    return start - now + GetLag(bytes, leaves, Max(ofBlock, ofKernel));
}

Time
CollectiveOperation::BookBlock(uint32_t channel, uint32_t peer, Time busy)
{
    std::vector<Block>& blocks = m_blocks[channel];
    auto block = std::find_if(blocks.begin(), blocks.end(), [peer](const Block& each) {
        return each.peer == peer;
    });
    if (block == blocks.end())
    {
        block = blocks.insert(block, {peer, Time(0)});
    }
    const Time begin = Max(Simulator::Now(), block->free);
    block->free = begin + busy;
    return begin;
}

Time
CollectiveOperation::BookKernel(Time earliest, Time busy)
{
    const Time begin = Max(earliest, *free);
    *free = begin + busy;
    return begin;
}

Time
CollectiveOperation::GetLag(uint64_t bytes, bool leaves, Time passed) const
{
    if (leaves)
    {
        // The NIC sends what lies in its buffer: a slice that is there as a whole.
        return passed;
    }
    // The kernel feeds the links more slowly than they could carry: the last byte is as late.
    const Time carried = protocol->linkRate.GetBitRate() > 0
                             ? GetTimeAt(protocol->linkRate, protocol->GetWireBytes(bytes))
                             : passed;
    return Max(passed - carried, Time(0));
}

Message
CollectiveOperation::MakeMessage(uint32_t rank, uint32_t channel, uint32_t step) const
{
    const Lane& lane = lanes[channel];
    const PlanStep& what = lane.GetProgram().GetStep(step);
    const uint32_t peer = plan->GetChannels()[channel].GetRank(lane.position, what.peer);
    const CollectiveTag tag{call.group,
                            static_cast<uint16_t>(sequence),
                            channel + what.connection,
                            what.message};
    Message message;
    message.src = rank;
    message.dst = group->ranks[peer];
    message.channel = group->firstChannel + channel + what.connection;
    message.bytes = protocol->GetWireBytes(GetBytes(channel, what));
    message.tag = tag.Encode();
    message.kind = GetMessageKind(what.kind);
    message.team = message.kind == MessageKind::UNICAST ? 0 : team;
    return message;
}

void
CollectiveOperation::AddWait(uint32_t rank,
                             uint32_t channel,
                             std::vector<CollectiveWait>& waits) const
{
    const Lane& lane = lanes[channel];
    const PlanProgram& program = lane.GetProgram();
    uint32_t step = lane.steps.GetFirst();
    while (step < program.GetStepCount() &&
           (lane.steps.IsDone(step) || IsLocal(program.GetStep(step).kind)))
    {
        step++;
    }
    if (step < program.GetStepCount())
    {
        const PlanStep& what = program.GetStep(step);
        const uint32_t peer = plan->GetChannels()[channel].GetRank(lane.position, what.peer);
        waits.push_back({call.group,
                         sequence,
                         call,
                         rank,
                         group->ranks[peer],
                         IsSend(what.kind),
                         channel + what.connection,
                         what.message});
    }
}

Time
CollectiveOperation::GetTimeAt(DataRate rate, uint64_t bytes)
{
    const auto ticksPerSecond = static_cast<uint64_t>(Time::FromInteger(1, Time::S).GetTimeStep());
    return TimeStep(LinkClock(rate.GetBitRate(), ticksPerSecond).TicksFor(bytes));
}

} // namespace ns3
