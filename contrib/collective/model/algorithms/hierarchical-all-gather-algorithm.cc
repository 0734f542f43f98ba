/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "hierarchical-all-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(HierarchicalAllGatherAlgorithm);

TypeId
HierarchicalAllGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::HierarchicalAllGatherAlgorithm")
                            .SetParent<HierarchicalAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<HierarchicalAllGatherAlgorithm>();
    return tid;
}

CollectiveKind
HierarchicalAllGatherAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_GATHER;
}

} // namespace ns3
