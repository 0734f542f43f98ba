/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chunk-grid.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

ChunkGrid::ChunkGrid(uint64_t bytes,
                     uint32_t elementBytes,
                     uint32_t parts,
                     uint32_t channels,
                     uint32_t slices)
    : m_parts(parts),
      m_channels(channels),
      m_slices(slices),
      m_bytes(bytes),
      m_elementBytes(elementBytes)
{
    NS_ASSERT_MSG(elementBytes > 0 && parts > 0 && channels > 0 && slices > 0, "empty division");
    const uint64_t lastBytes = bytes % elementBytes;
    const uint64_t elements = bytes / elementBytes + (lastBytes != 0 ? 1 : 0);
    m_ofWhole = Divide(elements, parts);
    for (uint32_t part = 0; part < 2; part++)
    {
        m_ofParts[part] = Divide(m_ofWhole.share + part, channels);
        for (uint32_t channel = 0; channel < 2; channel++)
        {
            m_ofChannels[part][channel] = Divide(m_ofParts[part].share + channel, slices);
        }
    }
    if (lastBytes == 0)
    {
        return;
    }
    uint32_t last = GetCount() - 1;
    while (GetSpan(last).bytes == 0)
    {
        last--;
    }
    m_shortChunk = last;
    m_missing = elementBytes - lastBytes;
}

ChunkSpan
ChunkGrid::GetSpan(uint32_t index) const
{
    const uint32_t slice = index % m_slices;
    const uint32_t channel = index / m_slices % m_channels;
    const uint32_t part = index / m_slices / m_channels;
    const uint32_t large = m_ofWhole.IsLarger(part);
    const Division& slices = m_ofChannels[large][m_ofParts[large].IsLarger(channel)];
    const uint64_t begin = m_ofWhole.GetBegin(part) + m_ofParts[large].GetBegin(channel) +
                           slices.GetBegin(slice);
    return {std::min(begin * m_elementBytes, m_bytes), GetBytes(part, channel, slice)};
}

} // namespace ns3
