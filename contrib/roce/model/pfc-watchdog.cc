/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-watchdog.h"

#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

PfcWatchdog::PfcWatchdog(FabricDevice& device, PfcWatchdogClient& client)
    : m_device(device),
      m_client(client),
      m_timer(this)
{
}

void
PfcWatchdog::Start(uint64_t detection, uint64_t restoration)
{
    m_started = true;
    m_detection = detection;
    m_restoration = restoration;
    m_timer.Bind(&m_device.GetFabric()->engine, m_device.GetNode()->GetId());
}

std::vector<PfcWatchdog::Watch>::iterator
PfcWatchdog::Find(uint32_t port, uint32_t priority)
{
    return std::find_if(m_watches.begin(), m_watches.end(), [&](const Watch& watch) {
        return watch.port == port && watch.priority == priority;
    });
}

uint32_t
PfcWatchdog::GetStormMask(uint32_t port) const
{
    uint32_t mask = 0;
    for (const Watch& watch : m_watches)
    {
        mask |= watch.port == port && watch.storm ? 1U << watch.priority : 0;
    }
    return mask;
}

void
PfcWatchdog::PauseReceived(FabricPort& port, uint32_t priority)
{
    const uint64_t now = m_device.GetFabric()->engine.Now();
    const auto known = Find(port.GetIndex(), priority);
    if (known != m_watches.end())
    {
        known->lastPause = now;
        return;
    }
    const FabricPriorityCounters counters = port.GetPriorityCounters(priority);
    const uint64_t due = std::max(now, counters.pausedSince + m_detection);
    if (counters.paused && (due > now || port.GetQueueBytes(priority)))
    {
        m_watches.push_back({port.GetIndex(), priority, now, due, false});
        Arm();
    }
}

bool
PfcWatchdog::Judge(Watch& watch, uint64_t now)
{
    FabricPort& port = m_device.GetPort(watch.port);
    const FabricPriorityCounters counters = port.GetPriorityCounters(watch.priority);
    if (watch.storm)
    {
        const uint64_t quiet = watch.lastPause + m_restoration;
        watch.due = quiet > now ? quiet : now + std::max<uint64_t>(1, m_restoration);
        watch.storm = quiet > now || counters.paused;
        if (!watch.storm)
        {
            m_client.StormEnded(port, watch.priority);
        }
        return watch.storm;
    }
    if (!counters.paused || !port.GetQueueBytes(watch.priority))
    {
        return false;
    }
    watch.due = counters.pausedSince + m_detection;
    if (watch.due <= now)
    {
        watch.storm = true;
        watch.due = std::max(now + 1, watch.lastPause + m_restoration);
        m_storms.push_back({watch.port, watch.priority, now});
        m_client.StormBegan(port, watch.priority);
    }
    return true;
}

void
PfcWatchdog::Look()
{
    const uint64_t now = m_device.GetFabric()->engine.Now();
    std::vector<Watch> left;
    for (size_t i = 0; i < m_watches.size(); i++)
    {
        if (m_watches[i].due > now || Judge(m_watches[i], now))
        {
            left.push_back(m_watches[i]);
        }
    }
    m_watches = std::move(left);
    Arm();
}

void
PfcWatchdog::Arm()
{
    const auto first =
        std::min_element(m_watches.begin(), m_watches.end(), [](const Watch& a, const Watch& b) {
            return a.due < b.due;
        });
    if (first == m_watches.end())
    {
        m_timer.Clear();
    }
    else
    {
        m_timer.Set(first->due);
    }
}

} // namespace ns3
