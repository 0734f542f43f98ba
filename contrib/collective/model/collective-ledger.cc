/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-ledger.h"

#include "collective-plan-cache.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * \param call what a rank asks for
 * \return the same in words
 */
std::string
ToText(const CollectiveCall& call)
{
    std::ostringstream text;
    text << call.kind << " of " << call.bytes << " bytes (elements of " << call.elementBytes
         << " bytes, root " << call.root << ")";
    return text.str();
}

} // namespace

void
CollectiveLedger::AddObserver(CollectiveObserver* observer)
{
    m_observers.push_back(observer);
    if (observer->ObservesMessages())
    {
        m_messageObservers.push_back(observer);
    }
}

void
CollectiveLedger::RemoveObserver(CollectiveObserver* observer)
{
    for (auto* observers : {&m_observers, &m_messageObservers})
    {
        observers->erase(std::remove(observers->begin(), observers->end(), observer),
                         observers->end());
    }
}

uint32_t
CollectiveLedger::AddGroup(const CollectiveGroup* group)
{
    m_groups.push_back({group, 0, {}});
    return static_cast<uint32_t>(m_groups.size() - 1);
}

uint64_t
CollectiveLedger::Join(uint32_t rank,
                       uint64_t sequence,
                       const CollectiveCall& call,
                       const PlannedCollective& planned)
{
    Group& group = m_groups[call.group];
    NS_ASSERT_MSG(sequence >= group.firstSequence, "joined a collective that has ended");
    const uint64_t index = sequence - group.firstSequence;
    if (index == group.instances.size())
    {
        NS_ABORT_MSG_IF(group.instances.size() >= CollectiveTag::MAX_OPEN,
                        "group " << group.group->name << ": rank " << rank << " began collective "
                                 << sequence << " while collective " << group.firstSequence
                                 << " has not ended; let ranks wait for each other");
        CollectiveInstance instance;
        instance.id = m_nextId++;
        instance.sequence = sequence;
        instance.group = group.group;
        instance.call = call;
        instance.algorithm = planned.GetName();
        instance.protocol = planned.protocol.name;
        instance.firstRank = rank;
        instance.firstJoin = Simulator::Now();
        group.instances.push_back(instance);
        m_open++;
    }
    CollectiveInstance& instance = group.instances[index];
    NS_ABORT_MSG_IF(!(instance.call == call),
                    "collective " << sequence << " of group " << group.group->name << ": rank "
                                  << instance.firstRank << " joined with " << ToText(instance.call)
                                  << ", rank " << rank << " with " << ToText(call)
                                  << "; every rank of a group must join the same collectives in "
                                     "the same order");
    instance.joined++;
    instance.lastJoin = Simulator::Now();
    for (auto observer : m_observers)
    {
        observer->RankJoined(instance, rank);
    }
    return instance.id;
}

void
CollectiveLedger::Done(uint32_t rank,
                       uint32_t groupNumber,
                       uint64_t sequence,
                       Time joined,
                       const Volume& volume)
{
    Group& group = m_groups[groupNumber];
    CollectiveInstance& instance = group.instances[sequence - group.firstSequence];
    instance.done++;
    instance.messages += volume.messages;
    instance.bytesSent += volume.bytes;
    instance.end = Simulator::Now();
    for (auto observer : m_observers)
    {
        observer->RankDone(instance, rank, joined);
    }
    if (instance.done < group.group->ranks.size())
    {
        return;
    }
    m_open--;
    for (auto observer : m_observers)
    {
        observer->CollectiveEnded(instance);
    }
    while (!group.instances.empty() && group.instances.front().done == group.group->ranks.size())
    {
        group.instances.pop_front();
        group.firstSequence++;
    }
}

void
CollectiveLedger::MessageStarted(const Message& message, uint64_t sequence, uint32_t receivers)
{
    if (m_messageObservers.empty())
    {
        return;
    }
    CollectiveMessage described = Describe(message);
    described.start = Simulator::Now();
    m_underWay[GetKey(message)] = {described.start, receivers};
    const auto& instance = GetInstance(CollectiveTag::Decode(message.tag).group, sequence);
    for (auto observer : m_messageObservers)
    {
        observer->MessageStarted(instance, described);
    }
}

void
CollectiveLedger::MessageEnded(const Message& message, uint64_t sequence)
{
    if (m_messageObservers.empty())
    {
        return;
    }
    CollectiveMessage described = Describe(message);
    described.end = Simulator::Now();
    const auto underWay = m_underWay.find(GetKey(message));
    if (underWay == m_underWay.end() || --underWay->second.receivers > 0)
    {
        return; // began before anybody observed, or has not reached all
    }
    described.start = underWay->second.start;
    m_underWay.erase(underWay);
    const auto& instance = GetInstance(CollectiveTag::Decode(message.tag).group, sequence);
    for (auto observer : m_messageObservers)
    {
        observer->MessageEnded(instance, described);
    }
}

const CollectiveInstance&
CollectiveLedger::GetInstance(uint32_t group, uint64_t sequence) const
{
    return m_groups[group].instances[sequence - m_groups[group].firstSequence];
}

CollectiveLedger::MessageKey
CollectiveLedger::GetKey(const Message& message)
{
    const bool isMulticast = message.kind == MessageKind::MULTICAST;
    return {message.tag, message.src, isMulticast ? message.src : message.dst};
}

CollectiveMessage
CollectiveLedger::Describe(const Message& message)
{
    const auto tag = CollectiveTag::Decode(message.tag);
    CollectiveMessage described;
    described.channel = tag.channel;
    described.step = tag.message;
    described.src = message.src;
    described.dst = GetKey(message).dst;
    described.kind = message.kind;
    described.bytes = message.bytes;
    return described;
}

} // namespace ns3
