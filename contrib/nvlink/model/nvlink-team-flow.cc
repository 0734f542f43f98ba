/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-team-flow.h"

#include "ns3/assert.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NvlinkTeamFlow::NvlinkTeamFlow(std::vector<uint64_t> rates)
    : m_rates(std::move(rates))
{
}

std::vector<NvlinkShare>
NvlinkTeamFlow::Split(uint64_t bytes, uint32_t number, uint64_t leastBytes) const
{
    const auto all = static_cast<uint32_t>(m_rates.size());
    const uint64_t worthwhile = std::max<uint64_t>(bytes / std::max<uint64_t>(leastBytes, 1), 1);
    const auto used = static_cast<uint32_t>(std::min<uint64_t>(all, worthwhile));
    uint64_t rates = 0;
    for (uint32_t i = 0; i < used; i++)
    {
        rates += m_rates[(number + i) % all];
    }
    std::vector<NvlinkShare> shares;
    uint64_t rate = 0;
    uint64_t begin = 0;
    for (uint32_t i = 0; i < used; i++)
    {
        const uint32_t lane = (number + i) % all;
        rate += m_rates[lane];
        const auto end =
            static_cast<uint64_t>(static_cast<unsigned __int128>(bytes) * rate / rates);
        shares.push_back({lane, end - begin});
        begin = end;
    }
    return shares;
}

uint32_t
NvlinkTeamFlow::Push(const Message& message, uint32_t lanes)
{
    const uint32_t number = GetNextNumber();
    m_messages.push_back({message, lanes});
    return number;
}

bool
NvlinkTeamFlow::ShareLeft(uint32_t number, Message& done)
{
    Outgoing& outgoing = m_messages.at(number - m_firstNumber);
    NS_ASSERT_MSG(outgoing.lanes > 0, "a share left twice");
    if (--outgoing.lanes > 0)
    {
        return false;
    }
    done = outgoing.message;
    while (!m_messages.empty() && m_messages.front().lanes == 0)
    {
        m_messages.pop_front();
        m_firstNumber++;
    }
    return true;
}

} // namespace ns3
