/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeReduceAlgorithm);

TypeId
TreeReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TreeReduceAlgorithm")
                            .SetParent<TreeAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<TreeReduceAlgorithm>();
    return tid;
}

CollectiveKind
TreeReduceAlgorithm::GetKind() const
{
    return CollectiveKind::REDUCE;
}

} // namespace ns3
