/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "pat-all-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(PatAllGatherAlgorithm);

TypeId
PatAllGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::PatAllGatherAlgorithm")
                            .SetParent<PatAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<PatAllGatherAlgorithm>();
    return tid;
}

CollectiveKind
PatAllGatherAlgorithm::GetKind() const
{
    return CollectiveKind::ALL_GATHER;
}

} // namespace ns3
