/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recursive-halving-reduce-scatter-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecursiveHalvingReduceScatterAlgorithm);

TypeId
RecursiveHalvingReduceScatterAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecursiveHalvingReduceScatterAlgorithm")
                            .SetParent<RecursiveAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<RecursiveHalvingReduceScatterAlgorithm>();
    return tid;
}

CollectiveKind
RecursiveHalvingReduceScatterAlgorithm::GetKind() const
{
    return CollectiveKind::REDUCE_SCATTER;
}

} // namespace ns3
