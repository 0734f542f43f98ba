/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "chunk-grid.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/** \brief A range of units. */
struct UnitRange
{
    uint64_t begin; //!< first unit
    uint64_t count; //!< number of units
};

/**
 * \param whole the range to divide
 * \param pieces into how many
 * \param index which piece
 * \return the piece
 */
UnitRange
Split(const UnitRange& whole, uint32_t pieces, uint32_t index)
{
    const uint64_t share = whole.count / pieces;
    const uint64_t larger = whole.count % pieces;
    return {whole.begin + index * share + std::min<uint64_t>(index, larger),
            share + (index < larger ? 1 : 0)};
}

/**
 * \param units the range in elements
 * \param bytes size of the operand
 * \param elementBytes size of an element
 * \return the range in bytes
 */
ChunkSpan
ToSpan(const UnitRange& units, uint64_t bytes, uint32_t elementBytes)
{
    const uint64_t begin = std::min(units.begin * elementBytes, bytes);
    const uint64_t end = std::min((units.begin + units.count) * elementBytes, bytes);
    return {begin, end - begin};
}

} // namespace

ChunkGrid::ChunkGrid(uint64_t bytes,
                     uint32_t elementBytes,
                     uint32_t parts,
                     uint32_t channels,
                     uint32_t slices)
    : m_parts(parts),
      m_channels(channels),
      m_slices(slices)
{
    NS_ASSERT_MSG(elementBytes > 0 && parts > 0 && channels > 0 && slices > 0, "empty division");
    m_spans.reserve(static_cast<std::size_t>(parts) * channels * slices);
    const UnitRange whole{0, bytes / elementBytes + (bytes % elementBytes != 0 ? 1 : 0)};
    for (uint32_t part = 0; part < parts; part++)
    {
        const UnitRange ofPart = Split(whole, parts, part);
        for (uint32_t channel = 0; channel < channels; channel++)
        {
            const UnitRange ofChannel = Split(ofPart, channels, channel);
            for (uint32_t slice = 0; slice < slices; slice++)
            {
                m_spans.push_back(ToSpan(Split(ofChannel, slices, slice), bytes, elementBytes));
            }
        }
    }
}

} // namespace ns3
