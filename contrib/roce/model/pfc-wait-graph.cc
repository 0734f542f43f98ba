/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-wait-graph.h"

#include "ns3/result-format.h"

#include <algorithm>

namespace ns3
{

PfcWaitGraph::PfcWaitGraph(const std::vector<Ptr<RoceSwitchDevice>>& switches,
                           uint64_t now,
                           uint64_t stormTicks)
    : m_switches(switches),
      m_stormTicks(stormTicks)
{
    for (uint32_t i = 0; i < switches.size(); i++)
    {
        if (switches[i])
        {
            m_numbers[PeekPointer(switches[i])] = i;
            Add(i, now);
        }
    }
    do
    {
        ReduceGroups();
    } while (ReduceQueues() > 0);
}

void
PfcWaitGraph::Add(uint32_t device, uint64_t now)
{
    const RoceSwitchDevice& own = *m_switches[device];
    for (uint32_t i = 0; i < own.GetPortCount(); i++)
    {
        const FabricPort& port = own.GetPort(i);
        for (uint32_t priority = 0; priority < FabricPort::PRIORITIES; priority++)
        {
            if (own.GetBuffer().IsPaused(i, priority))
            {
                m_groups[{device, i, priority}].occupied = own.GetBuffer().GetOccupied(i, priority);
            }
            if (!port.IsPaused(priority) || own.GetWatchdog().IsStarted())
            {
                continue;
            }
            Queue queue{device, priority, &port, 0, {}};
            queue.pausedTicks = now - port.GetPriorityCounters(priority).pausedSince;
            for (const FabricPacket* packet = port.GetHeldFrames(priority).head; packet;
                 packet = packet->next)
            {
                if (!packet->uncharged)
                {
                    queue.bytesFrom[packet->inPort] += packet->frameBytes;
                }
            }
            if (!queue.bytesFrom.empty())
            {
                m_queues.push_back(std::move(queue));
            }
        }
    }
}

void
PfcWaitGraph::ReduceGroups()
{
    for (auto& [key, group] : m_groups)
    {
        group.held = 0;
    }
    for (const Queue& queue : m_queues)
    {
        for (const auto& [in, bytes] : queue.bytesFrom)
        {
            const auto group = m_groups.find({queue.device, in, queue.priority});
            if (group != m_groups.end())
            {
                group->second.held += bytes;
            }
        }
    }
    for (auto group = m_groups.begin(); group != m_groups.end();)
    {
        const bool stuck = group->second.held && group->second.held == group->second.occupied;
        group = stuck ? std::next(group) : m_groups.erase(group);
    }
}

std::size_t
PfcWaitGraph::ReduceQueues()
{
    const std::size_t before = m_queues.size();
    m_queues.erase(std::remove_if(m_queues.begin(),
                                  m_queues.end(),
                                  [this](const Queue& queue) {
                                      return IsPausedByHost(queue)
                                                 ? queue.pausedTicks < m_stormTicks
                                                 : FindPauser(queue) == m_groups.end();
                                  }),
                   m_queues.end());
    return before - m_queues.size();
}

bool
PfcWaitGraph::IsPausedByHost(const Queue& queue) const
{
    return m_numbers.find(queue.port->GetPeer()->GetOwner()) == m_numbers.end();
}

std::map<PfcWaitGraph::GroupKey, PfcWaitGraph::Group>::const_iterator
PfcWaitGraph::FindPauser(const Queue& queue) const
{
    const FabricPort& peer = *queue.port->GetPeer();
    return m_groups.find({m_numbers.at(peer.GetOwner()), peer.GetIndex(), queue.priority});
}

std::size_t
PfcWaitGraph::GetNext(const Queue& queue) const
{
    const auto [device, in, priority] = FindPauser(queue)->first;
    std::size_t next = 0;
    while (m_queues[next].device != device || m_queues[next].priority != priority ||
           !m_queues[next].bytesFrom.count(in))
    {
        next++;
    }
    return next;
}

std::vector<std::string>
PfcWaitGraph::Describe() const
{
    std::vector<std::string> lines;
    std::vector<std::size_t> visitor(m_queues.size(), m_queues.size()); // from where it was reached
    for (std::size_t first = 0; first < m_queues.size(); first++)
    {
        std::vector<std::size_t> path;
        std::size_t at = first;
        while (visitor[at] == m_queues.size())
        {
            visitor[at] = first;
            path.push_back(at);
            if (IsPausedByHost(m_queues[at]))
            {
                const Queue& queue = m_queues[at];
                lines.push_back("PFC storm in class " + std::to_string(queue.priority) + ": " +
                                queue.port->GetPeer()->GetOwner()->GetName() + " has paused " +
                                GetPortName(*queue.port) + " for " +
                                FormatDuration(TimeStep(queue.pausedTicks)));
                break;
            }
            at = GetNext(m_queues[at]);
        }
        const auto again = std::find(path.begin(), path.end(), at);
        if (again != path.end() && !IsPausedByHost(m_queues[at]))
        {
            lines.push_back(DescribeCycle({again, path.end()}));
        }
    }
    return lines;
}

std::string
PfcWaitGraph::DescribeCycle(const std::vector<std::size_t>& cycle) const
{
    const Queue& first = m_queues[cycle.front()];
    std::string line = "PFC deadlock in class " + std::to_string(first.priority) + ": ";
    for (const std::size_t place : cycle)
    {
        line += GetPortName(*m_queues[place].port) + " -> ";
    }
    return line + GetPortName(*first.port) +
           ", each port paused by the switch behind the arrow, whose memory is full of frames for "
           "the "
           "port named there";
}

std::string
PfcWaitGraph::GetPortName(const FabricPort& port)
{
    return port.GetOwner()->GetName() + " port " + std::to_string(port.GetIndex());
}

} // namespace ns3
