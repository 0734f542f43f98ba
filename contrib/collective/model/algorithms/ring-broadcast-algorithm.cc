/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-broadcast-algorithm.h"

#include <algorithm>

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
    const uint32_t channels = GetChannelCount(request);
    const auto orders = GetOrders(request, channels);
    const ChunkGrid whole(request.bytes, request.elementBytes, 1, channels, 1);
    uint64_t bytes = 0;
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        const auto& order = orders[channel];
        const auto root = std::find(order.begin(), order.end(), request.root);
        const uint32_t last = root == order.begin() ? order.back() : *(root - 1);
        bytes += rank == last ? 0 : whole.GetSpan(channel).bytes;
    }
    return {bytes, bytes};
}

} // namespace ns3
