/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "collective-group.h"

#include <algorithm>
#include <map>

namespace ns3
{

std::string
CollectiveGroup::Check() const
{
    const std::string who = "group " + name + ": ";
    if (ranks.empty())
    {
        return who + "no ranks";
    }
    if (servers.size() != ranks.size())
    {
        return who + std::to_string(ranks.size()) + " ranks but servers for " +
               std::to_string(servers.size());
    }
    std::vector<uint32_t> sorted = ranks;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end())
    {
        return who + "rank " + std::to_string(*twice) + " more than once";
    }
    return "";
}

std::vector<uint32_t>
CollectiveGroup::GetPlacement() const
{
    std::map<uint32_t, uint32_t> numbers;
    std::vector<uint32_t> placement;
    placement.reserve(servers.size());
    for (const uint32_t server : servers)
    {
        const auto number = static_cast<uint32_t>(numbers.size());
        placement.push_back(numbers.emplace(server, number).first->second);
    }
    return placement;
}

} // namespace ns3
