/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef CHUNK_GRID_H
#define CHUNK_GRID_H

#include <array>
#include <cstdint>

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
        return m_parts * m_channels * m_slices;
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
    ChunkSpan GetSpan(uint32_t index) const;

    /**
     * Divides a part that has a size of its own.
     * \param partBytes its size, bytes
     * \param channel a channel
     * \return the channel's share of it, bytes
     */
    uint64_t GetShare(uint64_t partBytes, uint32_t channel) const
    {
        return m_channels == 1
                   ? partBytes
                   : ChunkGrid(partBytes, m_elementBytes, 1, m_channels, 1).GetBytes(0, channel, 0);
    }

    /**
     * Fast: neither divides nor touches memory that depends on the chunk.
     * \param part a part
     * \param channel a channel
     * \param slice a slice
     * \return size of the chunk, bytes
     */
    uint64_t GetBytes(uint32_t part, uint32_t channel, uint32_t slice) const
    {
        const uint32_t large = m_ofWhole.IsLarger(part);
        const Division& slices = m_ofChannels[large][m_ofParts[large].IsLarger(channel)];
        const uint64_t bytes = slices.GetCount(slice) * m_elementBytes;
        return GetIndex(part, channel, slice) == m_shortChunk ? bytes - m_missing : bytes;
    }

  private:
    /** \brief A number of elements, divided as evenly as possible. */
    struct Division
    {
        uint64_t share{0};  //!< elements of a piece
        uint64_t larger{0}; //!< the first pieces, which have one element more

        /** \param piece number of a piece \return 1 if it is one of the larger ones, else 0 */
        uint32_t IsLarger(uint32_t piece) const
        {
            return piece < larger ? 1 : 0;
        }

        /** \param piece number of a piece \return its elements */
        uint64_t GetCount(uint32_t piece) const
        {
            return share + IsLarger(piece);
        }

        /** \param piece number of a piece \return the elements before it */
        uint64_t GetBegin(uint32_t piece) const
        {
            return piece * share + (piece < larger ? piece : larger);
        }
    };

    /** \param elements how many \param pieces into how many \return the division */
    static Division Divide(uint64_t elements, uint32_t pieces)
    {
        return {elements / pieces, elements % pieces};
    }

    uint32_t m_parts{0};        //!< parts
    uint32_t m_channels{0};     //!< channels
    uint32_t m_slices{0};       //!< slices
    uint64_t m_bytes{0};        //!< size of the operand
    uint32_t m_elementBytes{0}; //!< size of an element
    uint64_t m_missing{0};      //!< what the last element lacks, bytes
    uint64_t m_shortChunk{UINT64_MAX}; //!< the chunk of that element, if it lacks something
    Division m_ofWhole;                //!< of the operand into parts
    std::array<Division, 2> m_ofParts; //!< of a part among channels; [1] of a larger one
    std::array<std::array<Division, 2>, 2> m_ofChannels; //!< of a channel's share into slices, by
                                                         //!< part and channel
};

} // namespace ns3

#endif /* CHUNK_GRID_H */
