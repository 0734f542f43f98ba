/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tree-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(TreeAllReduceAlgorithm);

TypeId
TreeAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::TreeAllReduceAlgorithm")
                            .SetParent<TreeAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<TreeAllReduceAlgorithm>();
    return tid;
}

CollectiveKind
TreeAllReduceAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_REDUCE;
}

} // namespace ns3
