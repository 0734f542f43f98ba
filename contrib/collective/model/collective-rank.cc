/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-rank.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/fetch-lines.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{

CollectiveRank::CollectiveRank(uint32_t rank, CollectiveContext& context)
    : m_rank(rank),
      m_context(context)
{
}

CollectiveRank::~CollectiveRank() = default;

void
CollectiveRank::AddGroup(uint32_t number, const CollectiveGroup* group, uint32_t groupRank)
{
    NS_ASSERT_MSG(m_memberships.empty() || m_memberships.back().number < number,
                  "groups are added in order");
    m_memberships.push_back({number, groupRank, group});
}

CollectiveRank::Operation*
CollectiveRank::Enter(const CollectiveCall& call,
                      const PlannedCollective& planned,
                      CollectiveDone done)
{
    Membership& membership = GetMembership(call.group);
    const uint64_t sequence = membership.joined++;
    const uint64_t instance = m_context.ledger.Join(m_rank, sequence, call, planned);
    if (planned.plan->IsEmpty())
    {
        m_context.ledger.Done(m_rank, call.group, sequence, Simulator::Now(), {});
        // Not inside Join(): callers may loop.
        Simulator::ScheduleNow([done = std::move(done), instance] { done(instance); });
        return nullptr;
    }
    Operation& operation = Open(membership, call, planned, std::move(done));
    operation.instance = instance;
    return &operation;
}

void
CollectiveRank::Join(const CollectiveCall& call,
                     const PlannedCollective& planned,
                     CollectiveDone done)
{
    Operation* operation = Enter(call, planned, std::move(done));
    if (!operation)
    {
        return;
    }
    if (planned.protocol.launch.IsZero())
    {
        Begin(operation);
        return;
    }
    Simulator::Schedule(planned.protocol.launch, &CollectiveRank::Begin, this, operation);
}

/** Collectives that the rank launches together. */
struct CollectiveRank::Batch
{
    std::vector<uint64_t> instances;    //!< ids, by call
    std::size_t joined{0};              //!< calls so far
    std::size_t left{0};                //!< calls that are not done
    std::vector<Operation*> operations; //!< those that have something to do
    Time launch;                        //!< the longest of theirs
    std::shared_ptr<Time> free;         //!< when their kernel can send in the server
    CollectivesDone done;               //!< whom to tell
};

std::shared_ptr<CollectiveRank::Batch>
CollectiveRank::OpenBatch(std::size_t count, CollectivesDone done) const
{
    const auto batch = std::make_shared<Batch>();
    batch->instances.resize(count);
    batch->left = count;
    batch->free = std::make_shared<Time>();
    batch->done = std::move(done);
    return batch;
}

void
CollectiveRank::Join(const std::shared_ptr<Batch>& batch,
                     const CollectiveCall& call,
                     const PlannedCollective& planned)
{
    const std::size_t index = batch->joined++;
    Operation* operation = Enter(call, planned, [batch, index](uint64_t instance) {
        batch->instances[index] = instance;
        if (--batch->left == 0)
        {
            batch->done(batch->instances);
        }
    });
    if (operation)
    {
        operation->free = batch->free;
        batch->operations.push_back(operation);
        batch->launch = Max(batch->launch, planned.protocol.launch);
    }
}

void
CollectiveRank::Launch(const std::shared_ptr<Batch>& batch)
{
    // All are joined before the first begins: what it brings about may be of any of them.
    const auto begin = [this, batch] {
        for (Operation* const operation : batch->operations)
        {
            Begin(operation);
        }
    };
    if (batch->launch.IsZero())
    {
        begin();
        return;
    }
    Simulator::Schedule(batch->launch, begin);
}

void
CollectiveRank::Begin(Operation* operation)
{
    operation->begun = true;
    for (uint32_t channel = 0; channel < operation->lanes.size(); channel++)
    {
        for (const uint32_t step : operation->lanes[channel].GetProgram().GetFirstSteps())
        {
            Start(*operation, channel, step);
        }
    }
    SkipReceives(*operation);
    Membership& membership = GetMembership(operation->call.group);
    const auto early = membership.early.find(operation->sequence);
    if (early != membership.early.end())
    {
        for (const auto& tag : early->second)
        {
            const uint32_t lane = operation->GetLane(tag.channel);
            Release(*operation, lane, operation->lanes[lane].GetProgram().GetReceive(tag.message));
        }
        membership.early.erase(early);
    }
    if (operation->left == 0)
    {
        // Everything was there already. Not inside Join(), here neither.
        Simulator::ScheduleNow([this, operation] { CloseIfDone(*operation); });
    }
}

void
CollectiveRank::SkipReceives(Operation& operation)
{
    const CollectivePlan& plan = *operation.plan;
    for (uint32_t channel = 0; plan.GetSizes() && channel < operation.lanes.size(); channel++)
    {
        const Operation::Lane& lane = operation.lanes[channel];
        for (uint32_t step = 0; step < lane.GetProgram().GetStepCount(); step++)
        {
            const PlanStep& what = lane.GetProgram().GetStep(step);
            if (IsReceive(what.kind) && plan.IsSkipped(channel, lane.position, what))
            {
                Release(operation, channel, step);
            }
        }
    }
}

CollectiveRank::Operation&
CollectiveRank::Open(Membership& membership,
                     const CollectiveCall& call,
                     const PlannedCollective& planned,
                     CollectiveDone done)
{
    if (m_free.empty())
    {
        m_pool.push_back(std::make_unique<Operation>());
        m_free.push_back(m_pool.back().get());
    }
    Operation& operation = *m_free.back();
    m_free.pop_back();
    operation.call = call;
    operation.sequence = membership.joined - 1;
    operation.group = membership.group;
    operation.joined = Simulator::Now();
    operation.done = std::move(done);
    operation.SetPlan(planned, membership.groupRank);
    operation.costs = !planned.protocol.IsFree() || !m_context.sendOverhead.IsZero();
    operation.FindTeam(membership.groupRank, *m_context.transport);
    membership.operations.push_back(&operation);
    return operation;
}

void
CollectiveRank::RecordArrival(const Message& message, Membership& membership, uint64_t sequence)
{
    if (message.kind != MessageKind::COMBINE)
    {
        m_context.ledger.MessageEnded(message, sequence);
        return;
    }
    Message contribution = message;
    for (const uint32_t rank : GetOperation(membership, sequence).teamRanks)
    {
        contribution.src = rank;
        m_context.ledger.MessageEnded(contribution, sequence);
    }
}

void
CollectiveRank::MessageReceived(const Message& message)
{
    const auto tag = CollectiveTag::Decode(message.tag);
    if (IsRecent(tag) && message.kind != MessageKind::COMBINE)
    {
        Operation& operation = *m_recent;
        m_context.ledger.MessageEnded(message, operation.sequence);
        const uint32_t lane = operation.GetLane(tag.channel);
        Release(operation, lane, operation.lanes[lane].GetProgram().GetReceive(tag.message));
        CloseIfDone(operation);
        return;
    }
    Membership& membership = GetMembership(tag.group);
    const uint64_t sequence = CollectiveTag::ExpandSequence(tag.sequence, membership.joined);
    RecordArrival(message, membership, sequence);
    if (sequence >= membership.joined)
    {
        membership.early[sequence].push_back(tag);
        return;
    }
    Operation& operation = GetOperation(membership, sequence);
    if (!operation.begun)
    {
        membership.early[sequence].push_back(tag);
        return;
    }
    m_recent = &operation;
    const uint32_t lane = operation.GetLane(tag.channel);
    Release(operation, lane, operation.lanes[lane].GetProgram().GetReceive(tag.message));
    CloseIfDone(operation);
}

void
CollectiveRank::Fetch(uint32_t, uint32_t channel, uint32_t stage) const
{
    if (stage == 0)
    {
        FetchLines(this);
        return;
    }
    if (!m_recent)
    {
        return;
    }
    if (stage == 1)
    {
        m_recent->Fetch();
        return;
    }
    const uint32_t ofGroup = channel - m_recent->group->firstChannel; // wraps below it
    if (ofGroup < CollectiveTag::MAX_CHANNELS)
    {
        FetchLines(&m_recent->lanes[m_recent->GetLane(ofGroup)]);
    }
}

void
CollectiveRank::MessageSent(const Message& message)
{
    const auto tag = CollectiveTag::Decode(message.tag);
    Operation& operation = FindOperation(tag);
    const uint32_t lane = operation.GetLane(tag.channel);
    Complete(operation, lane, operation.lanes[lane].GetProgram().GetSend(tag.message));
    CloseIfDone(operation);
}

void
CollectiveRank::Release(Operation& operation, uint32_t channel, uint32_t step)
{
    uint16_t& waits = operation.lanes[channel].steps.At(step);
    NS_ASSERT_MSG(waits > 0 && waits < BUSY, "released more often than it waits");
    if (--waits == 0)
    {
        Start(operation, channel, step);
    }
}

void
CollectiveRank::Start(Operation& operation, uint32_t channel, uint32_t step)
{
    const Operation::Lane& lane = operation.lanes[channel];
    const PlanStep& what = lane.GetProgram().GetStep(step);
    operation.lanes[channel].steps.At(step) = BUSY;
    if (IsSend(what.kind) && !operation.plan->IsSkipped(channel, lane.position, what))
    {
        const Time delay =
            operation.costs ? operation.BookSend(channel, what, m_context.sendOverhead) : Time(0);
        if (delay.IsZero())
        {
            Send(&operation, channel, step);
        }
        else
        {
            Simulator::Schedule(delay, &CollectiveRank::Send, this, &operation, channel, step);
        }
    }
    else if ((what.kind == PlanStepKind::RECEIVE_REDUCE || what.kind == PlanStepKind::REDUCE) &&
             m_context.reduceBandwidth.GetBitRate() > 0)
    {
        Simulator::Schedule(
            Operation::GetTimeAt(m_context.reduceBandwidth, operation.GetBytes(channel, what)),
            &CollectiveRank::Reduced,
            this,
            &operation,
            channel,
            step);
    }
    else
    {
        Complete(operation, channel, step);
    }
}

void
CollectiveRank::Send(Operation* operation, uint32_t channel, uint32_t step)
{
    const Message message = operation->MakeMessage(m_rank, channel, step);
    operation->volume.messages++;
    operation->volume.bytes += message.bytes;
    const bool isMulticast = message.kind == MessageKind::MULTICAST;
    m_context.ledger.MessageStarted(message,
                                    operation->sequence,
                                    isMulticast ? static_cast<uint32_t>(operation->teamRanks.size())
                                                : 1);
    m_context.transport->Send(message);
}

void
CollectiveRank::Complete(Operation& operation, uint32_t channel, uint32_t step)
{
    Operation::Lane& lane = operation.lanes[channel];
    NS_ASSERT_MSG(!lane.steps.IsDone(step) && lane.steps.At(step) == BUSY,
                  "a step was done before it began, or twice");
    lane.steps.SetDone(step);
    operation.left--;
    const PlanProgram& program = lane.GetProgram();
    const uint32_t* const end = program.GetDependentsEnd(step);
    for (auto next = program.GetDependentsBegin(step); next != end; next++)
    {
        Release(operation, channel, *next);
    }
}

void
CollectiveRank::Reduced(Operation* operation, uint32_t channel, uint32_t step)
{
    Complete(*operation, channel, step);
    CloseIfDone(*operation);
}

void
CollectiveRank::CloseIfDone(Operation& operation)
{
    if (operation.left > 0)
    {
        return;
    }
    Membership& membership = GetMembership(operation.call.group);
    membership.operations.erase(
        std::find(membership.operations.begin(), membership.operations.end(), &operation));
    m_recent = m_recent == &operation ? nullptr : m_recent;
    const CollectiveDone done = std::move(operation.done);
    const uint64_t instance = operation.instance;
    operation.done = nullptr;
    operation.plan = nullptr;
    operation.free = nullptr;
    operation.call.sizes = nullptr;
    m_context.ledger.Done(m_rank,
                          operation.call.group,
                          operation.sequence,
                          operation.joined,
                          operation.volume);
    m_free.push_back(&operation);
    done(instance);
}

CollectiveRank::Membership&
CollectiveRank::GetMembership(uint32_t group)
{
    const auto found = std::lower_bound(
        m_memberships.begin(),
        m_memberships.end(),
        group,
        [](const Membership& membership, uint32_t number) { return membership.number < number; });
    NS_ABORT_MSG_IF(found == m_memberships.end() || found->number != group,
                    "rank " << m_rank << " does not belong to collective group " << group);
    return *found;
}

CollectiveRank::Operation&
CollectiveRank::FindOperation(const CollectiveTag& tag)
{
    if (!IsRecent(tag))
    {
        Membership& membership = GetMembership(tag.group);
        m_recent = &GetOperation(membership,
                                 CollectiveTag::ExpandSequence(tag.sequence, membership.joined));
    }
    return *m_recent;
}

CollectiveRank::Operation&
CollectiveRank::GetOperation(Membership& membership, uint64_t sequence)
{
    const auto found = std::lower_bound(
        membership.operations.begin(),
        membership.operations.end(),
        sequence,
        [](const Operation* operation, uint64_t number) { return operation->sequence < number; });
    NS_ABORT_MSG_IF(found == membership.operations.end() || (*found)->sequence != sequence,
                    "rank " << m_rank << " got a message of collective " << sequence << " of group "
                            << membership.group->name << ", which it is done with");
    return **found;
}

uint64_t
CollectiveRank::GetJoinedCount(uint32_t group) const
{
    return const_cast<CollectiveRank*>(this)->GetMembership(group).joined;
}

std::vector<CollectiveWait>
CollectiveRank::GetWaits() const
{
    std::vector<CollectiveWait> waits;
    for (const auto& membership : m_memberships)
    {
        for (const Operation* operation : membership.operations)
        {
            for (uint32_t channel = 0; channel < operation->lanes.size(); channel++)
            {
                operation->AddWait(m_rank, channel, waits);
            }
        }
    }
    return waits;
}

} // namespace ns3
