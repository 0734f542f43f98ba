/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-reduce-scatter-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingReduceScatterAlgorithm);

TypeId
RingReduceScatterAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RingReduceScatterAlgorithm")
                            .SetParent<SteppedRingAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<RingReduceScatterAlgorithm>();
    return tid;
}

bool
RingReduceScatterAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::REDUCE_SCATTER;
}

std::vector<SteppedRingAlgorithm::Pass>
RingReduceScatterAlgorithm::GetPasses() const
{
    return {{-1, PlanStepKind::RECEIVE_REDUCE}};
}

} // namespace ns3
