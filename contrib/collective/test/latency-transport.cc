/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "latency-transport.h"

#include "ns3/abort.h"
#include "ns3/link-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * \param bytes size of a message
 * \param rate a rate
 * \return how long the message takes to pass
 */
Time
GetPassTime(uint64_t bytes, DataRate rate)
{
    const auto ticksPerSecond = static_cast<uint64_t>(Time::FromInteger(1, Time::S).GetTimeStep());
    return TimeStep(LinkClock(rate.GetBitRate(), ticksPerSecond).TicksFor(bytes));
}

} // namespace

LatencyTransport::LatencyTransport(uint32_t ranks, DataRate rate, Time latency)
    : m_latency(latency),
      m_acknowledgementDelay(0),
      m_egress(ranks, Gate{rate, Time(0)}),
      m_ingress(ranks, Gate{rate, Time(0)}),
      m_sent(ranks, 0),
      m_received(ranks, 0)
{
}

void
LatencyTransport::SetLink(uint32_t src, uint32_t dst, DataRate rate)
{
    m_links[{src, dst}] = Gate{rate, Time(0)};
}

void
LatencyTransport::SetAcknowledgementDelay(Time delay)
{
    m_acknowledgementDelay = delay;
}

uint32_t
LatencyTransport::GetRankCount() const
{
    return static_cast<uint32_t>(m_egress.size());
}

void
LatencyTransport::EnableOffload()
{
    m_offload = true;
}

bool
LatencyTransport::CanOffload(const std::vector<uint32_t>& ranks) const
{
    return m_offload && ranks.size() > 1;
}

void
LatencyTransport::EnableRailOffload()
{
    m_railOffload = true;
}

bool
LatencyTransport::CanAllReduce(const std::vector<uint32_t>& ranks) const
{
    return m_railOffload && ranks.size() > 1;
}

uint32_t
LatencyTransport::AddTeam(const std::vector<uint32_t>& ranks)
{
    const auto found = std::find(m_teams.begin(), m_teams.end(), ranks);
    if (found != m_teams.end())
    {
        return static_cast<uint32_t>(found - m_teams.begin());
    }
    m_teams.push_back(ranks);
    return static_cast<uint32_t>(m_teams.size() - 1);
}

std::optional<Time>
LatencyTransport::Contribute(const Message& message, uint32_t dst, Time firstByte)
{
    const uint64_t number = m_contributed[{message.team, dst, message.channel, message.src}]++;
    const auto entry =
        m_sums.try_emplace({message.team, dst, message.channel, number}, Sum{message.tag}).first;
    Sum& sum = entry->second;
    NS_ABORT_MSG_IF(sum.tag != message.tag,
                    "team " << message.team << ", channel " << message.channel << ": rank "
                            << message.src << " contributes to another sum than the others");
    sum.firstByte = std::max(sum.firstByte, firstByte);
    if (++sum.contributions < m_teams[message.team].size())
    {
        return std::nullopt;
    }
    const Time last = sum.firstByte;
    m_sums.erase(entry);
    return last;
}

void
LatencyTransport::SendToTeam(const Message& message, Time firstByte)
{
    const std::vector<uint32_t>& team = m_teams[message.team];
    if (message.kind == MessageKind::MULTICAST)
    {
        for (const uint32_t rank : team)
        {
            Message copy = message;
            copy.dst = rank;
            Simulator::ScheduleWithContext(rank,
                                           firstByte - Simulator::Now(),
                                           &LatencyTransport::ReachIngress,
                                           this,
                                           copy);
        }
        return;
    }
    if (message.kind == MessageKind::ALL_REDUCE)
    {
        if (const auto sum = Contribute(message, team.front(), firstByte))
        {
            for (const uint32_t rank : team)
            {
                Message copy = message;
                copy.src = copy.dst = rank;
                Simulator::ScheduleWithContext(rank,
                                               *sum - Simulator::Now(),
                                               &LatencyTransport::ReachIngress,
                                               this,
                                               copy);
            }
        }
        return;
    }
    if (message.src != message.dst)
    {
        Simulator::ScheduleWithContext(
            message.src,
            firstByte + GetPassTime(message.bytes, m_egress[message.src].rate) +
                m_acknowledgementDelay - Simulator::Now(),
            &LatencyTransport::Acknowledge,
            this,
            message);
    }
    if (const auto sum = Contribute(message, message.dst, firstByte))
    {
        Message all = message;
        all.src = message.dst;
        Simulator::ScheduleWithContext(all.dst,
                                       *sum - Simulator::Now(),
                                       &LatencyTransport::ReachIngress,
                                       this,
                                       all);
    }
}

