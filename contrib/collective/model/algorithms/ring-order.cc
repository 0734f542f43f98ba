/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-order.h"

#include <algorithm>

namespace ns3
{

namespace
{

/**
 * Appends the ranks of a server in the order in which a ring passes through it.
 * \param order the ring
 * \param ranks the server's ranks by rail
 * \param entry the rail on which the ring enters
 * \param exit the rail on which it should leave
 */
void
AppendServer(std::vector<uint32_t>& order,
             const std::vector<uint32_t>& ranks,
             uint32_t entry,
             uint32_t exit)
{
    const auto size = static_cast<uint32_t>(ranks.size());
    if (size == 1)
    {
        order.push_back(ranks[0]);
        return;
    }
    if (exit == entry)
    {
        exit = (entry + size - 1) % size;
    }
    const uint32_t stride = exit == (entry + 1) % size ? size - 1 : 1;
    for (uint32_t i = 0, rail = entry; i < size; i++, rail = (rail + stride) % size)
    {
        if (rail != exit)
        {
            order.push_back(ranks[rail]);
        }
    }
    order.push_back(ranks[exit]);
}

} // namespace

RingOrder::RingOrder(const std::vector<uint32_t>& placement)
    : m_rails(UINT32_MAX)
{
    for (uint32_t rank = 0; rank < placement.size(); rank++)
    {
        if (placement[rank] >= m_servers.size())
        {
            m_servers.resize(placement[rank] + 1);
        }
        m_servers[placement[rank]].push_back(rank);
    }
    for (const auto& server : m_servers)
    {
        m_rails = std::min(m_rails, static_cast<uint32_t>(server.size()));
    }
}

uint32_t
RingOrder::GetRingCount() const
{
    return m_servers.size() < 2 ? 1 : m_rails;
}

std::vector<uint32_t>
RingOrder::GetRing(uint32_t ring) const
{
    if (m_servers.size() < 2)
    {
        return m_servers.empty() ? std::vector<uint32_t>() : m_servers[0];
    }
    ring %= m_rails;
    std::vector<uint32_t> order;
    for (uint32_t server = 0; server < m_servers.size(); server++)
    {
        const auto next = static_cast<uint32_t>((server + 1) % m_servers.size());
        AppendServer(order, m_servers[server], GetEntry(server, ring), GetEntry(next, ring));
    }
    return order;
}

uint32_t
RingOrder::GetEntry(uint32_t server, uint32_t ring) const
{
    const bool isOdd = server % 2 != 0;
    const bool needsThirdRail = server > 0 && server + 1 == m_servers.size() && !isOdd;
    if (needsThirdRail && m_rails > 2)
    {
        return (ring + 1) % m_rails;
    }
    return isOdd ? (ring + m_rails - 1) % m_rails : ring;
}

} // namespace ns3
