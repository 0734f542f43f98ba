/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "rail-channels.h"

#include "channel-range.h"

#include "ns3/collective-tag.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

RailChannels::RailChannels(uint32_t rails, uint32_t nics, uint32_t trees)
    : m_rails(rails),
      m_nics(nics),
      m_trees(trees),
      m_sets(nics / std::gcd(nics, trees))
{
}

uint32_t
RailChannels::GetRail(uint32_t channel) const
{
    const uint32_t lot = channel / m_trees;
    const uint32_t round = lot / std::lcm(m_rails, m_sets) % std::gcd(m_rails, m_sets);
    return (lot + round) % m_rails;
}

uint32_t
RailChannels::GetTree(uint32_t channel) const
{
    const uint32_t lot = channel / m_trees;
    const uint32_t round = lot / (m_rails * m_sets) % std::gcd(m_nics, m_trees);
    return (channel + round) % m_trees;
}

uint32_t
RailChannels::CountStripes(const CollectiveRequest& request)
{
    const uint64_t worthwhile =
        std::max<uint64_t>(request.bytes / ChannelRange::MIN_CHANNEL_BYTES, 1);
    const uint32_t most = std::min(request.nicsPerRank, CollectiveTag::MAX_CHANNELS);
    return static_cast<uint32_t>(std::min<uint64_t>(most, worthwhile));
}

} // namespace ns3
