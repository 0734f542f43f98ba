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
 * \param nics the server's ranks by NIC, by rail
 * \param entry the rail on which the ring enters
 * \param exit the rail on which it should leave
 * \param canReturn whether it can leave on that on which it entered, from another rank
 */
void
AppendServer(std::vector<uint32_t>& order,
             const std::vector<std::vector<uint32_t>>& nics,
             uint32_t entry,
             uint32_t exit,
             bool canReturn)
{
    const auto size = static_cast<uint32_t>(nics.size());
    const auto append = [&](uint32_t rail, std::size_t first) {
        order.insert(order.end(), nics[rail].begin() + first, nics[rail].end());
    };
    const bool returns = exit == entry && canReturn;
    if (exit == entry && !returns)
    {
        exit = (entry + size - 1) % size;
    }
    const uint32_t stride = exit == (entry + 1) % size ? size - 1 : 1;
    if (returns)
    {
        order.push_back(nics[entry].front());
    }
    for (uint32_t i = 0, rail = entry; i < size; i++, rail = (rail + stride) % size)
    {
        if (rail != exit)
        {
            append(rail, 0);
        }
    }
    append(exit, returns ? 1 : 0);
}

} // namespace

RingOrder::RingOrder(const std::vector<uint32_t>& placement, const std::vector<uint32_t>& nics)
    : m_servers(placement, nics),
      m_staysOnRail(StaysOnRail())
{
}

uint32_t
RingOrder::GetRingCount() const
{
    return m_servers.GetCount() < 2 ? 1 : m_servers.GetNicRails();
}

std::vector<uint32_t>
RingOrder::GetRing(uint32_t ring) const
{
    const uint32_t count = m_servers.GetCount();
    if (count < 2)
    {
        return count == 0 ? std::vector<uint32_t>() : m_servers.GetRanks(0);
    }
    ring %= m_servers.GetNicRails();
    std::vector<uint32_t> order;
    for (uint32_t server = 0; server < count; server++)
    {
        AppendServer(order,
                     m_servers.GetNics(server),
                     GetEntry(server, ring),
                     GetEntry((server + 1) % count, ring),
                     CanReturn(server));
    }
    return order;
}

uint32_t
RingOrder::GetEntry(uint32_t server, uint32_t ring) const
{
    if (m_staysOnRail)
    {
        return ring;
    }
    const uint32_t rails = m_servers.GetNicRails();
    const bool isOdd = server % 2 != 0;
    const bool needsThirdRail = server > 0 && server + 1 == m_servers.GetCount() && !isOdd;
    if (needsThirdRail && rails > 2)
    {
        return (ring + 1) % rails;
    }
    return isOdd ? (ring + rails - 1) % rails : ring;
}

bool
RingOrder::CanReturn(uint32_t server) const
{
    const auto& nics = m_servers.GetNics(server);
    return std::all_of(nics.begin(), nics.begin() + m_servers.GetNicRails(), [](const auto& ranks) {
        return ranks.size() > 1;
    });
}

bool
RingOrder::StaysOnRail() const
{
    for (uint32_t server = 0; server < m_servers.GetCount(); server++)
    {
        if (m_servers.GetRanks(server).size() > 1 && !CanReturn(server))
        {
            return false;
        }
    }
    return true;
}

} // namespace ns3