void
LatencyTransport::Send(const Message& message)
{
    NS_ABORT_MSG_IF(message.src == message.dst && message.kind == MessageKind::UNICAST,
                    "a rank sends to itself");
    m_sent[message.src] += message.bytes;
    m_messages++;
    if (onSend)
    {
        onSend(message);
    }
    if (m_links.empty())
    {
        const Time start = Pass(m_egress[message.src], message.bytes, Simulator::Now());
        if (message.kind != MessageKind::UNICAST)
        {
            SendToTeam(message, start + m_latency);
            return;
        }
        Simulator::ScheduleWithContext(message.dst,
                                       start + m_latency - Simulator::Now(),
                                       &LatencyTransport::ReachIngress,
                                       this,
                                       message);
        return;
    }
    const auto link = m_links.find({message.src, message.dst});
    NS_ABORT_MSG_IF(link == m_links.end(),
                    "no link from rank " << message.src << " to rank " << message.dst);
    Pass(link->second, message.bytes, Simulator::Now());
    ScheduleArrival(message, link->second.freeAt + m_latency);
}

Time
LatencyTransport::Pass(Gate& gate, uint64_t bytes, Time earliest)
{
    const Time start = std::max(earliest, gate.freeAt);
    gate.freeAt = start + GetPassTime(bytes, gate.rate);
    return start;
}

void
LatencyTransport::ReachIngress(const Message& message)
{
    Gate& ingress = m_ingress[message.dst];
    Pass(ingress, message.bytes, Simulator::Now());
    ScheduleArrival(message, ingress.freeAt);
}

void
LatencyTransport::ScheduleArrival(const Message& message, Time arrival)
{
    const Time delay = arrival - Simulator::Now();
    Simulator::ScheduleWithContext(message.dst, delay, &LatencyTransport::Arrive, this, message);
    if (message.kind == MessageKind::MULTICAST && message.dst != message.src)
    {
        return; // acknowledged once
    }
    Simulator::ScheduleWithContext(message.src,
                                   delay + m_acknowledgementDelay,
                                   &LatencyTransport::Acknowledge,
                                   this,
                                   message);
}

std::vector<std::string>
LatencyTransport::DescribePending() const
{
    return {std::to_string(m_messages - m_arrived) + " messages under way"};
}

const std::vector<uint64_t>&
LatencyTransport::GetBytesSent() const
{
    return m_sent;
}

const std::vector<uint64_t>&
LatencyTransport::GetBytesReceived() const
{
    return m_received;
}

uint64_t
LatencyTransport::GetMessageCount() const
{
    return m_messages;
}

void
LatencyTransport::Arrive(const Message& message)
{
    const bool isCopy = message.kind == MessageKind::MULTICAST && message.dst != message.src;
    const bool isSum = message.kind == MessageKind::COMBINE;
    m_arrived += isSum ? m_teams[message.team].size() : isCopy ? 0 : 1;
    m_received[message.dst] += message.bytes;
    NotifyReceived(message);
}

void
LatencyTransport::Acknowledge(const Message& message)
{
    NotifySent(message);
}

} // namespace ns3
