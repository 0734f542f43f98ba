/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "turn-port.h"

#include "ns3/abort.h"
#include "ns3/fetch-lines.h"

#include <algorithm>

namespace ns3
{

TurnPort::TurnPort(const FabricEngine& engine, uint64_t rateBps)
    : m_timer(this, &TurnPort::FetchForEnd),
      m_engine(engine),
      m_rateBps(rateBps),
      m_workPerByte(Work{8} * FRACTION * FabricEngine::GetTicksPerSecond())
{
    m_timer.Bind(&engine, 0);
}

TurnPort::Work
TurnPort::GetWork(uint64_t bytes) const
{
    const Work work = bytes * m_workPerByte / m_rateBps;
    NS_ABORT_MSG_IF(work / FRACTION >> 62,
                    "a message of " << bytes << " bytes takes longer than time lasts");
    return work;
}

void
TurnPort::Advance(uint64_t now)
{
    const Work served = (now - m_since) * FRACTION;
    m_credit = now == m_since ? m_credit : 0;
    m_since = now;
    if (!m_sharers.empty())
    {
        m_virtual += served / m_sharers.size();
    }
    else if (!m_packets.empty())
    {
        Work& work = m_packets.front().work;
        m_credit = served > work ? served - work : m_credit;
        work -= std::min(work, served);
    }
}

void
TurnPort::Add(Client* client, uint64_t bytes, bool isPacket)
{
    Advance(m_engine.Now());
    Work work = GetWork(bytes);
    const Work ahead = std::min(work, m_credit);
    work -= ahead;
    m_credit -= ahead;
    if (isPacket && m_sharers.empty())
    {
        m_packets.push_back({client, work});
        if (m_packets.size() == 1)
        {
            client->Began();
            Await();
        }
        return;
    }
    for (std::size_t i = 0; i < m_packets.size(); i++)
    {
        Share(m_packets[i].client, m_packets[i].work);
        if (i > 0)
        {
            m_packets[i].client->Began();
        }
    }
    m_packets.clear();
    Share(client, work);
    client->Began();
    Await();
}

double
TurnPort::GetShareUnserved(const Client* client, uint64_t bytes) const
{
    const Work served = (m_engine.Now() - m_since) * FRACTION;
    Work left = 0;
    for (const Sharer& sharer : m_sharers)
    {
        const Work until = m_virtual + served / m_sharers.size();
        left += sharer.client == client && sharer.end > until ? sharer.end - until : 0;
    }
    for (const Packet& packet : m_packets)
    {
        const Work part = &packet == &m_packets.front() ? std::min(packet.work, served) : 0;
        left += packet.client == client ? packet.work - part : 0;
    }
    return static_cast<double>(left) / std::max(1.0, static_cast<double>(GetWork(bytes)));
}

void
TurnPort::Share(Client* client, Work work)
{
    m_virtual = m_sharers.empty() ? 0 : m_virtual;
    m_sharers.push_back({m_virtual + work, m_count++, client});
    std::push_heap(m_sharers.begin(), m_sharers.end());
}

void
TurnPort::Await()
{
    Work work = 0;
    if (!m_sharers.empty())
    {
        const Work end = m_sharers.front().end;
        work = (end - std::min(end, m_virtual)) * m_sharers.size();
    }
    else if (!m_packets.empty())
    {
        work = m_packets.front().work;
    }
    else
    {
        m_timer.Clear();
        return;
    }
    m_timer.Set(m_since + static_cast<uint64_t>((work + FRACTION - 1) / FRACTION));
}

void
TurnPort::FetchForEnd(const FabricEvent* event, uint32_t stage)
{
    const TurnPort& port = *decltype(m_timer)::GetOwner(event);
    const bool isShared = !port.m_sharers.empty();
    if (!isShared && port.m_packets.empty())
    {
        return;
    }
    if (stage == 0)
    {
        FetchLines(isShared ? static_cast<const void*>(&port.m_sharers.front())
                            : &port.m_packets.front());
        return;
    }
    const Client* const client =
        isShared ? port.m_sharers.front().client : port.m_packets.front().client;
    stage == 1 ? FetchLines(client, 2) : client->FetchForServed();
}

void
TurnPort::OnEnd()
{
    Advance(m_engine.Now());
    m_served.clear();
    while (!m_sharers.empty() && m_sharers.front().end <= m_virtual)
    {
        m_served.push_back(m_sharers.front().client);
        m_credit = m_virtual - m_sharers.front().end;
        std::pop_heap(m_sharers.begin(), m_sharers.end());
        m_sharers.pop_back();
    }
    if (!m_packets.empty() && m_packets.front().work == 0)
    {
        m_served.push_back(m_packets.front().client);
        m_packets.pop_front();
        if (!m_packets.empty())
        {
            Packet& next = m_packets.front();
            const Work ahead = std::min(next.work, m_credit);
            next.work -= ahead;
            m_credit -= ahead;
            next.client->Began();
        }
    }
    Await();
    for (Client* client : m_served)
    {
        client->Served();
    }
}

} // namespace ns3
