/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "ring-all-reduce-algorithm.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(RingAllReduceAlgorithm);

TypeId
RingAllReduceAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::RingAllReduceAlgorithm")
                            .SetParent<SteppedRingAlgorithm>()
                            .SetGroupName("Collective")
                            .AddConstructor<RingAllReduceAlgorithm>();
    return tid;
}

bool
RingAllReduceAlgorithm::Supports(const CollectiveRequest& request) const
{
    return request.kind == CollectiveKind::ALL_REDUCE;
}

std::vector<SteppedRingAlgorithm::Pass>
RingAllReduceAlgorithm::GetPasses() const
{
    return {{0, PlanStepKind::RECEIVE_REDUCE}, {1, PlanStepKind::RECEIVE}};
}

} // namespace ns3
