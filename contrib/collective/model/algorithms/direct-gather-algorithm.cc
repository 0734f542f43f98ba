/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "direct-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectGatherAlgorithm);

TypeId
DirectGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DirectGatherAlgorithm")
                            .SetParent<DirectRootedAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<DirectGatherAlgorithm>();
    return tid;
}

bool
DirectGatherAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::GATHER && request.root < request.GetGroupSize();
}

ByteRange
DirectGatherAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint64_t bytes = rank == request.root ? 0 : GetPartBytes(request, rank);
    return {bytes, bytes};
}

CollectivePlan
DirectGatherAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    return MakePlan(request, false, request.GetGroupSize());
}

} // namespace ns3
