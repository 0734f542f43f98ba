/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "msccl-algorithm.h"

#include "ns3/collective-protocol.h"
#include "ns3/msccl-plan-writer.h"
#include "ns3/msccl-schedule.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(MscclAlgorithm);

namespace
{

constexpr uint32_t STEPS = 8; //!< of a buffer, NCCL_STEPS

} // namespace

TypeId
MscclAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::MscclAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddConstructor<MscclAlgorithm>()
            .AddAttribute("Files",
                          "XML files of MSCCL, or folders of them, with commas between them; the "
                          "first that fits a request is taken. Empty: none, and nothing is "
                          "supported.",
                          StringValue(""),
                          MakeStringAccessor(&MscclAlgorithm::m_files),
                          MakeStringChecker())
            .AddAttribute("BufferBytes",
                          "Buffer of a connection with protocol Simple (NCCL_BUFFSIZE).",
                          UintegerValue(4194304),
                          MakeUintegerAccessor(&MscclAlgorithm::m_bufferBytes),
                          MakeUintegerChecker<uint64_t>(STEPS, 1ULL << 40));
    return tid;
}

MscclPipe
MscclAlgorithm::GetPipe(const std::string& protocol, uint64_t bufferBytes)
{
    if (protocol == "Simple")
    {
        // A send takes half of the buffer, in two slices (MSCCL_CHUNKSTEPS, MSCCL_SLICESTEPS).
        return {bufferBytes / 4, 2, 4, 2};
    }
    return {protocol == "LL" ? CollectiveProtocol::LL_STEP : CollectiveProtocol::LL128_STEP,
            1,
            STEPS,
            STEPS};
}

const MscclLibrary&
MscclAlgorithm::GetLibrary() const
{
    if (!m_library || m_read != m_files)
    {
        m_library = std::make_unique<MscclLibrary>(m_files);
        m_read = m_files;
    }
    return *m_library;
}

bool
MscclAlgorithm::Supports(const CollectiveRequest& request) const
{
    return GetLibrary().Find(request) != nullptr;
}

ByteRange
MscclAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const MscclProgram& program = *GetLibrary().Find(request);
    uint64_t chunks = 0;
    for (const MscclThreadBlock& block : program.gpus[rank].blocks)
    {
        for (const MscclStep& step : block.steps)
        {
            chunks += Sends(step.type) ? step.count : 0;
        }
    }
    const uint64_t bytes = chunks * (request.bytes / program.chunks);
    return {bytes, bytes};
}

std::string
MscclAlgorithm::GetProtocolName(const CollectiveRequest& request) const
{
    return GetLibrary().Find(request)->protocol;
}

CollectivePlan
MscclAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const MscclProgram& program = *GetLibrary().Find(request);
    const MscclPipe pipe = GetPipe(program.protocol, m_bufferBytes);
    const uint64_t chunkBytes = request.bytes / program.chunks;
    const uint64_t atOnce = std::clamp<uint64_t>(pipe.GetOperationBytes() / chunkBytes,
                                                 1,
                                                 std::numeric_limits<uint32_t>::max());
    const MscclSchedule schedule(program, {pipe.operations, static_cast<uint32_t>(atOnce)});
    MscclPlanWriter writer(program, schedule, pipe, request.bytes, request.elementBytes);
    return writer.Write(!program.isOutOfPlace);
}

} // namespace ns3
