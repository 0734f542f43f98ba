/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hierarchical-reduce-scatter-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalReduceScatterAlgorithm);

TypeId
HierarchicalReduceScatterAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HierarchicalReduceScatterAlgorithm")
                            .SetParent<HierarchicalAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<HierarchicalReduceScatterAlgorithm>();
    return tid;
}

CollectiveKind
HierarchicalReduceScatterAlgorithm::GetKind() const
{
    return CollectiveKind::REDUCE_SCATTER;
}

} // namespace ns3
