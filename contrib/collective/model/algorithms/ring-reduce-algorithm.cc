/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingReduceAlgorithm);

TypeId
RingReduceAlgorithm::GetTypeId()
{
    static TypeId tid = AddPipelineAttributes(TypeId("ns3::RingReduceAlgorithm")
                                                  .SetParent<PipelinedRingAlgorithm>()
                                                  .SetGroupName("Collective")
                                                  .AddConstructor<RingReduceAlgorithm>());
    return tid;
}

CollectiveKind
RingReduceAlgorithm::GetKind() const
{
    return CollectiveKind::REDUCE;
}

ByteRange
RingReduceAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint64_t bytes = rank == request.root ? 0 : request.bytes;
    return {bytes, bytes};
}

} // namespace ns3
