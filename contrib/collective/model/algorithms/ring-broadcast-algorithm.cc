/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-broadcast-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingBroadcastAlgorithm);

TypeId
RingBroadcastAlgorithm::GetTypeId()
{
    static TypeId tid = AddPipelineAttributes(TypeId("ns3::RingBroadcastAlgorithm")
                                                  .SetParent<PipelinedRingAlgorithm>()
                                                  .SetGroupName("Collective")
                                                  .AddConstructor<RingBroadcastAlgorithm>());
    return tid;
}

CollectiveKind
RingBroadcastAlgorithm::GetKind() const
{
    return CollectiveKind::BROADCAST;
}

ByteRange
RingBroadcastAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    // All but the last rank of a ring send its share; a rank may be last on any of the rings.
    return {rank == request.root ? request.bytes : 0, request.bytes};
}

} // namespace ns3
