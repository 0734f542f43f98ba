/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "direct-scatter-algorithm.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectScatterAlgorithm);

TypeId
DirectScatterAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DirectScatterAlgorithm")
            .SetParent<DirectRootedAlgorithm>()
            .SetGroupName("Collective")
            .AddConstructor<DirectScatterAlgorithm>()
            .AddAttribute("MaxOutstanding",
                          "Messages that the root has sent on each channel and that are not yet "
                          "acknowledged, at most. Default: the peers that NCCL serves in one batch "
                          "(NCCL_MAX_DEV_WORK_P2P_PER_BATCH).",
                          UintegerValue(8),
                          MakeUintegerAccessor(&DirectScatterAlgorithm::m_maxOutstanding),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
DirectScatterAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::SCATTER && request.root < request.GetGroupSize();
}

ByteRange
DirectScatterAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint64_t bytes = rank == request.root ? request.bytes - GetPartBytes(request, rank) : 0;
    return {bytes, bytes};
}

CollectivePlan
DirectScatterAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    return MakePlan(request, true, m_maxOutstanding);
}

} // namespace ns3
