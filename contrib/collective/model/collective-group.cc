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
    if (!nics.empty() && nics.size() != ranks.size())
    {
        return who + std::to_string(ranks.size()) + " ranks but NICs for " +
               std::to_string(nics.size());
    }
    if (nicsPerRank == 0)
    {
        return who + "0 NICs per rank";
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

std::vector<uint32_t>
CollectiveGroup::GetNics() const
{
    std::map<uint32_t, uint32_t> numbers; // ascending
    for (const uint32_t nic : nics)
    {
        numbers.emplace(nic, 0);
    }
    uint32_t next = 0;
    for (auto& [nic, number] : numbers)
    {
        number = next++;
    }
    std::map<uint32_t, uint32_t> seated; // ranks so far, by server
    std::vector<uint32_t> own;
    bool isPlain = true;
    for (std::size_t i = 0; i < nics.size(); i++)
    {
        own.push_back(numbers[nics[i]]);
        const uint32_t seat = seated[servers[i]]++;
        isPlain = isPlain && own.back() == seat;
    }
    const bool oneEach = std::all_of(seated.begin(), seated.end(), [](const auto& server) {
        return server.second == 1;
    });
    return isPlain || oneEach || seated.size() < 2 ? std::vector<uint32_t>() : own;
}

uint32_t
CollectiveGroup::GetNicsPerRank() const
{
    const bool isInOneServer = std::all_of(servers.begin(), servers.end(), [this](uint32_t server) {
        return server == servers.front();
    });
    return isInOneServer ? 1 : nicsPerRank;
}

} // namespace ns3
