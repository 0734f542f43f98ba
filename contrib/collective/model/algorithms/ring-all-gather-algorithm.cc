/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-all-gather-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingAllGatherAlgorithm);

TypeId
RingAllGatherAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RingAllGatherAlgorithm")
                            .SetParent<SteppedRingAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<RingAllGatherAlgorithm>();
    return tid;
}

bool
RingAllGatherAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_GATHER;
}

std::vector<SteppedRingAlgorithm::Pass>
RingAllGatherAlgorithm::GetPasses() const
{
    return {{0, PlanStepKind::RECEIVE}};
}

} // namespace ns3
