/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pfc-controller.h"

#include "pfc.h"

#include "ns3/assert.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{

PfcController::PfcController(FabricDevice& device)
    : m_device(device),
      m_refresh(this)
{
}

void
PfcController::Start(uint16_t quanta)
{
    m_quanta = quanta;
    m_refresh.Bind(&m_device.GetFabric()->engine, m_device.GetNode()->GetId());
}

void
PfcController::Pause(uint32_t port, uint32_t priority)
{
    NS_ASSERT_MSG(!IsPaused(port, priority), "a class is paused twice");
    const uint64_t now = m_device.GetFabric()->engine.Now();
    m_active.push_back({port, priority, now + GetRefreshTicks(port)});
    ArmRefresh();
    m_device.GetFabric()->counters.pfcPauses++;
    Post({Word::PAUSE, port, priority});
}

void
PfcController::Resume(uint32_t port, uint32_t priority)
{
    const auto active = Find(port, priority);
    NS_ASSERT_MSG(active != m_active.end(), "a class resumes that is not paused");
    if (active == m_active.end())
    {
        return;
    }
    m_active.erase(active);
    ArmRefresh();
    m_device.GetFabric()->counters.pfcResumes++;
    Post({Word::RESUME, port, priority});
}

void
PfcController::Repeat(uint32_t port)
{
    for (ActivePause& active : m_active)
    {
        if (active.port == port)
        {
            active.refresh = m_device.GetFabric()->engine.Now();
        }
    }
    Refresh();
}

bool
PfcController::IsPaused(uint32_t port, uint32_t priority) const
{
    return Find(port, priority) != m_active.end();
}

std::vector<PfcController::ActivePause>::const_iterator
PfcController::Find(uint32_t port, uint32_t priority) const
{
    return std::find_if(m_active.begin(), m_active.end(), [&](const ActivePause& active) {
        return active.port == port && active.priority == priority;
    });
}

void
PfcController::Post(const Signal& signal)
{
    m_outbox.push_back(signal);
    if (m_sending)
    {
        return;
    }
    m_sending = true;
    for (size_t i = 0; i < m_outbox.size(); i++) // grows meanwhile
    {
        Send(Signal(m_outbox[i]));
    }
    m_outbox.clear();
    m_sending = false;
}

void
PfcController::Send(const Signal& signal)
{
    if (signal.word == Word::REFRESH)
    {
        if (!IsPaused(signal.port, signal.priority))
        {
            return; // it resumed while the frame waited for those before it
        }
        m_device.GetFabric()->counters.pfcRefreshes++;
    }
    const uint16_t quanta = signal.word == Word::RESUME ? 0 : m_quanta;
    Pfc::Send(m_device.GetPort(signal.port), signal.priority, quanta);
}

uint64_t
PfcController::GetRefreshTicks(uint32_t port) const
{
    return std::max<uint64_t>(1, Pfc::GetTicks(m_device.GetPort(port), m_quanta) / 2);
}

void
PfcController::ArmRefresh()
{
    if (m_active.empty())
    {
        m_refresh.Clear();
        return;
    }
    const auto first = std::min_element(
        m_active.begin(),
        m_active.end(),
        [](const ActivePause& a, const ActivePause& b) { return a.refresh < b.refresh; });
    m_refresh.Set(std::max(first->refresh, m_device.GetFabric()->engine.Now()));
}

void
PfcController::Refresh()
{
    const uint64_t now = m_device.GetFabric()->engine.Now();
    for (uint32_t i = 0; i < m_device.GetPortCount(); i++)
    {
        m_device.GetPort(i).Advance(now);
    }
    std::vector<Signal> due;
    for (ActivePause& active : m_active)
    {
        if (active.refresh <= now)
        {
            active.refresh = now + GetRefreshTicks(active.port);
            due.push_back({Word::REFRESH, active.port, active.priority});
        }
    }
    for (const Signal& signal : due)
    {
        Post(signal);
    }
    ArmRefresh();
}

} // namespace ns3
