/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "slice-pipeline.h"

#include "ns3/collective-tag.h"
#include "ns3/config-error.h"
#include "ns3/object-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint64_t BUFFER_STEP = 524288; //!< bytes, see AddPipelineAttributes()

/** \return see SlicePipeline::GetBufferedTypes() */
std::vector<TypeId>&
GetKnownTypes()
{
    static std::vector<TypeId> types;
    return types;
}

} // namespace

const std::vector<TypeId>&
SlicePipeline::GetBufferedTypes()
{
    return GetKnownTypes();
}

TypeId
SlicePipeline::AddPipelineAttributes(TypeId tid, const std::string& note)
{
    GetKnownTypes().push_back(tid);
    return AddPipelineAttributes(tid,
                                 BUFFER_STEP,
                                 "the step of NCCL's Simple protocol, 4 MiB of buffer "
                                 "(NCCL_BUFFSIZE) in 8 steps (NCCL_STEPS)",
                                 note);
}

TypeId
SlicePipeline::AddPipelineAttributes(TypeId tid,
                                     uint64_t sliceBytes,
                                     const std::string& source,
                                     const std::string& note)
{
    return tid
        .AddAttribute("SliceBytes",
                      "Largest message. Default: " + source +
                          ". 0: one message per chunk, no pipelining." +
                          (note.empty() ? "" : " " + note),
                      UintegerValue(sliceBytes),
                      MakeUintegerAccessor(&SlicePipeline::m_sliceBytes),
                      MakeUintegerChecker<uint64_t>())
        .AddAttribute("SlicesInFlight",
                      "Slices of a channel, or of a part, that are sent to another rank and not "
                      "yet acknowledged, at most. Default: NCCL_STEPS.",
                      UintegerValue(8),
                      MakeUintegerAccessor(&SlicePipeline::m_slicesInFlight),
                      MakeUintegerChecker<uint32_t>(1));
}

void
SlicePipeline::RequireMessages(const std::string& attribute,
                               uint32_t slices,
                               uint64_t messages,
                               uint64_t bytes)
{
    if (slices > CollectiveTag::MAX_MESSAGES / messages)
    {
        const uint64_t most = std::max<uint64_t>(CollectiveTag::MAX_MESSAGES / messages, 1);
        throw ConfigError("attribute",
                          attribute,
                          std::to_string(slices) + " slices of " + std::to_string(bytes) + " bytes",
                          "slices of " + std::to_string((bytes + most - 1) / most) +
                              " bytes or more, or 0: a channel carries " +
                              std::to_string(CollectiveTag::MAX_MESSAGES) +
                              " messages of a collective at most");
    }
}

uint32_t
SlicePipeline::GetSliceCount(uint64_t chunkBytes, uint64_t sliceBytes)
{
    if (sliceBytes == 0 || chunkBytes <= sliceBytes)
    {
        return 1;
    }
    const uint64_t slices = chunkBytes / sliceBytes + (chunkBytes % sliceBytes != 0);
    return static_cast<uint32_t>(std::min<uint64_t>(slices, std::numeric_limits<uint32_t>::max()));
}

uint32_t
SlicePipeline::CutIntoSlices(const std::string& attribute,
                             uint64_t chunkBytes,
                             uint64_t sliceBytes,
                             uint64_t messages)
{
    const uint32_t slices = GetSliceCount(chunkBytes, sliceBytes);
    RequireMessages(attribute, slices, messages, chunkBytes);
    return slices;
}

} // namespace ns3
