/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pat-reduce-scatter-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PatReduceScatterAlgorithm);

TypeId
PatReduceScatterAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PatReduceScatterAlgorithm")
                            .SetParent<PatAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<PatReduceScatterAlgorithm>();
    return tid;
}

CollectiveKind
PatReduceScatterAlgorithm::GetKind() const
{
    return CollectiveKind::REDUCE_SCATTER;
}

} // namespace ns3
