/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{

ServerLayout::ServerLayout(const std::vector<uint32_t>& placement)
    : ServerLayout(placement, {})
{
}

ServerLayout::ServerLayout(const std::vector<uint32_t>& placement,
                           const std::vector<uint32_t>& nics)
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
        const auto size = static_cast<uint32_t>(server.size());
        m_isEven = m_isEven && size == m_servers[0].size();
        m_rails = m_rails == 0 ? size : std::min(m_rails, size);
    }
    SortByNic(nics);
}

void
ServerLayout::SortByNic(const std::vector<uint32_t>& nics)
{
    using Sorted = std::map<uint32_t, std::vector<uint32_t>>; // ranks, by number of the NIC
    std::vector<Sorted> servers(m_servers.size());
    std::map<uint32_t, uint32_t> owners; // servers that have a NIC of that number
    for (uint32_t server = 0; server < m_servers.size(); server++)
    {
        for (uint32_t i = 0; i < m_servers[server].size(); i++)
        {
            const uint32_t rank = m_servers[server][i];
            servers[server][nics.empty() ? i : nics[rank]].push_back(rank);
        }
        for (const auto& [nic, ranks] : servers[server])
        {
            owners[nic]++;
        }
    }
    for (const Sorted& server : servers)
    {
        std::vector<std::vector<uint32_t>> own;
        for (const bool common : {true, false})
        {
            for (const auto& [nic, ranks] : server)
            {
                if ((owners[nic] == servers.size()) == common)
                {
                    own.push_back(ranks);
                }
            }
        }
        const auto size = static_cast<uint32_t>(own.size());
        m_nicRails = m_nicRails == 0 ? size : std::min(m_nicRails, size);
        m_nics.push_back(std::move(own));
    }
}

} // namespace ns3
