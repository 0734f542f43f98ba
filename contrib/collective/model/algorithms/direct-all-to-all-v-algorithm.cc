/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "direct-all-to-all-v-algorithm.h"

#include "direct-all-to-all-algorithm.h"
#include "rail-channels.h"

#include "ns3/uinteger.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DirectAllToAllVAlgorithm);

TypeId
DirectAllToAllVAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DirectAllToAllVAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddConstructor<DirectAllToAllVAlgorithm>()
            .AddAttribute("MaxOutstanding",
                          "Messages that a rank has sent on each channel and that are not yet "
                          "acknowledged, at most. Default: as of ns3::DirectAllToAllAlgorithm.",
                          UintegerValue(8),
                          MakeUintegerAccessor(&DirectAllToAllVAlgorithm::m_maxOutstanding),
                          MakeUintegerChecker<uint32_t>(1));
    return tid;
}

bool
DirectAllToAllVAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_TO_ALL_V && request.sizes &&
           request.sizes->GetRanks() == request.GetGroupSize();
}

ByteRange
DirectAllToAllVAlgorithm::GetBytesSent(const CollectiveRequest& request, uint32_t rank) const
{
    const uint64_t bytes = request.sizes->GetRowBytes(rank) - request.sizes->Get(rank, rank);
    return {bytes, bytes};
}

CollectivePlan
DirectAllToAllVAlgorithm::DoPlan(const CollectiveRequest& request) const
{
    const uint32_t size = request.GetGroupSize();
    const uint32_t channels = RailChannels::CountStripes(request);
    CollectivePlan plan(ChunkGrid(0, request.elementBytes, size, channels, 1),
                        {DirectAllToAllAlgorithm::MakeProgram(size, m_maxOutstanding)});
    plan.SetSizes(request.sizes);
    plan.AddEqualChannels(size);
    return plan;
}

} // namespace ns3
