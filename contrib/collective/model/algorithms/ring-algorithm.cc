/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-algorithm.h"

#include "rail-channels.h"
#include "ring-order.h"

#include "ns3/boolean.h"
#include "ns3/collective-tag.h"
#include "ns3/comma-list.h"
#include "ns3/string.h"
#include "ns3/text-value.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingAlgorithm);

TypeId
RingAlgorithm::GetTypeId()
{
    static TypeId tid = AddChannelAttributes(
        TypeId("ns3::RingAlgorithm")
            .SetParent<CollectiveAlgorithm>()
            .SetGroupName("Collective")
            .AddAttribute("Channels",
                          "Number of rings that share the operand. 0: automatic, as many as every "
                          "server has NICs of the group, so that each NIC carries one; 1 if the "
                          "group is in one server; as many as a rank has NICs if KeepGroupOrder "
                          "is set.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&RingAlgorithm::m_channels),
                          MakeUintegerChecker<uint32_t>(0, CollectiveTag::MAX_CHANNELS))
            .AddAttribute("MinChannelBytes",
                          "Automatic channels: no more of them than give each so many bytes of "
                          "the operand; 0 for no such limit. Default: NCCL's ring with the Simple "
                          "protocol, 512 threads of 64 bytes (NCCL_SIMPLE_THREAD_THRESHOLD). "
                          "Without effect beside ns3::NcclSelector, which divides operands as "
                          "NCCL does.",
                          UintegerValue(MIN_CHANNEL_BYTES),
                          MakeUintegerAccessor(&RingAlgorithm::m_minChannelBytes),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("KeepGroupOrder",
                          "Every ring keeps the order of the group. Otherwise rings are laid over "
                          "the servers so that hops between servers stay on a rail.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RingAlgorithm::m_keepGroupOrder),
                          MakeBooleanChecker())
            .AddAttribute("Order",
                          "Order of the ranks of a group on every ring, such as 0,1,3,2: the n-th "
                          "rank of the group is n, counted from 0. For groups of as many ranks, "
                          "which have one ring then unless Channels says more; empty for none.",
                          StringValue(""),
                          MakeStringAccessor(&RingAlgorithm::SetOrder, &RingAlgorithm::GetOrder),
                          MakeStringChecker()));
    return tid;
}

uint32_t
RingAlgorithm::GetChannelCount(const CollectiveRequest& request) const
{
    if (m_channels > 0)
    {
        return m_channels;
    }
    const bool isOne = m_keepGroupOrder || HasOrder(request);
    const uint32_t orders =
        isOne ? 1 : RingOrder(request.placement, request.nics).GetRingCount();
    const uint32_t rings = Bound(RailChannels(orders, request.nicsPerRank).GetCount());
    return Limit(request, rings, 1, m_minChannelBytes);
}

std::vector<std::vector<uint32_t>>
RingAlgorithm::GetOrders(const CollectiveRequest& request, uint32_t channels) const
{
    std::vector<std::vector<uint32_t>> orders;
    const RingOrder rings(request.placement, request.nics);
    const RailChannels rails(rings.GetRingCount(), request.nicsPerRank);
    for (uint32_t channel = 0; channel < channels; channel++)
    {
        std::vector<uint32_t> order(request.GetGroupSize());
        std::iota(order.begin(), order.end(), 0);
        orders.push_back(HasOrder(request)  ? m_order
                         : m_keepGroupOrder ? order
                                            : rings.GetRing(rails.GetRail(channel)));
    }
    return orders;
}

void
RingAlgorithm::SetOrder(const std::string& text)
{
    const TextValue value("attribute", "ns3::RingAlgorithm::Order", text);
    std::vector<uint32_t> order;
    for (const std::string_view word : SplitList(text))
    {
        order.push_back(static_cast<uint32_t>(
            TextValue("attribute", "ns3::RingAlgorithm::Order", word)
                .GetUint("rank", 0, std::numeric_limits<uint32_t>::max())));
    }
    std::vector<uint32_t> sorted = order;
    std::sort(sorted.begin(), sorted.end());
    for (uint32_t rank = 0; rank < sorted.size(); rank++)
    {
        if (sorted[rank] != rank)
        {
            value.Fail("every rank from 0 to " + std::to_string(order.size() - 1) +
                       " once, with commas between");
        }
    }
    m_order = order;
}

std::string
RingAlgorithm::GetOrder() const
{
    std::string text;
    for (const uint32_t rank : m_order)
    {
        AppendToList(text, std::to_string(rank), ",");
    }
    return text;
}

bool
RingAlgorithm::HasOrder(const CollectiveRequest& request) const
{
    return !m_order.empty() && m_order.size() == request.GetGroupSize();
}

} // namespace ns3
