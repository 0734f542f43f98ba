/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-order.h"

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
    : m_servers(placement)
{
}

uint32_t
RingOrder::GetRingCount() const
{
    return m_servers.GetCount() < 2 ? 1 : m_servers.GetRails();
}

std::vector<uint32_t>
RingOrder::GetRing(uint32_t ring) const
{
    const uint32_t count = m_servers.GetCount();
    if (count < 2)
    {
        return count == 0 ? std::vector<uint32_t>() : m_servers.GetRanks(0);
    }
    ring %= m_servers.GetRails();
    std::vector<uint32_t> order;
    for (uint32_t server = 0; server < count; server++)
    {
        AppendServer(order,
                     m_servers.GetRanks(server),
                     GetEntry(server, ring),
                     GetEntry((server + 1) % count, ring));
    }
    return order;
}

uint32_t
RingOrder::GetEntry(uint32_t server, uint32_t ring) const
{
    const uint32_t rails = m_servers.GetRails();
    const bool isOdd = server % 2 != 0;
    const bool needsThirdRail = server > 0 && server + 1 == m_servers.GetCount() && !isOdd;
    if (needsThirdRail && rails > 2)
    {
        return (ring + 1) % rails;
    }
    return isOdd ? (ring + rails - 1) % rails : ring;
}

} // namespace ns3
