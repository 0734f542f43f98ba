/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hierarchical-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalAllReduceAlgorithm);

TypeId
HierarchicalAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HierarchicalAllReduceAlgorithm")
                            .SetParent<HierarchicalAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<HierarchicalAllReduceAlgorithm>();
    return tid;
}

CollectiveKind
HierarchicalAllReduceAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_REDUCE;
}

} // namespace ns3
