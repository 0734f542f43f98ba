/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "double-binary-tree-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DoubleBinaryTreeAllReduceAlgorithm);

TypeId
DoubleBinaryTreeAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DoubleBinaryTreeAllReduceAlgorithm")
                            .SetParent<TreeAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<DoubleBinaryTreeAllReduceAlgorithm>();
    return tid;
}

CollectiveKind
DoubleBinaryTreeAllReduceAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_REDUCE;
}

uint32_t
DoubleBinaryTreeAllReduceAlgorithm::GetTreesPerRail(const ServerLayout& layout) const
{
    return layout.GetCount() < 2 ? 1 : 2;
}

} // namespace ns3
