/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-broadcast-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeBroadcastAlgorithm);

TypeId
TreeBroadcastAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TreeBroadcastAlgorithm")
                            .SetParent<TreeAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<TreeBroadcastAlgorithm>();
    return tid;
}

CollectiveKind
TreeBroadcastAlgorithm::GetKind() const
{
    return CollectiveKind::BROADCAST;
}

} // namespace ns3
