/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-algorithm.h"

#include "ring-order.h"

#include "ns3/boolean.h"
#include "ns3/collective-tag.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingAlgorithm);

TypeId
RingAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::RingAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddAttribute("Channels",
                          "Number of rings that share the operand. 0: automatic, as many as every "
                          "server has ranks of the group, so that each NIC carries one; 1 if the "
                          "group is in one server or KeepGroupOrder is set.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RingAlgorithm::m_channels),
                          MakeUintegerChecker<uint32_t>(0, CollectiveTag::MAX_CHANNELS))
            .AddAttribute("MinChannelBytes",
                          "Automatic channels: no more of them than give each so many bytes of "
                          "the operand; 0 for no such limit. Default: NCCL's ring with the Simple "
                          "protocol, 512 threads of 64 bytes (NCCL_SIMPLE_THREAD_THRESHOLD).",
                          UintegerValue(32768),
                          MakeUintegerAccessor(&RingAlgorithm::m_minChannelBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("KeepGroupOrder",
                          "Every ring keeps the order of the group. Otherwise rings are laid over "
                          "the servers so that hops between servers stay on a rail.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RingAlgorithm::m_keepGroupOrder),
                          MakeBooleanChecker());
    return tid;
}

uint32_t
RingAlgorithm::GetChannelCount(const CollectiveRequest& request) const
{
    if (m_channels > 0)
    {
        return m_channels;
    }
    if (m_keepGroupOrder)
    {
        return 1;
    }
    const uint32_t rings =
        std::min(RingOrder(request.placement).GetRingCount(), CollectiveTag::MAX_CHANNELS);
    if (m_minChannelBytes == 0)
    {
        return rings;
    }
    const uint64_t worthwhile = std::max<uint64_t>(request.bytes / m_minChannelBytes, 1);
    return static_cast<uint32_t>(std::min<uint64_t>(rings, worthwhile));
}

std::vector<std::vector<uint32_t>>
RingAlgorithm::GetOrders(const CollectiveRequest& request, uint32_t channels) const
{
    std::vector<std::vector<uint32_t>> orders;
    const RingOrder rings(request.placement);
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        std::vector<uint32_t> order(request.GetGroupSize());
        std::iota(order.begin(), order.end(), 0);
        orders.push_back(m_keepGroupOrder ? order : rings.GetRing(channel));
    }
    return orders;
}

uint32_t
RingAlgorithm::GetSliceCount(uint64_t chunkBytes, uint64_t sliceBytes)
{
    if (sliceBytes == 0 || chunkBytes <= sliceBytes)
    {
        return 1;
    }
    return static_cast<uint32_t>((chunkBytes + sliceBytes - 1) / sliceBytes);
}

} // namespace ns3
