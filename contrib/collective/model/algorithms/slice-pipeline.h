/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#ifndef SLICE_PIPELINE_H
#define SLICE_PIPELINE_H

#include "ns3/type-id.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * \ingroup collective
 * \brief What algorithms share that pass a large operand on in slices: attributes SliceBytes and
 * SlicesInFlight, and what follows from them. A second base of such an algorithm.
 */
class SlicePipeline
{
  public:
    virtual ~SlicePipeline() = default;

    /** \return all types whose slices are steps of the buffer (NCCL_BUFFSIZE) */
    static const std::vector<TypeId>& GetBufferedTypes();

    /**
     * \param chunkBytes the largest chunk
     * \param sliceBytes the largest slice, 0 for no slices
     * \return into how many slices every chunk is cut
     */
    static uint32_t GetSliceCount(uint64_t chunkBytes, uint64_t sliceBytes);

    /**
     * Throws a ConfigError if a plan has more messages than a channel can number.
     * \param attribute full name of the attribute that cuts slices
     * \param slices into how many every chunk is cut
     * \param messages messages of a channel for each of the slices, at most
     * \param bytes the largest chunk
     */
    static void RequireMessages(const std::string& attribute,
                                uint32_t slices,
                                uint64_t messages,
                                uint64_t bytes);

    /**
     * Throws a ConfigError if a plan has more messages than a channel can number.
     * \param attribute full name of the attribute that cuts slices
     * \param chunkBytes the largest chunk
     * \param sliceBytes the largest slice, 0 for no slices
     * \param messages messages of a channel for each of the slices, at most
     * \return into how many slices every chunk is cut
     */
    static uint32_t CutIntoSlices(const std::string& attribute,
                                  uint64_t chunkBytes,
                                  uint64_t sliceBytes,
                                  uint64_t messages);

  protected:
    /**
     * \param tid a TypeId of a class that has this base, whose slices are steps of the buffer
     * \param note what else is to be said of SliceBytes, whole sentences
     * \return the same with the attributes SliceBytes and SlicesInFlight
     */
    static TypeId AddPipelineAttributes(TypeId tid, const std::string& note = "");

    /**
     * \param tid a TypeId of a class that has this base
     * \param sliceBytes default of SliceBytes
     * \param source where the default comes from
     * \param note what else is to be said of SliceBytes, whole sentences
     * \return the same with the attributes SliceBytes and SlicesInFlight
     */
    static TypeId AddPipelineAttributes(TypeId tid,
                                        uint64_t sliceBytes,
                                        const std::string& source,
                                        const std::string& note = "");

    uint64_t m_sliceBytes;     //!< attribute SliceBytes
    uint32_t m_slicesInFlight; //!< attribute SlicesInFlight
};

} // namespace ns3

#endif /* SLICE_PIPELINE_H */
