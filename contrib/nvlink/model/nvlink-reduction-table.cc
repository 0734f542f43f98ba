/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "nvlink-reduction-table.h"

#include "nvlink-frame.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

bool
NvlinkReductionTable::Add(const FabricPacket& packet, const std::vector<uint32_t>& team)
{
    Stream& stream = m_streams[{packet.qp, packet.dst, packet.flow, GetNvlinkLane(packet)}];
    stream.pieces.resize(team.size(), 0);
    const auto member = std::lower_bound(team.begin(), team.end(), packet.src) - team.begin();
    const uint64_t place = stream.pieces[member]++ - stream.first;
    if (place == stream.missing.size())
    {
        stream.missing.push_back(static_cast<uint32_t>(team.size()));
        m_heldBytes += packet.payloadBytes;
        m_maxHeldBytes = std::max(m_maxHeldBytes, m_heldBytes);
    }
    NS_ASSERT_MSG(place < stream.missing.size(), "a contribution to a sum that is complete");
    if (--stream.missing[place] > 0)
    {
        return false;
    }
    NS_ASSERT_MSG(place == 0, "sums of a lane are completed in order");
    stream.missing.pop_front();
    stream.first++;
    m_heldBytes -= packet.payloadBytes;
    return true;
}

} // namespace ns3
