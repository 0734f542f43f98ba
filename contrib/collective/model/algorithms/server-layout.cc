/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "server-layout.h"

#include <algorithm>

namespace ns3
{

ServerLayout::ServerLayout(const std::vector<uint32_t>& placement)
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
}

} // namespace ns3
