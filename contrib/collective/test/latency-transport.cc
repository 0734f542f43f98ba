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
LatencyTransport::Send(const Message& message)
{
    NS_ABORT_MSG_IF(message.src == message.dst, "a rank sends to itself");
    m_sent[message.src] += message.bytes;
    m_messages++;
    if (onSend)
    {
        onSend(message);
    }
    if (m_links.empty())
    {
        const Time start = Pass(m_egress[message.src], message.bytes, Simulator::Now());
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
    m_arrived++;
    m_received[message.dst] += message.bytes;
    NotifyReceived(message);
}

void
LatencyTransport::Acknowledge(const Message& message)
{
    NotifySent(message);
}

} // namespace ns3
