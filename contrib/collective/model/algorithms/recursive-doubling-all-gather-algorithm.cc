/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "recursive-doubling-all-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoublingAllGatherAlgorithm);

TypeId
RecursiveDoublingAllGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RecursiveDoublingAllGatherAlgorithm")
                            .SetParent<RecursiveAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<RecursiveDoublingAllGatherAlgorithm>();
    return tid;
}

CollectiveKind
RecursiveDoublingAllGatherAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_GATHER;
}

} // namespace ns3
