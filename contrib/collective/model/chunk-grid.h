/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CHUNK_GRID_H
#define CHUNK_GRID_H

#include <cstdint>
#include <vector>

namespace ns3
{

/** \ingroup collective \brief A contiguous piece of an operand. */
struct ChunkSpan
{
    uint64_t offset{0}; //!< first byte
    uint64_t bytes{0};  //!< length, 0 allowed
};

/**
 * \ingroup collective
 * \brief Divides an operand into parts, each part among channels, each of those into slices.
 *
 * Every division is as even as whole elements allow: of u units in p pieces the first u mod p have
 * one unit more. The spans cover the operand exactly, in the order part, channel, slice; where
 * there are fewer elements than pieces, some spans are empty.
 */
class ChunkGrid
{
  public:
    /** An empty grid. */
    ChunkGrid() = default;

    /**
     * \param bytes size of the operand
     * \param elementBytes an element is never split; a shorter last one counts as an element
     * \param parts number of parts, at least 1
     * \param channels number of channels, at least 1
     * \param slices number of slices, at least 1
     */
    ChunkGrid(uint64_t bytes,
              uint32_t elementBytes,
              uint32_t parts,
              uint32_t channels,
              uint32_t slices);

    /** \return the number of parts */
    uint32_t GetParts() const
    {
        return m_parts;
    }

    /** \return the number of channels */
    uint32_t GetChannels() const
    {
        return m_channels;
    }

    /** \return the number of slices */
    uint32_t GetSlices() const
    {
        return m_slices;
    }

    /** \return the number of chunks */
    uint32_t GetCount() const
    {
        return static_cast<uint32_t>(m_spans.size());
    }

    /**
     * \param part a part
     * \param channel a channel
     * \param slice a slice
     * \return the number of the chunk
     */
    uint32_t GetIndex(uint32_t part, uint32_t channel, uint32_t slice) const
    {
        return (part * m_channels + channel) * m_slices + slice;
    }

    /**
     * \param index the number of a chunk
     * \return where it lies
     */
    const ChunkSpan& GetSpan(uint32_t index) const
    {
        return m_spans[index];
    }

  private:
    uint32_t m_parts{0};            //!< parts
    uint32_t m_channels{0};         //!< channels
    uint32_t m_slices{0};           //!< slices
    std::vector<ChunkSpan> m_spans; //!< by chunk number
};

} // namespace ns3

#endif /* CHUNK_GRID_H */
